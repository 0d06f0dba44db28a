import subprocess
from pathlib import Path

import pytest

from reverie.model.change import Change, FileEdit
from reverie.model.ruling import Answer, Ruling, Verdict, decide


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("a\nb\n", "a\nc\n", id="a line"),
        pytest.param("a\n", "a", id="the last newline goes"),
        pytest.param("a", "a\nb", id="no newline at either end"),
        pytest.param("a\x0cb\n", "a\x0cc\n", id="a form feed ends no line"),
        pytest.param(None, "new\n", id="new"),
        pytest.param("old\n", None, id="deleted"),
    ],
)
def test_git_applies_the_diff(tmp_path: Path, before: str | None, after: str | None) -> None:
    if before is not None:
        (tmp_path / "file.txt").write_text(before, newline="")
    edit = FileEdit("file.txt", before, after)
    subprocess.run(["git", "apply"], cwd=tmp_path, input=edit.diff().encode(), check=True)
    found = (tmp_path / "file.txt").read_bytes().decode() if after is not None else None
    assert found == after
    assert (tmp_path / "file.txt").exists() == (after is not None)


def test_lines_are_counted_on_both_sides() -> None:
    edit = FileEdit("a.py", "one\ntwo\nthree\n", "one\n2\nthree\nfour\n")
    assert (edit.lines_added, edit.lines_removed) == (2, 1)
    assert Change((edit,)).lines_changed == 3


def test_a_digest_tells_changes_apart() -> None:
    some = Change((FileEdit("a.py", None, ""),))
    assert some.digest == Change((FileEdit("a.py", None, ""),)).digest
    assert some.digest != Change((FileEdit("a.py", "", None),)).digest


def ruling(answer: Answer) -> Ruling:
    return Ruling("any", answer, "because", "because")


@pytest.mark.parametrize(
    ("answers", "verdict"),
    [
        ((), Verdict.BORDERLINE),
        ((Answer.PASS,), Verdict.PROMOTE),
        ((Answer.PASS, Answer.HOLD), Verdict.BORDERLINE),
        ((Answer.HOLD, Answer.FAIL, Answer.PASS), Verdict.REJECT),
    ],
)
def test_the_worst_answer_decides(answers: tuple[Answer, ...], verdict: Verdict) -> None:
    assert decide(ruling(each) for each in answers) is verdict


def test_an_edit_is_known_again_in_a_file_that_changed_elsewhere() -> None:
    before = "a = 1\nb = 2\nc = 3\n"
    edit = FileEdit("shop.py", before, before.replace("b = 2", "b = 20"))
    assert edit.is_made_in(edit.after)
    assert edit.is_made_in("# new\na = 1\nb = 20\nc = 3\nd = 4\n")
    assert not edit.is_made_in(before)
    assert not edit.is_made_in("a = 1\nc = 3\n")
    assert not edit.is_made_in(None)


def test_new_and_deleted_files_are_known_by_being_there_or_not() -> None:
    new, gone = FileEdit("new.py", None, "x = 1\n"), FileEdit("old.py", "x = 1\n", None)
    assert (new.is_made_in("x = 1\n"), new.is_made_in(None)) == (True, False)
    assert (gone.is_made_in(None), gone.is_made_in("x = 1\n")) == (True, False)


def test_lines_that_are_only_taken_out_are_known_by_what_closed_over_them() -> None:
    edit = FileEdit("shop.py", "a\nb\nc\n", "a\nc\n")
    assert edit.is_made_in("a\nc\n")
    assert not edit.is_made_in("a\nb\nc\n")
