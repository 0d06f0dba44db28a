import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie.events.context import about
from reverie.interfaces.cli.logs import start_logging
from reverie.model.sections import LoggingSection, LogLevel


@pytest.fixture(autouse=True)
def _restore() -> object:
    root, ours = logging.getLogger(), logging.getLogger("reverie")
    handlers, level = list(root.handlers), ours.level
    yield
    root.handlers[:] = handlers
    ours.setLevel(level)


def test_lines_go_to_stderr_from_the_level_up(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging(LoggingSection(level=LogLevel.INFO))
    logging.getLogger("reverie.x").info("said %s", "\x1b[1m")
    logging.getLogger("reverie.x").debug("unsaid")
    logging.getLogger("somebody").info("not ours")
    assert capsys.readouterr() == ("", "INFO reverie.x: said \\x1b[1m\n")


def test_one_json_object_per_line(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging(LoggingSection(json=True))
    try:
        raise ValueError("why")
    except ValueError:
        logging.getLogger("reverie.x").exception("failed\nhere")
    [line] = capsys.readouterr().err.splitlines()
    entry = json.loads(line)
    assert set(entry) == {"time", "level", "logger", "message", "traceback"}
    assert (entry["level"], entry["message"]) == ("error", "failed\nhere")
    assert "ValueError: why" in entry["traceback"]


def test_starting_again_does_not_say_things_twice(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging(LoggingSection())
    start_logging(LoggingSection())
    logging.getLogger("reverie").warning("once")
    assert capsys.readouterr().err == "WARNING reverie: once\n"


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("cannot reach postgresql://me:hunter22@host/db", "hunter22"),
        ("header Authorization: Bearer abcdefghijklmnop", "abcdefghijklmnop"),
        ('{"api_key": "abc123def456"}', "abc123def456"),
        ("TOKEN=abc123def456 was refused", "abc123def456"),
        ("pushed with ghp_0123456789abcdef", "0123456789abcdef"),
        ("asked with sk-0123456789abcdef", "0123456789abcdef"),
    ],
)
@pytest.mark.parametrize("is_json", [False, True])
def test_no_secret_is_logged(
    capsys: pytest.CaptureFixture[str], said: str, secret: str, is_json: bool
) -> None:
    start_logging(LoggingSection(json=is_json))
    try:
        raise ValueError(said)
    except ValueError:
        logging.getLogger("reverie.x").exception("failed: %s", said)
    err = capsys.readouterr().err
    assert secret not in err
    assert "***" in err


def test_ordinary_words_stay(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging(LoggingSection())
    logging.getLogger("reverie.x").warning("the basic tokens of a secretary: 12 token kinds")
    assert "the basic tokens of a secretary: 12 token kinds" in capsys.readouterr().err


@pytest.mark.parametrize("is_json", [False, True])
def test_a_line_of_a_cycle_bears_its_ids(capsys: pytest.CaptureFixture[str], is_json: bool) -> None:
    start_logging(LoggingSection(json=is_json))
    with about(cycle_id="c-1"), about(dream_id="d-1"):
        logging.getLogger("reverie.x").warning("said")
    err = capsys.readouterr().err
    if is_json:
        assert (json.loads(err)["cycle_id"], json.loads(err)["dream_id"]) == ("c-1", "d-1")
    else:
        assert err == "WARNING reverie.x [c-1 d-1]: said\n"


def test_a_log_file_is_bounded_and_bears_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    start_logging(LoggingSection(file=str(path), file_mb=1, files=2))
    for _ in range(50):
        logging.getLogger("reverie.x").warning("token=abc123def456 %s", "x" * 100_000)
    start_logging(LoggingSection())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["log.txt", "log.txt.1", "log.txt.2"]
    assert all(each.stat().st_size <= 1 << 20 for each in tmp_path.iterdir())
    assert "abc123def456" not in path.read_text()


def test_a_log_file_that_cannot_be_is_named(cli: Callable[..., Any], tmp_path: Path) -> None:
    ran = cli("config", "--log-file", str(tmp_path / "no" / "log"))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: cannot log to ")
