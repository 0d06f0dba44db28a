"""What stands in the sources that is worth trying or watching: literals, patterns, libraries."""

import ast
import builtins
from collections.abc import Iterable, Iterator

_FILE_WORDS = frozenset(
    {"open", "Path", "shutil", "tempfile", "mkdir", "remove", "unlink", "write_text", "makedirs"}
)
_SETS = frozenset({"set", "frozenset", "Set", "FrozenSet", "hash"})
_CLOCKS = frozenset({"datetime", "time", "calendar", "zoneinfo", "email", "dateutil"})
_INEXACT = frozenset({"float", "sqrt", "cbrt", "log", "log2", "log10", "exp", "fsum", "mean"})
_MOST_CONSTANTS = 120
_LARGEST = 1 << 128
_LONGEST = 200


def constants_of(old: ast.Module, new: ast.Module) -> tuple[list[str], int]:
    """Literals, those of one version only first, and how many those are."""
    before, after = dict.fromkeys(_literals(old)), dict.fromkeys(_literals(new))
    only_one = [*(each for each in after if each not in before)]
    only_one += [each for each in before if each not in after]
    ordered = dict.fromkeys([*only_one, *after])
    return list(ordered)[:_MOST_CONSTANTS], min(len(only_one), _MOST_CONSTANTS)


def _literals(tree: ast.Module) -> Iterator[str]:
    texts = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in texts and _is_drawn(node.value):
            yield ascii(node.value)


def _is_drawn(value: object) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < _LARGEST
    return isinstance(value, str | bytes | float) and len(str(value)) <= _LONGEST


def patterns_of(trees: Iterable[ast.Module]) -> Iterator[str]:
    """Regular expressions that are handed to `re` as they stand."""
    for tree in trees:
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id in ("re", "regex")
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and isinstance(node.args[0].value, str)
            ):
                yield node.args[0].value


def caught_errors(trees: Iterable[ast.Module]) -> list[str]:
    """Names of builtin exceptions that handlers in the sources catch."""
    found = (
        _name(each)
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and node.type is not None
        for each in (node.type.elts if isinstance(node.type, ast.Tuple) else [node.type])
    )
    return [name for name in dict.fromkeys(found) if _is_error(name)]


def _is_error(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, Exception)


def uses_sets(tree: ast.Module) -> bool:
    """Whether the order of a set may show."""
    return any(
        isinstance(node, ast.Set | ast.SetComp) or getattr(node, "id", None) in _SETS
        for node in ast.walk(tree)
    )


def uses_files(tree: ast.Module) -> bool:
    """Whether it may read or write files."""
    words = {
        getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
        for node in ast.walk(tree)
    }
    imported = _imported(tree)
    return bool((words | imported) & _FILE_WORDS) or "os" in imported


def computes_with_floats(tree: ast.Module) -> bool:
    """Whether it computes inexactly somewhere: divides, takes roots, writes floats down."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            return True
        if isinstance(node, ast.Call) and _name(node.func) in _INEXACT:
            return True
    return False


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def uses_clocks(tree: ast.Module) -> bool:
    """Whether it may depend on where on earth it runs."""
    return bool(_imported(tree) & _CLOCKS)


def _imported(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return found
