"""Values of annotated types, numbers and texts; the kind of a parameter by its name."""

import datetime
import random
import types
import typing
from typing import Any

from reverie.dreamers.enrich.search.inside.kinds import Kinds
from reverie.dreamers.enrich.search.inside.nodes import CONST, DISPLAYS, Node, const

UNKNOWN = object()
_DOCUMENTED: "dict[str, Any]" = {
    each.__name__: each
    for each in (int, float, str, bool, bytes, list, tuple, dict, set, datetime.datetime)
}


def documented_hint(text: str) -> Any:
    """The type that an annotation in documentation stands for: of a few plain ones."""
    outer, _, inner = text.rstrip("]").partition("[")
    kind = _DOCUMENTED[outer]
    if not inner:
        return kind
    item = _DOCUMENTED[inner.partition(",")[0]]
    return tuple[item, ...] if kind is tuple else kind[item]  # type: ignore[valid-type]


def plain_value(node: Node) -> Any:
    """The value of what is made of literals alone."""
    if node.kind == CONST:
        return node.value
    if node.kind not in DISPLAYS:
        return UNKNOWN
    made = [plain_value(each) for each in node.items]
    if any(each is UNKNOWN for each in made):
        return UNKNOWN
    try:
        if node.kind == "dict":
            return dict(zip(made[::2], made[1::2]))  # noqa: B905  in turn
        return {"list": list, "tuple": tuple, "set": set}[node.kind](made)
    except TypeError:
        return UNKNOWN


def sorted_display(node: Node) -> Node:
    """A list of literals in ascending order, when it has one."""
    if node.kind not in ("list", "tuple"):
        return node
    try:
        items = sorted(node.items, key=plain_value)
    except TypeError:
        return node
    return node.with_items(tuple(items))


