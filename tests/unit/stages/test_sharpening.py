import pytest

from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Trial
from reverie.model.dream import Dream, DreamKind
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, Judgement, Ruling
from reverie.stages.trying import without_flaky, without_objectionable

SOURCE = """import time

import pytest
from shop import price


@pytest.mark.parametrize("count", [1, 2])
def test_one(count):
    assert price(count) == count


def test_two():
    assert price(time.time()) > 0


def test_three():
    assert price(3) == 3
"""
PATH = "tests/test_shop.py"


def dream() -> Dream:
    edit = FileEdit(PATH, None, SOURCE, mode_after="100644")
    return Dream(DreamKind.TEST, "tests", "shop", "Test shop", Change((edit,)), 1)


def trial(*rulings: Ruling, **details: tuple[str, ...]) -> Trial:
    named = {name.replace("_", "."): value for name, value in details.items()}
    evidence = Evidence({}, 1, IsolationTier.NAMESPACES, ("reverie",), details=named)
    return Trial(evidence, Judgement(rulings), {}, 0.1, 0)


def failed(code: str, measured: float | str | None = None) -> Ruling:
    return Ruling("gate", Answer.FAIL, code, "why", measured)


def names_left(sharper: Dream | None) -> list[str]:
    assert sharper is not None
    (edit,) = sharper.change.edits
    return [line[4:].partition("(")[0] for line in edit.after.splitlines() if line[:4] == "def "]


@pytest.mark.parametrize(
    ("ruling", "details", "left"),
    [
        (failed("depends_on_time", f"{PATH}:13"), {}, ["test_one", "test_three"]),
        (failed("depends_on_chance", f"{PATH}:7"), {}, ["test_two", "test_three"]),
        (
            failed("new_test_fails", 1.0),
            {"tests_failing": (f"{PATH}::test_one[2]",)},
            ["test_two", "test_three"],
        ),
        (
            failed("blunt_test", 1.0),
            {"tests_blunt": (f"{PATH}::test_three",)},
            ["test_one", "test_two"],
        ),
        (
            failed("unkeepable_test", 0.1),
            {"tests_unkeepable": (f"{PATH}::test_two", f"{PATH}::test_three")},
            ["test_one"],
        ),
        (
            failed("assertion_never_runs", 1.0),
            {"tests_unreached": (f"{PATH}:17",)},
            ["test_one", "test_two"],
        ),
    ],
)
def test_what_a_gate_names_is_left_out(
    ruling: Ruling, details: dict[str, tuple[str, ...]], left: list[str]
) -> None:
    assert names_left(without_objectionable(dream(), trial(ruling, **details))) == left


def test_several_objections_are_met_together_and_needless_imports_go() -> None:
    rulings = failed("depends_on_time", f"{PATH}:13"), failed("blunt_test", 1.0)
    sharper = without_objectionable(dream(), trial(*rulings, tests_blunt=(f"{PATH}::test_one",)))
    assert names_left(sharper) == ["test_three"]
    assert sharper is not None
    assert "import time" not in (sharper.change.edits[0].after or "")


@pytest.mark.parametrize(
    "rulings",
    [
        (),
        (failed("suite_fails", 1.0),),
        (failed("depends_on_time", f"{PATH}:13"), failed("edits_production", 1.0)),
        (failed("depends_on_time", "tests/test_other.py:13"),),
    ],
)
def test_where_something_else_speaks_against_it_nothing_is_left_out(
    rulings: tuple[Ruling, ...],
) -> None:
    assert without_objectionable(dream(), trial(*rulings)) is None


def test_no_change_is_blamed_for_a_test_that_came_and_went_before() -> None:
    details = {"suite.wavering": ("a::one", "a::two"), "suite.machine": ("a::one",)}
    measures = {"suite.wavering": 2.0, "suite.machine": 1.0, "suite.tests": 9.0}
    seen = Evidence(measures, 1, IsolationTier.NAMESPACES, (), details=details)
    found = without_flaky(seen, frozenset({"a::one"}))
    assert found.measures == {"suite.wavering": 1.0, "suite.machine": 0.0, "suite.tests": 9.0}
    assert found.details["suite.wavering"] == ("a::two",)
    assert without_flaky(seen, frozenset()) == seen
