"""Callables that a repository spends its time in, profiled inside the sandbox.

The suite is one thing to profile, a repository's own benchmarks are another: tests that take the
`benchmark` fixture, with one of our own that calls what it is given a few times, and functions and
methods called `time_*` as asv knows them. `profiled` and `read_profile` serve others as well.

What comes back is the claim of code that nobody trusts: good enough to choose what to look at
first, and checked for shape. Every run also profiles two planted functions, of which the slow one
must come out slower.
"""

import fnmatch
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, TypeGuard

from reverie.errors import InstrumentUnproven
from reverie.index.ranking import functions_of
from reverie.instruments.own_suite import suite_request
from reverie.model.execution import Execution
from reverie.model.measurements.benchmark import HotCallable, Profile
from reverie.model.repository.code import CodeIndex, Function, Module
from reverie.model.settings.analysis import CandidatesSection
from reverie.sandbox.engine import Sandbox

_MOST_SECONDS = 1e6
_PLANTED = """
import cProfile, sys


def planted_slow():
    return sum(number * number for number in range(60_000))


def planted_quick():
    return 1


def profile_rows(profiler, root):
    profiler.create_stats()
    rows, planted, seconds = [], {}, 0.0
    for (file, line, name), (_, calls, own, total, _) in profiler.stats.items():
        seconds += own
        if file.startswith(root + "/"):
            rows.append([file[len(root) + 1:], line, name, calls, own, total])
        elif name.startswith("planted_"):
            planted[name] = total
    return {"rows": rows, "planted": planted, "seconds": seconds}

"""
_SUITE = """
import pytest
code = int(pytest.main(list(arguments)))
if code == usage_error:
    code = int(pytest.main([*arguments, "-o", "addopts="]))
"""


def planted_source() -> str:
    """What is planted beside everything that is profiled, and how a profile is written down."""
    return _PLANTED


def profiled(work: str) -> str:
    """A script that runs statements under a profiler."""
    return f"""{_PLANTED}
sys.path[:0] = paths
sys.dont_write_bytecode = True
profiler = cProfile.Profile()
profiler.enable()
planted_slow()
planted_quick()
{work}
profiler.disable()
_result = profile_rows(profiler, root)
"""


def profile_suite(
    sandbox: Sandbox, index: CodeIndex, section: CandidatesSection, python: str | None = None
) -> Profile:
    """Run the suite under a profiler; the functions of the repository, hottest first."""
    request = suite_request(profiled(_SUITE), sandbox.tier, index, section, python)
    return profile_of(sandbox.run(request), index)


def profile_of(execution: Execution, index: CodeIndex) -> Profile:
    """The profile that a script of `profiled` came to."""
    if not execution.succeeded:
        told = execution.error.message if execution.error else "it ended before its end"
        return Profile((), 0.0, f"{execution.outcome}: {told}")
    return read_profile(execution.output, index)


def read_profile(answer: Any, index: CodeIndex) -> Profile:
    """A profile as it was written down inside, checked for shape and for what was planted."""
    if not isinstance(answer, Mapping):
        return Profile((), 0.0, "the profile is not what a profiler gives")
    _check_planted(answer.get("planted"))
    rows, seconds = answer.get("rows"), answer.get("seconds")
    if not isinstance(rows, list) or not _is_time(seconds) or not all(map(_is_row, rows)):
        return Profile((), 0.0, "the profile is not what a profiler gives")
    modules = {each.path: each for each in index.modules if not each.is_test}
    return Profile(_hottest(modules, rows), float(seconds))


def _hottest(modules: Mapping[str, Module], rows: list[Any]) -> tuple[HotCallable, ...]:
    """Rows as callables of the index; what runs inside of one, a comprehension say, is its own."""
    found: dict[tuple[str, str], HotCallable] = {}
    for path, line, name, calls, own, total in rows:
        function = _around(modules.get(path), line)
        if function is None:
            continue
        key = path, function.qualname
        before = found.get(key, HotCallable(*key, 0, 0.0, 0.0))
        is_it = name == function.name
        found[key] = HotCallable(
            *key,
            before.calls + (calls if is_it else 0),
            before.own_seconds + own,
            before.total_seconds + (total if is_it else 0.0),
        )
    return tuple(sorted(found.values(), key=lambda e: (-e.own_seconds, e.path, e.qualname)))