def clean(text: str) -> str:
    """A text that every encoding has a place for."""
    return text.encode("utf-8", "ignore").decode("utf-8")


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of an annotated type, as its author would mean it."""
    origin, given = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or isinstance(hint, typing.TypeVar):
        return True
    if origin is typing.Union or origin is types.UnionType:
        return any(fits(value, each) for each in given)
    if origin is typing.Literal:
        return value in given
    if origin is typing.Annotated:
        return fits(value, given[0])
    if hint is None or hint is type(None):
        return value is None
    if hint is float:
        return type(value) in (int, float)
    kind = origin or hint
    if not isinstance(kind, type):
        return True
    if kind is int:
        return type(value) is int
    try:
        if not isinstance(value, kind):
            return False
    except TypeError:
        return True
    return _items_fit(value, kind, given)


def _items_fit(value: Any, kind: Any, given: "tuple[Any, ...]") -> bool:
    if not given or isinstance(value, (str, bytes)):
        return not (isinstance(value, (str, bytes)) and kind not in (str, bytes, object) and given)
    if isinstance(value, dict):
        return all(fits(key, given[0]) and fits(item, given[-1]) for key, item in value.items())
    if (
        isinstance(value, tuple)
        and not (len(given) == 2 and given[1] is Ellipsis)
        and kind is tuple
    ):
        return len(value) == len(given) and all(map(fits, value, given))
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(fits(each, given[0]) for each in value)
    return True


def is_plain_hint(hint: Any) -> bool:
    """Whether values of a type are literals."""
    return hint in (int, float, str, bool, bytes)


_SMALL = (
    "base", "capacity", "count", "depth", "digits", "factor", "k", "length", "limit", "maxsize",
    "n", "number", "page", "people", "size", "step", "times", "width", "window",
)  # fmt: skip
_HOSTILE = (
    "\x00", "\u00b2", "\u0661\u0662", "\uff11\uff12", "\u202eabc", "\U0001f642", "\ufeffa",
    "../../etc/passwd", "'; DROP TABLE x; --", "%s%n", "${7*7}", "<b>", "\\", "a" * 300, "NaN",
    "1e400", "-0", "\r\n", "\u01c5", "\u0130", "\ufb01",
)  # fmt: skip


class Scalars:
    """Draws numbers, texts and bytes."""

    def __init__(self, kinds: Kinds, chance: random.Random) -> None:
        self.kinds = kinds
        self.chance = chance
        self.pieces: list[str] = []
        """Short texts that the module's own texts are made of."""

    def integer(self, name: str = "") -> Node:
        """A whole number: small ones, those that the code knows and their neighbours."""
        draw = self.chance.random()
        if name in _SMALL and draw < 0.6:
            return const(self.chance.choice((1, 1, 2, 2, 3, 4, 5, 7, 10)))
        learned = self.kinds.learned[int]
        if learned and draw < 0.3:
            return const(self.chance.choice(learned) + self.chance.choice((-1, 0, 0, 1)))
        if draw < 0.7:
            return const(self.chance.randint(-3, 12))
        if draw < 0.85:
            return const(self.chance.randint(0, 130))
        return const(
            self.chance.choice((-10, 50, 99, 100, 101, 999, 1000, 1024, 3661, 86400, 90000, 123456))
        )

    def number(self) -> Node:
        """A number, whole or not."""
        draw = self.chance.random()
        learned = self.kinds.learned[float]
        if learned and draw < 0.2:
            return const(self.chance.choice(learned))
        if draw < 0.5:
            return const(float(self.chance.randint(-4, 12)))
        if draw < 0.75:
            return const(self.chance.randint(-8, 40) / 4)
        return const(
            self.chance.choice(
                (0.1, 0.5, -0.5, 2.5, 99.99, 1000.0, -40.0, 1e-3, 1.005, 0.05, 1234.567)
            )
        )

    def text(self, name: str = "") -> Node:
        """A text."""
        return const(self.a_text())

    def a_text(self) -> str:
        """One that the module knows, one put together of its pieces, or any."""
        draw = self.chance.random()
        learned = self.kinds.learned[str]
        if learned and draw < 0.22:
            return str(self.chance.choice(learned))
        if learned and draw < 0.4:
            return clean(self.kinds.changed_text(str(self.chance.choice(learned))))
        if draw < 0.65:
            return self._composed()
        if draw < 0.75:
            return self.chance.choice('ab1 -x"é') * self.chance.choice((2, 3, 9, 10, 12))
        if draw < 0.9:
            words = (
                "a",
                "b",
                "ab",
                "abc",
                "hello",
                "World",
                "x1",
                "10",
                "é",
                "ß",
                "naïve",
                "longerword",
                "42",
            )
            joint = self.chance.choice((" ", " ", ",", "-", "_", "  ", "\n", "", "."))
            return joint.join(
                self.chance.choice(words) for _ in range(self.chance.choice((1, 2, 3, 5)))
            )
        if draw < 0.93:
            return self.chance.choice(_HOSTILE)
        return clean(self.kinds.a_text())

    def a_blob(self) -> bytes:
        """Bytes: of a text, all alike, or any."""
        draw = self.chance.random()
        if draw < 0.4:
            return self.a_text().encode("utf-8", "replace")
        many = self.chance.choice((1, 2, 3, 4, 5, 7, 8, 16, 60))
        if draw < 0.7:
            return self.chance.choice((b"\x00", b" ", b"\xff", b"a")) * many
        return bytes(self.chance.randrange(256) for _ in range(many))

    def _composed(self) -> str:
        """Pieces that the module's own texts are made of, with numbers and letters between."""
        pieces = self.pieces or [" ", ",", "a"]
        parts = []
        for _ in range(self.chance.choice((1, 2, 3, 3, 4, 5, 7))):
            draw = self.chance.random()
            if draw < 0.5:
                parts.append(self.chance.choice(pieces))
            elif draw < 0.75:
                parts.append(str(self.chance.choice((0, 1, 2, 5, 9, 10, 12, 30, 59, 60, 100))))
            else:
                parts.append(self.chance.choice("abzAZ"))
        return "".join(parts)

    def changed_text(self, text: str) -> str:
        """A neighbour of a text: a part taken out, said twice or put in the place of another."""
        draw = self.chance.random()
        signs = [
            each
            for each in (*self.pieces, " ", ",", "\n")
            if each and not each.isalnum() and each in text
        ]
        if signs and draw < 0.4:
            sign = self.chance.choice(signs)
            parts = text.split(sign)
            at = self.chance.randrange(len(parts))
            edit = self.chance.randrange(4)
            if edit == 0:
                del parts[at]
            elif edit == 1:
                parts.insert(at, self.chance.choice(parts))
            elif edit == 2:
                parts.append(self.chance.choice(("0", "1", "2", "10", "a", "")))
            else:
                parts[at] = self.chance.choice(("0", "1", "2", "10", "a", "", *parts))
            return sign.join(parts)
        if draw < 0.5 and text:
            at = self.chance.randrange(len(text))
            return text[:at] + text[at] * self.chance.choice((2, 3, 10)) + text[at + 1 :]
        return clean(self.kinds.changed_text(text)) if draw < 0.8 else self.a_text()


_MANY = (
    "iterable", "seq", "sequence", "items", "values", "data", "lst", "xs", "ys", "elements",
    "array", "collection", "numbers", "nums", "samples", "population", "points", "it",
)  # fmt: skip
_TEXTS = ("words", "possibilities", "names", "lines", "strings", "texts", "choices", "candidates")
_WHOLE = (
    "n", "k", "m", "size", "count", "width", "limit", "length", "steps", "step", "index", "start",
    "stop", "depth", "base", "year", "y1", "y2", "num", "number", "times", "capacity", "maxsize",
)  # fmt: skip
_TEXT = ("text", "s", "string", "word", "line", "name", "pattern", "prefix", "suffix", "sep")


def guessed(name: str) -> Any:
    """A type for a parameter of this name; None when the name says nothing."""
    if name in _MANY:
        return list
    if name in _TEXTS:
        return list[str]
    if name in _WHOLE:
        return int
    return str if name in _TEXT else None


def is_collection(name: str) -> bool:
    """Whether a name speaks of several values."""
    return name in _MANY or name in _TEXTS
