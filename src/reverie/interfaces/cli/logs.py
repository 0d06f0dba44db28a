"""Logging to stderr, as text or as one JSON object per line."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TextIO

from reverie.interfaces.cli.output import printable
from reverie.model.everyday_sections import LoggingSection


class _StderrHandler(logging.StreamHandler[TextIO]):
    """Ours, so that starting again replaces it and nobody else's."""


class _LineFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record), multiline=True)


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry)


def start_logging(section: LoggingSection) -> None:
    """Log our own lines from the given level up, and warnings of everybody else."""
    handler = _StderrHandler(sys.stderr)
    handler.setFormatter(
        _JsonFormatter() if section.json else _LineFormatter("%(levelname)s %(name)s: %(message)s")
    )
    root = logging.getLogger()
    for old in [each for each in root.handlers if isinstance(each, _StderrHandler)]:
        root.removeHandler(old)
    root.addHandler(handler)
    logging.getLogger("reverie").setLevel(section.level.upper())
