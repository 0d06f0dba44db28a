"""Runs tests of a tree under conditions, with a failure planted beside them in every run.

The tree is a scratch copy: a test that passes and one that fails are written into it, under names
that nobody can guess, and taken away again. The far side and the pytest plugin are sent into the
sandbox as text. What comes back is the claim of code that nobody trusts, checked for shape; a run
in which the planted failure was not seen to fail is said to be blind.
"""

import ast
import os
import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reverie.instruments.mutation.project import Project
from reverie.instruments.mutation.sandbox_side import PRELOADED, SUITE_DISK_BYTES
from reverie.model.execution import MIB, Call, Execution, Limits, Policy, Request
from reverie.model.measurements.suite import Conditions, SuiteRuns, TestEnd, TestRun
from reverie.model.outcome import IsolationTier
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Sandbox
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import fresh_module

_SOURCE = (
    "def test_{good}():\n    assert 1 + 1 == 2\n\n\ndef test_{bad}():\n    assert 1 + 1 == 3\n"
)


@dataclass(frozen=True, slots=True)
class TestPlant:
    """A file with one test that passes and one that must not."""

    __test__ = False

    file: str
    good: str
    bad: str

    @classmethod
    def beside(cls, test_file: str) -> "TestPlant":
        """In the folder of a test file."""
        word = secrets.token_hex(13)
        folder = test_file.rpartition("/")[0]
        file = f"{folder}/test_{word[:10]}.py" if folder else f"test_{word[:10]}.py"
        return cls(file, f"{file}::test_{word[10:18]}", f"{file}::test_{word[18:26]}")

    @property
    def source(self) -> str:
        """Both tests."""
        good, bad = (each.rpartition("test_")[2] for each in (self.good, self.bad))
        return _SOURCE.format(good=good, bad=bad)


def plants_for(files: Sequence[str]) -> list[TestPlant]:
    """One for each folder that has one of these files."""
    chosen = {file.rpartition("/")[0]: file for file in files}
    return [TestPlant.beside(file) for file in chosen.values()]


class Planted:
    """Writes plants into a tree, and takes them away again."""

    def __init__(self, root: Path, plants: Sequence[TestPlant]) -> None:
        self._files = {root / plant.file: plant.source for plant in plants}

    def __enter__(self) -> None:
        for path, source in self._files.items():
            path.write_text(source, "utf-8")

    def __exit__(self, *error: object) -> None:
        for path in self._files:
            path.unlink(missing_ok=True)


ENTRY = "answer"


@cache
def far_side() -> str:
    """The source of a program whose `answer` takes a request and returns what was seen."""
    return bundled("reverie.instruments.suite.inside.runs:answer")


@cache
def plugin_sources() -> tuple[tuple[str, str], ...]:
    """Reverie's pytest plugin, for interpreters that it is not installed for."""
    spec = find_spec("reverie_pytest")
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    return tuple(
        (f"reverie_pytest/{path.relative_to(place).as_posix()}", path.read_text("utf-8"))
        for place in places
        for path in sorted(Path(place).rglob("*.py"))
    )


_HARMLESS = ("__pycache__", ".pytest_cache", ".hypothesis", ".coverage", ".mypy_cache")
_UNLISTED = "(more files than can be listed)"


def run_tests(
    sandbox: Sandbox,
    project: Project,
    files: Sequence[str],
    conditions: Sequence[Conditions],
    seconds: float,
) -> SuiteRuns:
    """Every run asked for, on the tests of some files, as far as the time goes."""
    plants = plants_for(files)
    grouped: defaultdict[tuple[int, int], list[Conditions]] = defaultdict(list)
    for each in conditions:
        grouped[each.hash_seed, each.disguise].append(each)
    with Planted(Path(project.root), plants):
        requests = [
            _request(sandbox, project, files, group, plants, seconds) for group in grouped.values()
        ]
        executions = list(sandbox.run_batch(requests))
    runs: dict[str, TestRun] = {}
    for group, execution in zip(grouped.values(), executions, strict=True):
        for each, answer in zip(group, _answers(execution, len(group)), strict=True):
            runs[each.name] = _read(each, answer, plants)
    writes = {name for each in executions for name in _writes(each, project.root, plants)}
    return SuiteRuns(tuple(runs[each.name] for each in conditions), tuple(sorted(writes)))


