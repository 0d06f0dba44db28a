"""The plan of a trial, its two trees, and what gates may know of the repository.

The plan is seed, time, interpreter and what the settings ask for. A repository before and after a
change is two scratch folders that are nobody's work. Surroundings are read from the names and texts
of its files.
"""

import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reverie.errors import ConfigError, UsageError
from reverie.gates.effects.table import Effect
from reverie.gates.gate import Surroundings
from reverie.gates.paths import is_test_path, module_of
from reverie.gates.python import Parsed, imported_names, parse
from reverie.gates.suite.reach import effects_of
from reverie.model.call import Call
from reverie.model.change import Change
from reverie.model.ruling import PATH, read_baseline
from reverie.model.sections import EquivalenceSection
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.observation import Spending
from reverie.syntax.nodes import functions
from reverie.syntax.unparsing import unparse
from reverie.trials.reaching import Reaching

SEED = 1337
LEAST_SECONDS = 3.0
"""With less than this left no further step is begun."""


@dataclass(frozen=True, slots=True)
class TrialPlan:
    """What the trials of one change share. Its budget is CPU time."""

    section: GuardSection = field(default_factory=GuardSection)
    seed: int = SEED
    python: str | None = None
    """The interpreter with the project's dependencies; None: the one that runs Reverie."""
    fresh: str | None = None
    """The interpreter of an environment made from what is declared: new tests pass there, too."""
    cache: Path | None = None
    """Where baselines and mutants' verdicts are kept between trials."""
    equivalence: EquivalenceSection = field(default_factory=EquivalenceSection)
    samples: Mapping[str, Sequence[Call]] = field(default_factory=dict)
    """Calls of callables by name that are like real ones."""
    is_own: bool = False
    """Whether the tests were written here: then nobody has meant to deceive the old ones."""
    reaching: Reaching | None = None
    """The part of a large suite that is asked; None: all of it."""
    is_stopped: Callable[[], bool] = lambda: False
    """Asked between steps: once it says so, nothing more is measured."""
    spending: Spending = field(default_factory=Spending)

    @property
    def seconds_left(self) -> float:
        """What is left of the budget; nothing once the trial was stopped."""
        if self.is_stopped():
            return 0.0
        return self.section.budget_seconds - self.spending.seconds

    @property
    def wall_seconds_left(self) -> float:
        """How long one step may take: others may want the same machine."""
        return self.spending.patience * self.seconds_left


_NAME = "project"


@dataclass(frozen=True, slots=True)
class Trees:
    """Both folders, and the change that leads from one to the other."""

    base: Path
    head: Path
    change: Change


def write_trees(files: Mapping[str, bytes], change: Change, scratch: Path) -> Trees:
    """Both trees below an empty folder; `files` are those of the base, by path.

    Code sees where it lies: the folders say neither that it is judged nor which one it is in.
    """
    base, head = (scratch / secrets.token_hex(4) / _NAME for _ in range(2))
    after = dict(files)
    for edit in change.edits:
        for path in (edit.path, edit.renamed_from):
            if path is not None:
                after.pop(path, None)
        if edit.after is not None:
            after[edit.path] = edit.after.encode("utf-8", "surrogateescape")
    _write(base, files)
    _write(head, after)
    return Trees(base, head, change)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for name, content in files.items():
        if name.startswith("/") or ".." in name.split("/"):
            raise UsageError(f"the path {name!r} leads out of the repository")
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


_FIXTURES = frozenset(
    {"tmp_path", "tmp_path_factory", "tmpdir", "capsys", "capfd", "caplog", "monkeypatch",
     "request", "recwarn", "pytestconfig", "cache", "record_property", "testdir", "pytester",
     "mocker"}
)  # fmt: skip
_VALUES = frozenset({"str", "int", "float", "list", "dict", "tuple", "set", "bytes", "decimal"})
_MOST_BYTES = 4 << 20
_NO_CODE = frozenset({"docs", "doc", "examples", "scripts", "tools", "benchmarks", "build", "dist"})
_WORD = re.compile(rb"\w[\w.-]*\w|\w")
_SETTINGS = frozenset(
    {"pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini", "pytest.toml"}
)
_LIBRARIES = frozenset(
    {"pytest", "unittest", "hypothesis", "numpy", "pandas", "mock", "attrs", "attr", "yaml",
     "click", "requests", "coverage", "pluggy", "reverie_pytest", "reverie", "pytest_mock",
     "freezegun"}
)  # fmt: skip


