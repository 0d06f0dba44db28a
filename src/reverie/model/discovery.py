"""What fuzzing found: a finding is for people to read, and has no way to become a change.

A `Discovery` is no `Dream` and holds no change: nothing that promotes takes one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Opinion(StrEnum):
    """What a person says of a finding."""

    BUG = "bug"
    FEATURE = "feature"
    """It is meant to be so: later runs do not report it."""
    OUT_OF_SCOPE = "out_of_scope"
    """Right, but nothing to be done here: later runs do not report it."""


SETTLED = frozenset({Opinion.FEATURE, Opinion.OUT_OF_SCOPE})
"""Opinions after which a finding is no longer reported."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """One way in which a callable does not keep its word. Texts of the code are its claims."""

    KEYS = (
        "signature callable kind basis input expected actual hypothesis action repro "
        "verdict=opinion"
    )

    signature: str
    callable: str
    kind: str
    basis: str
    input: str
    expected: str
    actual: str
    hypothesis: str
    action: str
    repro: str
    """A script that fails while the finding is true."""
    opinion: Opinion | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person said of a finding, and when."""

    signature: str
    opinion: Opinion
    created_at: datetime
    why: str = ""


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """What came of fuzzing one callable, or the callables of several files."""

    callable: str
    callables: tuple[str, ...]
    executions: int
    findings: tuple[Discovery, ...]
    seconds: float
    settled: tuple[Discovery, ...] = ()
    """Found again, and known to be meant or out of scope."""
    doubted: int = 0
    """Seen in the search and not reproduced afterwards: not reported."""
    notes: tuple[str, ...] = ()

    def respecting(self, opinions: Mapping[str, Opinion]) -> "Fuzzed":
        """The same with what people have said of the findings."""
        from dataclasses import replace

        known = [replace(each, opinion=opinions.get(each.signature)) for each in self.findings]
        return replace(
            self,
            findings=tuple(each for each in known if each.opinion not in SETTLED),
            settled=tuple(each for each in known if each.opinion in SETTLED),
        )
