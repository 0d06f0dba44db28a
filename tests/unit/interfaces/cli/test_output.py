import json
import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.interfaces.cli.output import emit_json, emit_line, emit_table, printable
from reverie.model.outcome import TestOutcome


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: float


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        pytest.param("plain: ünïcödé 漢字", "plain: ünïcödé 漢字", id="harmless"),
        pytest.param("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m", id="colour"),
        pytest.param("\x9b2J", r"\x9b2J", id="eight-bit escape"),
        pytest.param("\x1b]8;;http://x\x07y", r"\x1b]8;;http://x\x07y", id="hyperlink"),
        pytest.param("a\rb\x08c\x7f", r"a\rb\x08c\x7f", id="overwriting"),
        pytest.param("user\u202etxt.exe", r"user\u202etxt.exe", id="bidi override"),
        pytest.param("a\u200bb\ufeff", r"a\u200bb\ufeff", id="invisible"),
        pytest.param("a\u2028b\x85c", r"a\u2028b\x85c", id="hidden line ends"),
        pytest.param("bad \udcff", r"bad \udcff", id="undecodable"),
        pytest.param("no\u00a0break", "no\u00a0break", id="a space is a space"),
        pytest.param("two\nlines\t", r"two\nlines\t", id="one line by default"),
    ],
)
def test_terminals_obey_nothing(raw: str, shown: str) -> None:
    assert printable(raw) == shown


def test_lines_and_tabs_stay_when_asked_for() -> None:
    assert printable("two\n\tlines\r", multiline=True) == "two\n\tlines\\r"


def test_json_is_strict_and_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    document = {
        "enum": TestOutcome.TIMEOUT,
        "value": Point(1, float("nan")),
        "when": datetime(2024, 1, 2, tzinfo=UTC),
        "path": Path("/a/b"),
        "many": (1, True, None, 1.5),
        "text": "é\udcff\u202e",
    }
    emit_json(document)
    out = capsys.readouterr().out
    assert out.isascii()
    assert json.loads(out, parse_constant=lambda name: pytest.fail(name)) == {
        "enum": "timeout",
        "value": {"x": 1, "y": "nan"},
        "when": "2024-01-02T00:00:00+00:00",
        "path": "/a/b",
        "many": [1, True, None, 1.5],
        "text": "é\udcff\u202e",
    }


def test_json_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    emit_json({"a": [1, {"b": "x\ny"}]}, on_one_line=True)
    assert capsys.readouterr().out == '{"a": [1, {"b": "x\\ny"}]}\n'


def test_what_can_be_read_can_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    deep = "[" * 700 + "]" * 700
    emit_json({"output": json.loads(deep)}, on_one_line=True)
    assert capsys.readouterr().out == f'{{"output": {deep}}}\n'


def test_what_has_no_json_form_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="object has no JSON form"):
        emit_json({"a": object()})


def test_a_table_interprets_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    emit_table(("name", "note"), [("[bold]x[/bold]", ":smile: \x1b[1m"), ("y" * 200, 7)])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "[bold]x[/bold]" in lines[1]
    assert r":smile: \x1b[1m" in lines[1]
    assert "y" * 200 in lines[2]


def make_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the output be a terminal of 60 columns."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((60, 24)))
    monkeypatch.setenv("NO_COLOR", "1")


def test_a_narrow_table_breaks_sentences_and_never_an_id(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_narrow(monkeypatch)
    name = "20261119-040628-2413"
    emit_table(
        ("cycle", "what", "branch"), [(name, "words that go on " * 6, "reverie/2026-11-19-2")]
    )
    out = capsys.readouterr().out
    assert name in out
    assert "reverie/2026-11-19-2" in out
    assert len(out.splitlines()) > 4
    assert all(
        len(line.replace("\x1b[1m", "").replace("\x1b[0m", "")) <= 60 for line in out.splitlines()
    )


def test_a_table_without_rows_is_its_heads(capsys: pytest.CaptureFixture[str]) -> None:
    emit_table(("id", "what"), [])
    assert capsys.readouterr().out.split() == ["id", "what"]


def test_a_long_line_is_broken_between_words_and_a_command_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_narrow(monkeypatch)
    emit_line("  0123456789abcdef  " + "words that go on " * 6)
    told = capsys.readouterr().out.splitlines()
    assert len(told) > 1
    assert all(line.startswith(" " * 20) for line in told[1:])
    command = "  take back:  reverie rollback 20261119-040230-700a && git merge " + "x" * 60
    emit_line(command)
    assert capsys.readouterr().out == f"{command}\n"


def test_a_table_that_is_far_too_wide_is_written_row_by_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_narrow(monkeypatch)
    where = "src/lendery/hours.py:parse_hours"
    row = ("3", "-", where, "Speed up parse_hours", "rewrites_that_fit: remembered_helper")
    emit_table(("", "worth", "where", "what", "evidence"), [row])
    assert capsys.readouterr().out.splitlines() == [
        f"3  {where}",
        "    what: Speed up parse_hours",
        "    evidence: rewrites_that_fit: remembered_helper",
    ]
