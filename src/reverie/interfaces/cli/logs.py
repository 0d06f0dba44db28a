"""Logging to stderr and to a file, as text or as one JSON object per line."""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import TextIO

from reverie.errors import UsageError
from reverie.events.context import current
from reverie.interfaces.cli.output import printable
from reverie.model.settings.everyday import LoggingSection


class _StderrHandler(logging.StreamHandler[TextIO]):
    """Ours, so that starting again replaces it and nobody else's."""

    is_ours = True


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


def _mark(record: logging.LogRecord) -> bool:
    """Note which cycle and dream a line belongs to, in the thread that wrote it."""
    here = current()
    record.cycle_id, record.dream_id = here.cycle_id, here.dream_id
    ids = " ".join(filter(None, (here.cycle_id, here.dream_id)))
    record.ids = f" [{ids}]" if ids else ""
    return True


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
        for name in ("cycle_id", "dream_id"):
            if value := getattr(record, name, None):
                entry[name] = value
        if record.exc_info:
            entry["traceback"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(entry)


_LINE = "%(levelname)s %(name)s%(ids)s: %(message)s"


def start_logging(section: LoggingSection) -> None:
    """Log our own lines from the given level up, and warnings of everybody else."""
    handlers: list[logging.Handler] = [_StderrHandler(sys.stderr)]
    lines = [_LINE]
    if section.file is not None:
        handlers.append(_file_handler(section, section.file))
        lines.append(f"%(asctime)s {_LINE}")
    root = logging.getLogger()
    for old in [each for each in root.handlers if getattr(each, "is_ours", False)]:
        root.removeHandler(old)
        if not isinstance(old, _StderrHandler):
            old.close()
    for handler, line in zip(handlers, lines, strict=True):
        handler.setFormatter(_JsonFormatter() if section.json else _LineFormatter(line))
        handler.addFilter(_mark)
        root.addHandler(handler)
    logging.getLogger("reverie").setLevel(section.level.upper())


def _file_handler(section: LoggingSection, path: str) -> logging.Handler:
    from reverie.interfaces.cli.log_file import LogFile

    try:
        return LogFile(path, section.file_mb << 20, section.files)
    except OSError as error:
        raise UsageError(f"cannot log to {path!r}: {error.strerror}") from error
