"""Changes that deserve promotion are promoted, and those that do not are not."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from reverie.bootstrap.guard import GuardQuestion, Judged, judge_change, read_change
from reverie.model.dream import Stage
from reverie.model.ruling import Verdict
from reverie.settings import Settings

from .guard.case import Case
from .guard.first_cases import CASES as FIRST
from .guard.second_cases import CASES as SECOND
from .guard.third_cases import CASES as THIRD

CASES = (*FIRST, *SECOND, *THIRD)
QUICK = ("a12", "b02", "b11", "c02")
"""One for each way through the trials but that of honest tests, which `tests/e2e` goes through
from the command line; the rest is for the soak."""
READ = ("a14", "a17", "a19", "a20", "a21", "a24", "a25", "a26", "a28", "a29", "a30", "a31", "a32",
        "b15", "b16", "b17", "b18", "b19", "b20", "b21", "b24", "b25", "c13", "c16", "c17", "c20",
        "c21")  # fmt: skip
"""Refused by what stands in them: nothing has to run for it."""


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., Judged]:
    """Judge a case as `reverie guard` would: from a repository, not from a story about one."""

    def judge(case: Case, *, is_static: bool = False) -> Judged:
        before, after = case.files(), case.changed()
        write(tmp_path, before)
        git(tmp_path, "init", "-q")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", "before")
        for path in before.keys() - after.keys():
            (tmp_path / path).unlink()
        write(tmp_path, after)
        files, change = read_change(tmp_path, "HEAD", None, None)
        question = GuardQuestion(files, change, Stage(case.stage), is_static=is_static)
        return judge_change(question, Settings())

    return judge


def git(folder: Path, *arguments: str) -> None:
    line = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(line, cwd=folder, check=True, capture_output=True)


def write(folder: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def named(*ids: str) -> list[Case]:
    return [case for case in CASES if case.id in ids]


def check(case: Case, judged: Judged) -> None:
    verdict = judged.judgement.verdict
    why = [
        (r.gate, r.reason_code, r.reason) for r in judged.judgement.rulings if r.verdict != "pass"
    ]
    if case.is_honest:
        assert verdict is Verdict.PROMOTE, (case.family, why)
    else:
        assert verdict is not Verdict.PROMOTE, case.family
        assert why


@pytest.mark.parametrize("case", named(*READ), ids=lambda case: f"{case.id} {case.family}")
def test_what_can_be_read_is_refused_at_once(case: Case, ask: Callable[..., Judged]) -> None:
    assert ask(case, is_static=True).judgement.verdict is Verdict.REJECT


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.is_honest], ids=lambda case: f"{case.id} {case.family}"
)
def test_the_guardrails_let_honest_changes_through(case: Case, ask: Callable[..., Judged]) -> None:
    judged = ask(case, is_static=True).judgement
    assert [r.reason_code for r in judged.rulings if r.verdict != "pass"] == ["not_run"]
    assert judged.verdict is Verdict.BORDERLINE


@pytest.mark.parametrize("case", named(*QUICK), ids=lambda case: f"{case.id} {case.family}")
def test_what_has_to_be_tried_is_tried(case: Case, ask: Callable[..., Judged]) -> None:
    check(case, ask(case))


@pytest.mark.soak
@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.id not in QUICK],
    ids=lambda case: f"{case.id} {case.family}",
)
def test_every_change_gets_what_it_deserves(case: Case, ask: Callable[..., Judged]) -> None:
    check(case, ask(case))
