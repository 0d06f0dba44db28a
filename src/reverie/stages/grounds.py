"""The ground that a cycle stands on: a copy of the repository at one revision, and its Python.

What a repository is worth before any dream is measured on it: its suite, its coverage, its best
targets.
"""

import hashlib
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie import __version__
from reverie.dreamers.enrich.worth import outline_of
from reverie.errors import MachineryError, SandboxLost, UsageError
from reverie.index.coverage_files import RawCoverage, RawFile
from reverie.index.outlook import HEAD_BYTES, exclusions_of
from reverie.index.ranking import FoundCoverage
from reverie.instruments.mutation.cache import VerdictCache, look_at_tests
from reverie.instruments.mutation.project import find_project
from reverie.instruments.mutation.sandbox_side import FarSide
from reverie.model.codec import plain, read
from reverie.model.cycle import Source
from reverie.model.measurements.suite import CoverageMap
from reverie.model.repository.candidate import Exclusion
from reverie.model.repository.code import CodeIndex
from reverie.model.repository.environment import SuitePart
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.interpreters import choose


@dataclass(frozen=True, slots=True)
class Interpreter:
    """Which Python runs the repository, and what there is to say about that."""

    path: str | None
    """None: the one that runs Reverie."""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Grounds:
    """What every part of a cycle is about."""

    repository: Path
    folder: Path
    """The copy: people may go on working on theirs."""
    source: Source
    index: CodeIndex
    """Of the copy."""
    interpreter: Interpreter
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What a preflight said against it, when somebody went on anyway."""
    fresh: str | None = None
    """The interpreter of an environment made from what is declared, if there is one."""
    identity: str | None = None
    """Which repository it is, wherever it lies; None where nobody can say."""
    how: str = ""
    """Where its interpreter comes from."""
    python_version: str | None = None
    """Of its interpreter; None: that of the one that runs Reverie."""
    part: SuitePart | None = None
    """What is asked of its suite; None: all of it."""
    dated: frozenset[str] = frozenset()
    """Paths of modules that are marked as out of date."""

    def environment(self, isolation: str) -> Mapping[str, Any]:
        """What results depend on besides the source."""
        remarks = [self.interpreter.note, *self.notes, *self.warnings]
        files = "".join(f"{path} {digest}\n" for path, digest in sorted(self.source.files.items()))
        return {
            "source": hashlib.sha256(files.encode("utf-8", "surrogateescape")).hexdigest(),
            "python": self.interpreter.path or sys.executable,
            "how": self.how,
            "python_version": self.python_version or platform.python_version(),
            "reverie": __version__,
            "isolation": isolation,
            "identity": self.identity,
            "notes": [remark for remark in remarks if remark is not None],
            PART: None if self.part is None else plain(self.part),
        }


PART = "part"
"""The key under which an environment says what is asked of the suite."""


def part_of(environment: Mapping[str, Any]) -> SuitePart | None:
    """What a cycle asks of its suite; None: all of it."""
    kept = environment.get(PART)
    return None if kept is None else read(SuitePart, kept, "the part of a suite that is run")


def find_interpreter(repository: Path, given: str | None) -> Interpreter:
    """The one asked for, the repository's own, or the one that runs Reverie, which it then says."""
    if given is not None:
        if not os.access(given, os.X_OK):
            raise UsageError(f"--python: not an interpreter: {given!r}")
        return Interpreter(os.path.abspath(given))
    found = choose(repository, None)
    if found is None:
        return Interpreter(None, f"no virtual environment given: running with {sys.executable}")
    return Interpreter(found.python, found.note)


NAMES_SHOWN = 50


@dataclass(frozen=True, slots=True)
class SuiteMeasured:
    """The suite of the unchanged repository; no coverage where it has no tests."""

    coverage: CoverageMap | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ModuleCovered:
    """How much of one module a suite runs."""

    lines: int
    lines_run: float
    branches: int
    branches_taken: float


def own_code(grounds: Grounds) -> dict[str, str]:
    """Paths by name of the modules that tests are for: a cycle of any stage measures the same."""
    modules = grounds.index.modules
    heads = {each.path: _head(grounds.folder / each.path) for each in modules}
    excluded = exclusions_of(modules, heads)
    return {
        module.name: module.path
        for module, why in zip(modules, excluded, strict=True)
        if why is None
    }


_OTHERS = frozenset({Exclusion.VENDORED, Exclusion.GENERATED, Exclusion.BESIDE})


