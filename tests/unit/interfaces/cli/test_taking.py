"""The commands that take a run's changes lead to where the changes are."""

from reverie.interfaces.cli.views.cycles import _taking


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
