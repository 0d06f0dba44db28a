"""Lists of requirements: requirements files, `tox.ini`, what CI installs, and lock files.

A lock says which version of each package the people of a project work with.
"""

from __future__ import annotations

import os
import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from reverie.environment.declarations import (
    FILE,
    Declaration,
    Group,
    read_toml,
    strip_line,
    table_of,
)
from reverie.environment.setup_files import read_ini, read_text

_DEEPEST = 5
_PATTERNS = (
    "*requirements*.txt", "*requirements*.in", "requirements/*.txt", "requirements/*.in",
    "requires/*.txt", "tests/*requirements*.txt", "test/*requirements*.txt",
    "etc/*requirements*.txt", "ci/*requirements*.txt",
)  # fmt: skip
TOOLS = frozenset(
    {"pip", "setuptools", "wheel", "build", "twine", "tox", "nox", "poetry", "pdm", "hatch", "uv",
     "flit", "virtualenv", "pre-commit", "codecov", "coveralls", "black", "ruff", "flake8", "mypy",
     "pylint", "isort", "sphinx", "mkdocs", "cibuildwheel", "tox-gh-actions", "zest-releaser",
     "furo", "bump2version", "bumpversion", "pyright", "pyroma", "check-manifest", "ipython",
     "jupyter", "sphinx-rtd-theme", "mkdocs-material", "towncrier", "changelog", "commitizen",
     "bandit", "safety", "autopep8", "yapf", "pydocstyle", "vulture", "ipdb", "tox-uv", "pip-tools",
     "setuptools-scm", "gitpython", "keyring", "readme-renderer", "pyupgrade", "interrogate"}
)  # fmt: skip
"""What a project is formatted, checked, documented and released with."""
_INSTALL = re.compile(r"""\bpip3?\s+install\s+(?P<words>(?:"[^"\n]*"|'[^'\n]*'|[^&|;>"'\n])+)""")
_CI = (".github/workflows/*.yml", ".github/workflows/*.yaml", ".gitlab-ci.yml", ".travis.yml",
       ".circleci/config.yml", "azure-pipelines.yml", "appveyor.yml", ".appveyor.yml",
       ".cirrus.yml")  # fmt: skip
_FACTOR = re.compile(r"^(?P<factors>!?[\w.{},!-]+):\s+(?P<rest>.+)$")


def read_requirement_files(root: Path) -> list[Group]:
    """Every requirements file, each a group of its own."""
    found: dict[str, Group] = {}
    for pattern in _PATTERNS:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            if path.is_file() and name not in found:
                found[name] = Group(name, None, tuple(expanded([f"-r {name}"], root)))
    return list(found.values())


def expanded(lines: Iterable[str], root: Path, base: str = "", depth: int = 0) -> Iterator[str]:
    """Lines with the files that they name (`-r other.txt`) in their place; options are dropped."""
    for line in map(strip_line, _joined(lines)):
        named = re.fullmatch(r"(?:-r|--requirement)[ =]?\s*(\S+)", line)
        if named is None:
            if line and (not line.startswith("-") or line.startswith(("-e", "--editable"))):
                yield line
            continue
        place = next((p for p in _places(root, base, named[1]) if (root / p).is_file()), None)
        text = None if place is None or depth >= _DEEPEST else read_text(root / place)
        if text is not None and place is not None:
            yield from expanded(text.splitlines(), root, os.path.dirname(place), depth + 1)


def _places(root: Path, base: str, name: str) -> Iterator[str]:
    """Where a file that is named may lie: beside the one that names it; never outside."""
    for start in (base, ""):
        place = os.path.normpath(os.path.join(start, name.replace("{toxinidir}/", "")))
        inside = os.path.realpath(root / place)
        if inside.startswith(os.path.realpath(root) + os.sep) and not place.startswith(".."):
            yield place


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """Lines whose end says that they go on are one."""
    waiting = ""
    for line in lines:
        if line.rstrip().endswith("\\"):
            waiting += line.rstrip()[:-1] + " "
        else:
            yield waiting + line
            waiting = ""
    if waiting:
        yield waiting


