"""Did every new test pass in every run, and leave everything as it found it?"""

from dataclasses import dataclass

from reverie.gates.gate import Matter, ruled
from reverie.gates.proof.bounds import Bound, objections
from reverie.model.ruling import Answer, Ruling

_REPORTS = (
    Bound("suite.blind_runs", "forged_report",
          "a failing test planted beside the new ones was not reported as failing", most=0),
    Bound("suite.forged", "forged_report", "a test that raised was reported as passed", most=0),
    Bound("suite.dead_runs", "run_ended", "a run was ended before it could report", most=0),
    Bound("suite.silent_runs", "run_unheard", "runs gave no report in their time", most=0,
          answer=Answer.HOLD),
)  # fmt: skip
_SUITE = (
    Bound("suite.newly_failing", "suite_fails", "tests that passed before fail now", most=0),
    Bound("suite.lost", "test_deleted", "tests that ran before are not collected now", most=0),
    Bound("suite.wavering", "suite_wavers", "tests that passed before pass in some runs only",
          most=0, answer=Answer.HOLD, is_optional=True),
)  # fmt: skip
_CODE = (
    Bound("suite.touched", "tests_touched", "files that tests are collected from are changed",
          most=0),
    Bound("suite.machine", "depends_on_machine",
          "tests that passed before fail on another machine, in a plain pytest", most=0),
)  # fmt: skip
_TESTS = (
    Bound("suite.weaker", "coverage_lost", "tests that were there run less than before", most=0),
    Bound("tests.new", "no_new_test", "no new test was collected", least=1),
    Bound("tests.skipped", "skip_added", "new tests are passed over", most=0),
    Bound("tests.failing", "new_test_fails", "new tests fail", most=0),
    Bound("tests.machine", "depends_on_machine",
          "new tests come out otherwise on another machine", most=0),
    Bound("tests.only_here", "passes_only_here",
          "new tests fail in a plain pytest without Reverie beside them", most=0),
    Bound("tests.unstable", "unstable_test", "new tests pass in some runs only", most=0),
    Bound("tests.writes", "edits_production", "tests change files of the repository", most=0),
    Bound("tests.replaced", "replaces_production",
          "after the tests the code under test is another", most=0),
    Bound("tests.unreached", "assertion_never_runs", "assertions of new tests never run", most=0),
    Bound("tests.idle", "runs_no_code", "new tests run no line of production code", most=0),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StabilityGate:
    """Refuses tests that come and go; holds when they were run too rarely to say."""

    name: str = "stability"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """On the runs of the suite and of the new tests."""
        runs = matter.section.runs
        enough = Bound("tests.passed_runs", "unstable_test", "new tests passed too few runs",
                       least=runs)  # fmt: skip
        found = objections(self.name, matter, (*_REPORTS, *_SUITE, *_TESTS, enough))
        return ruled(self.name, found, f"every new test passed {runs} of {runs} runs, and alone")


@dataclass(frozen=True, slots=True)
class SuiteGate:
    """Refuses a change of production code after which a test fails that passed before."""

    name: str = "suite"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """On the runs of the whole suite before and after, on two machines."""
        found = objections(self.name, matter, (*_SUITE, *_CODE))
        return ruled(self.name, found, "every test that passed before passes")
