"""The environment of a repository, as preflight found it; and what fuzzing found in its code.

A `Discovery` is no `Dream` and holds no change: nothing that promotes takes one.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class SuitePart:
    """The files of tests that are asked, where the whole suite does not fit into the time."""

    files: tuple[str, ...]
    left_out: tuple[str, ...]
    """Files of tests."""
    partly_asked: frozenset[str]
    """Paths of modules that tests left out are about: what protects them is not known."""

    @property
    def told(self) -> str:
        """How much it is, in words."""
        return f"{len(self.files)} of {len(self.files) + len(self.left_out)} test files"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The interpreter that was settled on for a repository, and what is known of it."""

    python: str | None
    """None: the one that runs Reverie."""
    python_version: str
    label: str
    """Where it comes from: `environment made from pyproject.toml [test]`."""
    missing: tuple[str, ...] = ()
    """Declared requirements that it does not have."""
    is_made: bool = False
    """Whether Reverie made it."""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What a preflight found, when somebody went on anyway."""
    fresh: str | None = None
    """An interpreter that has what is declared and nothing else; None: there is none."""
    generated: Mapping[str, bytes] = field(default_factory=dict)
    """Files that a build would write and the repository does not have, by path."""
    part: SuitePart | None = None
    """What is asked of the suite; None: all of it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that stops, with the command that mends it."""

    code: str
    text: str
    command: str
    wants: tuple[str, ...] = ()
    """Requirements after which it should be gone."""


SUITE_FAULTS = frozenset({"suite_silent", "broken_test_files"})
_SAYS_ABSENT = re.compile(
    r"No module named|ImportError|cannot import name|not installed|\bpip install \w|\bextras?\b"
    r"|fixture '\w+' not found|Unknown pytest\.mark"
)
"""How a failing test says that something is not there."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """What a look at a repository found before anything is tried."""

    python_version: str
    label: str
    missing: tuple[str, ...] = ()
    passed: int | None = None
    """None: the suite was not run."""
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    failing: Mapping[str, str] = field(default_factory=dict)
    """Why each failing test fails, by id."""
    broken: Mapping[str, str] = field(default_factory=dict)
    """Why test files cannot be imported, by path."""
    unimportable: Mapping[str, str] = field(default_factory=dict)
    """Why modules cannot be imported, by name."""
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    part: SuitePart | None = None
    """What was run of the suite; None: all of it."""

    @property
    def is_ready(self) -> bool:
        """Whether work can begin."""
        return not self.findings

    @property
    def is_suite_at_fault(self) -> bool:
        """Whether tests fail, or cannot be imported, as if something were not installed."""
        if any(each.code in SUITE_FAULTS for each in self.findings):
            return True
        is_absent = bool(self.wants) or any(map(_SAYS_ABSENT.search, self.failing.values()))
        return is_absent and any(each.code == "failing_tests" for each in self.findings)

    @property
    def wants(self) -> tuple[str, ...]:
        """Requirements that nothing declares, and that would mend what is wrong."""
        return tuple(dict.fromkeys(name for each in self.findings for name in each.wants))

    @property
    def line(self) -> str:
        """All of it in one line."""
        suite = (
            f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped "
            f"in {self.seconds:.0f} s{self._part}"
            if self.passed is not None
            else "suite not run"
        )
        return f"{suite}, Python {self.python_version}, {self.label}"

    @property
    def _part(self) -> str:
        return "" if self.part is None else f" ({self.part.told}: all of them take too long)"


class Opinion(StrEnum):
    """What a person says of a finding."""

    BUG = "bug"
    FEATURE = "feature"
    """It is meant to be so: later runs do not report it."""
    OUT_OF_SCOPE = "out_of_scope"
    """Right, but nothing to be done here: later runs do not report it."""


SETTLED = frozenset({Opinion.FEATURE, Opinion.OUT_OF_SCOPE})
"""Opinions after which a finding is no longer reported."""


def opinion_on(names: Iterable[str], opinions: Mapping[str, Opinion]) -> Opinion | None:
    """What people say of a finding: the first of its names that they said anything of."""
    return next((opinions[name] for name in names if name in opinions), None)


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

        known = [
            replace(each, opinion=opinion_on((each.signature, each.callable), opinions))
            for each in self.findings
        ]
        return replace(
            self,
            findings=tuple(each for each in known if each.opinion not in SETTLED),
            settled=tuple(each for each in known if each.opinion in SETTLED),
        )
