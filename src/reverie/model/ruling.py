"""Evidence, rulings and approvals: what a trial measured, what gates answer, what people must say.

Evidence is facts only: judging them is for `gates`. A baseline is the ratchet: figures of a
repository that changes may raise and must not lower.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Literal

from reverie.model.codec import FINITE, Malformed, parse, plain, read, shown
from reverie.model.outcome import IsolationTier

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured, by name, and all it takes to measure it again.

    A measure that was not taken is absent. It is never zero, and never a default.
    """

    measures: Mapping[str, float]
    """`coverage.branches.before`, `tests.passed_runs`, `mutants.newly_killed` …"""
    seed: int
    isolation: IsolationTier
    command: tuple[str, ...]
    """What reproduces it, run in the repository."""
    limits: Mapping[str, float] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """sha256 of what went in: `change`, `suite`, `environment` …"""
    versions: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    details: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names behind the numbers: mutants newly killed, tests that fail …"""

    def get(self, measure: str) -> float | None:
        """The value measured, or None when nobody measured it."""
        return self.measures.get(measure)


LEAST_APPROVALS = 2
"""At stage C nobody's settings go below it, unless only one approver is named."""

_COUNT = re.compile(r"\d+")


class NeedKind(StrEnum):
    """What people can owe; its word stands in what a judgement says of it."""

    APPROVALS = "approval"
    DECISION_RECORD = "decision record"
    CANARY_PLAN = "canary plan"
    TESTED_ROLLBACK = "rollback"
    OTHER = "other"
    """Nobody here can settle it."""


_WORDS = {
    NeedKind.APPROVALS: "{count} approvals by different people, none of them the author",
    NeedKind.DECISION_RECORD: "a decision record (ADR)",
    NeedKind.CANARY_PLAN: "a canary plan",
    NeedKind.TESTED_ROLLBACK: "a tested rollback",
}

_ONE_APPROVAL = "1 approval by somebody else than the author"


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that people owe before a promotion; a sentence in documents."""

    kind: NeedKind
    count: int = 1
    """How many approvals."""
    words: str = ""
    """What was said; empty: the words that go with the kind."""

    def __str__(self) -> str:
        if not self.words and self.kind is NeedKind.APPROVALS and self.count == 1:
            return _ONE_APPROVAL
        return self.words or _WORDS.get(self.kind, "").format(count=self.count)

    @classmethod
    def from_text(cls, text: str) -> "Need":
        """The need that a document tells of: the only place where its words are read."""
        known = (kind for kind in _WORDS if kind in text.lower())
        kind = next(known, NeedKind.OTHER)
        count = 1
        if kind is NeedKind.APPROVALS:
            found = _COUNT.search(text)
            count = max(1, int(found[0]) if found else LEAST_APPROVALS)
        usual = cls(kind, count) if kind in _WORDS else None
        return usual if usual is not None and str(usual) == text else cls(kind, count, text)


@dataclass(frozen=True, slots=True)
class Approval:
    """One person's word on one proof, signed."""

    dream_id: str
    name: str
    keyid: str
    """Fingerprint of the key that signed."""
    envelope: str
    """What was signed, in its envelope: believed only once it is checked."""
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Approver:
    """Somebody whose approval counts, by name and key."""

    name: str
    keyid: str


def same_person(one: str, two: str) -> bool:
    """Whether two names are the same but for case and blanks."""
    return " ".join(one.casefold().split()) == " ".join(two.casefold().split())


class Answer(StrEnum):
    """One gate's answer, worst last."""

    PASS = "pass"
    HOLD = "hold"
    """Not enough evidence: a person, or another trial, decides."""
    FAIL = "fail"


class Verdict(StrEnum):
    """What becomes of a dream, worst last."""

    PROMOTE = "promote"
    PILOT = "pilot"
    BORDERLINE = "borderline"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Ruling:
    """One gate's answer with the numbers it rests on: made in one place, so they agree."""

    gate: str
    verdict: Answer
    reason_code: str
    reason: str
    measured: float | str | None = None
    required: float | str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """All rulings on one change, and the verdict that follows from them."""

    rulings: tuple[Ruling, ...]
    needs: tuple[Need, ...] = ()
    """What people still owe before promotion: approvals, a decision record, a canary."""

    @property
    def verdict(self) -> Verdict:
        """What becomes of the change: one refusal rejects, one doubt holds it back."""
        return decide(self.rulings)


def decide(rulings: Iterable[Ruling]) -> Verdict:
    """Any `fail` rejects; any `hold` is borderline; nobody ruling is borderline too."""
    answers = {ruling.verdict for ruling in rulings}
    if Answer.FAIL in answers:
        return Verdict.REJECT
    return Verdict.PROMOTE if answers == {Answer.PASS} else Verdict.BORDERLINE


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
