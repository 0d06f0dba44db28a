"""Needs of a repository's tests: which of the declared requirements are to be installed.

Also needed is what the tests import that is neither Python's nor the repository's own.
"""

from __future__ import annotations

import ast
import os
import re
import sys
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
    read_pyproject,
    sort_lines,
)
from reverie.environment.lists import (
    TOOLS,
    Lock,
    expanded,
    read_ci,
    read_lock,
    read_requirement_files,
    read_tox,
)
from reverie.environment.setup_files import TESTS_REQUIRE, read_config, read_script, read_text
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import NOT_PYTHON, parse_module

_FOLDERS = frozenset({"tests", "test", "testing"})
_FILES = frozenset({"test.py", "tests.py", "conftest.py"})
_PASSED_OVER = frozenset({"node_modules", "site-packages", "__pycache__", "build", "dist"})
_PROJECT = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})
_MOST_FILES = 5000
_DISTRIBUTIONS = {
    "attr": "attrs", "bs4": "beautifulsoup4", "cv2": "opencv-python", "dateutil": "python-dateutil",
    "docx": "python-docx", "dotenv": "python-dotenv", "git": "gitpython", "jose": "python-jose",
    "jwt": "pyjwt", "magic": "python-magic", "OpenSSL": "pyopenssl",
    "PIL": "pillow", "pkg_resources": "setuptools", "ruamel": "ruamel.yaml", "serial": "pyserial",
    "skimage": "scikit-image", "sklearn": "scikit-learn", "slugify": "python-slugify",
    "yaml": "pyyaml", "zmq": "pyzmq", "Crypto": "pycryptodome", "pyximport": "cython",
    "_pytest": "pytest", "mpl_toolkits": "matplotlib", "delegator": "delegator-py",
    "grpc": "grpcio", "nacl": "pynacl", "psycopg2": "psycopg2-binary", "socks": "pysocks",
    "websocket": "websocket-client", "Levenshtein": "levenshtein", "usb": "pyusb",
}  # fmt: skip
_FIXTURES = {
    "mocker": "pytest-mock", "benchmark": "pytest-benchmark", "subtests": "pytest-subtests",
    "freezer": "pytest-freezer", "httpserver": "pytest-httpserver", "httpx_mock": "pytest-httpx",
    "requests_mock": "requests-mock", "data_regression": "pytest-regressions",
    "snapshot": "syrupy", "faker": "faker", "event_loop": "pytest-asyncio",
    "file_regression": "pytest-regressions", "datadir": "pytest-datadir",
    "script_runner": "pytest-console-scripts", "cookies": "pytest-cookies",
    "httpbin": "pytest-httpbin", "httpbin_secure": "pytest-httpbin",
}  # fmt: skip
_MARKS = {
    "asyncio": "pytest-asyncio", "trio": "pytest-trio", "timeout": "pytest-timeout",
    "thread_unsafe": "pytest-run-parallel", "parallel_threads": "pytest-run-parallel",
}  # fmt: skip
"""Marks that nobody but a plugin gives a meaning."""


@dataclass(frozen=True, slots=True)
class Wants:
    """Names of distributions that tests ask for, by the import or fixture that does."""

    imports: tuple[str, ...]
    """Top-level names that are imported without a way round."""
    plugins: tuple[str, ...]
    """Distributions whose fixtures tests take, or whose marks they bear."""


def distributions_of(name: str) -> frozenset[str]:
    """Canonical names of the distributions that a module may come from."""
    known = {name, _DISTRIBUTIONS.get(name, name), f"python-{name}", f"py{name}"}
    return frozenset(canonicalize_name(each) for each in known)


def known_distribution(name: str) -> str:
    """The distribution that a module comes from; none that is made up: it may be a stranger's."""
    return _DISTRIBUTIONS.get(name) or canonicalize_name(name)


