"""The interpreter that `--python` names, looked at before anything is done with it."""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from reverie.errors import UsageError

_NAME = re.compile(r"(python|pypy|graalpy)[\w.+-]*", re.IGNORECASE)
_BEGINNINGS = (b"\x7fELF", b"#!")
"""Of what a Linux kernel starts: a program, or a script that names its interpreter."""


def named_python(given: str, repository: Path, environ: Mapping[str, str]) -> str:
    """The interpreter at a path from here or from the repository, or of that name on PATH.

    Nothing is run: what it is called after all links, and how its file begins, say what it is.
    """
    path = _place(given, repository, environ)
    if os.path.isdir(path):
        inside = os.path.join(given, "bin", "python")
        is_there = os.path.exists(os.path.join(path, "bin", "python"))
        advice = f"; did you mean {inside}?" if is_there else ""
        raise UsageError(f"--python: {given!r} is a folder, not an interpreter{advice}")
    if not os.path.exists(path):
        raise UsageError(f"--python: there is no {given!r}, here or on PATH")
    name = os.path.basename(os.path.realpath(path))
    if not (_NAME.fullmatch(name) and os.access(path, os.X_OK) and _is_program(path)):
        raise UsageError(f"--python: not an interpreter: {given!r} is no program called python")
    return path


def _place(given: str, repository: Path, environ: Mapping[str, str]) -> str:
    path = os.path.expanduser(given)
    if os.path.exists(path) or os.path.isabs(path):
        return path
    inside = repository / path
    if inside.exists():
        return str(inside)
    on_path = None if os.sep in path else shutil.which(path, path=environ.get("PATH"))
    return on_path or path


def _is_program(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(4).startswith(_BEGINNINGS)
    except OSError:
        return False
