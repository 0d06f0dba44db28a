"""Reads lock files: which version of each package the people of a project work with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from reverie.environment.pyproject import read_toml

_TABLES = {"uv.lock": "package", "poetry.lock": "package", "pdm.lock": "package",
           "pylock.toml": "packages"}  # fmt: skip
_ELSEWHERE = ("editable", "virtual", "directory", "git", "path", "url", "archive", "vcs")


@dataclass(frozen=True, slots=True)
class Lock:
    """Pinned versions by name; a package that has several is not pinned."""

    source: str
    pins: Mapping[str, str]


def read_lock(root: Path) -> Lock | None:
    """The first lock file there is."""
    for name, table in _TABLES.items():
        entries = read_toml(root / name).get(table)
        if isinstance(entries, list) and entries:
            return Lock(name, _pins(entries))
    return None


def _pins(entries: list[Any]) -> dict[str, str]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, version in _versions(entries):
        found[name].add(version)
    return {name: each.pop() for name, each in sorted(found.items()) if len(each) == 1}


def _versions(entries: list[Any]) -> Iterator[tuple[str, str]]:
    for each in entries:
        if not isinstance(each, Mapping):
            continue
        name, version, source = each.get("name"), each.get("version"), each.get("source")
        is_elsewhere = isinstance(source, Mapping) and (
            any(key in source for key in _ELSEWHERE) or source.get("type") in _ELSEWHERE
        )
        if isinstance(name, str) and isinstance(version, str) and not is_elsewhere:
            try:
                yield canonicalize_name(name), str(Version(version))
            except InvalidVersion:
                continue
