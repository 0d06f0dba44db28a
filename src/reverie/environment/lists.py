"""Reads lists of requirements: requirements files, `tox.ini`, and what CI installs."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from reverie.environment.declarations import Declaration, Group, strip_line
from reverie.environment.pyproject import FILE, read_toml
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
_INSTALL = re.compile(r"\bpip3?\s+install\s+(?P<words>[^&|;>\n]+)")
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
    text = read_text(root / "tox.ini")
    source = "tox.ini"
    if text is None:
        legacy = _table(_table(read_toml(root / FILE), "tool"), "tox").get("legacy_tox_ini")
        text, source = (legacy, FILE) if isinstance(legacy, str) else (None, source)
    if text is None:
        return _read_tox_table(root)
    sections = read_ini(text)
    testenv = sections.get("testenv", {})
    lines = list(_tox_lines(testenv.get("deps", ""), sections, python_version, 0))
    lines += [f".[{each}]" for each in re.split(r"[,\s]+", testenv.get("extras", "")) if each]
    if not lines:
        return None
    return Declaration(source, groups=(Group(source, "testenv", tuple(expanded(lines, root))),))


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
        (FILE, _table(_table(read_toml(root / FILE), "tool"), "tox")),
    ):
        base = _table(table, "env_run_base")
        deps = [each for each in base.get("deps", ()) if isinstance(each, str)]
        deps += [f".[{each}]" for each in base.get("extras", ()) if isinstance(each, str)]
        if deps:
            lines = tuple(expanded(deps, root))
            return Declaration(source, groups=(Group(source, "env_run_base", lines),))
    return None


def read_ci(root: Path) -> list[Group]:
    """What the workflows of the repository install with pip."""
    found: list[Group] = []
    folder = root / ".github" / "workflows"
    for path in sorted([*folder.glob("*.yml"), *folder.glob("*.yaml")]):
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
        elif word in ("-c", "--constraint", "-i", "--index-url", "--extra-index-url", "-f"):
            next(waiting, None)
        elif word.startswith("-r") and len(word) > 2:
            yield f"-r {word[2:]}"
        elif word.startswith("-") or "$" in word or "{" in word or word.lower() in TOOLS:
            continue
        else:
            yield word


def _table(of: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = of.get(name)
    return value if isinstance(value, Mapping) else {}
