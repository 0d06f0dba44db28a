"""Bounds that `Annotated`, `Field` and the `con…` types put on a value."""

import ast
from dataclasses import dataclass, replace
from typing import Any

from reverie.inputs.values.draw import Draw
from reverie.inputs.values.plain import float_source

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
    name = ast.unparse(node.func).rpartition(".")[2]
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
