import json
import logging

import pytest

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
