"""Stage D, of the suite itself: tests that fail, and tests that fail now and then.

A flaky test is proposed for quarantine, with its evidence; whether it goes there, a person says.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reverie.model.cycle import Sighting
from reverie.model.dream import Dream, DreamKind
from reverie.model.history import FailureCluster
from reverie.model.measurements.suite import TestLook
from reverie.stages.dreamer import Allowance, Example, Survey, Target

LEAST_FLAKE = 0.2
"""The share of consecutive runs that end otherwise, from which a test is called flaky."""
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class TestHealthDreamer:
    """Tells of tests that nobody can rely on. It changes nothing."""

    __test__ = False

    clusters: Callable[[], Sequence[FailureCluster]] = lambda: ()
    """Failures of earlier runs, by signature."""
    name: str = "test_health"
    kind: DreamKind = DreamKind.FINDING

    def examples(self) -> Iterable[Example]:
        """A repository without tests: there is nothing to tell."""
        yield Example({"shop.py": "def total() -> int:\n    return 0\n"}, "shop.py", False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Files of tests that fail, or have come and gone."""
        files = {_file(each.id) for each in _failing(survey)}
        files |= {_file(test) for each in self._flaky() for test in each.tests}
        return survey.targets(self.name, dict.fromkeys(sorted(files), 0.0))

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """Nothing: a finding for each such test of the file."""
        notes, flaky = allowance.notes, set[str]()
        for each in self._flaky():
            for test in each.tests:
                if _file(test) == survey.path:
                    flaky.add(test)
                    notes.sightings.append(quarantine_of(survey.module, test, each))
        notes.sightings += [
            failing_of(survey.module, each)
            for each in _failing(survey)
            if _file(each.id) == survey.path and each.id not in flaky
        ]
        yield from ()

    def _flaky(self) -> list[FailureCluster]:
        return [each for each in self.clusters() if is_flaky(each)]


def flaky_tests(clusters: Sequence[FailureCluster]) -> frozenset[str]:
    """The tests of all failures that came and went."""
    return frozenset(test for each in clusters if is_flaky(each) for test in each.tests)


def is_flaky(found: FailureCluster) -> bool:
    """Whether a failure came and went: seen in both kinds of runs, and more than once."""
    score = found.flake_score
    return (
        score is not None and score >= LEAST_FLAKE and min(found.runs_failed, found.runs_passed) > 0
    )


def quarantine_of(module: str, test: str, found: FailureCluster) -> Sighting:
    """The proposal to put a flaky test aside, with what speaks for it."""
    runs = found.runs_failed + found.runs_passed
    details = {
        "function": test.rpartition("::")[2],
        "kind": "flaky_test",
        "actual": f"failed in {found.runs_failed} of {runs} runs: {found.error_class}: "
        f"{found.message}"[:_SHOWN],
        "expected": "the same outcome in every run of the same code",
        "hypothesis": f"the outcome changed in {found.flake_score:.0%} of consecutive runs",
        "action": "quarantine it (run it apart from the suite) until somebody has mended it: "
        "reverie never skips a test by itself",
        "repro": found.repro_cmd or f"pytest {test}",
    }
    return Sighting(module, f"{test} is flaky: put it into quarantine"[:_SHOWN], details)


def failing_of(module: str, test: TestLook) -> Sighting:
    """A test that fails on the code as it stands."""
    details = {
        "function": test.id.rpartition("::")[2],
        "kind": "failing_test",
        "actual": test.reason[:_SHOWN] or "it fails",
        "expected": "it passes",
        "action": "mend the code, or the test",
        "repro": f"pytest {test.id}",
    }
    return Sighting(module, f"{test.id} fails"[:_SHOWN], details)


def _failing(survey: Survey) -> list[TestLook]:
    coverage = survey.suite.coverage
    return [] if coverage is None else [each for each in coverage.tests if each.outcome == "failed"]


def _file(test: str) -> str:
    return test.partition("::")[0]
