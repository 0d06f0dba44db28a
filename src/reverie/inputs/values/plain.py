"""Numbers, texts, bytes and truth values."""

from reverie.inputs.roles import characters_for, range_for, texts_for
from reverie.inputs.values.draw import Draw, Theme

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
