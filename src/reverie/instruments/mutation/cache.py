"""Verdicts and coverage maps kept between runs, by the content they were made from.

A verdict is good as long as the mutated function, the tests that reach it, every function those
tests run, and all module-level code are the same text. Results are appended as they come, so a
run that is killed loses what was under way and nothing else. The coverage map (which test runs
which line) is made anew only after a change.

The folder may have come with the repository: what does not carry the user's seal is not believed.
"""

import ast
import hashlib
import json
import logging
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from reverie.errors import MachineryError, SilentTests
from reverie.home.seal import user_seal
from reverie.home.sealed_file import MOST_BYTES, read_sealed, write_sealed
from reverie.instruments.mutation.project import Project
from reverie.instruments.mutation.sandbox_side import FarSide, Order, read_baseline
from reverie.model.measurements.suite import (
    CoverageMap,
    JudgedMutant,
    Mutant,
    MutantVerdict,
    TestLook,
)
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import fresh_module

_VERSION = "2"
_KEPT = (MutantVerdict.KILLED, MutantVerdict.SURVIVED, MutantVerdict.TIMEOUT,
         MutantVerdict.EQUIVALENT, MutantVerdict.INVALID)  # fmt: skip
_MAPS_AT_MOST = 8
_VERDICT, _MAP = "mutation verdict", "coverage map"
_logger = logging.getLogger(__name__)


class VerdictCache:
    """A folder with one file of verdicts and a few coverage maps; None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._verdicts: dict[str, tuple[str, str | None]] = {}
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if self._file.exists():
                self._load()
        except OSError as error:
            raise MachineryError(f"the cache {str(folder)!r}: {error.strerror}") from error

    @property
    def _file(self) -> Path:
        return Path(self.folder or ".") / "verdicts.jsonl"

    def _load(self) -> None:
        strange = 0 if self._file.stat().st_size <= MOST_BYTES else 1
        for line in [] if strange else self._file.read_text("utf-8", "replace").splitlines():
            try:
                row = json.loads(line)
                key, verdict, killer = str(row["key"]), str(row["verdict"]), row["killer"]
                if user_seal().fits(row.get("seal"), _VERDICT, _sealed(key, verdict, killer)):
                    self._verdicts[key] = (verdict, killer)
                else:
                    strange += 1
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                continue  # the line that a killed run was writing
        if strange:
            _logger.warning("verdicts in %s are not yours: they are made anew", self._file)

    def find(self, key: str, mutant: Mutant) -> JudgedMutant | None:
        """The verdict made from the same content; None when there is none."""
        known = self._verdicts.get(key)
        if known is None or known[0] not in list(MutantVerdict):
            return None
        return JudgedMutant(mutant, MutantVerdict(known[0]), known[1], is_cached=True)

    def add(self, judged: Iterable[tuple[str, JudgedMutant]]) -> None:
        """Keep verdicts from now on."""
        if self.folder is None:
            return
        rows = [_row(key, each) for key, each in judged if each.verdict in _KEPT]
        with self._file.open("a", encoding="utf-8") as file:
            file.write("".join(f"{row}\n" for row in rows))

    def find_map(self, key: str) -> Any:
        """What a baseline answered for the same content; None when there is none."""
        path = None if self.folder is None else self.folder / f"coverage-{key[:32]}.json.gz"
        if path is None or not path.exists():
            return None
        try:
            os.utime(path)  # the oldest to go is the one that nobody has asked for longest
        except OSError:
            return None  # gone meanwhile
        return read_sealed(path, _MAP)

    def add_map(self, key: str, answer: Any, root: str) -> None:
        """Keep what a baseline answered, with names from the root on; the oldest go."""
        if self.folder is None:
            return
        text = json.dumps(answer).replace(json.dumps(f"{root}/")[1:-1], "")
        path = self.folder / f"coverage-{key[:32]}.json.gz"
        write_sealed(path, _MAP, text)
        maps = sorted(self.folder.glob("coverage-*.gz"), key=_last_asked_for)
        for old in maps[:-_MAPS_AT_MOST]:
            old.unlink(missing_ok=True)


def _row(key: str, judged: JudgedMutant) -> str:
    told = {"key": key, "verdict": judged.verdict.value, "killer": judged.killer}
    sealed = _sealed(key, judged.verdict.value, judged.killer)
    return json.dumps({**told, "seal": user_seal().tag(_VERDICT, sealed)})


def _sealed(key: str, verdict: str, killer: str | None) -> bytes:
    return json.dumps([key, verdict, killer]).encode()


def _last_asked_for(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0  # another thread was faster


class Contents:
    """Hashes of everything that can change a verdict."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.python = os.path.realpath(project.python or sys.executable)
        self.root = Path(project.root)

    @cached_property
    def of_project(self) -> str:
        """Everything: sources, tests, options, interpreter."""
        sources = [(name, self._file(name)) for name in self.project.files]
        return digest(self.python, self.project.arguments, self.project.tests, sources, self._tests)

    def of_order(self, order: Order, tests: Sequence[TestLook]) -> str:
        """What one mutant's verdict depends on, given the tests that an order counts through."""
        places = tuple(range(len(tests))) if order.at_import else order.tests
        if places not in self._known_sets:
            self._known_sets[places] = digest(sorted(self._test(tests[each]) for each in places))
        mutant = order.mutant
        return digest(
            mutant.id, mutant.replacement, self._function(mutant.file, mutant.unit),
            self._modules, self._known_sets[places],
        )  # fmt: skip

    @cached_property
    def _modules(self) -> str:
        """All code outside functions: it runs before every test."""
        skeletons = [self._functions(name).get("", "") for name in self.project.files]
        return digest(_VERSION, self.python, self.project.arguments, skeletons, self._helpers)

    def _test(self, test: TestLook) -> str:
        if test.id not in self._known_tests:
            touched = [
                (file, name, self._function(file, name))
                for file, functions in sorted(test.lines.items())
                for name in sorted(functions)
            ]
            own = self._tests.get(test.id.partition("::")[0], "")
            self._known_tests[test.id] = digest(test.id, own, touched)
        return self._known_tests[test.id]

    @cached_property
    def _known_tests(self) -> dict[str, str]:
        return {}

    @cached_property
    def _known_sets(self) -> dict[tuple[int, ...], str]:
        return {}

    @cached_property
    def _tests(self) -> Mapping[str, str]:
        """Every file below the tests, and every conftest, by name."""
        found = {}
        for place in {each.partition("::")[0] for each in self.project.tests}:
            start = self.root / place
            paths = [start] if start.is_file() else start.rglob("*")
            for path in paths:
                if path.is_file() and "__pycache__" not in path.parts and ".venv" not in path.parts:
                    name = path.relative_to(self.root).as_posix()
                    found[name] = self._file(name)
        for path in self.root.glob("conftest.py"):
            found[path.name] = self._file(path.name)
        return dict(sorted(found.items()))

    @cached_property
    def _helpers(self) -> str:
        """What tests share: everything below them that is no test file."""
        shared = [
            (name, value)
            for name, value in self._tests.items()
            if not Path(name).name.startswith("test_") and not name.endswith("_test.py")
        ]
        return digest(shared)

    def _function(self, file: str, qualname: str | None) -> str:
        outermost = (qualname or "").partition(".<locals>")[0]
        known = self._functions(file)
        return known.get(outermost) or known.get("", "")

    def _functions(self, file: str) -> dict[str, str]:
        if file not in self._known_functions:
            self._known_functions[file] = _function_hashes(self.root / file)
        return self._known_functions[file]

    @cached_property
    def _known_functions(self) -> dict[str, dict[str, str]]:
        return {}

    def _file(self, name: str) -> str:
        try:
            return hashlib.sha256((self.root / name).read_bytes()).hexdigest()
        except OSError:
            return "unreadable"


