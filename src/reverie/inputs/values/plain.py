"""Numbers, texts, bytes and truth values; how a value is drawn, bounded and written.

`Draw` holds the circumstances in which one value is drawn. `Annotated`, `Field` and the `con…`
types put bounds on it. It is written as source, the same on every Python and under every hash
seed.
"""

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from reverie.inputs.dice import Dice
from reverie.inputs.literals import Literals, characters_for, range_for, texts_for
from reverie.inputs.scope import ClassRef, TypeRef
from reverie.model.call import Expression, combine
from reverie.syntax.unparsing import unparse

DEEPEST = 4
MOST_HOPS = 24
_REMEMBERED = 0.15


class Theme(StrEnum):
    """What kind of value is wanted, where the type has one of that kind."""

    TYPICAL = "typical"
    EMPTY = "empty"
    SINGLE = "single"
    BOUNDARY = "boundary"
    LARGE = "large"
    UNICODE = "unicode"
    SPECIAL = "special"  # NaN and infinities


class Tactic(StrEnum):
    """How instances of the code's own classes come to be."""

    SPARE = "spare"
    """With what their constructors need."""
    RICH = "rich"
    """With more than that, for classes that need what they do not ask for."""
    MOCKED = "mocked"
    """Arguments as mocks of their class, for classes that cannot be made."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance, theme and what is known about the place where the value goes."""

    dice: Dice
    theme: Theme = Theme.TYPICAL
    tactic: Tactic = Tactic.SPARE
    hints: Literals = field(default_factory=Literals)
    role: str = ""
    """The name of the parameter or field."""
    depth: int = 0
    hops: int = 0
    """Names followed on the way to this type: aliases may lead in a circle."""
    owner: ClassRef | None = None
    """What `Self` means here."""
    memory: list[object] = field(default_factory=list)
    """Plain values drawn for this call so far: parameters often speak of one another."""
    bindings: dict[str, TypeRef] = field(default_factory=dict)
    """What each type variable stands for, the same throughout one call."""

    def inner(self, role: str | None = None) -> "Draw":
        """The draw of a part: one level deeper, and large only at the top."""
        theme = Theme.TYPICAL if self.theme in (Theme.LARGE, Theme.EMPTY) else self.theme
        return replace(
            self, depth=self.depth + 1, theme=theme, role=self.role if role is None else role
        )

    def remembered(self, kind: type) -> object:
        """Now and then a value that the call already has; None mostly."""
        known = [each for each in self.memory if type(each) is kind]
        if not known or self.theme is not Theme.TYPICAL or not self.dice.chance(_REMEMBERED):
            return None
        return self.dice.pick(known)

    @property
    def is_deep(self) -> bool:
        """Whether it is time to come to an end."""
        return self.depth >= DEEPEST


_WORDS = ("a", "b", "ab", "abc", "hello", "Hello World", "foo bar", "x y z", "level", "42", "aab",
          "The quick brown fox", "one two three two", "key=value", "a,b,c", "snake")  # fmt: skip
_UNICODE = ("\u00e9", "Stra\u00dfe", "\u65e5\u672c\u8a9e", "a\u0301", "\U0001f600", "\u202eabc",
            "\u0130", "\ufb01")  # fmt: skip
_ODD_TEXTS = (" ", "\n", "0", "  padded  ", "\t", "a\nb", "A", "-", "a" * 255)
LARGE_SIZE = 10_000


def integer(draw: Draw) -> int:
    """A whole number."""
    again = draw.remembered(int) if range_for(draw.role) is None else None
    value = again if isinstance(again, int) else _integer(draw)
    draw.memory.append(value)
    return value


def _integer(draw: Draw) -> int:
    limits = range_for(draw.role)
    match draw.theme:
        case Theme.EMPTY:
            return 0
        case Theme.SINGLE:
            return 1
        case Theme.LARGE if limits is None:
            return draw.dice.pick((10**6, 10**9, 2**31, 2**53 + 1))
        case Theme.BOUNDARY if limits is None or draw.dice.chance(0.5):
            return draw.dice.pick((-1, 0, 1, 2, 127, 128, 255, 256, 2**31 - 1, -(2**31), 2**63))
    if draw.hints.integers and limits is None and draw.dice.chance(0.3):
        near = draw.dice.pick(draw.hints.integers)
        if abs(near) < 10**6:
            return near + draw.dice.pick((0, 0, -1, 1))
    if limits is not None:
        return draw.dice.between(*limits)
    if draw.dice.chance(0.7):
        return draw.dice.between(0, 12)
    return draw.dice.between(-20, 120)