def baseline_of(files: Mapping[str, bytes]) -> Mapping[str, float] | None:
    """What a repository has reached, by its own file; None where it keeps none."""
    if PATH not in files:
        return None
    try:
        return read_baseline(files[PATH].decode("utf-8")).measures
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{PATH}: {error}") from error


def surroundings_of(files: Mapping[str, bytes], section: GuardSection) -> Surroundings:
    """Of a whole tree, by path."""
    production = [
        path for path in files if path.endswith(".py") and not is_test_path(path, section)
    ]
    packages = frozenset(_top_names(production))
    tests = [path for path in files if path.endswith(".py") and is_test_path(path, section)]
    return Surroundings(
        packages=packages,
        modules=frozenset(sys.stdlib_module_names) | _LIBRARIES,
        fixtures=_FIXTURES | frozenset(_fixtures(files, section)),
        valued=frozenset(_valued(files[path] for path in production)),
        libraries=frozenset(_libraries(files)),
        test_effects=frozenset(_test_effects(files, tests, packages)),
        sources=dict(_sources(files, production)),
        words=frozenset(_words(files)),
    )


def _words(files: Mapping[str, bytes]) -> Iterator[str]:
    """What code says, and settings that name modules; what only packs it may name a text."""
    for path, content in files.items():
        name = path.rpartition("/")[2]
        if path.endswith(".py") and path != "setup.py":
            text = content
        elif name in _SETTINGS:
            text = b"\n".join(
                each for each in content.splitlines() if b"readme" not in each.lower()
            )
        else:
            continue
        yield from (each.decode("utf-8", "replace") for each in _WORD.findall(text))


def _libraries(files: Mapping[str, bytes]) -> Iterator[str]:
    """Top-level names that any file imports and Python does not have."""
    for parsed in _parsed(files, files):
        for origin in imported_names(parsed.tree).values():
            top = origin.partition(".")[0]
            if top and top not in sys.stdlib_module_names:
                yield top


def _test_effects(
    files: Mapping[str, bytes], tests: Iterable[str], packages: frozenset[str]
) -> Iterator[Effect]:
    for parsed in _parsed(files, tests):
        yield from effects_of(parsed, packages)


def _parsed(files: Mapping[str, bytes], paths: Iterable[str]) -> Iterator[Parsed]:
    """Python files, as far as is quickly read."""
    read = 0
    for path in paths:
        read += len(files[path]) if path.endswith(".py") else 0
        if path.endswith(".py") and read < _MOST_BYTES:
            parsed = parse(path, files[path].decode("utf-8", "surrogateescape"))
            if parsed is not None:
                yield parsed


def _sources(files: Mapping[str, bytes], production: Iterable[str]) -> Iterator[tuple[str, str]]:
    read = 0
    for path in production:
        read += len(files[path])
        if read < _MOST_BYTES:
            yield module_of(path), files[path].decode("utf-8", "surrogateescape")


def _top_names(paths: Iterable[str]) -> set[str]:
    known = set(paths)
    found = set()
    for path in known:
        parts = path.split("/")
        if parts[0] in ("src", "lib") and len(parts) > 1:
            parts = parts[1:]
        if parts[0] in _NO_CODE or parts[0] in ("setup.py", "noxfile.py", "conftest.py"):
            continue
        found.add(parts[0].removesuffix(".py"))
        # Of several projects in one repository, each has its packages somewhere below.
        folders = ("/".join(parts[:count]) for count in range(1, len(parts)))
        top = next((each for each in folders if f"{each}/__init__.py" in known), None)
        found |= set() if top is None else {top.rpartition("/")[2]}
    return found


def _fixtures(files: Mapping[str, bytes], section: GuardSection) -> Iterator[str]:
    for path, text in files.items():
        if path.endswith(".py") and is_test_path(path, section) and b"fixture" in text:
            parsed = parse(path, text.decode("utf-8", "surrogateescape"))
            for _, node in () if parsed is None else functions(parsed.tree):
                if any("fixture" in unparse(each) for each in node.decorator_list):
                    yield node.name


def _valued(texts: Iterable[bytes]) -> Iterator[str]:
    read = 0
    for text in texts:
        read += len(text)
        parsed = parse("", text.decode("utf-8", "surrogateescape")) if read < _MOST_BYTES else None
        for name, node in () if parsed is None else functions(parsed.tree):
            kind = "" if node.returns is None else unparse(node.returns)
            if kind.partition("[")[0].lower() in _VALUES:
                yield name.rpartition(".")[2]
