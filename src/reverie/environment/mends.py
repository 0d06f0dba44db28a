"""What would mend a suite that fails for want of something, read from what its failures say."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import distributions
from pathlib import Path

from reverie.environment.needs import (
    caught_imports,
    known_distribution,
    local_names,
    plugin_of,
    read_point_names,
    read_wants,
)
from reverie.instruments.mutation.project import Project
from reverie.model.repository.environment import Surroundings
from reverie.sandbox.interpreters import Interpreter, interpreter_at, own_interpreter

_VERSIONS = {
    "PytestRemovedIn": "pytest<9",
    "removed in the NumPy 2.0 release": "numpy<2",
    "module 'pkg_resources'": "setuptools<80",
}
"""Words of failures that a newer version brought, with the version that does not have them yet."""
_UNBOUND = re.compile(r"NameError: name '(\w+)' is not defined")
_ASKED_FOR = re.compile(
    r"pip3? install ([a-zA-Z][\w-]+)|`([a-zA-Z][\w-]+)` package is required"
    r"|\b([a-z][\w-]+) must be installed"
)
"""How packages ask for an optional one that is not there."""
_OF_TESTS = re.compile(r"tests?|tests?_\w+|\w+_tests?|testing|conftest")
"""Modules that tests are made of: what the index has under such a name is a stranger's."""


def modules_named(reason: str) -> Iterator[str]:
    """Modules that a failure says are not there, and packages that it asks for in words."""
    for each in re.finditer(r"(?:No module named|import filter module) '([\w.]+)'", reason):
        yield each[1].partition(".")[0]
    for each in re.finditer(_ASKED_FOR, reason):
        yield each[1] or each[2] or each[3]


def extras_named(tests: Iterable[str], around: Surroundings) -> list[str]:
    """Extras of what is installed that tests are named after: `test_brotli`, `urllib3[brotli]`."""
    words = {word.casefold() for test in tests for word in _WORD.findall(test)}
    found: dict[str, str] = {}
    for each in distributions(path=list(_interpreter(around).site_packages)):
        for extra in each.metadata.get_all("Provides-Extra") or ():
            name = extra.casefold()
            is_named = name in words and len(name) >= _LEAST_LETTERS
            if is_named and name not in _OF_DEVELOPMENT and not _OF_TESTS.fullmatch(name):
                found.setdefault(name, f"{each.name}[{extra}]")
    return sorted(found.values())


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_OF_DEVELOPMENT = frozenset({"check", "checks", "cover", "coverage", "style", "types", "typing"})
_LEAST_LETTERS = 5
"""Of an extra: a short one, say `http`, is part of many names."""


def _interpreter(around: Surroundings) -> Interpreter:
    return own_interpreter() if around.python is None else interpreter_at(around.python)


def _installed(around: Surroundings) -> set[str]:
    """Names that the interpreter can import, the standard library aside."""
    places = _interpreter(around).site_packages
    names = {entry.name.partition(".")[0] for each in places for entry in os.scandir(each)}
    return names | sys.stdlib_module_names


def absent_modules(
    reasons: Iterable[str], around: Surroundings, project: Project, files: Sequence[str] = ()
) -> Sequence[str]:
    """Modules that reasons say are not there, and what else tests import that is not: all at once.

    With `files` only these are read. Empty where no reason speaks of a missing module.
    """
    reasons = tuple(reasons)
    named = {name for each in reasons for name in modules_named(each)}
    unbound = {each[1] for reason in reasons for each in re.finditer(_UNBOUND, reason)}
    places = [Path(project.root, each) for each in files]
    caught = {name for place in places for word in unbound for name in caught_imports(place, word)}
    # Packages of these names in the index are somebody else's.
    named -= {*read_point_names(Path(project.root)), *local_names(Path(project.root))}
    if not named and not caught:
        return ()
    wants = read_wants(Path(project.root), places)
    absent = named | ({*caught, *wants.imports} - _installed(around))
    return sorted(each for each in absent if not _OF_TESTS.fullmatch(each))


def own_package(reasons: Iterable[str], around: Surroundings, project: Project) -> tuple[str, ...]:
    """The repository itself, where what is missing is an entry point that it declares."""
    named = {name for each in reasons for name in modules_named(each)}
    is_own = not around.is_made and named & read_point_names(Path(project.root))
    return ("-e", ".") if is_own else ()


def known_mends(reasons: Sequence[str]) -> list[str]:
    """Requirements after which failures that everybody knows are gone."""
    found: dict[str, None] = {}
    for each in reasons:
        fixture = re.search(r"fixture '(\w+)' not found", each)
        mark = re.search(r"Unknown pytest\.mark\.(\w+)", each)
        plugin = plugin_of(fixture=fixture[1] if fixture else "", mark=mark[1] if mark else "")
        versions = [need for words, need in _VERSIONS.items() if words in each]
        found.update(dict.fromkeys([plugin] if plugin else versions))
    return list(found)


def likely_distributions(names: Sequence[str]) -> list[str]:
    """Of modules; a person reads the command before it is run."""
    return [known_distribution(each) for each in names]


def mend_install(around: Surroundings, names: Sequence[str]) -> str:
    """The command after which these are there."""
    if around.is_made:
        return "reverie prepare --yes " + " ".join(f"--with {shlex.quote(each)}" for each in names)
    if around.python is None:
        return "reverie prepare --yes"
    return shlex.join([*_installing(around.python), *names])


def _installing(python: str) -> list[str]:
    """The words of a command that installs into an environment: not each has a pip of its own."""
    if any(os.path.isdir(f"{each}/pip") for each in interpreter_at(python).site_packages):
        return [python, "-m", "pip", "install"]
    if shutil.which("uv"):
        return ["uv", "pip", "install", "--python", python]
    return [own_interpreter().executable, "-m", "pip", "--python", python, "install"]
