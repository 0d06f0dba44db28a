"""A plain question, answered before Click is loaded, exactly as the command answers it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.index import refresh, rereading
from reverie.interfaces.cli.quick import answer


@pytest.fixture
def known(cli: Callable, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose index is current."""
    monkeypatch.setattr(rereading, "FRESH_NS", 0)
    monkeypatch.setattr(refresh, "FRESH_NS", 0)
    (repository / "price.py").write_text(
        "def total(values: list[int]) -> int:\n    '''Sum \t.'''\n"
    )
    assert cli("index", str(repository)).code == 0
    return repository


@pytest.mark.parametrize(
    ("words", "code"),
    [(["total"], 0), (["total", "sum"], 0), (["(list[int]) -> int"], 0), (["qqzzx"], 1)],
)
def test_the_answer_is_the_commands(
    cli: Callable, known: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int
) -> None:
    line = ["search", *words, "--repo", str(known)]
    assert answer(line) == code
    quick = capsys.readouterr().out
    ran = cli(*line)
    assert (quick, code) == (ran.out, ran.code)


def test_the_document_is_the_commands(
    cli: Callable, known: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["search", "--json", "total", "--repo", str(known)]
    assert answer(line) == 0
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


def test_the_console_script_answers_without_click(known: Path) -> None:
    program = (
        "import sys\n"
        f"sys.argv = ['reverie', 'search', 'total', '--repo', {str(known)!r}]\n"
        "from reverie.interfaces.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert end.code == 0 and 'click' not in sys.modules\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("price.py:1: function total(")
