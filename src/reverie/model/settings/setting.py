"""One setting: its doc line, its bounds, how text or TOML becomes its value, and who may set it.

Text (environment, `.env`, command line) is parsed first and then checked; TOML already has
types, so it is only checked: `slots = "4"` in a file is a mistake, `SLOTS=4` in a shell is not.

A repository is judged and caged by Reverie, so by default it says nothing about that. A setting
that is harmless, or that a repository may make stricter, declares so with a `Permission`; a new
one that declares nothing is the user's alone.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Generic, TypeVar, cast


@dataclass(frozen=True, slots=True)
class Permission:
    """Which values a file of the repository may ask for, given the value that the user left."""

    doc: str
    """Completes "a file of the repository may set ..."."""
    allows: Callable[[Any, Any], bool]
    """Called with the value in force without that file, and the value that it asks for."""


NOTHING = Permission("nothing", lambda now, asked: False)
ANY_VALUE = Permission("any value", lambda now, asked: True)


def _each(order: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """An order of numbers, for lists of numbers of one length too."""

    def holds(now: Any, asked: Any) -> bool:
        if isinstance(now, tuple):
            return len(now) == len(asked) and all(map(order, now, asked))
        return order(now, asked)

    return holds


LOWER = Permission("a lower value", _each(lambda now, asked: bool(asked <= now)))
HIGHER = Permission("a higher value", _each(lambda now, asked: bool(asked >= now)))
MORE = Permission("further entries", lambda now, asked: set(now) <= set(asked))
FEWER = Permission(
    "fewer entries, where none at all means everybody",
    lambda now, asked: not now or (bool(asked) and set(asked) <= set(now)),
)


def lower_than(ceiling: float) -> Permission:
    """A lower value, or any up to a ceiling that costs nobody much."""
    return Permission(
        f"a lower value, or up to {ceiling:g}", lambda now, asked: bool(asked <= max(now, ceiling))
    )


def earlier(words: type[StrEnum]) -> Permission:
    """The word in force or one before it, where an enum has the strictest first."""
    return _ordered(words, lambda now, asked: asked <= now)


def later(words: type[StrEnum]) -> Permission:
    """The word in force or one after it, where an enum has the strictest last."""
    return _ordered(words, lambda now, asked: asked >= now)


def _ordered(words: type[StrEnum], order: Callable[[int, int], bool]) -> Permission:
    places = {word: place for place, word in enumerate(words)}
    return Permission(
        f"a stricter one of {', '.join(words)}",
        lambda now, asked: order(places[now], places[asked]),
    )


def inner_path(value: str) -> bool:
    """Whether a path stays below the folder that it starts from, as far as its text tells."""
    parts = value.split("/")
    return bool(value.strip()) and not value.startswith(("/", "~")) and ".." not in parts


INSIDE = Permission("a path inside of the repository", lambda now, asked: inner_path(asked))


def among(doc: str, is_allowed: Callable[[Any], bool]) -> Permission:
    """Lists whose every entry passes a test."""

    def holds(now: Any, asked: Collection[Any]) -> bool:
        return all(map(is_allowed, asked))

    return Permission(doc, holds)


T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})
_KEY = "reverie"
_TIME_UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}
_PLAIN_NUMBER = re.compile(r"\d+(\.\d+)?")
_TIME_PART = re.compile(rf"(\d+(?:\.\d+)?)({'|'.join(_TIME_UNITS)})")


@dataclass(frozen=True, slots=True)
class Reader(Generic[T]):
    """Turns what was written into a value, or raises `ValueError` saying what was expected."""

    bounds: str
    parse: Callable[[str], object]
    check: Callable[[object], T]

    def from_text(self, text: str) -> T:
        """The value of a setting written as text."""
        return self.check(self.parse(text.strip()))


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known about one field of a section besides its default."""

    doc: str
    reader: Reader[Any]
    repository: Permission = NOTHING
    """What a file of the repository may say about it; all else is the user's."""
    secret: bool = False
    takes_rest: bool = False
    """Whether tables and lists of its section that are no settings are its entries."""


def setting(
    default: T,
    reader: Reader[T],
    doc: str,
    *,
    repository: Permission = NOTHING,
    secret: bool = False,
    takes_rest: bool = False,
) -> T:
    """A dataclass field that carries its own documentation and bounds."""
    about = Setting(doc, reader, repository, secret, takes_rest)
    return field(default=default, metadata={_KEY: about})


