"""Laws of Python's own protocols, held against objects that tests and documents build.

A law is source about `subject`; it is broken where its condition is false, or where it raises
although its guard holds. What a class obeys on most of its objects is meant.
"""

from typing import Any

FATAL = frozenset({"RecursionError", "UnboundLocalError"})
"""Errors that break a law whatever it asks for."""


class ProtocolLaw:
    """What methods it is about, how it is asked, and what is said of it."""

    __slots__ = ("check", "guard", "is_optional", "name", "needs", "says", "steps")

    def __init__(self, name: str, told: "dict[str, Any]") -> None:
        self.name = name
        self.says: str = told["says"]
        self.needs: list[str] = told.get("needs", [])
        self.guard: str = told.get("guard", "True")
        self.steps: list[str] = told.get("steps", [])
        """Statements before the guard and the condition."""
        self.check: str = told["check"]
        self.is_optional: bool = told.get("optional", False)
        """Nobody promises that it can be done at all: an error breaks nothing."""

    @property
    def trust(self) -> "tuple[int, float]":
        """How many objects have to obey, and the share that may not, until it is believed."""
        return (8, 0.15) if self.name.startswith(("round", "shown")) else (2, 0.5)


def laws_for(kind: type, laws: "list[ProtocolLaw]") -> "list[ProtocolLaw]":
    """Those about methods that a class has."""
    found = [each for each in laws if all(_has(kind, name) for name in each.needs)]
    return found + spelled_laws(kind)


def _has(kind: type, name: str) -> bool:
    made = getattr(kind, name, None)
    return made is not None and made is not getattr(object, name, None)


_INTO = ("as_", "to_", "")
_FROM = ("from_", "parse_")
_OF_TEXT = ("parse", "from_string", "from_str", "fromstring")


def spelled_laws(kind: type) -> "list[ProtocolLaw]":
    """`X.from_hex(x.as_hex())` is `x`, and `X.parse(str(x))`."""
    if not _has(kind, "__eq__"):
        return []
    pairs = [
        (f"subject.{way}{each.removeprefix(back)}()", each)
        for each in dir(kind)
        for back in _FROM
        if each.startswith(back)
        for way in _INTO
        if callable(getattr(kind, way + each.removeprefix(back), None))
    ]
    if _has(kind, "__str__"):
        pairs += [("str(subject)", each) for each in _OF_TEXT]
    found = []
    for into, back in pairs:
        if isinstance(kind.__dict__.get(back), (classmethod, staticmethod)):
            told = {
                "says": f"{kind.__name__}.{back}({into}) is what it was made of",
                "guard": "isinstance(text, (str, bytes))",
                "steps": [f"text = {into}", f"made = type(subject).{back}(text)"],
                "check": "bool(made == subject)",
            }
            found.append(ProtocolLaw(f"round trip {back}", told))
    return found
