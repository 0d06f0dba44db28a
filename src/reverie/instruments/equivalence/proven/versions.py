"""Two versions of a callable: proven where all of their modules is."""

import ast
from collections.abc import Iterator

from reverie.instruments.equivalence.proven.modules import Proven, prove_modules
from reverie.instruments.equivalence.targets import Version


def laws_of_versions(old: Version, new: Version) -> tuple[str, ...] | None:
    """The laws that show that both do the same; None where nothing is shown.

    Both have to find the same relatives, and nothing else in their modules may differ. Of one text
    there is nothing to prove: whoever holds it against itself wants to know how steady it is.
    """
    if old.source == new.source:
        return None
    if old.qualname != new.qualname or old.roots != new.roots or old.module != new.module:
        return None
    proven = prove_modules(old.source, new.source)
    try:
        first, second = (list(_outline(ast.parse(each.source), proven, "")) for each in (old, new))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if first != second:
        return None
    return tuple(sorted({law for laws in proven.functions.values() for law in laws}))


def _outline(tree: ast.AST, proven: Proven, prefix: str) -> Iterator[str]:
    """A module with names in place of what is proven; functions of one side are left out."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if prefix + name in proven.functions:
                    yield f"def {prefix}{name}"
                elif prefix or name not in proven.absorbed:
                    yield ast.dump(node)
            case ast.ClassDef(name=name):
                shell = [*node.bases, *node.keywords, *node.decorator_list]
                yield f"class {prefix}{name} {[ast.dump(each) for each in shell]}"
                inside = ast.Module(body=node.body, type_ignores=[])
                yield from _outline(inside, proven, f"{prefix}{name}.")
                yield f"end of {prefix}{name}"
            case ast.Assign(targets=[ast.Name(id=name)]) if not prefix and name in proven.values:
                yield f"value of {name}"
            case _:
                yield ast.dump(node)
