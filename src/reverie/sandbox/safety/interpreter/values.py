"""What an expression may evaluate to, as far as the source tells.

A `Value` is a small tuple of atoms, each one possibility. `UNKNOWN` among them says that
there may be others. Of strings and paths only some stretches may be known. Nothing here runs the
code under check.
"""

import ast
import itertools
import posixpath
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import EllipsisType
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from reverie.sandbox.safety.interpreter.scope import Scope

MAX_ATOMS = 12
MAX_ITEMS = 256
MAX_WEIGHT = 2048
MAX_LEVELS = 16

Constant: TypeAlias = str | bytes | int | float | complex | bool | EllipsisType | None
Part: TypeAlias = str | None
"""A stretch of text; None is a stretch that only the run will know."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Anything at all."""


@dataclass(frozen=True, slots=True)
class Known:
    """A constant that the source fixes. `decoded`: it went through a decoder on the way."""

    value: Constant
    decoded: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    """A string of which only some stretches are fixed."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something outside the file, by its canonical dotted name; `()` stands for a call's result."""

    name: str
    text: tuple[Part, ...] | None = None
    """For path objects: the path."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a nested value is; what is too large forgets what it holds."""

    weight: int = 1
    levels: int = 0

    @property
    def fits(self) -> bool:
        """Whether comparing and hashing such a value is still cheap."""
        return self.weight <= MAX_WEIGHT and self.levels <= MAX_LEVELS