def settings_of(section: type[Any]) -> dict[str, Setting]:
    """What is known about each field of a section."""
    return {each.name: each.metadata[_KEY] for each in fields(section)}


def whole(low: int, high: int) -> Reader[int]:
    """A whole number within bounds."""
    bounds = f"a whole number from {low} to {high}"

    def parse(text: str) -> object:
        try:
            return int(text)
        except ValueError:
            return text

    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"expected {bounds}")
        return value

    return Reader(bounds, parse, check)


def number(low: float, high: float) -> Reader[float]:
    """A finite number within bounds."""
    bounds = f"a number from {low:g} to {high:g}"

    def parse(text: str) -> object:
        try:
            return float(text)
        except ValueError:
            return text

    def check(value: object) -> float:
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        if not numeric or not low <= cast(float, value) <= high:
            raise ValueError(f"expected {bounds}")
        return float(cast(float, value))

    return Reader(bounds, parse, check)


def parse_seconds(text: str) -> float | None:
    """Seconds of a time as people write it: `90`, `90s`, `10m`, `1h30m`; None where it is none."""
    written = "".join(text.split())
    if _PLAIN_NUMBER.fullmatch(written):
        return float(written)
    parts = _TIME_PART.findall(written)
    if not parts or "".join(f"{amount}{unit}" for amount, unit in parts) != written:
        return None
    if len({unit for _, unit in parts}) < len(parts):
        return None  # `1h1h` says nothing that anybody means
    return sum(float(amount) * _TIME_UNITS[unit] for amount, unit in parts)


def seconds(low: float, high: float) -> Reader[float]:
    """A length of time: a number of seconds, or as text also `90s`, `10m`, `1h`."""
    bounds = f"a time such as 90s, 10m or 1h, from {_written(low)} to {_written(high)}"

    def parse(text: str) -> object:
        found = parse_seconds(text)
        return text if found is None else found

    def check(value: object) -> float:
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        if not numeric or not low <= cast(float, value) <= high:
            raise ValueError(f"expected {bounds}")
        return float(cast(float, value))

    return Reader(bounds, parse, check)


def _written(amount: float) -> str:
    """A time in the largest unit that leaves a whole number."""
    fitting = (unit for unit in ("h", "m") if amount and amount % _TIME_UNITS[unit] == 0)
    unit = next(fitting, "s")
    return f"{amount / _TIME_UNITS[unit]:g}{unit}"


def flag() -> Reader[bool]:
    """Yes or no."""

    def parse(text: str) -> object:
        word = text.lower()
        return True if word in _YES else False if word in _NO else text

    def check(value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError("expected true or false")
        return value

    return Reader("true or false", parse, check)


def choice(words: type[E]) -> Reader[E]:
    """One word of an enum."""
    bounds = "one of " + ", ".join(words)

    def check(value: object) -> E:
        if not isinstance(value, str) or value.lower() not in list(words):
            raise ValueError(f"expected {bounds}")
        return words(value.lower())

    return Reader(bounds, lambda text: text, check)


def text(bounds: str, is_valid: Callable[[str], bool]) -> Reader[Any]:
    """A string that passes a test described by `bounds`."""

    def check(value: object) -> str:
        if not isinstance(value, str) or not is_valid(value):
            raise ValueError(f"expected {bounds}")
        return value

    return Reader(bounds, lambda given: given, check)


def address() -> Reader[Any]:
    """What a server may listen on."""
    return text(
        "a host name or address", lambda value: bool(value) and not set(value) & set(" /\0")
    )


def words(bounds: str, is_valid: Callable[[str], bool]) -> Reader[tuple[str, ...]]:
    """A list of strings; as text, separated by commas."""

    def parse(given: str) -> object:
        return [word.strip() for word in given.split(",") if word.strip()]

    def check(value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(
            isinstance(word, str) and is_valid(word) for word in value
        ):
            raise ValueError(f"expected {bounds}")
        return tuple(value)

    return Reader(bounds, parse, check)


def is_path(value: str) -> bool:
    """Whether a text may be a path, or a pattern of paths."""
    return bool(value.strip()) and "\0" not in value


def patterns(default: tuple[str, ...], doc: str, repository: Permission) -> tuple[str, ...]:
    """A setting that is a list of patterns of paths."""
    reader: Reader[tuple[str, ...]] = words("a list of patterns", is_path)
    return setting(default, reader, doc, repository=repository)
