"""Runs of tests under chosen conditions, what mutation found, and proofs of instruments.

A proof of an instrument is what was planted for it, and what it saw.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class TestEnd(StrEnum):
    """How one test ended in one run."""

    __test__ = False

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """Also an expected failure: it says nothing."""
    FORGED = "forged"
    """It raised, and was reported as passed."""
    MISSING = "missing"
    """It was asked for and did not come to an end."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """One run: everything that could make a test come out otherwise."""

    name: str
    seed: int
    instant: str
    """What the clock says: a time with its zone, or `0` for the real clock."""
    is_order_random: bool = True
    hash_seed: int = 0
    disguise: int = 0
    """Number of the machine that it seems to run on."""
    is_alone: bool = False
    """Whether every test runs in a process in which no other has run."""
    is_traced: bool = False
    """Whether the lines of the test files themselves are recorded."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """What one run said of every test in it."""

    __test__ = False

    conditions: Conditions
    ends: Mapping[str, TestEnd]
    reasons: Mapping[str, str] = field(default_factory=dict)
    silence: str | None = None
    """Why the run said nothing at all; None when it spoke."""
    is_dead: bool = False
    """Whether its process was ended by what ran in it."""
    saw_plant: bool = False
    """Whether the planted failure failed and the planted success passed."""
    replaced: tuple[str, ...] = ()
    """Functions of production code that were others at the end."""
    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """By test file: its own lines that ran, where the run was traced."""


@dataclass(frozen=True, slots=True)
class SuiteRuns:
    """Several runs on one tree."""

    runs: tuple[TestRun, ...]
    writes: tuple[str, ...] = ()
    """Files of the repository that the tests changed."""

    @property
    def heard(self) -> tuple[TestRun, ...]:
        """Those that said anything."""
        return tuple(run for run in self.runs if run.silence is None)

    def ends_of(self, test: str) -> tuple[TestEnd, ...]:
        """How a test ended in each run that it was part of."""
        return tuple(run.ends[test] for run in self.runs if test in run.ends)


@dataclass(frozen=True, slots=True)
class Sighting:
    """One thing planted, the answer an honest instrument gives, and the answer it gave."""

    name: str
    required: str
    seen: str

    @property
    def passed(self) -> bool:
        """Whether the instrument saw what was there."""
        return self.seen == self.required


@dataclass(frozen=True, slots=True)
class Proof:
    """An instrument held against everything planted for it."""

    instrument: str
    sightings: tuple[Sighting, ...]

    @property
    def passed(self) -> bool:
        """Whether it saw all of it. An instrument that nothing was planted for has no proof."""
        return bool(self.sightings) and all(each.passed for each in self.sightings)


class MutantVerdict(StrEnum):
    """What became of one mutant. The last three say nothing about the tests."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMEOUT = "timeout"
    NOT_COVERED = "not_covered"
    EQUIVALENT = "equivalent"
    INVALID = "invalid"
    ERROR = "error"

    @property
    def counts(self) -> bool:
        """Whether it is one of the mutants that the score is about."""
        return self not in (
            MutantVerdict.EQUIVALENT,
            MutantVerdict.INVALID,
            MutantVerdict.ERROR,
        )

    @property
    def is_detected(self) -> bool:
        """Whether the tests notice it."""
        return self in (MutantVerdict.KILLED, MutantVerdict.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small change of a file. `id` names file, function, operator and occurrence."""

    id: str
    file: str
    line: int
    operator: str
    scope: str
    unit: str | None
    """The outermost function around it; None when it runs at import."""
    first_line: int
    last_line: int
    start: int
    end: int
    replacement: str
    number: int
    """Its place among the sites of its file."""


@dataclass(frozen=True, slots=True)
class JudgedMutant:
    """A mutant with its verdict, and the test that noticed it."""

    mutant: Mutant
    verdict: MutantVerdict
    killer: str | None = None
    is_cached: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TestLook:
    """One test of the baseline: how it went, what it costs, which lines it runs."""

    __test__ = False

    id: str
    outcome: str
    reason: str
    cpu_seconds: float
    is_slow: bool
    starts_processes: bool
    lines: Mapping[str, Mapping[str, frozenset[int]]] = field(default_factory=dict)
    """File, then function, then lines."""
    arcs: Mapping[str, frozenset[tuple[int, int]]] = field(default_factory=dict)
    is_traced: bool = True
    """False when it traced itself: then nobody knows what it runs."""

    @property
    def is_usable(self) -> bool:
        """Whether its failing on changed code would mean anything."""
        return self.outcome != "failed"

    def lines_of(self, file: str) -> frozenset[int]:
        """All lines of a file that it runs."""
        return frozenset().union(*self.lines.get(file, {}).values())


@dataclass(frozen=True, slots=True)
class CoverageMap:
    """Which test runs which line and takes which step, and what runs before any of them."""

    tests: tuple[TestLook, ...]
    imports: Mapping[str, Mapping[str, frozenset[int]]]
    import_arcs: Mapping[str, frozenset[tuple[int, int]]]
    collect_seconds: float
    broken: tuple[tuple[str, str], ...] = ()
    """Files that could not be collected, with the reason."""
    writes: tuple[str, ...] = ()
    """Files of the repository that the tests changed."""
    is_restorable: bool = True

    @property
    def usable(self) -> tuple[TestLook, ...]:
        """The tests that pass unchanged."""
        return tuple(test for test in self.tests if test.is_usable)

    def tests_of(self, file: str, lines: frozenset[int]) -> tuple[str, ...]:
        """The tests that run any of these lines: what has to run when they change."""
        return tuple(test.id for test in self.tests if test.lines_of(file) & lines)

    def lines_of(self, file: str) -> frozenset[int]:
        """Every line of a file that an import or a test runs."""
        at_import = frozenset().union(*self.imports.get(file, {}).values())
        return at_import.union(*(test.lines_of(file) for test in self.tests))


def without_tests(coverage: CoverageMap, names: frozenset[str], reason: str) -> CoverageMap:
    """A coverage map in which some tests have no say, and why."""

    def marked(test: TestLook) -> TestLook:
        return replace(test, outcome="failed", reason=reason) if test.id in names else test

    return replace(coverage, tests=tuple(marked(test) for test in coverage.tests))


@dataclass(frozen=True, slots=True)
class Agreement:
    """Verdicts made again in fresh processes, and those that came out otherwise."""

    checked: int = 0
    disagreements: tuple[str, ...] = ()
    undecided: int = 0
    """Not finished in time."""

    @property
    def share(self) -> float | None:
        """The share that came out the same; None when nothing was looked at."""
        return 1 - len(self.disagreements) / self.checked if self.checked else None


@dataclass(frozen=True, slots=True)
class MutationReport:
    """One run."""

    judged: tuple[JudgedMutant, ...]
    coverage: CoverageMap
    agreement: Agreement
    wall_seconds: float
    cpu_seconds: float
    python: str
    isolation: str
    notes: tuple[str, ...] = ()
    is_complete: bool = True
    sampled_of: int | None = None
    """How many mutants there are, when only a sample of them was judged."""
    void: str | None = None
    """Why no verdict here can be believed; None where nothing speaks against them."""

    def count(self, verdict: MutantVerdict) -> int:
        """How many have a verdict."""
        return sum(each.verdict is verdict for each in self.judged)

    @property
    def mutants(self) -> int:
        """How many the score is about."""
        return sum(each.verdict.counts for each in self.judged)

    @property
    def score(self) -> float | None:
        """The share that the tests notice; None without mutants, or where nothing is believed."""
        detected = sum(each.verdict.is_detected for each in self.judged)
        return detected / self.mutants if self.mutants and self.void is None else None

    @property
    def tested(self) -> int:
        """How many were really run in this run."""
        ran = (MutantVerdict.KILLED, MutantVerdict.SURVIVED, MutantVerdict.TIMEOUT)
        return sum(each.verdict in ran and not each.is_cached for each in self.judged)
