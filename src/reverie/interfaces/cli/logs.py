"""Logging to stderr, as text or as one JSON object per line."""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import TextIO

from reverie.interfaces.cli.output import printable
from reverie.model.everyday_sections import LoggingSection


class _StderrHandler(logging.StreamHandler[TextIO]):
    """Ours, so that starting again replaces it and nobody else's."""


_TOKEN = re.compile(
    r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"
    r"|\b(api[_-]?key|token|secret|password|passwd)(\"?\s*[=:]\s*\"?)[^\s\"',;&]+"
    r"|\b(?:gh[pousr]_|sk-|glpat-|xox[abprs]-|AKIA)[\w-]{8,}"
)


def without_secrets(text: str) -> str:
    """Text in which passwords, tokens and keys are stars, as far as they look like it."""
    from reverie.settings.tree import redacted

    return _TOKEN.sub(_starred, redacted(text))


def _starred(found: re.Match[str]) -> str:
    scheme, name, between = found.groups()
    return f"{scheme} ***" if scheme else f"{name}{between}***" if name else "***"


class _LineFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return printable(without_secrets(super().format(record)), multiline=True)


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        if record.exc_info:
            entry["traceback"] = without_secrets(self.formatException(record.exc_info))
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
