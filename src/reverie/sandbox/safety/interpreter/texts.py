"""Strings and paths of which only some stretches are known."""

import itertools
import posixpath
from collections.abc import Callable, Sequence

from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    Atom,
    Known,
    Part,
    Symbol,
    Text,
    Value,
    join,
)

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
