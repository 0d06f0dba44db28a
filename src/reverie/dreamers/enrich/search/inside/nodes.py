"""What a try is made of: expressions as trees, quick to change, to evaluate and to write out.

A *form* is a piece of source with holes: `Version.parse(·).bump_major()` has one. It is compiled
once and called with the values of its holes, so that a try costs no parsing.
"""

import ast
import math
from typing import Any

CONST, LIST, TUPLE, SET, DICT, FORM, REF = ["const", "list", "tuple", "set", "dict", "form", "ref"]
_FUNCTION_SIZE = 4
"""A function made on the spot reads worse than a value, where either does."""
_NOTHING: "frozenset[int]" = frozenset()
DISPLAYS = (LIST, TUPLE, SET, DICT)


class Node:
    """One expression. Shared between tries, so never changed in place."""

    __slots__ = ("about", "items", "kind", "needs", "size", "value")

    def __init__(
        self,
        kind: str,
        value: Any = None,
        items: "tuple[Node, ...]" = (),
        about: "tuple[str, tuple[str, ...]] | None" = None,
    ) -> None:
        self.kind = kind
        self.value = value
        """Of a constant its value, of a form its pieces of source, of a reference its number."""
        self.items = items
        """A dict's are keys and values in turn."""
        self.about = about
        """Of a call: what is called, and which parameter each hole is for."""
        self.size = _own_size(kind, value)
        """How much there is to read."""
        self.needs: frozenset[int] = _NOTHING if kind != REF else frozenset((value,))
        """The numbers of the lines whose results it needs."""
        for each in items:
            self.size += each.size
            if each.needs:
                self.needs |= each.needs

    def __reduce__(self) -> "tuple[Any, ...]":
        return Node, (self.kind, self.value, self.items, self.about)

    def with_items(self, items: "tuple[Node, ...]") -> "Node":
        """The same with other parts."""
        return Node(self.kind, self.value, items, self.about)


class Line:
    """One step of a try."""

    __slots__ = ("callee", "form", "node", "number")

    def __init__(self, node: Node, form: str, callee: "str | None", number: int) -> None:
        self.node = node
        self.form = form
        self.callee = callee
        self.number = number
        """What references to its result say."""

    def __reduce__(self) -> "tuple[Any, ...]":
        return Line, (self.node, self.form, self.callee, self.number)


def const(value: Any) -> Node:
    """A literal."""
    return Node(CONST, value)


def ref(number: int) -> Node:
    """The result of an earlier line."""
    return Node(REF, number)


def form(text: str, *items: Node, about: "tuple[str, tuple[str, ...]] | None" = None) -> Node:
    """A form; each `·` of the text is a hole."""
    return Node(FORM, tuple(text.split("·")), items, about)


class Evaluator:
    """Gives the values of expressions within one namespace."""

    def __init__(self, namespace: "dict[str, Any]") -> None:
        self.namespace = namespace
        self._compiled: dict[tuple[tuple[str, ...], bool], Any] = {}

    def value(self, node: Node, results: "dict[int, Any]") -> Any:
        """The value, made anew: what is mutable is not shared with another try."""
        kind = node.kind
        if kind == CONST:
            return node.value
        if kind == REF:
            return results[node.value]
        made = [self.value(each, results) for each in node.items]
        if kind == FORM:
            return self.compiled(node.value, is_statement=False)(*made)
        if kind == LIST:
            return made
        if kind == TUPLE:
            return tuple(made)
        if kind == SET:
            return set(made)
        return dict(zip(made[::2], made[1::2]))  # noqa: B905  in turn

    def perform(self, node: Node, results: "dict[int, Any]") -> None:
        """Run a form that is a statement."""
        made = [self.value(each, results) for each in node.items]
        self.compiled(node.value, is_statement=True)(*made)

    def compiled(self, pieces: "tuple[str, ...]", *, is_statement: bool) -> Any:
        """The function of a form's holes."""
        key = (pieces, is_statement)
        found = self._compiled.get(key)
        if found is None:
            names = [f"_hole{number}" for number in range(len(pieces) - 1)]
            text = "".join(_in_turn(pieces, names))
            if is_statement:
                space: dict[str, Any] = {}
                source = f"def perform({', '.join(names)}):\n    {text}"
                exec(compile(source, "<try>", "exec"), self.namespace, space)  # noqa: S102
                found = space["perform"]
            else:
                found = eval(
                    compile(f"lambda {', '.join(names)}: ({text})", "<try>", "eval"), self.namespace
                )
            self._compiled[key] = found
        return found


def _in_turn(pieces: "tuple[str, ...]", between: "list[str]") -> "list[str]":
    parts = [pieces[0]]
    for name, piece in zip(between, pieces[1:]):  # noqa: B905  one more piece than holes
        parts += [name, piece]
    return parts


def render(node: Node, names: "dict[int, str]") -> str:
    """The source, with more parentheses than needed."""
    kind = node.kind
    if kind == CONST:
        return render_constant(node.value)
    if kind == REF:
        return names[node.value]
    inner = [render(each, names) for each in node.items]
    if kind == FORM:
        return "".join(_in_turn(node.value, [f"({each})" for each in inner]))
    if kind == DICT:
        pairs = zip(inner[::2], inner[1::2])  # noqa: B905  in turn
        return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    listed = ", ".join(inner)
    if kind == LIST:
        return f"[{listed}]"
    if kind == TUPLE:
        return f"({listed},)" if inner else "()"
    return f"{{{listed}}}" if inner else "set()"


def tidy(source: str) -> str:
    """Source without needless parentheses; a ValueError when it is none."""
    try:
        return ast.unparse(ast.parse(source))
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"not a line of Python: {source[:80]!r}") from error


def render_constant(value: Any) -> str:
    """A literal's source; floats that have none are made by name."""
    if type(value) is float and not math.isfinite(value):
        return f"float({str(value)!r})"
    return repr(value)


def needs_of(lines: "list[Line]") -> "set[int]":
    """The numbers of all lines that some line needs."""
    found: set[int] = set()
    for line in lines:
        found |= line.node.needs
    return found


def _own_size(kind: str, value: Any) -> int:
    if kind == CONST:
        return 1 + (len(value) // 8 if isinstance(value, (str, bytes)) else 0)
    if kind != FORM:
        return 1
    return 1 + sum(map(len, value)) // 12 + (_FUNCTION_SIZE if "lambda" in value[0] else 0)


def places(node: Node, path: "tuple[int, ...]" = ()) -> "list[tuple[tuple[int, ...], Node]]":
    """Every part of an expression with the way to it, the whole first."""
    found = [(path, node)]
    for number, each in enumerate(node.items):
        found += places(each, (*path, number))
    return found


def replaced(node: Node, path: "tuple[int, ...]", part: Node) -> Node:
    """The expression with another part at the end of a path."""
    if not path:
        return part
    items = list(node.items)
    items[path[0]] = replaced(items[path[0]], path[1:], part)
    return node.with_items(tuple(items))