def read_tox(root: Path, python_version: str) -> Declaration | None:
    """What the plain test environment of tox installs; None without a configuration of tox."""
    source, text = _tox_text(root)
    if text is None:
        return _read_tox_table(root)
    sections = read_ini(text)
    testenv = sections.get("testenv", {})
    lines = list(_tox_lines(testenv.get("deps", ""), sections, python_version, 0))
    for key in ("extras", "dependency_groups"):
        lines += [f".[{each}]" for each in re.split(r"[,\s]+", testenv.get(key, "")) if each]
    if not lines:
        return None
    return Declaration(source, groups=(Group(source, "testenv", tuple(expanded(lines, root))),))


def _tox_text(root: Path) -> tuple[str, str | None]:
    """The ini file that tox would read, and what it says."""
    text = read_text(root / "tox.ini")
    if text is not None:
        return "tox.ini", text
    legacy = table_of(table_of(read_toml(root / FILE), "tool"), "tox").get("legacy_tox_ini")
    if isinstance(legacy, str):
        return FILE, legacy
    text = read_text(root / "setup.cfg")
    return "setup.cfg", text if "tox:tox" in read_ini(text or "") else None


def _tox_lines(
    value: str, sections: Mapping[str, Mapping[str, str]], version: str, depth: int
) -> Iterator[str]:
    for line in value.splitlines():
        line = line.strip()
        found = _FACTOR.match(line)
        if found is not None and not line.startswith("-"):
            if not _holds(found["factors"], version):
                continue
            line = found["rest"].strip()
        other = re.fullmatch(r"\{\[(?P<section>[^\]]+)\](?P<key>\w+)\}", line)
        if other is not None and depth < _DEEPEST:
            inner = sections.get(other["section"], {}).get(other["key"], "")
            yield from _tox_lines(inner, sections, version, depth + 1)
        elif line and "{" not in line.replace("{toxinidir}", ""):
            yield line


def _holds(factors: str, version: str) -> bool:
    """Whether a condition of tox is about this Python and nothing else."""
    own = {f"py{version.replace('.', '')}", "py", "py3"}
    expression = re.sub(r"\{([^}]*)\}", lambda m: m[1], factors)
    return any(
        all((part[1:] not in own) if part.startswith("!") else part in own
            for part in each.split("-"))
        for each in expression.split(",")
    )  # fmt: skip


def _read_tox_table(root: Path) -> Declaration | None:
    for source, table in (
        ("tox.toml", read_toml(root / "tox.toml")),
        (FILE, table_of(table_of(read_toml(root / FILE), "tool"), "tox")),
    ):
        base = table_of(table, "env_run_base")
        deps = [each for each in base.get("deps", ()) if isinstance(each, str)]
        for key in ("extras", "dependency_groups"):
            deps += [f".[{each}]" for each in base.get(key, ()) if isinstance(each, str)]
        if deps:
            lines = tuple(expanded(deps, root))
            return Declaration(source, groups=(Group(source, "env_run_base", lines),))
    return None


def read_ci(root: Path) -> list[Group]:
    """What continuous integration of the repository installs with pip."""
    found: list[Group] = []
    for path in sorted(path for each in _CI for path in root.glob(each)):
        text = read_text(path) or ""
        lines = [line for each in _INSTALL.finditer(text) for line in _installed(each["words"])]
        if lines:
            name = path.relative_to(root).as_posix()
            found.append(Group(name, None, tuple(dict.fromkeys(expanded(lines, root)))))
    return found


def _installed(words: str) -> Iterator[str]:
    try:
        split = shlex.split(words)
    except ValueError:
        split = words.split()
    waiting = iter(split)
    for word in waiting:
        if word in ("-r", "--requirement"):
            yield f"-r {next(waiting, '')}"
        elif word == "--group":
            yield f".[{next(waiting, '')}]"
        elif word in ("-c", "--constraint", "-i", "--index-url", "--extra-index-url", "-f"):
            next(waiting, None)
        elif word.startswith("-r") and len(word) > 2:
            yield f"-r {word[2:]}"
        elif word.startswith("-") or "$" in word or "{" in word or word.lower() in TOOLS:
            continue
        else:
            yield word


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
