"""The ratchet: figures of a repository that changes may raise and must not lower."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

PATH = ".reverie/baseline.json"
MEASURES: Mapping[str, str] = {
    "coverage.lines": "share of the lines of production code that tests run",
    "suite.passing": "tests that pass",
}
"""What is kept, and what each is. More is better for all of them."""
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Lowering:
    """A figure that people decided to lower: by how much, why, and their signatures."""

    measure: str
    before: float
    after: float
    decision: str
    """Path of the decision record."""
    approvals: tuple[str, ...] = ()
    """Signed envelopes; whoever believes them checks them first."""

    def document(self) -> dict[str, Any]:
        """As it stands in the file."""
        return {
            "measure": self.measure,
            "before": self.before,
            "after": self.after,
            "decision": self.decision,
            "approvals": list(self.approvals),
        }


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a repository has reached, and what people took back."""

    measures: Mapping[str, float] = field(default_factory=dict)
    lowered: tuple[Lowering, ...] = ()

    def raised(self, measured: Mapping[str, float]) -> "Baseline":
        """With every figure that is better now; none is lowered."""
        best = {
            name: max(value, self.measures.get(name, value)) for name, value in measured.items()
        }
        return replace(self, measures={**self.measures, **best})

    def text(self) -> str:
        """The file."""
        told = {
            "version": _VERSION,
            "measures": dict(sorted(self.measures.items())),
            "lowered": [each.document() for each in self.lowered],
        }
        return json.dumps(told, indent=2) + "\n"


def read_baseline(text: str) -> Baseline:
    """From the file's text; `ValueError` says what is wrong with it."""
    told = json.loads(text)
    if not isinstance(told, dict) or told.get("version") != _VERSION:
        raise ValueError(f"expected an object with version {_VERSION}")
    measures = told.get("measures")
    if not isinstance(measures, dict):
        raise ValueError("measures must be an object")
    for name, value in measures.items():
        if name not in MEASURES:
            raise ValueError(f"unknown measure {name!r}")
        if not _is_figure(value):
            raise ValueError(f"{name} must be a number, not {value!r}")
    lowered = told.get("lowered", [])
    if not isinstance(lowered, list):
        raise ValueError("lowered must be a list")
    return Baseline(
        {name: float(value) for name, value in measures.items()},
        tuple(_lowering(each) for each in lowered),
    )


def _is_figure(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(float(str(value)))


def _lowering(told: Any) -> Lowering:
    match told:
        case {
            "measure": str(measure),
            "before": before,
            "after": after,
            "decision": str(decision),
            "approvals": [*approvals],
        } if _is_figure(before) and _is_figure(after):
            if all(isinstance(each, str) for each in approvals):
                return Lowering(measure, float(before), float(after), decision, tuple(approvals))
    raise ValueError("an entry of lowered has measure, before, after, decision and approvals")