def read_wants(root: Path, files: Iterable[Path] = ()) -> Wants:
    """Read the tests of a repository, or these files of it; nothing is run."""
    imports: set[str] = set()
    taken: set[str] = set()
    defined: set[str] = set()
    marks: set[str] = set()
    local = set(local_names(root))
    for path in tuple(files) or find_test_files(root):
        tree = _parsed(path)
        if tree is None:
            continue
        imports |= set(_imported(tree.body))
        local.add(path.stem)
        local |= {each.name for each in path.parent.iterdir() if each.is_dir()}
        local |= {each.stem for each in path.parent.glob("*.py")}
        taken |= set(_taken(tree))
        defined |= {each.name for each in ast.walk(tree) if isinstance(each, Function)}
        marks |= set(_marks(tree))
    foreign = imports - local - sys.stdlib_module_names
    plugins = {plugin_of(fixture=each) for each in taken - defined}
    plugins |= {plugin_of(mark=each) for each in marks}
    return Wants(tuple(sorted(foreign)), tuple(sorted(filter(None, plugins))))


def plugin_of(*, fixture: str = "", mark: str = "") -> str | None:
    """The distribution of a plugin that is known for a fixture or for a mark."""
    return _FIXTURES.get(fixture) or _MARKS.get(mark)


def find_test_files(root: Path) -> Iterator[Path]:
    """Python files that are tests by their name or by the folder they lie in."""
    count = 0
    for folder, files in _walk(root):
        inside = os.path.relpath(folder, root).split(os.sep)
        is_folder = not _FOLDERS.isdisjoint(inside)
        for name in files:
            if name.endswith(".py") and (is_folder or is_test_file(name)):
                count += 1
                if count > _MOST_FILES:
                    return
                yield Path(folder, name)


