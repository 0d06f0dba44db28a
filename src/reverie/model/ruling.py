"""What a gate answers, and what all answers together mean for a dream."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from reverie.model.approval import Need


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
