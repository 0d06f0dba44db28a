"""The ground that a cycle stands on: a copy of the repository at one revision, and its Python."""

import hashlib
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie import __version__
from reverie.errors import UsageError
from reverie.model.code import CodeIndex
from reverie.model.promotion import Source
from reverie.sandbox.interpreters import choose


@dataclass(frozen=True, slots=True)
class Interpreter:
    """Which Python runs the repository, and what there is to say about that."""

    path: str | None
    """None: the one that runs Reverie."""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Grounds:
    """What every part of a cycle is about."""

    repository: Path
    folder: Path
    """The copy: people may go on working on theirs."""
    source: Source
    index: CodeIndex
    """Of the copy."""
    interpreter: Interpreter
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What a preflight said against it, when somebody went on anyway."""
    fresh: str | None = None
    """The interpreter of an environment made from what is declared, if there is one."""
    identity: str | None = None
    """Which repository it is, wherever it lies; None where nobody can say."""

    def environment(self, isolation: str) -> Mapping[str, Any]:
        """What results depend on besides the source."""
        remarks = [self.interpreter.note, *self.notes, *self.warnings]
        files = "".join(f"{path} {digest}\n" for path, digest in sorted(self.source.files.items()))
        return {
            "source": hashlib.sha256(files.encode("utf-8", "surrogateescape")).hexdigest(),
            "python": self.interpreter.path or sys.executable,
            "python_version": platform.python_version(),
            "reverie": __version__,
            "isolation": isolation,
            "identity": self.identity,
            "notes": [remark for remark in remarks if remark is not None],
        }


def find_interpreter(repository: Path, given: str | None) -> Interpreter:
    """The one asked for, the repository's own, or the one that runs Reverie, which it then says."""
    if given is not None:
        if not os.access(given, os.X_OK):
            raise UsageError(f"--python: not an interpreter: {given!r}")
        return Interpreter(os.path.abspath(given))
    found = choose(repository, None)
    if found is None:
        return Interpreter(None, f"no virtual environment given: running with {sys.executable}")
    return Interpreter(found.python, found.note)
