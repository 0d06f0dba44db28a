"""One job of the benchmark in a process of its own: `python -m benchmarks.index.work JOB …`.

Prints one JSON object with the CPU and wall seconds of the job alone and of the processes it
started, imports left out, and the peak memory of the whole process.
"""

import ast
import contextlib
import json
import os
import random
import resource
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.index.mangling import mangled
from reverie.bootstrap import open_index
from reverie.index import RememberedIndex, read_repository
from reverie.index.reading import read_bytes
from reverie.index.remembering import encoding, rereading  # noqa: F401 - warm imports  # noqa: F401
from reverie.model.sections import IndexSection, SafetySection, SandboxSection

QUESTIONS = ("slugify", "parse date string", "get url", "validate model", "(str) -> int")
MANGLED_FILES = 2000
_OPEN = contextlib.ExitStack()


def parse(package: Path, _: str) -> Callable[[], Any]:
    """Read every file and hand it to `ast.parse`: the floor."""

    def job() -> dict[str, int]:
        sizes = []
        for path in sorted(package.rglob("*.py")):
            raw = path.read_bytes()
            ast.parse(raw)
            sizes.append(len(raw))
        return {"files": len(sizes), "bytes": sum(sizes)}

    return job


def refresh(package: Path, journal: str) -> Callable[[], Any]:
    """Bring the index up to date: cold with a new journal, warm with one that has it."""
    return _refreshing(_opened(package, journal))


def refresh_shared(package: Path, journal: str) -> Callable[[], Any]:
    """The same on all cores; the start of the sandbox is part of the job."""
    return _refreshing(_opened(package, journal, SandboxSection()))


def _refreshing(index: RememberedIndex) -> Callable[[], Any]:
    index.memory.known_index()  # the connection and the schema are not the job

    def job() -> dict[str, Any]:
        done = index.refresh()
        return {"read": done.read, "modules": done.totals.modules, "edges": done.totals.edges}

    return job


def load(package: Path, journal: str) -> Callable[[], Any]:
    """The whole index as values."""
    index = _opened(package, journal)
    return lambda: {"modules": len(index.load().modules)}


def edges(package: Path, _: str) -> Callable[[], Any]:
    """Read afresh, in one process, without a journal."""

    def job() -> dict[str, Any]:
        index = read_repository(package, IndexSection(), SafetySection().tier_of)
        both = index.edges | index.type_checking_edges
        return {"edges": sorted(both), "modules": sorted(each.name for each in index.modules)}

    return job


def search(package: Path, journal: str) -> Callable[[], Any]:
    """Questions, each with a look for changed files before it, and without."""
    index = _opened(package, journal)

    def job() -> dict[str, Any]:
        answers = {}
        for question in QUESTIONS:
            with_look = _shortest(lambda: (index.refresh(), index.search(question, 10)))  # noqa: B023
            alone = _shortest(lambda: index.search(question, 10))  # noqa: B023
            answers[question] = {"with_refresh_ms": with_look, "alone_ms": alone}
        return answers

    return job


def fuzz(_: Path, __: str) -> Callable[[], Any]:
    """Mangled files; to get to the end is to pass."""
    folder = Path(sysconfig.get_path("stdlib"))
    sources = [path.read_bytes() for path in sorted(folder.glob("[a-d]*.py"))]

    def job() -> dict[str, int]:
        chance = random.Random(1)
        errors = [
            read_bytes(mangled(sources, chance, number)).error for number in range(MANGLED_FILES)
        ]
        return {"files": len(errors), "with_error": sum(error is not None for error in errors)}

    return job


def _opened(package: Path, journal: str, sandbox: SandboxSection | None = None) -> RememberedIndex:
    url = f"sqlite:///{journal}"
    return _OPEN.enter_context(open_index(package, IndexSection(), SafetySection(), url, sandbox))


def _shortest(job: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        started = time.process_time()
        job()
        times.append(time.process_time() - started)
    return round(min(times) * 1000, 1)


JOBS = {job.__name__: job for job in (parse, refresh, refresh_shared, load, edges, search, fuzz)}


def _cpu_seconds() -> float:
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


def main() -> None:
    """Do one job and print what it took."""
    name, package, journal = sys.argv[1:]
    job = JOBS[name](Path(package), journal)
    with _OPEN:
        cpu, wall = _cpu_seconds(), time.perf_counter()
        result = job()
        took = {"cpu": _cpu_seconds() - cpu, "wall": time.perf_counter() - wall}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**took, "peak_mb": peak, "result": result, "pid": os.getpid()}))


if __name__ == "__main__":
    main()