def _function_hashes(path: Path) -> dict[str, str]:
    """The hash of each outermost function, and under "" that of all the rest."""
    try:
        source = path.read_bytes()
        tree = fresh_module(source)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {"": digest(path.read_bytes() if path.is_file() else b"")}
    lines = source.split(b"\n")
    rest = list(lines)
    found = {}
    for qualname, node in _outermost(tree, ()):
        last = node.end_lineno or node.lineno
        first = node.body[0].lineno
        found[qualname] = digest(*lines[node.lineno - 1 : last])
        if first > node.lineno:  # one on a single line stays with the rest
            rest[first - 1 : last] = [b""] * (last - first + 1)
    found[""] = digest(
        *(line for line in rest if line.strip() and not line.lstrip().startswith(b"#"))
    )
    return found


def _outermost(node: ast.AST, classes: tuple[str, ...]) -> Iterable[tuple[str, Any]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield ".".join((*classes, child.name)), child
        elif isinstance(child, ast.ClassDef):
            yield from _outermost(child, (*classes, child.name))
        else:
            yield from _outermost(child, classes)


def digest(*parts: object) -> str:
    """One hash of several things, kept apart."""
    made = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode("utf-8", "backslashreplace")
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()


_WORDS = 600
_REASON = 200


def measure_coverage(far: FarSide, cache: VerdictCache) -> CoverageMap:
    """The map for what sources and tests say now; `SilentTests` when no test passes."""
    coverage = look_at_tests(far, cache)
    _require_a_passing_test(coverage)
    return coverage


def look_at_tests(far: FarSide, cache: VerdictCache, fewer: Project | None = None) -> CoverageMap:
    """The map, whatever became of the tests.

    Tests that the cache knows from `fewer`, the same project without some test files, are run for
    how they end; what they run is taken over.
    """
    root, key = far.project.root, _key(far.project, far)
    known = cache.find_map(key)
    if known is not None:
        return read_baseline(known, root)
    before = None if fewer is None else cache.find_map(_key(fewer, far))
    names = () if before is None else [each["id"] for each in before["tests"]]
    answer = far.baseline(names)
    coverage = read_baseline(answer, root)
    if before is not None:
        answer = _with_known(answer, before)
        coverage = read_baseline(answer, root)
    cache.add_map(key, answer, root)
    return coverage


def _key(project: Project, far: FarSide) -> str:
    return digest(Contents(project).of_project, far.looks_alone)


def _with_known(answer: Any, before: Any) -> Any:
    """An answer with what is known of its tests, as far as they have ended as before."""
    known = {each["id"]: each for each in before["tests"]}
    tests = [
        known[each["id"]] if known.get(each["id"], {}).get("outcome") == each["outcome"] else each
        for each in answer["tests"]
    ]
    return {**answer, "tests": tests}


def _error_of(why: str) -> str:
    """The error itself out of a traceback as pytest prints it; the end of any other text."""
    errors = [line[2:].strip() for line in why.splitlines() if line.startswith("E ")]
    return errors[-1][:_REASON] if errors else why.strip()[-_REASON:]


def _require_a_passing_test(coverage: CoverageMap) -> None:
    if not coverage.tests:
        reasons = "; ".join(f"{name}: {_error_of(why)}" for name, why in coverage.broken)
        raise SilentTests(f"no test was collected. {reasons}"[:_WORDS])
    if not any(test.outcome == "passed" for test in coverage.tests):
        first = coverage.tests[0]
        raise SilentTests(
            f"no test passes on the unchanged code; {first.id}: {first.reason}"[:_WORDS]
        )