def _around(module: Module | None, line: int) -> Function | None:
    """The function of a module, outside of all others, that a line belongs to."""
    functions = () if module is None else functions_of(module)
    for each in functions:
        if not each.is_nested and each.line <= line <= each.end_line:
            return each
    return None


def _check_planted(planted: Any) -> None:
    slow = planted.get("planted_slow") if isinstance(planted, Mapping) else None
    quick = planted.get("planted_quick") if isinstance(planted, Mapping) else None
    if not _is_time(slow) or not _is_time(quick) or not slow > quick:
        raise InstrumentUnproven("profile", f"of what was planted it saw {planted}")


def _is_time(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and 0 <= value <= _MOST_SECONDS


def _is_row(row: Any) -> bool:
    match row:
        case [str(), int(), str(), int(calls), own, total]:
            return calls >= 0 and _is_time(own) and _is_time(total)
    return False


_SCRIPT = """
import importlib.util, inspect, itertools, os
import pytest


class Benchmark:
    extra_info, stats, group, name = {}, None, None, "benchmark"

    def __call__(self, function, *args, **kwargs):
        for _ in range(rounds):
            result = function(*args, **kwargs)
        return result

    def pedantic(self, target, args=(), kwargs=None, setup=None, **_):
        if setup is not None:
            made = setup()
            args, kwargs = made if made is not None else (args, kwargs)
        return self(target, *args, **(kwargs or {}))


class Plugin:
    @pytest.fixture
    def benchmark(self):
        return Benchmark()


def load(path):
    spec = importlib.util.spec_from_file_location("benchmark_" + str(abs(hash(path))), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def combinations(owner):
    params = getattr(owner, "params", None)
    if not params:
        return [()]
    nested = isinstance(params[0], (list, tuple))
    return list(itertools.islice(itertools.product(*(params if nested else [params])), 8))


def run_timed(owner, name, before, after):
    for values in combinations(owner):
        for call in (before, *[getattr(owner, name)] * rounds, after):
            if call is not None:
                call(*values)


def timed(module):
    for name, value in list(vars(module).items()):
        if name.startswith("time_") and inspect.isfunction(value):
            yield module, name, getattr(value, "setup", getattr(module, "setup", None)), None
        elif inspect.isclass(value) and value.__module__ == module.__name__:
            for each in dir(value):
                if each.startswith("time_"):
                    made = value()
                    yield made, each, getattr(made, "setup", None), getattr(made, "teardown", None)


ran, problems = 0, []
for path in files:
    try:
        for owner, name, before, after in timed(load(os.path.join(root, path))):
            try:
                run_timed(owner, name, before, after)
                ran += 1
            except Exception as error:
                problems.append(path + ":" + name + ": " + type(error).__name__)
    except Exception as error:
        problems.append(path + ": " + type(error).__name__)
options = ["-o", "python_files=*.py", "-o", "python_functions=test_* bench_*", "-o", "addopts="]
code = int(pytest.main([*arguments, "-p", "no:benchmark", *options, *files], plugins=[Plugin()]))
ran += code == 0
"""
_TAIL = """
_result["ran"], _result["problems"] = ran, problems[:5]
"""
_ROUNDS = 5


def benchmark_files(index: CodeIndex, patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The files of a repository that hold benchmarks, by the patterns of the settings."""
    paths = sorted(each.path for each in index.modules)
    return tuple(
        each
        for each in paths
        if PurePosixPath(each).name not in ("__init__.py", "conftest.py", "__main__.py")
        and any(fnmatch.fnmatchcase(each, pattern) for pattern in patterns)
    )


def profile_benchmarks(
    sandbox: Sandbox, index: CodeIndex, section: CandidatesSection, python: str | None = None
) -> Profile:
    """Run the benchmarks under a profiler; the functions of the repository, hottest first."""
    files = benchmark_files(index, section.benchmarks)
    if not files:
        return Profile((), 0.0, "no file matches `candidates.benchmarks`")
    script = profiled(_SCRIPT) + _TAIL
    more = {"files": list(files), "rounds": _ROUNDS}
    execution = sandbox.run(suite_request(script, sandbox.tier, index, section, python, **more))
    profile = profile_of(execution, index)
    if profile.problem is not None or not isinstance(execution.output, dict):
        return profile
    told = execution.output.get("problems")
    if not execution.output.get("ran"):
        return Profile((), 0.0, f"no benchmark of {len(files)} files could be run: {told}"[:300])
    return replace(profile, hot=tuple(each for each in profile.hot if each.path not in files))
