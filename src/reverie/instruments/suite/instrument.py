"""Runs tests of a tree under conditions, with a failure planted beside them in every run.

The tree is a scratch copy: the plants are written into it and taken away again. What comes back
is the claim of code that nobody trusts, checked for shape; a run in which the planted failure was
not seen to fail is said to be blind.
"""

import ast
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie.instruments.mutation.project import Project
from reverie.instruments.suite.planting import Planted, TestPlant, plants_for
from reverie.instruments.suite.program import ENTRY, far_side, plugin_sources
from reverie.model.execution import MIB, Call, Execution, Limits, Policy, Request
from reverie.model.outcome import IsolationTier
from reverie.model.suite import Conditions, SuiteRuns, TestEnd, TestRun
from reverie.sandbox.engine import Sandbox

_HARMLESS = ("__pycache__", ".pytest_cache", ".hypothesis", ".coverage", ".mypy_cache")
_UNLISTED = "(more files than can be listed)"
_PRELOADED = ("pytest", "unittest", "doctest", "json", "tempfile", "select")


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
        preload=_PRELOADED,
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
        result_bytes=64 * MIB,
    )


def _plain_functions(path: Path) -> list[str]:
    """Undecorated functions and methods that a file defines once: what they are is in the file."""
    try:
        tree = ast.parse(path.read_bytes())
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
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
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
