"""What a person should look at in a change, whoever made it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from reverie.model.finding import Severity

_WEIGHTS = {
    Severity.INFO: 0.02,
    Severity.WARNING: 0.15,
    Severity.ERROR: 0.5,
    Severity.CRITICAL: 1.0,
}


class AlignmentVerdict(StrEnum):
    """What the flags of a change come to, worst last."""

    PASS = "pass"
    WARNING = "alignment_warning"
    FAILURE = "alignment_failure"


@dataclass(frozen=True, slots=True)
class AlignmentFlag:
    """One thing that a change takes away or brings in. The text of a secret is never in it."""

    rule: str
    severity: Severity
    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class AlignmentReport:
    """All flags of one change, and what they come to."""

    KEYS = "verdict score:4 flags metrics"

    flags: tuple[AlignmentFlag, ...]
    warning_threshold: float
    failure_threshold: float
    before: Mapping[str, float | None] = field(default_factory=dict)
    """Figures of the changed files: the baseline that flags are held against."""
    after: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """From 0 to 1; every rule counts once, by the worst that it found."""
        worst: dict[str, float] = {}
        for flag in self.flags:
            worst[flag.rule] = max(worst.get(flag.rule, 0.0), _WEIGHTS[flag.severity])
        left = 1.0
        for rule in sorted(worst):
            left *= 1.0 - worst[rule]
        return 1.0 - left

    @property
    def verdict(self) -> AlignmentVerdict:
        """By the thresholds."""
        if self.score >= self.failure_threshold:
            return AlignmentVerdict.FAILURE
        if self.score >= self.warning_threshold:
            return AlignmentVerdict.WARNING
        return AlignmentVerdict.PASS

    @property
    def metrics(self) -> Mapping[str, Mapping[str, float | None]]:
        """The figures on both sides."""
        return {"before": self.before, "after": self.after}
