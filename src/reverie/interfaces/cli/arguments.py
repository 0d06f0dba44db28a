"""Values as people write them on a command line: durations, moments, paths, files, an interpreter.

Durations are `45`, `45s`, `2m`, `1.5h`, `1h30m`. A path is meant from here or from the
repository, and may itself be a repository. The interpreter that `--python` names is looked at
before anything is done with it.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.model.settings.setting import parse_seconds
from reverie.settings.repository import find_repository, is_repository
from reverie.store.database.backend import JOURNAL_FOLDER

_MOST_SECONDS = 86_400


def parse_duration(text: str, option: str) -> float:
    """Seconds; a number alone is seconds. `UsageError` names the option and what was given."""
    seconds = parse_seconds(text)
    if seconds is None or not 0 < seconds <= _MOST_SECONDS:
        expected = "a time such as 90s, 10m or 1h, up to 24h"
        raise UsageError(f"{option}: expected {expected}, not {text!r:.60}")
    return seconds


_AGO = re.compile(r"(\d{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def parse_since(text: str, now: datetime) -> datetime:
    """`30m`, `2h`, `3d` ago, or an ISO date or time (without a zone: the local one)."""
    ago = _AGO.fullmatch(text.strip())
    try:
        if ago is not None:
            return now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        moment = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise UsageError(
            f"--since takes 30m, 2h, 3d or a date like 2024-05-01, not {text!r}"
        ) from None
    return moment if moment.tzinfo is not None else moment.astimezone()


def shown_moment(moment: datetime) -> str:
    """A moment for a table: UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def settle_places(app: App, params: dict[str, Any], names: Sequence[str]) -> None:
    """Make the paths among some parameters ones that hold from the current folder.

    A folder that is a repository of its own names it, as `--repo` does. Where `--repo` was given,
    paths are looked for in it first; otherwise where the person stands, then in the repository.
    """
    for name in names:
        value = params.get(name)
        if isinstance(value, tuple):
            params[name] = tuple(_settled(app, each) for each in value)
        elif isinstance(value, str) and value:
            params[name] = _settled(app, value)


def _settled(app: App, given: str) -> str:
    if app.repo is None and _is_other_repository(app, given):
        app.repo = given
        return given
    path, colon, entry = given.rpartition(":")
    if not colon:
        path, entry = given, ""
    if not path or os.path.isabs(path):
        return given
    inside = app.repository.path / path
    is_here = os.path.exists(path)
    if not inside.exists() or (is_here and app.repo is None):
        return given
    if is_here and os.path.samefile(path, inside):
        return given
    return f"{inside}{colon}{entry}"


def _is_other_repository(app: App, given: str) -> bool:
    """Whether a folder is a repository, and not a part of the one that we stand in."""
    folder = Path(os.path.expanduser(given))
    if not folder.is_dir() or not (is_repository(folder) or (folder / JOURNAL_FOLDER).is_dir()):
        return False
    around = find_repository(None, {}).path
    return not is_repository(around) or not folder.resolve().is_relative_to(around)


_PASSED_OVER = {"__pycache__", "node_modules", "site-packages"}


def python_files(paths: Iterable[str]) -> Iterator[Path]:
    """Files as given; folders are walked for `*.py`, in order, each file once.

    Hidden folders, caches and virtual environments are passed over, links not followed.
    """
    seen: set[str] = set()
    for given in paths:
        for path in _expand(Path(given)):
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                yield path


def _expand(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        if not path.exists():
            raise UsageError(f"no such file or folder: {str(path)!r}")
        if not path.is_file():  # reading a pipe would wait for ever
            raise UsageError(f"{str(path)!r} is no file and no folder")
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if _is_walked(Path(folder), name))
        files = (Path(folder) / name for name in sorted(names) if name.endswith(".py"))
        yield from (each for each in files if each.is_file())


def _is_walked(folder: Path, name: str) -> bool:
    if name.startswith(".") or name in _PASSED_OVER:
        return False
    return not (folder / name / "pyvenv.cfg").exists()


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
