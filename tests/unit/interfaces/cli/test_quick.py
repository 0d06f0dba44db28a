"""A plain question, answered before Click is loaded, exactly as the command answers it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.index.remembering import refresh, rereading
from reverie.interfaces.cli import quick as quickly
from reverie.interfaces.cli.quick import answer
from reverie.settings import load

SHEET, JOURNAL = "sheet", "journal"
HEAVY = {
    *("click", "rich", "sqlalchemy", "sqlite3", "tomllib", "json", "ast", "logging", "pathlib"),
    *("dataclasses", "inspect", "subprocess", "threading", "datetime", "reverie.settings.load"),
    *("reverie.bootstrap", "reverie.store", "reverie.interfaces.cli.app"),
}
"""What a plain question does not wait for."""


@pytest.fixture
def known(cli: Callable, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose index is current."""
    for module in (rereading, refresh, load):
        monkeypatch.setattr(module, "FRESH_NS", 0)
    (repository / "price.py").write_text(
        "def total(values: list[int]) -> int:\n    '''Sum \t \x1f \x1e \x1en é.'''\n"
        "def _rest(total): ...\n"
    )
    (repository / "test_price.py").write_text("def test_total(): ...\n")
    assert cli("index", str(repository)).code == 0
    return repository


@pytest.fixture(params=[SHEET, JOURNAL])
def door(
    request: pytest.FixtureRequest, known: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[list[str]], int | None]:
    """Answers by the sheet alone, or by the journal alone."""
    other = {SHEET: "_ask_journal", JOURNAL: "_ask_sheet"}[request.param]
    monkeypatch.setattr(quickly, other, lambda _: None)
    return answer


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["total"], 0),
        (["total", "sum"], 0),
        (["(list[int]) -> int"], 0),
        (["total (_) -> int"], 0),
        (["(str)"], 1),
        (["qqzzx"], 1),
    ],
)
def test_the_answer_is_the_commands(
    cli: Callable,
    known: Path,
    door: Callable,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
) -> None:
    line = ["search", *words, "--repo", str(known)]
    assert door(line) == code
    quick = capsys.readouterr().out
    ran = cli(*line)
    assert (quick, code) == (ran.out, ran.code)


def test_the_document_is_the_commands(
    cli: Callable, known: Path, door: Callable, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["search", "--json", "total", "--repo", str(known)]
    assert door(line) == 0
    quick, ran = json.loads(capsys.readouterr().out), cli(*line).document
    assert quick.pop("seconds") >= 0
    assert ran.pop("seconds") >= 0
    assert quick == ran
    assert quick["results"][0]["module"] == "price"


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["history"],
        ["search"],
        ["search", "--help"],
        ["search", "total", "--limit", "3"],
        ["search", "total", "--repo"],
        ["search", "total", "--repo", "/nowhere/at/all"],
        ["search", "()("],
    ],
)
def test_what_is_out_of_the_ordinary_is_left_to_the_command(
    known: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    line: list[str],
) -> None:
    monkeypatch.chdir(known.parent)
    assert answer(line) is None
    assert capsys.readouterr() == ("", "")


def test_a_changed_file_is_left_to_the_command(
    known: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (known / "price.py").write_text("def sum_of(values): ...\n")
    assert answer(["search", "total", "--repo", str(known)]) is None
    assert capsys.readouterr() == ("", "")


def test_what_speaks_besides_files_is_left_to_the_journal(
    known: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["search", "total", "--repo", str(known)]
    monkeypatch.setenv("REVERIE_INDEX_EXCLUDE", "price.py")
    assert answer(line) is None, "other files count now"
    monkeypatch.delenv("REVERIE_INDEX_EXCLUDE")
    monkeypatch.setenv("LOG_LEVEL", "info")
    monkeypatch.setattr(quickly, "_ask_journal", lambda _: 7)
    assert answer(line) == 7


def test_a_journal_lays_the_sheet_that_is_missing(known: Path) -> None:
    line, sheet = ["search", "total", "--repo", str(known)], known / ".reverie" / "search.sheet"
    sheet.unlink()
    assert answer(line) == 0
    assert sheet.is_file()


def test_a_plain_question_waits_for_nothing_heavy(known: Path) -> None:
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        f"sys.argv = ['reverie', 'search', 'total', '(_) -> int', '--repo', {str(known)!r}]\n"
        "from reverie.interfaces.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n"
        "    print(end.code, *sorted(set(sys.modules) - before))\n"
    )
    environ = {name: each for name, each in os.environ.items() if not name.startswith("REVERIE_")}
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environ
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("price.py:1: function total(")
    code, *imported = ran.stdout.splitlines()[-1].split()
    assert code == "0"
    assert HEAVY.isdisjoint(imported)
    assert HEAVY.isdisjoint(each.partition(".")[0] for each in imported)
