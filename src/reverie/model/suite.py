"""Runs of tests under chosen conditions: what was asked for, and what each test did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
