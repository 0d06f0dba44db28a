"""A package's `__init__.py` with one more of its modules in it, in the style that it has."""

import ast
from dataclasses import dataclass

from reverie.syntax.nodes import is_bare_constant
from reverie.syntax.parsing import parse_module
from reverie.syntax.unparsing import unparse

_WIDEST = 88


@dataclass(frozen=True, slots=True)
class Example:
    """A front before and after, for a module `tides` of the package `sea`."""

    before: str
    after: str


EXAMPLES = (
    Example("", "from . import tides as tides\n"),
    Example('"""The sea."""\n', '"""The sea."""\n\nfrom . import tides as tides\n'),
    Example(
        'from sea.waves import swell\n\n__all__ = ["swell"]\n',
        'from sea import tides\nfrom sea.waves import swell\n\n__all__ = ["swell", "tides"]\n',
    ),
    Example(
        'from . import waves\n\n__all__ = [\n    "waves",\n]\n',
        'from . import tides, waves\n\n__all__ = [\n    "tides",\n    "waves",\n]\n',
    ),
    Example(
        "import os\n\nDEPTH = os.sep\n",
        "import os\n\nfrom . import tides as tides\n\nDEPTH = os.sep\n",
    ),
)


def with_module(front: str, package: str, name: str) -> str | None:
    """The front with the module imported and, where names are listed, listed; None if it cannot."""
    try:
        tree = parse_module(front)
    except (SyntaxError, ValueError, RecursionError):
        return None
    listed = _listed(tree)
    imported = _with_import(front, tree, package, name, is_listed=listed is not None)
    if imported is None or listed is None:
        return imported
    return _with_name(imported, name)


def _with_import(
    front: str, tree: ast.Module, package: str, name: str, *, is_listed: bool
) -> str | None:
    origin = package if _is_absolute(tree, package) else "."
    lines = front.splitlines(keepends=True)
    level, module = (0, package) if origin == package else (1, None)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.level, node.module) == (level, module):
            wider = _widened(lines[node.lineno - 1 : node.end_lineno], node, name)
            if is_listed and wider is not None:
                return "".join((*lines[: node.lineno - 1], wider, *lines[node.end_lineno or 0 :]))
    line = f"from {origin} import {name}" + ("" if is_listed else f" as {name}")
    return _inserted(lines, tree, line, package)


def _is_absolute(tree: ast.Module, package: str) -> bool:
    """Whether the front names its package where it imports from it."""
    return any(
        isinstance(node, ast.ImportFrom)
        and not node.level
        and (node.module or "").partition(".")[0] == package.partition(".")[0]
        for node in tree.body
    )


def _widened(lines: list[str], node: ast.ImportFrom, name: str) -> str | None:
    """An import on a line of its own with one more name; None where it is written otherwise."""
    aliases = sorted({*(unparse(each) for each in node.names), name})
    origin = "." * node.level + (node.module or "")
    text = f"from {origin} import {', '.join(aliases)}"
    is_plain = len(lines) == 1 and lines[0].rstrip() == unparse(node)
    return f"{text}\n" if is_plain and len(text) <= _WIDEST else None


def _inserted(lines: list[str], tree: ast.Module, line: str, package: str) -> str:
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    own = [node for node in imports if isinstance(node, ast.ImportFrom) and _is_own(node, package)]
    if own:
        at = own[0].lineno - 1
        return "".join((*lines[:at], f"{line}\n", *lines[at:]))
    above = [node for node in (*tree.body[:1], *imports) if _is_opening(node)]
    at = max((node.end_lineno or 0 for node in above), default=0)
    before, after = _ended(lines[:at]), lines[at:]
    gap_after = ["\n"] if after and after[0].strip() else []
    return "".join((*before, *(["\n"] if before else []), f"{line}\n", *gap_after, *after))


def _is_own(node: ast.ImportFrom, package: str) -> bool:
    return bool(node.level) or (node.module or "").partition(".")[0] == package.partition(".")[0]


def _is_opening(node: ast.stmt) -> bool:
    is_text = is_bare_constant(node)
    return is_text or isinstance(node, ast.Import | ast.ImportFrom)


def _ended(lines: list[str]) -> list[str]:
    return [*lines[:-1], f"{lines[-1].rstrip()}\n"] if lines else lines


def _listed(tree: ast.Module) -> ast.List | ast.Tuple | None:
    """The `__all__` that is written out."""
    for node in tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id="__all__")], value=ast.List() | ast.Tuple() as held
            ) if held.elts and all(
                isinstance(each, ast.Constant) and isinstance(each.value, str) for each in held.elts
            ):
                return held
    return None


def _with_name(front: str, name: str) -> str | None:
    """The same with a name more in `__all__`: in its order where it has one, else at its end."""
    held = _listed(parse_module(front))
    if held is None:
        return None
    names = [str(each.value) for each in held.elts if isinstance(each, ast.Constant)]
    is_sorted = names == sorted(names)
    at = next((n for n, each in enumerate(names) if is_sorted and each > name), None)
    neighbour = held.elts[-1 if at is None else at]
    lines = front.encode().splitlines(keepends=True)
    line = lines[neighbour.lineno - 1]
    quote = line[neighbour.col_offset : neighbour.col_offset + 1].decode()
    is_alone = not line[: neighbour.col_offset].strip()
    gap = "\n" + " " * neighbour.col_offset if is_alone else " "
    text = f"{quote}{name}{quote}"
    column = neighbour.col_offset if at is not None else neighbour.end_col_offset or 0
    added = f"{text},{gap}" if at is not None else f",{gap}{text}"
    lines[neighbour.lineno - 1] = line[:column] + added.encode() + line[column:]
    return b"".join(lines).decode()
