"""The commands that take a run's changes lead to where the changes are."""

from reverie.cycle.report.figures import Figures, in_a_line, is_nothing_new
from reverie.interfaces.cli.views.cycles import _found, _merged, _passed_over, _taking


def document(*branches: str) -> dict[str, object]:
    promotions = [{"branch": each, "patch": None} for each in branches]
    return {"branch": "reverie/today-3", "cycle_id": "c1", "promotions": promotions}


def test_changes_that_an_earlier_run_has_offered_are_taken_from_its_branch() -> None:
    told = _taking(document("reverie/today-1", "reverie/today-3", "reverie/today-1"))
    assert told[1:3] == [
        "take:       git merge reverie/today-3",
        "take:       git merge reverie/today-1 (2 changes of an earlier run)",
    ]


def test_a_branch_that_holds_nothing_of_a_run_is_not_named() -> None:
    assert not any("today-3" in line for line in _taking(document("reverie/today-1")))


def test_what_is_merged_is_taken_back_by_one_line() -> None:
    change = {"dream_id": "d1", "module": "shop", "title": "Test shop", "trial": None}
    told = _merged({**document(), "promoted": [change], "merged": ["d1"]}, None)
    assert told[0] == "Merged: 1 change"
    undo = "reverie rollback c1 && git merge reverie/rollback-c1"
    assert told[1][-1] == f"take back:  {undo}"


def step(module: str, state: str, note: str | None = None) -> dict[str, object]:
    return {"module": module, "state": state, "note": note}


def test_a_module_is_skipped_once_however_many_stages_passed_it_over() -> None:
    steps = [
        step("shop", "skipped", "the time was up"),
        step("shop", "skipped", "too little is tested"),
        step("cart", "done"),
        step("cart", "skipped", "the time was up"),
        step("till", "done"),
        step("till", "failed", "KeyError: 'till'"),
    ]
    title, lines = _passed_over(steps)
    assert title == "Skipped: 2 modules"
    failure = "Reverie failed there: KeyError: 'till'"
    assert lines == [f"till: {failure}", "shop: the time was up"]


def test_a_run_that_finds_everything_as_it_was_is_known_as_such() -> None:
    known = step("shop", "skipped", "tried before: c0")
    assert is_nothing_new({"modules": [known]})
    empty = {"promoted": [], "found": [], "waiting": [], "refused": []}
    assert "`reverie run --fresh` looks again" in Figures({**empty, "modules": [known]}).headline
    assert Figures({**empty, "taken_back": ["d1"]}).headline == "1 change taken back"
    assert not is_nothing_new({"modules": []})
    assert not is_nothing_new({"modules": [known, step("cart", "skipped", "the time was up")]})


def test_findings_that_were_settled_since_are_counted() -> None:
    assert _found({"found": [], "settled": 2})[1] == [
        "left out:   2 that you settled since (reverie finding --all)"
    ]


def test_a_change_is_named_before_what_it_brings_but_new_tests_say_it_themselves() -> None:
    lint = {"module": "shop", "title": "Take the rest out of an `else`", "trial": None}
    mended = {**lint, "measures": {"lint.mended": 1}}
    assert in_a_line(mended) == "shop: Take the rest out of an `else`; 1 lint finding fixed"
    assert in_a_line({**lint, "measures": {}}) == "shop: Take the rest out of an `else`"
    assert in_a_line({**lint, "measures": {"tests.new": 2}}) == "shop: 2 new tests"
