"""Preconditions that the old version's docstring states, held against the arguments of a call.

A difference on arguments that the documentation excludes is no difference in behaviour.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from reverie.instruments.equivalence.fits import literal_value
from reverie.instruments.equivalence.scenario import Scenario
from reverie.model.call import Call, Expression

_SORTED = re.compile(
    r"(?<!return )(?<!returns )(?<!return a )(?<!returns a )(?<!return the )(?<!returns the )"
    r"\b(?:the|a|an|already|be|is|are|of|assumes?|given|each|in|into|pre-?)[ -]sorted\b"
    r"|\bsorted (?:ascending )?(?:input|array)\b",
    re.IGNORECASE,
)
_GIVES_SORTED = re.compile(
    r"\b(?:returns?|yields?|gives?|produces?)\b[^.]*\bsorted\b", re.IGNORECASE
)
_NOT_EMPTY = re.compile(r"\b(?:non-?empty|not (?:be )?empty|at least one)\b", re.IGNORECASE)
_UNIQUE = re.compile(r"\b(?:distinct|unique|no duplicates?)\b", re.IGNORECASE)
_BOUND = re.compile(r"\b([A-Za-z_]\w*)\s*(>=|<=|>|<|!=)\s*(-?\d+)")
_SIGN = re.compile(r"\b(positive|non-?negative|natural)\b", re.IGNORECASE)
_COMPARE: dict[str, Callable[[Any, int], bool]] = {
    ">=": lambda value, bound: value >= bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    "<": lambda value, bound: value < bound,
    "!=": lambda value, bound: value != bound,
}


@dataclass(frozen=True, slots=True)
class Contract:
    """What the docstring demands of arguments. Empty: everything is allowed."""

    parameters: tuple[str, ...] = ()
    wants_sorted: bool = False
    wants_items: bool = False
    wants_unique: bool = False
    least: int | None = None
    bounds: tuple[tuple[str, str, int], ...] = ()

    @classmethod
    def read(cls, docstring: str | None, parameters: tuple[str, ...]) -> "Contract":
        """The demands that a docstring makes in words that are commonly used for them."""
        text = " ".join((docstring or "").split())
        sign = _SIGN.search(text)
        demands = re.search(
            r"\b(?:must|assumes?|requires?|precondition|expects?)\b", text, re.IGNORECASE
        )
        is_given = _SORTED.search(text) is not None and _GIVES_SORTED.search(text) is None
        is_given = is_given or any(_is_ascending(name, text) for name in parameters)
        return cls(
            parameters=parameters,
            wants_sorted=is_given,
            wants_items=_NOT_EMPTY.search(text) is not None,
            wants_unique=demands is not None and _UNIQUE.search(text) is not None,
            least=None if sign is None else int(sign[1].lower() == "positive"),
            bounds=tuple(
                (name, sign, int(bound))
                for name, sign, bound in _BOUND.findall(text)
                if name in parameters
            ),
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing is demanded."""
        return self == Contract(self.parameters)

    def allows(self, scenario: Scenario) -> bool:
        """Whether every call of the scenario keeps to what is demanded."""
        own = (step.call for step in scenario.steps if step.callee is None)
        return self.is_empty or all(map(self._allows, own))

    def fit(self, call: Call) -> Call:
        """The call with its lists sorted where that is demanded."""
        if not self.wants_sorted:
            return call
        return replace(call, args=tuple(_sorted(each) for each in call.args))

    def _allows(self, call: Call) -> bool:
        named = dict(zip(self.parameters, call.args, strict=False)) | dict(call.kwargs)
        for name, expression in named.items():
            try:
                value = literal_value(expression)
            except ValueError:
                if self.wants_sorted:
                    return False
                continue
            if not self._allows_value(name, value):
                return False
        return True

    def _allows_value(self, name: str, value: Any) -> bool:
        if isinstance(value, list | tuple):
            is_fine = not self.wants_items or len(value) > 0
            is_fine = is_fine and all(self._allows_number(name, each) for each in value)
            if self.wants_unique:
                is_fine = is_fine and all(value[n] not in value[:n] for n in range(len(value)))
            return is_fine and (not self.wants_sorted or _is_sorted(value))
        return self._allows_number(name, value)

    def _allows_number(self, name: str, value: Any) -> bool:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return True
        if self.least is not None and not self.bounds and value < self.least:
            return False
        return all(_COMPARE[sign](value, bound) for who, sign, bound in self.bounds if who == name)


def _is_ascending(name: str, text: str) -> bool:
    """Whether the text says of a parameter, by its name, that it ascends."""
    order = r"(?:ascending|increasing|non-?decreasing)"
    after = rf"`?\b{name}\b`? (?:must be|is|are) (?:in )?{order}\b"
    return re.search(rf"\b{order} `?{name}\b|{after}", text, re.IGNORECASE) is not None


def _is_sorted(value: Any) -> bool:
    try:
        return all(left <= right for left, right in pairwise(value))
    except TypeError:
        return True


def _sorted(expression: Expression) -> Expression:
    try:
        value = literal_value(expression)
        return expression.replaced(ascii(sorted(value))) if type(value) is list else expression
    except (ValueError, TypeError):
        return expression
