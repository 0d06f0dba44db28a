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
