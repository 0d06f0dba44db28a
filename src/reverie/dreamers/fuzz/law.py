"""A law: something that has to hold for every input of a callable, as source that can be run."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reverie.model.codec import pick


class Basis(StrEnum):
    """Why a law is believed."""

    STATED = "stated"
    """The documentation, an annotation or the language says so."""
    NAMED = "named"
    """The name suggests it: believed only while nearly all inputs obey."""


class LawKind(StrEnum):
    """What a law is about."""

    ERROR = "error"
    RESULT_TYPE = "result type"
    FORMULA = "formula"
    EXAMPLE = "example"
    POSTCONDITION = "postcondition"
    REFUSAL = "refusal"
    ROUND_TRIP = "round trip"
    IDEMPOTENCE = "idempotence"
    COMMUTATIVITY = "commutativity"
    MONOTONICITY = "monotonicity"
    ARGUMENTS = "arguments"
    AGREEMENT = "agreement"
    MODEL = "model"
    REPEATABILITY = "repeatability"
    GROWTH = "growth"


@dataclass(frozen=True, slots=True)
class Variable:
    """An input of a law: a value such as a parameter of a callable takes."""

    name: str
    owner: str
    parameter: str


@dataclass(frozen=True, slots=True)
class Law:
    """Variables, statements, and a condition that is true afterwards.

    An error in `setup` says that the input is outside the law; one in `steps` breaks it, unless
    its type is among `allowed`.
    """

    kind: LawKind
    subject: str
    says: str
    check: str
    variables: tuple[Variable, ...] = ()
    guard: str = "True"
    setup: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    basis: Basis = Basis.STATED
    allowed: tuple[str, ...] = ()
    shown: str = "result"
    """What the finding shows as the actual value."""

    def document(self) -> dict[str, Any]:
        """As `inside` reads it."""
        variables = [[each.name, each.owner, each.parameter] for each in self.variables]
        names = "kind subject variables guard setup steps check basis allowed shown"
        return pick(self, names, variables=variables)
