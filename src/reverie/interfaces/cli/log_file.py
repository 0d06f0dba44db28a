"""A log file of bounded size: a full one is numbered and kept, the oldest goes."""

import logging
import sys
from logging.handlers import RotatingFileHandler


class LogFile(RotatingFileHandler):
    """One process writes it; a disk that takes no more is told once, on stderr."""

    is_ours = True

    def __init__(self, path: str, max_bytes: int, kept: int) -> None:
        super().__init__(path, maxBytes=max_bytes, backupCount=kept, encoding="utf-8")
        self._has_told = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Say why a line could not be written."""
        error = sys.exc_info()[1]
        if not self._has_told and sys.stderr is not None:
            sys.stderr.write(f"warning: cannot log to {self.baseFilename!r}: {error}\n")
        self._has_told = True
