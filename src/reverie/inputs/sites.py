"""Places in an expression where a constant or a container can be replaced by another.

Replacing works on the text, not on an unparsed tree: what is not touched stays as it was, byte
for byte, on every Python.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from reverie.model.call import Call, Expression

_TRANSPARENT = frozenset(
    [
        "iter",
        "tuple",
        "list",
        "set",
        "frozenset",
        "sorted",
        "async_items",
        "eventually",
        "answering",
        "contextlib.nullcontext",
        "collections.deque",
        "collections.OrderedDict",
        "collections.Counter",
        "collections.ChainMap",
        "collections.defaultdict",
        "io.StringIO",
        "io.BytesIO",
        "bytearray",
        "memoryview",
        "types.SimpleNamespace",
        "types.MappingProxyType",
        "numpy.array",
        "pandas.Series",
        "ValueError",
    ]
)
"""Calls whose arguments may be changed freely. Classes of the code under test count as such."""


@dataclass(frozen=True, slots=True)
class Site:
    """A literal or a container display inside an expression's source."""

    node: ast.expr
    source: str
    """The whole expression."""

    @property
    def text(self) -> str:
        """What stands there."""
        return self.source[self.node.col_offset : self.node.end_col_offset]

    def with_text(self, text: str) -> str:
        """The whole expression with another text there."""
        return self.source[: self.node.col_offset] + text + self.source[self.node.end_col_offset :]

    def part(self, node: ast.expr) -> str:
        """The text of a node inside."""
        return self.source[node.col_offset : node.end_col_offset]

    @property
    def constant(self) -> object:
        """The value of a literal; an Ellipsis for what is none."""
        match self.node:
            case ast.Constant(value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(int() | float() as number)):
                return -number
        return ...


def sites(expression: Expression) -> list[Site]:
    """Every place, outermost first."""
    try:
        tree = ast.parse(expression.source, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return []
    if not expression.source.isascii() or "\n" in expression.source:
        return []
    return [Site(node, expression.source) for node in _open(tree, expression.names)]


def _open(node: ast.expr, own: frozenset[str]) -> Iterator[ast.expr]:
    match node:
        case ast.Constant():
            yield node
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            yield node
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            yield node
            for each in parts:
                yield from _open(each, own)
        case ast.Dict(keys=keys, values=values):
            yield node
            for key, value in zip(keys, values, strict=True):
                if key is not None:
                    yield from _open(key, own)
                yield from _open(value, own)
        case ast.Call(func=target, args=args, keywords=keywords) if _is_open(target, own):
            for each in (*args, *(keyword.value for keyword in keywords)):
                yield from _open(each, own)


def _is_open(target: ast.expr, own: frozenset[str]) -> bool:
    name = ast.unparse(target)
    return name in _TRANSPARENT or name.partition(".")[0] in own or name[:1].isupper()


def with_expression(call: Call, index: int, expression: Expression) -> Call:
    """The call with its expression number `index` (as `Call.expressions` counts) replaced."""
    if call.receiver is not None:
        if index == 0:
            return replace(call, receiver=expression)
        index -= 1
    if index < len(call.args):
        return replace(call, args=(*call.args[:index], expression, *call.args[index + 1 :]))
    index -= len(call.args)
    name, _ = call.kwargs[index]
    kwargs = (*call.kwargs[:index], (name, expression), *call.kwargs[index + 1 :])
    return replace(call, kwargs=kwargs)
