"""Answers of `reverie guard` are found again by the id that it printed."""

from pathlib import Path
from typing import Any

from reverie.bootstrap.kept_answers import KeptAnswers
from reverie.model.change import Change, FileEdit

CHANGE = Change((FileEdit("src/shop.py", "a = 1\n", "a = 2\n"),))


def answer(code: str = "ok") -> dict[str, Any]:
    rulings = [{"gate": "size", "verdict": "pass", "reason_code": code, "reason": "small"}]
    return {"verdict": "promote", "stage": "B", "rulings": rulings, "needs": []}


def test_an_answer_is_found_by_its_id_and_by_the_beginning_of_it(tmp_path: Path) -> None:
    answers = KeptAnswers(tmp_path / "answers")
    name = answers.keep(tmp_path, CHANGE, answer())
    assert name is not None
    assert len(name) == 16
    for given in (name, name[:8]):
        found = answers.find(tmp_path, given)
        assert found is not None
        assert (found["id"], found["files"]) == (name, ["src/shop.py"])
        assert "+a = 2" in found["diff"]


def test_the_same_answer_has_the_same_id_and_another_one_another(tmp_path: Path) -> None:
    answers = KeptAnswers(tmp_path / "answers")
    first = answers.keep(tmp_path, CHANGE, answer())
    assert answers.keep(tmp_path, CHANGE, answer()) == first
    assert answers.keep(tmp_path, CHANGE, answer("too_large")) != first


def test_another_repository_a_short_id_and_a_strange_one_find_nothing(tmp_path: Path) -> None:
    answers = KeptAnswers(tmp_path / "answers")
    name = answers.keep(tmp_path, CHANGE, answer())
    assert name is not None
    assert answers.find(tmp_path / "other", name) is None
    assert answers.find(tmp_path, name[:3]) is None
    assert answers.find(tmp_path, "../../../etc/*") is None
    assert answers.find(tmp_path, "********") is None


def test_an_answer_that_somebody_else_wrote_is_not_shown(tmp_path: Path) -> None:
    answers = KeptAnswers(tmp_path / "answers")
    name = answers.keep(tmp_path, CHANGE, answer())
    place = tmp_path / "answers" / f"{name}.gz"
    place.write_bytes(place.read_bytes()[:-1] + b"x")
    assert answers.find(tmp_path, str(name)) is None


def test_a_folder_that_takes_nothing_gives_no_id(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert KeptAnswers(tmp_path / "file" / "answers").keep(tmp_path, CHANGE, answer()) is None
