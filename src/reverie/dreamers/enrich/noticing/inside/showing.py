"""What can be seen of an outcome from outside, as text to compare."""

import re
from typing import Any

from reverie.dreamers.enrich.search.inside.trying import Outcome, OutOfTime, guarded

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_MOST_SHOWN = 600
_MOST_ITEMS = 50


class Shown:
    """Each result as text, at the end of the try: also what was done to objects shows."""

    __slots__ = ("error", "texts")

    def __init__(self, texts: "list[str]", error: str) -> None:
        self.texts = texts
        self.error = error

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shown):
            return NotImplemented
        return self.texts == other.texts and self.error == other.error

    def __hash__(self) -> int:
        return hash((tuple(self.texts), self.error))

    def differs_at(self, other: "Shown") -> "int | None":
        """The last line of which another outcome shows something else; None where it ends so."""
        if self.error != other.error or len(self.texts) != len(other.texts):
            return None
        places = [at for at, text in enumerate(self.texts) if text != other.texts[at]]
        return places[-1] if places else None


def shown(outcome: Outcome) -> "Shown | None":
    """What an outcome shows; None when looking takes too long."""
    error = outcome.error
    try:
        with guarded():
            ending = "" if error is None else f"{type(error).__name__}: {_said(error)}"
            return Shown([_text(each) for each in outcome.values], ending)
    except OutOfTime:
        return None


def _said(error: BaseException) -> str:
    return _ADDRESS.sub("", _tried(str, error))


def _text(value: Any) -> str:
    text = _tried(repr, value)
    if " at 0x" not in text:
        return f"{type(value).__name__} {text}"
    parts = [_ADDRESS.sub("", text)]
    held = getattr(value, "__dict__", None)
    if isinstance(held, dict) and not isinstance(value, type):
        parts += [f"{name}={_ADDRESS.sub('', _tried(repr, each))}" for name, each in held.items()
                  if isinstance(name, str) and not name.startswith("_")]  # fmt: skip
    if hasattr(type(value), "__len__") and hasattr(type(value), "__iter__"):
        parts.append(_ADDRESS.sub("", _tried(_items, value)))
    return " ".join(parts)


def _items(value: Any) -> str:
    return repr(list(value)) if len(value) < _MOST_ITEMS else str(len(value))


def _tried(read: Any, value: Any) -> str:
    try:
        return str(read(value))[:_MOST_SHOWN]
    except Exception:  # noqa: BLE001  of the code under test
        return ""
