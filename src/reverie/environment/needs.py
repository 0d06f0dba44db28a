"""What the tests of a repository need: which of the declared requirements are to be installed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from reverie.environment.declarations import (
    Declaration,
    Group,
    Metadata,
    applies,
    is_same,
    sort_lines,
)
from reverie.environment.lists import (
    TOOLS,
    expanded,
    read_ci,
    read_requirement_files,
    read_tox,
)
from reverie.environment.locks import Lock, read_lock
from reverie.environment.pyproject import read_pyproject
from reverie.environment.setup_files import TESTS_REQUIRE, read_config, read_script
from reverie.environment.suite_imports import distributions_of, read_wants

_TEST_NAMES = frozenset({"test", "tests", "testing", "pytest", "unittest", "hatch-test"})
_DEV_NAMES = frozenset({"dev", "develop", "development", "devel", "developer", "ci", "default"})
_OTHER_PURPOSES = frozenset({"lint", "doc", "docs", "typing", "mypy", "type", "types", "bench",
                             "benchmark", "release", "build", "integration", "e2e"})  # fmt: skip
_FIRST_MIXED = 4
"""From this kind of group on, tests are not all that it is for."""
RUNNER = "pytest"


@dataclass(frozen=True, slots=True)
class Needs:
    """Requirements for one version of Python, and where each part was read."""

    runtime: tuple[Requirement, ...]
    tests: tuple[Requirement, ...]
    sources: tuple[str, ...]
    metadata: Metadata
    requires_python: str | None
    lock: Lock | None
    left_out: tuple[str, ...]
    """Lines that lead elsewhere than to a package index."""
    wanted: tuple[Requirement, ...] = ()
    """Those that some file declares, and a test imports or takes a fixture of."""

    @property
    def all(self) -> tuple[Requirement, ...]:
        """Everything that is to be there, each once."""
        return unique((*self.runtime, *self.tests, *self.wanted))

    @property
    def label(self) -> str:
        """Where it was read, in one line."""
        return " + ".join(self.sources) or "no declared dependencies"


@dataclass(frozen=True, slots=True)
class _Read:
    """Every file of a repository that says something, most telling first."""

    declarations: tuple[Declaration, ...]
    files: tuple[Group, ...]
    ci: tuple[Group, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        return tuple(group for each in self.declarations for group in each.groups)


def read_requires_python(root: Path) -> str | None:
    """Which versions of Python a project says it works with."""
    found = (each.requires_python for each in _declarations(root))
    return next((each for each in found if each and _is_specifier(each)), None)


def read_needs(root: Path, python_version: str) -> Needs:
    """Read all files of a repository that declare something; nothing of it is run."""
    collected = _collect(root, python_version)
    runtime_source, runtime = collected.runtime()
    chosen = list(_test_groups(collected.read))
    chosen += _beside_in_ci(collected.read, {_normal(each.name) for each in chosen if each.name})
    tests = [each for group in chosen for each in collected.lines(group.lines)]
    have = {canonicalize_name(each.name) for each in (*runtime, *tests)}
    runner = () if RUNNER in have else (Requirement(RUNNER),)
    return Needs(
        runtime=unique(runtime),
        tests=unique((*tests, *runner)),
        sources=_labels([*runtime_source, *(each.label for each in chosen)]),
        metadata=collected.metadata,
        requires_python=read_requires_python(root),
        lock=read_lock(root),
        left_out=tuple(dict.fromkeys(collected.left_out)),
    )


def with_wanted(root: Path, needs: Needs, python_version: str) -> Needs:
    """Needs with what tests import besides; every test is read for it."""
    wants = read_wants(root)
    have: set[str] = {canonicalize_name(each.name) for each in (*needs.runtime, *needs.tests)}
    collected = _collect(root, python_version)
    wanted = _also_wanted(collected, wants.imports, wants.fixtures, have)
    return replace(needs, wanted=unique(wanted))


def _collect(root: Path, python_version: str) -> _Collected:
    tox = read_tox(root, python_version)
    declarations = (*_declarations(root), *(() if tox is None else (tox,)))
    read = _Read(declarations, tuple(read_requirement_files(root)), tuple(read_ci(root)))
    return _Collected(root, read, python_version)


def unique(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """Each once, in order."""
    return tuple({str(each): each for each in requirements}.values())


class _Collected:
    """Turns lines into requirements, with the extras of the project itself in their place."""

    def __init__(self, root: Path, read: _Read, version: str) -> None:
        self._root, self.read, self._version = root, read, version
        self.metadata = _metadata(read.declarations)
        self._name = self.metadata.name
        self.left_out: list[str] = []

    def runtime(self) -> tuple[list[str], list[Requirement]]:
        """What the project needs to run, and the file that says so."""
        for each in self.read.declarations:
            if each.runtime is not None:
                return [each.source], list(self.lines(each.runtime))
        for group in self.read.files:
            if group.source in ("requirements.txt", "requirements/requirements.txt",
                                "requirements/base.txt", "requirements.in"):  # fmt: skip
                return [group.source], list(self.lines(group.lines))
        return [], []

    def lines(self, lines: Iterable[str], above: frozenset[str] = frozenset()) -> list[Requirement]:
        """Requirements of lines that hold for this Python."""
        sorted_lines = sort_lines(expanded(lines, self._root), self._name)
        self.left_out += sorted_lines.left_out
        found = [
            _bare(each)
            for each in sorted_lines.requirements
            if applies(each, self._version) and not is_same(each.name, self._name)
        ]
        for extra in sorted_lines.extras:
            if extra not in above:
                for group in self.read.groups:
                    if group.name is not None and is_same(group.name, extra):
                        found += self.lines(group.lines, above | {extra})
        return found

    def anywhere(self) -> Iterator[Requirement]:
        """Every requirement of every file, in the order of how telling the file is."""
        kept = len(self.left_out)
        for group in (*self.read.groups, *self.read.files, *self.read.ci):
            yield from self.lines(group.lines)
        del self.left_out[kept:]  # what nobody asked for is not missed


def _bare(requirement: Requirement) -> Requirement:
    """Without its condition, which holds."""
    copy = Requirement(str(requirement))
    copy.marker = None
    return copy


def _declarations(root: Path) -> tuple[Declaration, ...]:
    found = (read_pyproject(root), read_config(root), read_script(root))
    return tuple(each for each in found if each is not None)


def _is_specifier(text: str) -> bool:
    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        return False
    return True


def _metadata(declarations: tuple[Declaration, ...]) -> Metadata:
    """Name, version and entry points, each from the first file that has it."""
    found = Metadata()
    for each in (declaration.metadata for declaration in declarations):
        found = replace(
            found,
            name=found.name or each.name,
            version=found.version or each.version,
            is_dynamic=found.is_dynamic or each.is_dynamic,
            entry_points=found.entry_points or each.entry_points,
            fields=found.fields or each.fields,
        )
    return found


def _test_groups(read: _Read) -> Iterator[Group]:
    """The groups that tests need: the first kind that a repository has."""
    named = [each for each in read.groups if each.name is not None]
    kinds = (
        [each for each in named if _normal(each.name) in _TEST_NAMES or each.name == TESTS_REQUIRE],
        [each for each in named if each.name in ("testenv", "env_run_base")],
        [each for each in named if _is_about(each.name or "", {"test", "tests", "testing"})],
        [each for each in read.files if _is_about(each.source, {"test", "tests", "testing"})],
        [each for each in named if _normal(each.name) in _DEV_NAMES],
        [each for each in read.files if _is_about(each.source, set(_DEV_NAMES))],
        list(read.ci),
    )
    for place, kind in enumerate(kinds):
        if kind:
            yield from kind if place < _FIRST_MIXED else map(_without_tools, kind)
            return


def _beside_in_ci(read: _Read, chosen: set[str]) -> list[Group]:
    """Extras that CI installs in one breath with those of the tests: `.[test,fast]`."""
    together: set[str] = set()
    for group in read.ci:
        for line in group.lines:
            extras = {_normal(each) for each in sort_lines([line], None).extras}
            together |= extras if extras & chosen else set()
    known = {_normal(each.name): each for each in read.groups if each.name}
    return [known[name] for name in sorted(together - chosen) if name in known]


def _without_tools(group: Group) -> Group:
    """What developers have besides, to format, check, document and release, no test needs."""
    return replace(
        group,
        lines=tuple(
            line
            for line in group.lines
            if canonicalize_name(re.split(r"[^\w.-]", line.strip(), maxsplit=1)[0]) not in TOOLS
        ),
    )


def _is_about(name: str, words: set[str]) -> bool:
    found = set(re.split(r"[^a-z0-9]+", name.lower()))
    return not found.isdisjoint(words) and found.isdisjoint(_OTHER_PURPOSES)


def _normal(name: str | None) -> str:
    return canonicalize_name(name or "")


def _also_wanted(
    collected: _Collected, imports: Iterable[str], fixtures: Iterable[str], have: set[str]
) -> Iterator[Requirement]:
    declared: dict[str, Requirement] = {}
    for each in collected.anywhere():
        declared.setdefault(canonicalize_name(each.name), each)
    for names in (*(distributions_of(each) for each in imports), *({each} for each in fixtures)):
        if have.isdisjoint(names):
            yield from (declared[name] for name in sorted(names) if name in declared)


def _labels(labels: list[str]) -> tuple[str, ...]:
    """`pyproject.toml [test]` instead of the file and the group of it."""
    kept = dict.fromkeys(labels)
    return tuple(
        each
        for each in kept
        if not any(other != each and other.startswith(f"{each} [") for other in kept)
    )
