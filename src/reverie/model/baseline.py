"""The ratchet: figures of a repository that changes may raise and must not lower."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from reverie.model.codec import FINITE, Malformed, parse, plain, read, shown

PATH = ".reverie/baseline.json"
MEASURES: Mapping[str, str] = {
    "coverage.lines": "share of the lines of production code that tests run",
    "suite.passing": "tests that pass",
}
"""What is kept, and what each is. More is better for all of them."""


@dataclass(frozen=True, slots=True)
class Lowering:
    """A figure that people decided to lower: by how much, why, and their signatures."""

    measure: str
    before: Annotated[float, FINITE]
    after: Annotated[float, FINITE]
    decision: str
    """Path of the decision record."""
    approvals: tuple[str, ...]
    """Signed envelopes; whoever believes them checks them first."""


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
        told = _File(1, dict(sorted(self.measures.items())), self.lowered)
        return json.dumps(plain(told), indent=2) + "\n"


@dataclass(frozen=True, slots=True)
class _File:
    """The baseline as its file says it."""

    version: Literal[1]
    measures: Mapping[str, Annotated[float, FINITE]]
    lowered: tuple[Lowering, ...] = ()

    def baseline(self) -> Baseline:
        """The figures, if all of them are known ones."""
        for name in self.measures:
            if name not in MEASURES:
                raise Malformed(f"unknown measure {shown(name)}")
        lowered = [
            replace(each, before=float(each.before), after=float(each.after))
            for each in self.lowered
        ]
        return Baseline({n: float(value) for n, value in self.measures.items()}, tuple(lowered))


def read_baseline(text: str) -> Baseline:
    """From the file's text; `ValueError` says what is wrong with it."""
    return read(_File, parse(text)).baseline()