def floating(draw: Draw) -> float:
    """A floating point number."""
    match draw.theme:
        case Theme.EMPTY:
            return 0.0
        case Theme.SINGLE:
            return 1.0
        case Theme.SPECIAL:
            return draw.dice.pick((float("nan"), float("inf"), float("-inf")))
        case Theme.LARGE:
            return draw.dice.pick((1e6, 1e16, 1e300))
        case Theme.BOUNDARY:
            return draw.dice.pick((-0.0, 0.1, -1.0, 5e-324, 1e-9, 0.5, 2.5, 1.7976931348623157e308))
    if draw.hints.floats and draw.dice.chance(0.3):
        return draw.dice.pick(draw.hints.floats)
    if draw.dice.chance(0.3):
        return float(integer(draw))
    return draw.dice.between(-400, 4000) / draw.dice.pick((4, 8, 10, 100))


def text(draw: Draw) -> str:
    """A text."""
    is_told = texts_for(draw.role) or characters_for(draw.role)
    again = draw.remembered(str) if not is_told else None
    value = again if isinstance(again, str) else _text(draw)
    draw.memory.append(value)
    return value


def _text(draw: Draw) -> str:
    single = characters_for(draw.role)
    if single:
        return draw.dice.pick(single)
    fitting = texts_for(draw.role)
    match draw.theme:
        case Theme.EMPTY:
            return ""
        case Theme.SINGLE if not (draw.depth and fitting):
            return "a"
        case Theme.UNICODE:
            return draw.dice.pick(_UNICODE)
        case Theme.BOUNDARY if draw.dice.chance(0.6):
            return draw.dice.pick(_ODD_TEXTS)
    if fitting and (draw.depth or draw.dice.chance(0.8)):
        return draw.dice.pick(fitting)
    if draw.hints.texts and draw.dice.chance(0.35):
        return draw.dice.pick(draw.hints.texts)
    if draw.dice.chance(0.25):
        return "".join(draw.dice.pick("abcxyzABC 019_-") for _ in range(draw.dice.between(1, 8)))
    return draw.dice.pick(_WORDS)


def text_source(draw: Draw) -> str:
    """A text as source: a large one is written as a product."""
    if draw.theme is Theme.LARGE and draw.depth == 0:
        return f"{draw.dice.pick(('a', 'ab ', 'x,'))!a} * {LARGE_SIZE}"
    return ascii(text(draw))


def blob(draw: Draw) -> bytes:
    """Some bytes."""
    match draw.theme:
        case Theme.EMPTY:
            return b""
        case Theme.SINGLE:
            return b"a"
        case Theme.BOUNDARY:
            return draw.dice.pick((b"\x00", b"\xff\xfe", b"\r\n", bytes(range(8))))
    if draw.hints.blobs and draw.dice.chance(0.3):
        return draw.dice.pick(draw.hints.blobs)
    return text(draw).encode("utf-8", "replace")


def float_source(value: float) -> str:
    """A number as source; NaN and infinities have no literal."""
    shown = repr(value)
    return shown if shown.lstrip("-")[0].isdigit() else f"float({shown!r})"


def boolean(draw: Draw) -> bool:
    """A truth value."""
    return draw.theme is not Theme.EMPTY and draw.dice.chance(0.5)


def literal(value: object) -> str:
    """The source of a plain value: ASCII, sets in a fixed order."""
    match value:
        case float():
            return float_source(value)
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case tuple():
            return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
        case set() if value:
            return "{" + ", ".join(sorted(map(literal, value))) + "}"
        case dict():
            pairs = (f"{literal(key)}: {literal(item)}" for key, item in value.items())
            return "{" + ", ".join(pairs) + "}"
    return ascii(value)