def _walk(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Folders that people write in, each with its files."""
    for folder, names, files in os.walk(root):
        names[:] = sorted(
            name
            for name in names
            if name not in _PASSED_OVER
            and name[0] != "."
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
        )
        yield folder, sorted(files)


def is_test_file(name: str) -> bool:
    """Whether a file is one of tests by its name alone."""
    return name.startswith("test_") or name.endswith("_test.py") or name in _FILES


def _parsed(path: Path) -> ast.Module | None:
    text = read_text(path)
    try:
        return None if text is None else parse_module(text)
    except NOT_PYTHON:
        return None


def _imported(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Top-level names of imports, without those that a handler or a condition catches."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.With | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _imported(node.body)


def caught_imports(path: Path, name: str) -> frozenset[str]:
    """Modules that a file imports where it may do without them, beside what binds a name.

    Without them such a name is not there, and the error that comes of it names no module.
    """
    tree = _parsed(path)
    blocks = (each for each in ast.walk(tree) if isinstance(each, ast.Try)) if tree else ()
    for block in blocks:
        bound = {
            each.asname or each.name.partition(".")[0]
            for node in block.body
            if isinstance(node, ast.Import | ast.ImportFrom)
            for each in node.names
        }
        if name in bound:
            return frozenset(_imported(block.body))
    return frozenset()


def _taken(tree: ast.Module) -> Iterator[str]:
    """Names of parameters of what pytest calls: tests and fixtures."""
    for node in ast.walk(tree):
        if isinstance(node, Function) and (node.name.startswith("test") or node.decorator_list):
            yield from (each.arg for each in node.args.args)


def _marks(tree: ast.Module) -> Iterator[str]:
    """Marks as they are written: `pytest.mark.asyncio`."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Attribute(ast.Name("pytest"), "mark"), name):
                yield name


def local_names(root: Path) -> frozenset[str]:
    """Names that the repository and the projects in it may be imported by.

    What of it bears the name of a stranger's distribution is never fetched from the index.
    """
    starts = [root]
    starts += [Path(folder) for folder, files in _walk(root) if not _PROJECT.isdisjoint(files)]
    places = (start / name for start in starts for name in (".", "src", "lib"))
    return frozenset(
        each.stem if each.suffix == ".py" else each.name
        for place in places
        if place.is_dir()
        for each in place.iterdir()
        if each.suffix == ".py" or (each.is_dir() and next(each.rglob("*.py"), None))
    )


_TEST_NAMES = frozenset({"test", "tests", "testing", "pytest", "unittest", "hatch-test"})
_DEV_NAMES = frozenset({"dev", "develop", "development", "devel", "developer", "ci", "default"})
_OTHER_PURPOSES = frozenset({"lint", "doc", "docs", "typing", "mypy", "type", "types", "bench",
                             "benchmark", "release", "build", "integration", "e2e", "example",
                             "examples"})  # fmt: skip
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
    """Those that some file declares and a test imports, and plugins whose fixtures tests take."""

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


def read_point_names(root: Path) -> frozenset[str]:
    """Names of the entry points that a repository declares; they are no modules."""
    points = _metadata(_declarations(root)).entry_points
    return frozenset(name for table in points.values() for name in table)


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
    wanted = _also_wanted(collected, wants.imports, wants.plugins, have)
    return replace(needs, wanted=unique(wanted))


def read_options(root: Path, python_version: str) -> tuple[Requirement, ...]:
    """Requirements of the project's own extras: a suite may be about what they bring."""
    collected = _collect(root, python_version)
    groups = (each for each in collected.read.groups if _is_option(each.name or ""))
    return unique(
        requirement
        for group in groups
        for requirement in collected.lines(_without_tools(group).lines)
    )


def _is_option(name: str) -> bool:
    words = set(re.split(r"[^a-z0-9]+", name.lower()))
    return words.isdisjoint({*_OTHER_PURPOSES, *_DEV_NAMES, *_TEST_NAMES, "testenv", "all"})


def _collect(root: Path, python_version: str) -> _Collected:
    tox = read_tox(root, python_version)
    declarations = (*_declarations(root), *(() if tox is None else (tox,)))
    read = _Read(declarations, tuple(read_requirement_files(root)), tuple(read_ci(root)))
    return _Collected(root, read, python_version)


def unique(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """Each once, in order."""
    return tuple({str(each): each for each in requirements}.values())


def with_newer(known: Iterable[str], newer: tuple[str, ...]) -> tuple[str, ...]:
    """Requirements with others, which stand in the place of those of the same name."""
    named = {canonicalize_name(Requirement(each).name) for each in newer}
    kept = (each for each in known if canonicalize_name(Requirement(each).name) not in named)
    return tuple(dict.fromkeys((*kept, *newer)))


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
    """The groups that tests need: the first kind there is, and the first that has pytest."""
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
    found: list[Group] = []
    for place, kind in enumerate(kinds):
        # `testing-extra` beside a `dev` that has pytest: both are needed.
        if kind and (not found or any(map(_names_runner, kind))):
            found += kind if place < _FIRST_MIXED else map(_without_tools, kind)
            if any(map(_names_runner, found)):
                break
    yield from found


def _names_runner(group: Group) -> bool:
    return any(re.match(rf"{RUNNER}\b(?!-)", line.strip()) for line in group.lines)


def _beside_in_ci(read: _Read, chosen: set[str]) -> list[Group]:
    """Extras that CI installs in one breath with those of the tests: `.[test,fast]`."""
    together: set[str] = set()
    for group in read.ci:
        for line in group.lines:
            extras = {_normal(each) for each in sort_lines([line], None).extras}
            together |= extras if extras & chosen else set()
    known = {_normal(each.name): each for each in read.groups if each.name}
    # Documents and examples are made in the same breath, and take longer to install than the rest.
    asked = (each for each in sorted(together - chosen) if _is_for_tests(each))
    return [known[name] for name in asked if name in known]


def _is_for_tests(name: str) -> bool:
    return _OTHER_PURPOSES.isdisjoint(re.split(r"[^a-z0-9]+", name))


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
    collected: _Collected, imports: Iterable[str], plugins: Iterable[str], have: set[str]
) -> Iterator[Requirement]:
    """What is declared somewhere and imported; and known plugins of pytest, declared or not."""
    declared: dict[str, Requirement] = {}
    for each in collected.anywhere():
        declared.setdefault(canonicalize_name(each.name), each)
    for names in map(distributions_of, imports):
        if have.isdisjoint(names):
            yield from (declared[name] for name in sorted(names) if name in declared)
    for name in plugins:
        if name not in have:
            yield declared.get(name) or Requirement(name)


def _labels(labels: list[str]) -> tuple[str, ...]:
    """`pyproject.toml [test]` instead of the file and the group of it."""
    kept = dict.fromkeys(labels)
    return tuple(
        each
        for each in kept
        if not any(other != each and other.startswith(f"{each} [") for other in kept)
    )
