"""Stage D, of the suite itself: tests that fail, and tests that fail now and then.

A flaky test is proposed for quarantine, with its evidence; whether it goes there, a person says.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reverie.model.cycle import Sighting
from reverie.model.dream import Dream, DreamKind
from reverie.model.history import FailureCluster
from reverie.model.measurements.suite import TestLook
from reverie.model.ruling import Evidence
from reverie.stages.dreamer import Allowance, Example, Survey, Target
from reverie.stages.other_seeds import SeedDependent, find_seed_dependent

LEAST_FLAKE = 0.2
"""The share of consecutive runs that end otherwise, from which a test is called flaky."""
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class TestHealthDreamer:
    """Tells of tests that nobody can rely on. It changes nothing.

    One for each copy of a repository.
    """

    __test__ = False

    clusters: Callable[[], Sequence[FailureCluster]] = lambda: ()
    """Failures of earlier runs, by signature."""
    name: str = "test_health"
    kind: DreamKind = DreamKind.FINDING
    _by_seed: dict[str, SeedDependent] = field(default_factory=dict)
    """Tests by id that seeds decide about, as seen while targets were looked for."""

    def examples(self) -> Iterable[Example]:
        """A repository without tests: there is nothing to tell."""
        yield Example({"shop.py": "def total() -> int:\n    return 0\n"}, "shop.py", False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Files of tests that fail, have come and gone, or do so under other seeds."""
        known = {test for each in self._flaky() for test in each.tests}
        found = () if survey.is_hurried else find_seed_dependent(survey)
        self._by_seed.update((each.test, each) for each in found if each.test not in known)
        files = {_file(each.id) for each in _failing(survey)}
        files |= {_file(test) for test in (*known, *self._by_seed)}
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
            seed_dependence_of(survey.module, each)
            for each in self._by_seed.values()
            if _file(each.test) == survey.path
        ]
        notes.sightings += [
            failing_of(survey.module, each)
            for each in _failing(survey)
            if _file(each.id) == survey.path and each.id not in flaky | self._by_seed.keys()
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
        "actual": f"failed in {found.runs_failed} of {runs} runs: {found.error_class}: "
        f"{found.message}"[:_SHOWN],
        "hypothesis": f"the outcome changed in {found.flake_score:.0%} of consecutive runs",
        "repro": found.repro_cmd or f"pytest {test}",
    }
    return _quarantined(module, test, details)


def seed_dependence_of(module: str, found: SeedDependent) -> Sighting:
    """The same for a test that was seen to hang on seeds, whatever its past says."""
    seeds = f"PYTHONHASHSEED={found.seed} PYTEST_SEED={found.seed}"
    details = {
        "actual": f"failed under {found.failed} of {found.runs} seeds: {found.reason}"[:_SHOWN],
        "hypothesis": "it depends on the order of a set, or on chance: under the same seeds it "
        "fails every time, under others it passes",
        "repro": f"{seeds} pytest --reverie {found.test}",
    }
    return _quarantined(module, found.test, details)


def flaky_in(evidence: Evidence) -> Iterator[Sighting]:
    """The same for tests that came and went while a change was tried, and without it as well."""
    for test in evidence.details.get("suite.flaky", ()):
        details = {
            "actual": "passed and failed on the same code while a change was tried",
            "hypothesis": "it depends on chance, on the clock, or on what else the machine does",
            "repro": f"pytest {test}, several times",
        }
        yield _quarantined(_file(test).removesuffix(".py").replace("/", "."), test, details)


def _quarantined(module: str, test: str, details: Mapping[str, str]) -> Sighting:
    told = {
        "function": test.rpartition("::")[2],
        "kind": "flaky_test",
        "expected": "the same outcome in every run of the same code",
        "action": "quarantine it (run it apart from the suite) until somebody has mended it: "
        "reverie never skips a test by itself",
        **details,
    }
    return Sighting(module, f"{test} is flaky: put it into quarantine"[:_SHOWN], told)


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