def needing(source: str, modules: Iterable[str]) -> Expression:
    """An expression with those of the modules that it mentions."""
    return Expression(source, frozenset(each for each in modules if f"{each}." in source))


def sequence(items: list[Expression], opening: str = "[", closing: str = "]") -> Expression:
    """A display of the items."""
    inner = ", ".join(each.source for each in items)
    comma = "," if opening == "(" and len(items) == 1 else ""
    return combine(f"{opening}{inner}{comma}{closing}", items)


def mapping(pairs: list[tuple[Expression, Expression]]) -> Expression:
    """A dict display."""
    inner = ", ".join(f"{key.source}: {value.source}" for key, value in pairs)
    return combine("{" + inner + "}", [part for pair in pairs for part in pair])


def call(
    target: Expression, args: list[Expression], kwargs: list[tuple[str, Expression]]
) -> Expression:
    """A call of `target`."""
    given = [each.source for each in args] + [f"{name}={value.source}" for name, value in kwargs]
    parts = [*args, *(value for _, value in kwargs)]
    return combine(f"{target.source}({', '.join(given)})", parts, target)


_NAMED: dict[str, dict[str, Any]] = {
    "PositiveInt": {"low": 1}, "NonNegativeInt": {"low": 0}, "NegativeInt": {"high": -1},
    "NonPositiveInt": {"high": 0}, "PositiveFloat": {"low": 0.5}, "NonNegativeFloat": {"low": 0.0},
    "NegativeFloat": {"high": -0.5}, "NonPositiveFloat": {"high": 0.0},
}  # fmt: skip
_KEYS = {"ge": "low", "le": "high", "min_length": "shortest", "max_length": "longest",
         "multiple_of": "multiple", "min_items": "shortest", "max_items": "longest"}  # fmt: skip
_SINGLE = {"Gt": "gt", "Ge": "ge", "Lt": "lt", "Le": "le", "MultipleOf": "multiple_of",
           "MinLen": "min_length", "MaxLen": "max_length"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a value must keep to. Absent bounds do not bind."""

    low: float | None = None
    high: float | None = None
    multiple: float | None = None
    shortest: int | None = None
    longest: int | None = None

    @property
    def binds(self) -> bool:
        """Whether there is any bound."""
        return self != Bounds()

    def number(self, draw: Draw, whole: bool) -> str:
        """A number within the bounds, as source."""
        step = self.multiple or (1 if whole else 0.5)
        low = self.low if self.low is not None else (self.high or 0) - 20 * step
        high = self.high if self.high is not None else low + 20 * step
        first = -(-low // step) if step else low
        count = max(int((high - first * step) // step), 0)
        value = (first + draw.dice.between(0, min(count, 20))) * step
        return str(int(value)) if whole else float_source(float(min(max(value, low), high)))

    def length(self, draw: Draw, usual: int) -> int:
        """How long a text or a container should be."""
        shortest = self.shortest or 0
        longest = self.longest if self.longest is not None else max(shortest, usual)
        return min(max(usual, shortest), longest)


def bounds_of(metadata: list[ast.expr]) -> Bounds:
    """The bounds in annotations' metadata and in calls of `Field`."""
    found = Bounds()
    for each in metadata:
        if isinstance(each, ast.Call):
            found = _from_call(each, found)
    return found


def named_bounds(name: str) -> Bounds | None:
    """The bounds of a type that is named for them."""
    last = name.rpartition(".")[2]
    return Bounds(**_NAMED[last]) if last in _NAMED else None


def _from_call(node: ast.Call, found: Bounds) -> Bounds:
    name = unparse(node.func).rpartition(".")[2]
    given = {each.arg: _number(each.value) for each in node.keywords if each.arg}
    if name in _SINGLE and node.args:
        given[_SINGLE[name]] = _number(node.args[0])
    if name == "Len":
        given |= dict(zip(("min_length", "max_length"), map(_number, node.args), strict=False))
    for key, value in given.items():
        if value is None:
            continue
        if key == "gt":
            found = replace(found, low=value + 1)
        elif key == "lt":
            found = replace(found, high=value - 1)
        elif key in _KEYS:
            found = replace(found, **{_KEYS[key]: value})
    return found


def _number(node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
