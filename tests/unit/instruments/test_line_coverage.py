from dataclasses import replace
from typing import Any

import pytest

from reverie.errors import InstrumentUnproven
from reverie.index.coverage_files import RawFile
from reverie.instruments.own_suite import MeasuredSuite, measure_suite
from reverie.model.execution import ErrorReport, Execution, Request
from reverie.model.outcome import IsolationTier, TestOutcome, TrustTier
from reverie.model.repository.code import CodeIndex, Module
from reverie.model.settings.analysis import CandidatesSection
from reverie.testing.fakes import finished

PLANT = [1, 2, 5, 9]
MODULES = tuple(
    Module(name, f"src/{name}.py", "", 1, False, TrustTier.TRUSTED, root="src") for name in "ab"
)
INDEX = CodeIndex("/repository", MODULES, frozenset())


class FakeSandbox:
    def __init__(self, execution: Execution, tier: IsolationTier) -> None:
        self.execution, self.tier = execution, tier

    def run(self, request: Request) -> Execution:
        self.request = request
        return self.execution


def measure(
    output: Any, tier: IsolationTier = IsolationTier.NAMESPACES, **given: Any
) -> tuple[MeasuredSuite, Request]:
    execution = replace(
        finished(0)[1], **{"outcome": TestOutcome.SUCCESS, "output": output, **given}
    )
    sandbox = FakeSandbox(execution, tier)
    suite = measure_suite(sandbox, INDEX, CandidatesSection())  # type: ignore[arg-type]
    return suite, sandbox.request


def test_lines_that_ran_are_kept_by_module_and_others_are_none_of_ours() -> None:
    files = {"/repository/src/a.py": [1, 3], "/elsewhere/x.py": [1]}
    suite, _ = measure({"exit_code": 0, "plant": PLANT, "files": files})
    assert suite.exit_code == 0
    assert suite.coverage is not None
    assert suite.coverage.files == {
        "src/a.py": RawFile(frozenset({1, 3}), None),
        "src/b.py": RawFile(frozenset(), None),
    }


@pytest.mark.parametrize("plant", [None, [], [1, 5, 9], [1, 2, 5, 6, 9], "2"])
def test_an_instrument_that_does_not_see_its_plant_is_not_believed(plant: Any) -> None:
    with pytest.raises(InstrumentUnproven, match="planted"):
        measure({"exit_code": 0, "plant": plant, "files": {}})


@pytest.mark.parametrize(
    "output",
    [
        *(None, [1], "text"),
        *({"exit_code": 0, "plant": PLANT, "files": files} for files in (None, [], {"a": 1})),
        {"exit_code": 0, "plant": PLANT, "files": {"a": ["1"]}},
        {"exit_code": 0, "plant": PLANT, "files": {"a": [True]}},
        *({"exit_code": code, "plant": PLANT, "files": {}} for code in (3, 4, None, "0", True)),
    ],
)
def test_an_answer_that_is_none_measures_nothing(output: Any) -> None:
    suite, _ = measure(output)
    assert suite.coverage is None
    assert suite.problem


def test_a_suite_that_does_not_end_is_a_problem_with_its_reason() -> None:
    late = {"outcome": TestOutcome.TIMEOUT, "error": ErrorReport("more than 600 s")}
    assert measure(None, **late)[0].problem == "timeout: more than 600 s"


def test_the_suite_works_on_a_copy_where_there_is_one_and_never_on_the_original() -> None:
    answer = {"exit_code": 0, "plant": PLANT, "files": {}}
    policy = measure(answer)[1].policy
    assert (policy.private_copies, policy.readonly) == (("/repository",), ())
    policy = measure(answer, IsolationTier.LANDLOCK)[1].policy
    assert (policy.private_copies, policy.readonly) == ((), ("/repository",))
    assert not policy.enable_network
