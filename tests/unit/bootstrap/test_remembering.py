from dataclasses import replace
from pathlib import Path

import pytest

from reverie.bootstrap import guard
from reverie.bootstrap.guard import GuardQuestion, judge_change
from reverie.bootstrap.remembered_judgements import RememberedJudgements, installed_beside, key_of
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, Judgement, Need, NeedKind, Ruling
from reverie.settings import Settings

HELD = Judgement(
    (Ruling("watch", Answer.HOLD, "coverage_down", "less is run", 2, 0),),
    (Need.from_text("a word"), Need(NeedKind.APPROVALS, 3)),
)
PASSED = Judgement((Ruling("watch", Answer.PASS, "ok", "all is run"),))
CHANGE = Change((FileEdit("shop.py", "a = 1\n", "a = 2\n"),))
QUESTION = GuardQuestion({"shop.py": b"a = 1\n"}, CHANGE, Stage.B)


def test_what_was_not_let_through_is_said_again(tmp_path: Path) -> None:
    kept = RememberedJudgements(tmp_path / "judgements")
    assert kept.find("0" * 64) is None
    kept.keep("0" * 64, HELD)
    found = kept.find("0" * 64)
    assert found is not None
    assert found[0] == HELD


def test_what_was_let_through_is_tried_again(tmp_path: Path) -> None:
    kept = RememberedJudgements(tmp_path / "judgements")
    kept.keep("0" * 64, PASSED)
    assert kept.find("0" * 64) is None


def test_what_somebody_else_wrote_is_not_believed(tmp_path: Path) -> None:
    kept = RememberedJudgements(tmp_path)
    kept.keep("0" * 64, HELD)
    file = tmp_path / f"{'0' * 64}.gz"
    first, *rest = file.read_bytes()
    file.write_bytes(bytes([first ^ 1, *rest]))
    assert kept.find("0" * 64) is None
    kept.keep("0" * 64, HELD)
    file.rename(tmp_path / f"{'1' * 64}.gz")  # another question has another answer
    assert kept.find("1" * 64) is None


def test_a_judgement_is_known_by_all_that_it_depends_on() -> None:
    settings, other = Settings(), Settings({"guard": {"budget_seconds": 9.0}})
    known = key_of(QUESTION, settings)
    assert known == key_of(replace(QUESTION, is_again=True), settings)
    others = [
        key_of(replace(QUESTION, base={"shop.py": b"a = 1\n", "other.py": b""}), settings),
        key_of(replace(QUESTION, stage=Stage.C), settings),
        key_of(replace(QUESTION, python="/usr/bin/python3"), settings),
        key_of(QUESTION, other),
    ]
    assert len({known, *others}) == 5


def test_a_change_that_was_not_let_through_is_not_tried_until_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[GuardQuestion] = []

    def measure_nothing(question: GuardQuestion, settings: Settings, judged: Change) -> Evidence:
        tried.append(question)
        return Evidence({}, 1, IsolationTier.NAMESPACES, ())

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(guard, "_try_change", measure_nothing)
    old, new = (f"def f(a):\n    return {each}\n" for each in ("a + a", "2 * a"))
    change = Change((FileEdit("shop.py", old, new),))
    question = GuardQuestion({"shop.py": old.encode()}, change, Stage.B)
    first, second = (judge_change(question, Settings()) for _ in range(2))
    assert (first.remembered, len(tried)) == (None, 1)
    assert second.remembered is not None
    assert second.judgement == first.judgement
    assert judge_change(replace(question, is_again=True), Settings()).remembered is None
    assert len(tried) == 2


def test_what_is_installed_beside_an_interpreter_is_a_part_of_the_question(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    folder = tmp_path / "lib" / "python3.11" / "site-packages" / "shop-1.0.dist-info"
    assert installed_beside(str(python)) == []
    folder.mkdir(parents=True)
    (folder / "RECORD").write_text("shop/__init__.py,sha256=a,1\n")
    first = installed_beside(str(python))
    (folder / "RECORD").write_text("shop/__init__.py,sha256=b,1\n")
    second = installed_beside(str(python))
    folder.rename(folder.with_name("shop-1.1.dist-info"))
    third = installed_beside(str(python))
    assert len({*first, *second, *third}) == 3
