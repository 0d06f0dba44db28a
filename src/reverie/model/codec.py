"""One codec for documents, rows and messages: values as JSON, and back.

    plain(value)                     the value as JSON holds it
    pick(value, "id error=fault.message seconds:3")
                                     some of its attributes, by key
    read(Kind, document, "a file")   the value of a document, or `Malformed`: one line, saying where

Annotations of a dataclass say all that is needed. A class whose document looks otherwise says so in
`KEYS`, in the words of `pick`: `key=path.to.attribute`, `:3` for that many digits. Along a path,
what comes after None is None. Keys that are computed are written, and passed over when read.
A class with `from_text` is a text in documents: what `str` makes of it.

Reading believes nothing: no unknown key, no missing one, no truth value for a number, no number for
a text. `Annotated[float, Within(0, 1)]` bounds what an annotation alone does not.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NoReturn,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")
Reader = Callable[[Any], Any]
_AS_IT_IS = frozenset({str, int, float, bool, NoneType})
_SHOWN_CHARACTERS = 60
_SHOWN_WORDS = 12


class Malformed(ValueError):
    """A document that does not say what it has to; the message is one line with the place."""

    def __init__(self, wrong: str, path: str = "") -> None:
        super().__init__(f"{path}: {wrong}" if path else wrong)
        self.wrong = wrong
        self.path = path

    def below(self, step: str) -> "Malformed":
        """The same, seen from one level higher."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        return Malformed(self.wrong, f"{step}{joint}{self.path}")


@dataclass(frozen=True, slots=True)
class Within:
    """Bounds of a number, both included; of a text or a list, bounds of its length."""

    least: float = -math.inf
    most: float = math.inf

    def complaint(self, value: Any) -> str | None:
        """What is wrong with a value; None: nothing."""
        if isinstance(value, int | float):
            is_good = self.least <= value <= self.most and math.isfinite(value)
            return None if is_good else f"expected a number {self}, not {shown(value)}"
        count = len(value)
        return (
            None if self.least <= count <= self.most else f"expected a length {self}, not {count}"
        )

    def __str__(self) -> str:
        if math.isinf(self.most):
            return "that is finite" if math.isinf(self.least) else f"of at least {self.least:g}"
        return f"from {self.least:g} to {self.most:g}"


FINITE = Within()


@dataclass(frozen=True, slots=True)
class Like:
    """A text that a pattern fits wholly; `what` names it for people."""

    pattern: re.Pattern[str]
    what: str

    def complaint(self, value: str) -> str | None:
        """What is wrong with a text; None: nothing."""
        return (
            None if self.pattern.fullmatch(value) else f"expected {self.what}, not {shown(value)}"
        )


# --- writing


def plain(value: Any) -> Any:
    """A value as JSON holds it; a set is a sorted list, a moment is text, an enum is its value."""
    kind: Any = type(value)
    return value if kind in _AS_IT_IS else _writer(kind)(value)


def pick(value: Any, names: str = "", /, **made: Any) -> dict[str, Any]:
    """Attributes of a value by key, without `names` those of its whole document.

    `made`: keys that the caller has made, taken as they are.
    """
    found = {
        key: made.pop(key) if key in made else _at(value, path, digits)
        for key, path, digits in _parts(names or _keys(type(value)))
    }
    return found | made


class _Part(NamedTuple):
    key: str
    path: tuple[str, ...]
    digits: int | None


@lru_cache(maxsize=1024)
def _parts(names: str) -> tuple[_Part, ...]:
    found = []
    for word in names.split():
        told, _, digits = word.partition(":")
        key, _, path = told.partition("=")
        steps = tuple((path or key).split("."))
        found.append(_Part(key if path else steps[-1], steps, int(digits) if digits else None))
    return tuple(found)


def _at(value: Any, path: tuple[str, ...], digits: int | None) -> Any:
    for step in path:
        if value is None:
            return None
        value = getattr(value, step)
    return plain(value) if digits is None or value is None else round(value, digits)


@cache
def _writer(kind: Any) -> Callable[[Any], Any]:
    if issubclass(kind, Enum):
        return lambda value: value.value
    if hasattr(kind, "from_text"):
        return str
    if is_dataclass(kind):
        names = _keys(kind)
        return lambda value: pick(value, names)
    if issubclass(kind, Mapping):
        return lambda value: {plain(key): plain(each) for key, each in value.items()}
    if issubclass(kind, AbstractSet):
        return lambda value: sorted(map(plain, value))
    if issubclass(kind, str | int | float):
        return lambda value: value
    if issubclass(kind, Sequence) and not issubclass(kind, bytes | bytearray):
        return lambda value: [plain(each) for each in value]
    if issubclass(kind, datetime):
        return lambda value: value.isoformat()
    if hasattr(kind, "__fspath__"):
        return lambda value: value.__fspath__()
    raise TypeError(f"{kind.__name__} has no JSON form")


