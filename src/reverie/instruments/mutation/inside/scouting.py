"""What every fork would do again, done once before them: memos that no mutant can hide behind.

A scout is a fork that goes on unchanged: it collects the tests, runs them where that is cheap, and
notes which modules of the standard library are loaded then and which regular expressions
are compiled. Its parent loads and compiles those itself. Both depend on nothing but
their names: a mutant asks for another expression and gets another one. Nothing of the target is
taken over.
"""

import importlib
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable
from typing import Any

_EXPRESSIONS_AT_MOST = 200
_NOTHING: "dict[str, Any]" = {"modules": [], "expressions": [], "looked_at": {}}


class Scout:
    """The notes of one scout, in a file that it shares with its parent."""

    def __init__(self, own_packages: "Iterable[str]") -> None:
        self._notes = _unnamed_file()
        self._own = frozenset(own_packages)
        self._known = frozenset(sys.modules)

    def report(self, looked_at: "dict[str, list[str]]") -> None:
        """In the scout: note what has come since, and what others looked at in modules."""
        cache: dict[Any, Any] = getattr(re, "_cache", {})
        plain = [[key[1], int(key[2])] for key in cache if len(key) == 3 and key[0] is str]
        notes = {
            "modules": [name for name in sys.modules if self._is_standard(name)],
            "expressions": plain[-_EXPRESSIONS_AT_MOST:],
            "looked_at": looked_at,
        }
        os.pwrite(self._notes, json.dumps(notes).encode(), 0)

    def learn(self) -> "dict[str, list[str]]":
        """In the parent: do what the scout has done; what others looked at, as far as it came."""
        data = os.pread(self._notes, os.fstat(self._notes).st_size, 0)
        os.close(self._notes)
        notes = json.loads(data) if data else _NOTHING
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # one that warns has to warn whoever asks for it
            for name in notes["modules"]:
                _load(name)
            for pattern, flags in notes["expressions"]:
                _compile(pattern, flags)
        return notes["looked_at"]  # type: ignore[no-any-return]

    def _is_standard(self, name: str) -> bool:
        top = name.partition(".")[0]
        return name not in self._known and top in sys.stdlib_module_names and top not in self._own


def _unnamed_file() -> int:
    """A file that goes away with its last descriptor. Where no cgroup counts it, the sandbox
    forbids memory files.
    """
    descriptor, path = tempfile.mkstemp(dir=os.environ.get("TMPDIR", "/tmp"))
    os.unlink(path)
    return descriptor


def _load(name: str) -> None:
    try:
        importlib.import_module(name)
    except (ImportError, Warning):
        return  # not a file of its own, or one that says something: every fork for itself


def _compile(pattern: str, flags: int) -> None:
    try:
        re.compile(pattern, flags)
    except (re.error, ValueError, Warning):
        return
