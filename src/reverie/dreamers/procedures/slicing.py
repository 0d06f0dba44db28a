"""A function cut out of its module, with all of the module that it needs and nothing else.

What it needs are the statements at the top that bind the names it uses, and those that these use
in turn, in the order of the file. Relative imports become absolute ones.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Slice:
    """Source that stands on its own."""

    prelude: str
    """All but the function itself."""
    function: str

    @property
    def code(self) -> str:
        """The whole of it, the function last."""
        return f"{self.prelude}\n\n{self.function}" if self.prelude else self.function

    def with_function(self, function: str) -> str:
        """The same with another function in its place."""
        return Slice(self.prelude, function).code


def slice_function(tree: ast.Module, name: str, module: str, is_package: bool) -> Slice | None:
    """A function at the top of a module; None when it cannot stand on its own."""
    statements = [_absolute(each, module, is_package) for each in tree.body]
    binding = _bindings(statements)
    place = binding.get(name, [])
    if len(place) != 1 or not isinstance(statements[place[0]], _Function):
        return None
    own = place[0]
    needed = _closure(statements, binding, own)
    if any(_is_starred(statements[each]) for each in range(len(statements))):
        needed |= {each for each in range(len(statements)) if _is_starred(statements[each])}
    kept = [statements[each] for each in sorted(needed - {own})]
    return Slice(_written(kept), ast.unparse(statements[own]) + "\n")


def _closure(statements: Sequence[ast.stmt], binding: dict[str, list[int]], own: int) -> set[int]:
    needed = {own}
    waiting = [own]
    for place, statement in enumerate(statements):
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            needed.add(place)
    while waiting:
        for name in _used(statements[waiting.pop()]):
            for place in binding.get(name, ()):
                if place not in needed:
                    needed.add(place)
                    waiting.append(place)
    return needed


def _bindings(statements: Sequence[ast.stmt]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, statement in enumerate(statements):
        for name in dict.fromkeys(bound_names(statement)):
            found.setdefault(name, []).append(place)
    return found


def bound_names(statement: ast.AST) -> Iterator[str]:
    """Names that a statement binds where it stands, not inside functions or classes of it."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
            return
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for alias in names:
                yield alias.asname or alias.name.partition(".")[0]
            return
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
    for child in ast.iter_child_nodes(statement):
        yield from bound_names(child)


def _used(statement: ast.stmt) -> set[str]:
    """Names that a statement or anything inside it reads, roughly: locals are in as well."""
    found = {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(statement):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= _quoted(node.value)
        elif isinstance(node, ast.Global):
            found |= set(node.names)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def _quoted(text: str) -> set[str]:
    """A quoted annotation names types."""
    if len(text) > 80 or not text.replace("_", "").replace("[", "").strip(" ]|.,").isalnum():
        return set()
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _is_starred(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"


def _absolute(statement: ast.stmt, module: str, is_package: bool) -> ast.stmt:
    relative = [
        node for node in ast.walk(statement) if isinstance(node, ast.ImportFrom) and node.level > 0
    ]
    for node in relative:
        parts = module.split(".")
        kept = len(parts) - node.level + is_package
        base = parts[: max(0, kept)]
        node.module = ".".join((*base, node.module) if node.module else base)
        node.level = 0
    return statement


def _written(statements: Iterable[ast.stmt]) -> str:
    return "".join(ast.unparse(each) + "\n" for each in statements)