_SECRETS = frozenset(
    {"hmac", "secrets", "ssl", "crypt", "cryptography", "nacl", "bcrypt", "argon2", "passlib",
     "jwt", "jose", "itsdangerous", "paramiko", "OpenSSL", "Crypto", "Cryptodome"}
)  # fmt: skip


def left_alone(grounds: Grounds) -> frozenset[str]:
    """Paths of modules that are changed elsewhere or not shipped: nobody dreams about them."""
    modules = grounds.index.modules
    heads = {each.path: _head(grounds.folder / each.path) for each in modules}
    found = exclusions_of(modules, heads)
    return frozenset(each.path for each in found if each is not None and each.reason in _OTHERS)


def keeping_secrets(index: CodeIndex) -> frozenset[str]:
    """Paths of modules that sign, encrypt or check secrets: nobody rewrites them overnight.

    What guardrails know such code by is its name; this is by what it imports.
    """
    return frozenset(
        module.path
        for module in index.modules
        if any(each.module.partition(".")[0] in _SECRETS for each in module.imports)
    )


def _head(place: Path) -> bytes:
    try:
        with place.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""


def covered_by(
    suite: SuiteMeasured, folder: Path, paths: Mapping[str, str]
) -> Mapping[str, ModuleCovered]:
    """By module; empty where no suite could be measured."""
    found: dict[str, ModuleCovered] = {}
    for module, path in paths.items() if suite.coverage is not None else ():
        try:
            outline = outline_of((folder / path).read_text("utf-8-sig"))
        except (OSError, ValueError, SyntaxError):
            continue  # a module that cannot be read has no figures
        share = outline.covered(arcs_of(suite.coverage, path))
        lines, ways = len(outline.lines), 2 * len(outline.branches)
        found[module] = ModuleCovered(lines, share.lines * lines, ways, share.branches * ways)
    return found


def figures_of(suite: SuiteMeasured, covered: Mapping[str, ModuleCovered]) -> Mapping[str, Any]:
    """What a suite is worth; what was not measured is None."""
    coverage = suite.coverage
    tests = () if coverage is None else coverage.tests
    failing = [test.id for test in tests if test.outcome == "failed"]
    parts = covered.values()
    return {
        "tests": len(tests),
        "passed": sum(test.outcome == "passed" for test in tests),
        "failed": len(failing),
        "skipped": sum(test.outcome not in ("passed", "failed") for test in tests),
        "failing": failing[:NAMES_SHOWN],
        "broken_files": [] if coverage is None else [name for name, _ in coverage.broken],
        "line_coverage": _share(sum(p.lines_run for p in parts), sum(p.lines for p in parts)),
        "branch_coverage": _share(
            sum(p.branches_taken for p in parts), sum(p.branches for p in parts)
        ),
        "covered": {
            module: {
                "lines": _share(each.lines_run, each.lines),
                "branches": _share(each.branches_taken, each.branches),
            }
            for module, each in covered.items()
        },
        "problem": suite.problem,
    }


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 6) if whole else None


def arcs_of(coverage: CoverageMap | None, path: str) -> frozenset[tuple[int, int]]:
    """The steps that a suite takes through a file."""
    if coverage is None:
        return frozenset()
    at_import = coverage.import_arcs.get(path, frozenset())
    return at_import.union(*(test.arcs.get(path, frozenset()) for test in coverage.tests))


def as_report(index: CodeIndex, coverage: CoverageMap) -> FoundCoverage:
    """The lines that a suite runs, as a ranking reads them."""
    files = {module.path: RawFile(coverage.lines_of(module.path), None) for module in index.modules}
    return FoundCoverage(RawCoverage(files), "measured")


def measure_suite(
    sandbox: Sandbox,
    folder: Path,
    python: str | None,
    seconds: float,
    cache: Path | None,
    files: Sequence[str] = (),
) -> SuiteMeasured:
    """Run the suite once, or some files of it. One that cannot be run is no failure of ours."""
    try:
        tests = tuple(f"{folder}/{each}" for each in files)
        project = find_project(folder, tests=tests, python=python)
        far = FarSide(
            sandbox, project, exhaustive=False, baseline_seconds=seconds, looks_alone=False
        )
        return SuiteMeasured(look_at_tests(far, VerdictCache(cache)))
    except SandboxLost:
        raise
    except (UsageError, MachineryError) as error:
        return SuiteMeasured(None, str(error))