def _keys(kind: Any) -> str:
    return getattr(kind, "KEYS", None) or " ".join(each.name for each in fields(kind))


# --- reading


def parse(text: str | bytes, where: str = "") -> Any:
    """The value of a JSON text: no key twice, no number that JSON does not have."""
    try:
        return json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant)
    except Malformed as error:
        raise Malformed(str(error), where) from None
    except RecursionError:
        raise Malformed("nested too deeply", where) from None
    except ValueError as error:
        raise Malformed(f"not JSON: {error}", where) from None


class _Manner(NamedTuple):
    """How documents of classes are read."""

    loose: bool = False
    whole: bool = False


_STRICT = _Manner()


def read(
    kind: type[T], given: Any, where: str = "", *, loose: bool = False, whole: bool = False
) -> T:
    """The value of a document; `Malformed` when it does not fit.

    `loose`: further keys are fine. `whole`: what has a default may not be missing either.
    """
    asked: Any = kind
    try:
        found: T = reader_of(asked, _Manner(loose, whole))(given)
    except Malformed as error:
        raise Malformed(str(error), where) from None
    return found


@cache
def reader_of(kind: Any, manner: _Manner = _STRICT) -> Reader:
    """What reads one kind of value, from its annotation."""
    if kind is Any or kind is object:
        return lambda given: given
    if kind in _SCALARS:
        return _SCALARS[kind]
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _bounded(reader_of(parts[0], manner), parts[1:])
    if origin in (Union, UnionType):
        return _of_union(parts, manner)
    if origin is Literal:
        return _of_words(dict(zip(parts, parts, strict=True)))
    if origin is tuple and not (len(parts) == 2 and parts[1] is ...):
        return _of_tuple([reader_of(each, manner) for each in parts])
    if origin in _LISTS:
        return _of_list(_LISTS[origin], reader_of(parts[0], manner))
    if origin in (Mapping, dict):
        return _of_mapping(reader_of(parts[0], manner), reader_of(parts[1], manner))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _of_words({each.value: each for each in kind})
    if hasattr(kind, "from_text"):
        return _of_text(kind.from_text)
    if is_dataclass(kind):
        return _of_object(kind, manner)
    raise TypeError(f"nothing reads {kind}")