@dataclass(frozen=True, slots=True)
class Items:
    """A list, tuple or set whose members are known, unless there were `too_many`."""

    kind: Literal["list", "tuple", "set"]
    values: tuple["Value", ...]
    too_many: bool = field(default=False, compare=False)
    size: Size = field(default=Size(), init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        _bound(self, self.values, values=(ANYTHING,), too_many=True)


@dataclass(frozen=True, slots=True)
class Table:
    """A dictionary with constant keys. `complete`: there are no other keys."""

    entries: tuple[tuple[Constant, "Value"], ...]
    complete: bool = True
    size: Size = field(default=Size(), init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        _bound(self, [value for _, value in self.entries], entries=(), complete=False)


@dataclass(frozen=True, slots=True)
class Extent:
    """An iterable by its length alone; None is endless."""

    count: int | None


@dataclass(frozen=True, slots=True)
class Namespace:
    """The variables of a scope as a dictionary (`globals()`, `vars()`)."""

    scope: "Scope"


@dataclass(eq=False, slots=True)
class Function:
    """A function or lambda of the file; compared by identity."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: "Scope"
    owner: "Class | None" = None
    defaults: dict[str, "Value"] = field(default_factory=dict)
    annotations: dict[str, "Value"] = field(default_factory=dict)
    binding: Literal["instance", "class", "static", "property"] = "instance"
    attributes: dict[str, "Value"] = field(default_factory=dict)
    results: dict[object, "Value"] = field(default_factory=dict)
    analysed: bool = False


@dataclass(eq=False, slots=True)
class Class:
    """A class of the file; `attributes` also holds what methods assign to `self`."""

    node: ast.ClassDef
    bases: tuple["Value", ...]
    attributes: dict[str, "Value"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the file."""

    of: Class


@dataclass(frozen=True, slots=True)
class Method:
    """A method looked up on a value: `'a'.join`, `self.run`."""

    receiver: "Atom"
    name: str
    function: Function | None = None
    size: Size = field(default=Size(), init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        _bound(self, [(self.receiver,)], receiver=UNKNOWN)


@dataclass(frozen=True, slots=True)
class Partial:
    """A callable with its first arguments given."""

    target: "Value"
    positional: tuple["Value", ...] = ()
    keywords: tuple[tuple[str, "Value"], ...] = ()
    size: Size = field(default=Size(), init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        parts = [self.target, *self.positional, *(value for _, value in self.keywords)]
        _bound(self, parts, target=ANYTHING, positional=(), keywords=())


@dataclass(frozen=True, slots=True)
class Getter:
    """What `operator.attrgetter`, `itemgetter` and `methodcaller` return."""

    kind: Literal["attribute", "item", "method"]
    key: "Value"
    positional: tuple["Value", ...] = ()
    size: Size = field(default=Size(), init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        _bound(self, [self.key, *self.positional], key=ANYTHING, positional=())


Atom: TypeAlias = (
    Unknown
    | Known
    | Text
    | Symbol
    | Items
    | Table
    | Extent
    | Namespace
    | Function
    | Class
    | Instance
    | Method
    | Partial
    | Getter
)
Value: TypeAlias = tuple[Atom, ...]

UNKNOWN = Unknown()
ANYTHING: Value = (UNKNOWN,)
NOTHING: Value = (Known(None),)


def _bound(atom: "Atom", parts: Iterable[Value], **empty: object) -> None:
    """Note how large the atom is; too large, it forgets what it holds."""
    weight, levels = 1, 0
    for value in parts:
        for part in value:
            inner = part.size if isinstance(part, _NESTING) else _PLAIN_SIZE
            weight += inner.weight
            levels = max(levels, inner.levels)
    size = Size(weight, levels + 1)
    if not size.fits:
        size = _PLAIN_SIZE
        for name, nothing in empty.items():
            object.__setattr__(atom, name, nothing)
    object.__setattr__(atom, "size", size)


_PLAIN_SIZE = Size()
_NESTING = (Items, Table, Method, Partial, Getter)


def known(value: Constant, *, decoded: bool = False) -> Value:
    """A value with one constant in it."""
    return (Known(value, decoded),)


def symbol(name: str) -> Value:
    """A value with one symbol in it."""
    return (Symbol(name),)


def join(values: Iterable[Value]) -> Value:
    """All possibilities together; past `MAX_ATOMS` what is named outlives what is constant."""
    listed = [value for value in values if value]
    if not listed:
        return ANYTHING
    first = listed[0]
    if all(value is first for value in listed) and len(first) <= MAX_ATOMS:
        return first
    atoms = dict.fromkeys(atom for value in listed for atom in value)
    if len(atoms) <= MAX_ATOMS:
        return tuple(atoms)
    named = [atom for atom in atoms if not isinstance(atom, (Known, Text, Unknown))]
    others = [atom for atom in atoms if isinstance(atom, (Known, Text))]
    return (*(named + others)[: MAX_ATOMS - 1], UNKNOWN)


def symbols_of(value: Value) -> list[Symbol]:
    """The symbols among the possibilities."""
    return [atom for atom in value if isinstance(atom, Symbol)]


def strings_of(value: Value) -> list[str]:
    """The constant strings among the possibilities."""
    return [a.value for a in value if isinstance(a, Known) and isinstance(a.value, str)]


def is_open(value: Value) -> bool:
    """Whether the value may be something that the source does not fix."""
    return not all(isinstance(atom, Known) for atom in value)


def truth(value: Value) -> bool | None:
    """True or false when the source fixes it."""
    if len(value) == 1 and isinstance(value[0], Known):
        return bool(value[0].value)
    return None


def items_of(value: Value) -> list[Value] | None:
    """The members in order when the source fixes all of them."""
    if len(value) != 1:
        return None
    atom = value[0]
    if isinstance(atom, Items):
        return list(atom.values) if not atom.too_many else None
    if isinstance(atom, Table) and atom.complete:
        return [known(key) for key, _ in atom.entries]
    if isinstance(atom, Known) and isinstance(atom.value, (str, bytes)):
        return (
            [known(c, decoded=atom.decoded) for c in atom.value]
            if len(atom.value) <= MAX_ITEMS
            else None
        )
    return None


def members_of(value: Value) -> Value:
    """What iterating over the value may give, order forgotten."""
    exact = items_of(value)
    if exact is not None:
        return join(exact) if exact else ANYTHING
    found = [join(a.values) for a in value if isinstance(a, Items) and a.values]
    return join([*found, ANYTHING])


MAX_LENGTH = 1 << 16
MAX_COMBINATIONS = 16

Parts = tuple[Part, ...]


def parts_of(atom: Atom) -> Parts:
    """The atom as text; whatever is not text is one unknown stretch."""
    match atom:
        case Known(str() as value):
            return (value,)
        case Known(int() | float() as value):
            return (str(value),) if abs(value) < MAX_LENGTH else (None,)
        case Known(bytes() as value):
            return (value.decode("latin-1"),)
        case Text(parts):
            return parts
        case Symbol(_, text) if text is not None:
            return text
        case _:
            return (None,)


def text_atom(parts: Parts, *, decoded: bool = False) -> Atom:
    """The shortest atom for these stretches."""
    merged = merge(parts)
    if all(part is not None for part in merged):
        return Known("".join(part for part in merged if part is not None), decoded)
    return Text(merged)


def merge(parts: Parts) -> Parts:
    """Neighbouring stretches put together; a text that grew too long forgets its end."""
    merged: list[Part] = []
    length = 0
    for part in parts:
        length += len(part) if part is not None else 1
        if length > MAX_LENGTH:
            return (*merged, None)
        if part is None:
            if not merged or merged[-1] is not None:
                merged.append(None)
        elif merged and merged[-1] is not None:
            merged[-1] += part
        elif part:
            merged.append(part)
    return tuple(merged) or ("",)


def combine(values: Sequence[Value], build: Callable[[list[Atom]], Atom]) -> Value:
    """Build one atom per combination of possibilities, within a bound."""
    total = 1
    for value in values:
        total *= max(len(value), 1)
    if total > MAX_COMBINATIONS:
        return ANYTHING
    return join([(build(list(atoms)),) for atoms in itertools.product(*values)])


def concatenate(values: Sequence[Value]) -> Value:
    """One string after the other."""

    def build(atoms: list[Atom]) -> Atom:
        decoded = any(isinstance(atom, Known) and atom.decoded for atom in atoms)
        return text_atom(tuple(p for atom in atoms for p in parts_of(atom)), decoded=decoded)

    return combine(values, build) if values else (Known(""),)


def separate(separator: Value, values: Sequence[Value]) -> Value:
    """`separator.join(values)`."""
    spread: list[Value] = []
    for value in values:
        spread += [separator, value] if spread else [value]
    return concatenate(spread)


def join_paths(values: Sequence[Value]) -> Value:
    """`os.path.join`: a later absolute path forgets what came before."""

    def build(atoms: list[Atom]) -> Atom:
        return text_atom(join_parts([parts_of(atom) for atom in atoms]))

    return combine(values, build) if values else (Known(""),)


def join_parts(paths: Sequence[Parts]) -> Parts:
    """The stretches of several paths put below one another."""
    result: Parts = ()
    for path in paths:
        head = path[0] if path else ""
        if (head is not None and head.startswith(("/", "~"))) or not result:
            result = path
        elif isinstance(result[-1], str) and result[-1].endswith("/"):
            result = (*result, *path)
        else:
            result = (*result, "/", *path)
    return merge(result)


def map_text(value: Value, change: Callable[[Parts], Parts]) -> Value:
    """Apply a change to the stretches of every possibility."""
    return join([(text_atom(change(parts_of(atom))),) for atom in value])


def parent_of(parts: Parts) -> Parts:
    """`os.path.dirname`, as far as the end of the path is known."""
    merged = merge(parts)
    last = merged[-1]
    if last is not None and "/" in last:
        head = posixpath.dirname(last)
        return merge((*merged[:-1], head or "/"))
    if last is not None and len(merged) == 1:
        return (".",)
    return (*merged[:1], None) if merged[0] is not None else (None,)


def name_of(parts: Parts) -> Parts:
    """`os.path.basename`."""
    last = merge(parts)[-1]
    if last is not None and "/" in last:
        return (posixpath.basename(last),)
    return (last,) if len(merge(parts)) == 1 else (None,)
