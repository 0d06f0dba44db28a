"""What a module defines: names to import, and the order in which its callables stand."""

import ast
import builtins


def own_names(tree: ast.Module) -> frozenset[str]:
    """Everything that can be imported from a module, as far as its source shows."""
    found: set[str] = set()
    for node in _top_level(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = {(each.asname or each.name).partition(".")[0] for each in node.names}
            found |= {name for name in names if not hasattr(builtins, name)}
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update(
                name.id
                for target in targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name)
            )
    return frozenset(found - {"*"})


def _top_level(tree: ast.AST) -> list[ast.stmt]:
    """Statements that run at import, also those under conditions."""
    found: list[ast.stmt] = []
    for name in ("body", "orelse", "finalbody", "handlers"):
        for node in getattr(tree, name, ()):
            if isinstance(node, ast.stmt):
                found.append(node)
            if isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler, ast.For)):
                found += _top_level(node)
    return found


def callee_order(tree: ast.Module) -> dict[str, int]:
    """The line of every function, class and method, by qualified name."""
    found: dict[str, int] = {}

    def walk(node: ast.AST, prefix: str) -> None:
        for each in ast.iter_child_nodes(node):
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{prefix}{each.name}"
                found.setdefault(name, each.lineno)
                if isinstance(each, ast.ClassDef):
                    walk(each, f"{name}.")
            elif isinstance(each, (ast.If, ast.Try)):
                walk(each, prefix)

    walk(tree, "")
    return found