def shown(value: Any) -> str:
    """A value in a message: as JSON, cut."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(f"the key {shown(twice)} is there twice")
    return found


def _no_constant(word: str) -> NoReturn:
    raise Malformed(f"{word} is not JSON")


def _exactly(kind: type, what: str) -> Reader:
    def take(given: Any) -> Any:
        if type(given) is not kind:
            raise Malformed(f"expected {what}, not {shown(given)}")
        return given

    return take


def _number(given: Any) -> float:
    """A number stays as it came: `3` is not written as `3.0` the next time."""
    if type(given) is int:
        try:
            float(given)
        except OverflowError:
            raise Malformed(f"expected a number that fits, not {shown(given)}") from None
    elif type(given) is not float:
        raise Malformed(f"expected a number, not {shown(given)}")
    found: float = given
    return found


def _moment(given: Any) -> datetime:
    try:
        found = datetime.fromisoformat(given)
    except (TypeError, ValueError):
        raise Malformed(f"expected a moment, not {shown(given)}") from None
    if found.tzinfo is None:
        raise Malformed(f"expected a moment with its time zone, not {shown(given)}")
    return found


_SCALARS: Mapping[Any, Reader] = {
    str: _exactly(str, "a text"),
    int: _exactly(int, "a whole number"),
    bool: _exactly(bool, "true or false"),
    float: _number,
    NoneType: _exactly(NoneType, "null"),
    datetime: _moment,
}
_LISTS: Mapping[Any, Callable[[Any], Any]] = {
    tuple: tuple, list: list, Sequence: tuple, frozenset: frozenset, set: set,
    AbstractSet: frozenset,
}  # fmt: skip


def _bounded(take: Reader, bounds: Sequence[Any]) -> Reader:
    def take_bounded(given: Any) -> Any:
        found = take(given)
        for each in bounds:
            if (complaint := each.complaint(found)) is not None:
                raise Malformed(complaint)
        return found

    return take_bounded


def _of_union(parts: Sequence[Any], manner: _Manner) -> Reader:
    """Scalars are told apart by what JSON calls them; the rest is tried one by one."""
    plain_kinds = {each for each in parts if each in _AS_IT_IS and each is not float}
    others = [reader_of(each, manner) for each in parts if each not in plain_kinds]

    def take(given: Any) -> Any:
        if type(given) in plain_kinds:
            return given
        if len(others) == 1:
            return others[0](given)
        for each in others:
            try:
                return each(given)
            except Malformed:
                continue
        raise Malformed(f"nothing that fits: {shown(given)}")

    return take


def _of_words(known: Mapping[Any, Any]) -> Reader:
    listed = [shown(each) for each in known][:_SHOWN_WORDS]
    if len(listed) < len(known):
        listed.append("…")
    kinds = {type(each) for each in known}

    def take(given: Any) -> Any:
        if type(given) not in kinds or given not in known:
            raise Malformed(f"expected one of {', '.join(listed)}, not {shown(given)}")
        return known[given]

    return take


def _of_text(make: Callable[[str], Any]) -> Reader:
    def take(given: Any) -> Any:
        try:
            return make(_SCALARS[str](given))
        except Malformed:
            raise
        except ValueError as error:
            raise Malformed(str(error)) from None

    return take


def _listed(given: Any) -> Sequence[Any]:
    if not isinstance(given, list | tuple):
        raise Malformed(f"expected a list, not {shown(given)}")
    return given


def _of_list(make: Callable[[Any], Any], take: Reader) -> Reader:
    def take_list(given: Any) -> Any:
        found: list[Any] = []
        for each in _listed(given):
            try:
                found.append(take(each))
            except Malformed as error:
                raise error.below(f"[{len(found)}]") from None
        return make(found)

    return take_list


def _of_tuple(takes: Sequence[Reader]) -> Reader:
    def take_tuple(given: Any) -> Any:
        if len(_listed(given)) != len(takes):
            raise Malformed(f"expected a list of {len(takes)}, not {shown(given)}")
        return tuple(take(each) for take, each in zip(takes, given, strict=True))

    return take_tuple


def _of_mapping(take_key: Reader, take: Reader) -> Reader:
    def take_mapping(given: Any) -> Any:
        if not isinstance(given, Mapping):
            raise Malformed(f"expected an object, not {shown(given)}")
        found = {}
        for key, each in given.items():
            try:
                found[take_key(key)] = take(each)
            except Malformed as error:
                raise error.below(str(key)[:_SHOWN_CHARACTERS]) from None
        return found

    return take_mapping


def _of_object(kind: Any, manner: _Manner) -> Reader:
    takes, needed, computed = _members(kind, manner)

    def take(given: Any) -> Any:
        if not isinstance(given, Mapping):
            raise Malformed(f"expected an object, not {shown(given)}")
        found = {}
        for key, each in given.items():
            if key not in takes:
                if manner.loose or key in computed:
                    continue
                raise Malformed(f"unknown key {shown(key)}; there are {', '.join(takes)}")
            name, take_one = takes[key]
            try:
                found[name] = take_one(each)
            except Malformed as error:
                raise error.below(key) from None
        for key in needed:
            if key not in given:
                raise Malformed(f"the key {shown(key)} is missing")
        try:
            return kind(**found)
        except Malformed:
            raise
        except ValueError as error:
            raise Malformed(str(error)) from error

    return take


class _Members(NamedTuple):
    takes: Mapping[str, tuple[str, Reader]]
    needed: Sequence[str]
    computed: AbstractSet[str]


def _members(kind: Any, manner: _Manner) -> _Members:
    """What to read by key, which keys there have to be, and which are computed."""
    hints = get_type_hints(kind, include_extras=True)
    known = {each.name: each for each in fields(kind) if each.init}
    takes, needed, computed = {}, [], set()
    for key, path, _ in _parts(_keys(kind)):
        if len(path) > 1 or path[0] not in known:
            computed.add(key)
            continue
        field = known[path[0]]
        takes[key] = (field.name, reader_of(hints[field.name], manner))
        has_default = field.default is not MISSING or field.default_factory is not MISSING
        if manner.whole or not has_default:
            needed.append(key)
    return _Members(takes, needed, computed)
