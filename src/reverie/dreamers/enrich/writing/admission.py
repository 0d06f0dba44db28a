"""What may be written into a test file of what came out of the sandbox: literals, and little else.

A value that the code under test has shown is its claim. It is parsed again here, and let in only
as far as every node of it is a literal, a constructor that is known to be harmless, or a name that
the module itself defines.
"""

import ast
from functools import lru_cache

_CONSTRUCTORS = frozenset(
    {"set", "frozenset", "bytearray", "float", "complex", "range", "dict", "list", "tuple", "slice",
     "object", "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta",
     "datetime.timezone", "decimal.Decimal", "fractions.Fraction", "collections.OrderedDict",
     "collections.deque", "collections.Counter", "collections.defaultdict", "uuid.UUID",
     "pathlib.PurePosixPath", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.Path",
     "types.SimpleNamespace", "types.MappingProxyType", "array.array", "zoneinfo.ZoneInfo",
     "ipaddress.ip_address", "ipaddress.IPv4Address", "ipaddress.IPv6Address", "bytes", "int",
     "str", "bool", "Ellipsis", "NotImplemented", "datetime.timezone.utc", "memoryview"}
)  # fmt: skip
_PLAIN = (
    ast.Expression, ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Load, ast.keyword,
    ast.USub, ast.UAdd, ast.Add, ast.Sub,
)  # fmt: skip
_NOBODY: frozenset[str] = frozenset()
_MOST_CHARACTERS = 4000
_MOST_DEPTH = 60


@lru_cache(maxsize=4096)
def is_admitted(source: str, own: frozenset[str], modules: frozenset[str] = frozenset()) -> bool:
    """Whether a source is a value that may stand in a test; `own` are names of the module."""
    if len(source) > _MOST_CHARACTERS:
        return False
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return _is_value(tree.body, own, modules, 0)


def is_literal(node: ast.expr) -> bool:
    """Whether a node is a value that says all by itself."""
    return not isinstance(node, ast.Name) and _is_value(node, _NOBODY, _NOBODY, 0)


def _is_value(node: ast.AST, own: frozenset[str], modules: frozenset[str], depth: int) -> bool:
    if depth > _MOST_DEPTH:
        return False
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _is_known(dotted(node), own, modules)
    if isinstance(node, ast.Call) and not _is_known(dotted(node.func), own, modules):
        return False
    if isinstance(node, ast.BinOp) and not _is_complex(node):
        return False
    if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        return False
    if not isinstance(node, (*_PLAIN, ast.Call, ast.BinOp, ast.UnaryOp)):
        return False
    inner = [each for each in ast.iter_child_nodes(node) if not _is_callee(node, each)]
    return all(_is_value(each, own, modules, depth + 1) for each in inner)


def _is_callee(node: ast.AST, child: ast.AST) -> bool:
    return isinstance(node, ast.Call) and child is node.func


def _is_complex(node: ast.BinOp) -> bool:
    """`1+2j`, as `repr` writes it."""
    right = node.right
    return isinstance(right, ast.Constant) and isinstance(right.value, complex)


def _is_known(name: str | None, own: frozenset[str], modules: frozenset[str]) -> bool:
    if name is None or "__" in name:
        return False
    return name in _CONSTRUCTORS or name.partition(".")[0] in own or _is_of(name, modules)


def _is_of(name: str, modules: frozenset[str]) -> bool:
    """Whether a dotted name is of one of the package's own modules."""
    return any(name.startswith(f"{module}.") for module in modules)


def dotted(node: ast.AST) -> str | None:
    """`a.b.c` of names and attributes; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return None if before is None else f"{before}.{node.attr}"
    return None