def _request(
    sandbox: Sandbox,
    project: Project,
    files: Sequence[str],
    group: Sequence[Conditions],
    plants: Sequence[TestPlant],
    seconds: float,
) -> Request:
    root = project.root
    params = {
        "plugin": [list(each) for each in plugin_sources()],
        "paths": list(project.import_paths),
        "packages": list(project.packages),
        "arguments": [*project.arguments, f"--rootdir={root}"],
        "defined": {
            f"{root}/{file}": _plain_functions(Path(root) / file) for file in project.files
        },
        "seconds": seconds,
        "run_seconds": max(1.0, seconds),
        "runs": [
            {
                "seed": each.seed,
                "instant": each.instant,
                "processors": each.disguise,
                "random": each.is_order_random,
                "alone": each.is_alone,
                "tests": [*files, *(plant.file for plant in plants)],
                "traced": [f"{root}/{file}" for file in files] if each.is_traced else [],
            }
            for each in group
        ],
    }
    call = Call(far_side(), ENTRY, {"request": params})
    policy = policy_for(sandbox, project, group[0].hash_seed, group[0].disguise)
    return Request(call, limits_for(sandbox, seconds), policy)


def policy_for(sandbox: Sandbox, project: Project, hash_seed: int, disguise: int) -> Policy:
    """The repository as a private view where the tier has such, else read-only."""
    has_views = sandbox.tier is IsolationTier.NAMESPACES
    return replace(
        sandbox.section.policy(),
        enable_filesystem=has_views,
        private_copies=(project.root,) if has_views else (),
        readonly=() if has_views else (project.root,),
        python=project.python,
        working_directory=project.root,
        preload=PRELOADED,
        seed=0,
        hash_seed=hash_seed,
        disguise=disguise,
    )


def limits_for(sandbox: Sandbox, seconds: float) -> Limits:
    """What runs of tests may spend."""
    base = sandbox.section.limits()
    return replace(
        base,
        wall_seconds=seconds + 30.0,
        memory_bytes=max(base.memory_bytes, 1024 * MIB),
        processes=max(base.processes, 256),
        open_files=max(base.open_files, 1024),
        disk_bytes=max(base.disk_bytes, SUITE_DISK_BYTES),
        result_bytes=64 * MIB,
    )


def _plain_functions(path: Path) -> list[str]:
    """Undecorated functions and methods that a file defines once: what they are is in the file."""
    try:
        tree = fresh_module(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    found: list[str] = []
    for prefix, body in [("", tree.body)] + [
        (f"{each.name}.", each.body)
        for each in tree.body
        if isinstance(each, ast.ClassDef) and not each.decorator_list and not each.keywords
    ]:
        names = [getattr(each, "name", None) for each in body] + [
            each.id
            for statement in body
            if isinstance(statement, ast.Assign)
            for each in statement.targets
            if isinstance(each, ast.Name)
        ]
        found += [
            prefix + each.name
            for each in body
            if isinstance(each, Function)
            and not each.decorator_list
            and names.count(each.name) == 1
            and not (prefix and each.name.startswith("__"))
        ]
    return found


def _answers(execution: Execution, count: int) -> list[Any]:
    output = execution.output
    runs = output.get("runs") if execution.succeeded and isinstance(output, Mapping) else None
    if not isinstance(runs, list) or len(runs) != count:
        message = execution.error.message if execution.error is not None else "no answer"
        return [{"error": f"{execution.outcome}: {message}"}] * count
    return runs


def _read(conditions: Conditions, answer: Any, plants: Sequence[TestPlant]) -> TestRun:
    tests = answer.get("tests") if isinstance(answer, Mapping) else None
    if not isinstance(tests, Mapping):
        said = str(answer.get("error") if isinstance(answer, Mapping) else answer)[:300]
        is_dead = isinstance(answer, Mapping) and answer.get("is_dead") is True
        return TestRun(conditions, {}, silence=said, is_dead=is_dead)
    ends = {str(name): _end(end) for name, end in tests.items()}
    saw_plant = all(
        ends.pop(plant.good, None) is TestEnd.PASSED and ends.pop(plant.bad, None) is TestEnd.FAILED
        for plant in plants
    )
    reasons = answer.get("reasons")
    lines = answer.get("lines")
    return TestRun(
        conditions,
        ends,
        {str(k): str(v)[:300] for k, v in reasons.items()} if isinstance(reasons, Mapping) else {},
        saw_plant=saw_plant,
        replaced=tuple(str(each)[:200] for each in answer.get("replaced", ()))[:100],
        lines={
            str(path): frozenset(line for line in found if type(line) is int)
            for path, found in lines.items()
            if isinstance(found, list)
        }
        if isinstance(lines, Mapping)
        else {},
    )


def _end(word: object) -> TestEnd:
    return next((each for each in TestEnd if each == word), TestEnd.MISSING)


def _writes(execution: Execution, root: str, plants: Sequence[TestPlant]) -> Iterator[str]:
    """Files that differ afterwards, without what tools leave behind."""
    planted = {plant.file for plant in plants}
    if execution.changes_truncated:
        yield _UNLISTED
    for change in execution.changes:
        name = os.path.relpath(change.path, root) if os.path.isabs(change.path) else change.path
        parts = name.split("/")
        is_harmless = any(part in _HARMLESS or part.endswith(".pyc") for part in parts)
        if not is_harmless and name not in planted:
            yield name
