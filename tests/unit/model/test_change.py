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
