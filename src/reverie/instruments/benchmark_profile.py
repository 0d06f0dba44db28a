"""Which callables a repository's own benchmarks spend their time in.

Two kinds are run: tests that take the `benchmark` fixture, with one of our own that calls what
it is given a few times, and functions and methods called `time_*` as asv knows them.
"""

import fnmatch
from dataclasses import replace
from pathlib import PurePosixPath

from reverie.instruments.own_suite import suite_request
from reverie.instruments.profiling import profile_of, profiled
from reverie.model.analysis_sections import CandidatesSection
from reverie.model.code import CodeIndex
from reverie.model.profile import Profile
from reverie.sandbox.engine import Sandbox

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
