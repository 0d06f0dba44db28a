"""One module to write tests for, and how a program that tries it out reaches the sandbox."""

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reverie.errors import MachineryError, UsageError, reason_of
from reverie.index.naming import import_root_of, is_package
from reverie.model.execution import MIB, Call, Execution, Policy, Request
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.interpreters import choose, interpreter_at, own_interpreter

_COMPILED = (".so", ".pyd")


@dataclass(frozen=True, slots=True)
class Target:
    """A module. Paths are absolute."""

    module: str
    path: str
    source: str
    import_root: str
    """The folder that has to be importable from."""
    python: str | None
    """The interpreter with its dependencies; None is Reverie's own."""
    roots: tuple[str, ...]
    """Folders that have to be readable."""
    repository: str | None
    """The repository it belongs to; None for an installed package."""

    @property
    def package(self) -> str:
        """The top-level name."""
        return self.module.partition(".")[0]


def find_target(named: str, repository: Path | None, python: str | None) -> Target:
    """The module of a dotted name or of a path; `UsageError` when there is none."""
    python = _interpreter(repository, python)
    if named.endswith(".py") or os.sep in named:
        return _from_path(named, repository, python)
    if not all(part.isidentifier() for part in named.split(".")):
        raise UsageError(f"neither a module's name nor a path: {named!r}")
    for root, owner in _import_roots(repository, python):
        place = root.joinpath(*named.split("."))
        for path in (place / "__init__.py", place.with_suffix(".py")):
            if path.is_file():
                return _made(named, path, root, owner, python)
    where = python or sys.executable
    raise UsageError(f"no module {named!r} in the repository or installed for {where!r}")


def _from_path(named: str, repository: Path | None, python: str | None) -> Target:
    path = Path(os.path.abspath(named))
    if not path.is_file() and repository is not None:
        path = Path(os.path.abspath(repository / named))
    if path.is_dir() and (path / "__init__.py").is_file():
        path /= "__init__.py"
    if not path.is_file():
        raise UsageError(f"no such file: {named!r}")
    if path.suffix != ".py":
        raise UsageError(f"not a Python source: {named!r}")
    root = import_root_of(path)
    sources = None if repository is None else Path(os.path.abspath(repository), "src")
    if sources is not None and root.is_relative_to(sources) and not is_package(sources):
        root = sources  # folders between are packages without a file of their own
    parts = path.relative_to(root).with_suffix("").parts
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    if not all(part.isidentifier() for part in module.split(".")):
        raise UsageError(f"{named!r} cannot be imported by that name")
    is_inside = repository is not None and path.is_relative_to(os.path.abspath(repository))
    return _made(module, path, root, repository if is_inside else None, python)


def _made(
    module: str, path: Path, root: Path, repository: Path | None, python: str | None
) -> Target:
    compiled = [each for each in path.parent.glob(f"{path.stem}.*") if each.suffix in _COMPILED]
    if compiled:
        raise UsageError(
            f"{module!r} is compiled here ({compiled[0].name}): nothing of it can be seen"
        )
    try:
        source = path.read_bytes().decode("utf-8-sig")
        compile(source, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise UsageError(f"{str(path)!r} cannot be read as Python: {reason_of(error)}") from error
    home = None if repository is None else os.path.abspath(repository)
    roots = tuple(dict.fromkeys((str(root), *(() if home is None else (home,)))))
    return Target(module, str(path), source, str(root), python, roots, home)


def _interpreter(repository: Path | None, python: str | None) -> str | None:
    """The one asked for, the repository's own, or none: the one that runs Reverie."""
    if python is not None:
        if not os.access(python, os.X_OK):
            raise UsageError(f"no such interpreter: {python!r}")
        return os.path.abspath(python)
    found = None if repository is None else choose(repository, None, needs_pytest=False)
    return None if found is None else found.python


def _import_roots(repository: Path | None, python: str | None) -> list[tuple[Path, Path | None]]:
    """Folders to look for modules in, with the repository they belong to."""
    found: list[tuple[Path, Path | None]] = []
    if repository is not None:
        home = Path(os.path.abspath(repository))
        found += [(home / "src", home), (home, home)]
    interpreter = own_interpreter() if python is None else interpreter_at(python)
    return [*found, *((Path(each), None) for each in interpreter.site_packages)]


_MOST = 500


def trying_request(
    sandbox: Sandbox, call: Call, policy: Policy, wall: float, result_mb: int
) -> Request:
    """A request with room for many processes and much to tell."""
    base = sandbox.section.limits()
    limits = replace(
        base,
        wall_seconds=wall,
        cpu_seconds=int(2 * wall) + 2,
        memory_bytes=max(base.memory_bytes, 1536 * MIB),
        processes=max(base.processes, 256),
        open_files=max(base.open_files, 1024),
        result_bytes=result_mb * MIB,
    )
    return Request(call, limits, policy)


def told_by(execution: Execution, target: Target) -> dict[str, Any]:
    """What a program that tries out a module says.

    `UsageError` where the module stands in its own way: the process that only imports it, and tries
    in forks, did not get past that.
    """
    output = execution.output if execution.succeeded else None
    if isinstance(output, dict) and "unimportable" not in output:
        return output
    said = execution.error.message if execution.error is not None else "it ended without a word"
    if isinstance(output, dict):
        raise UsageError(f"{target.module} cannot be imported: {output['unimportable']}"[:_MOST])
    if execution.outcome is TestOutcome.RESOURCE_EXHAUSTION:
        raise UsageError(f"{target.module} cannot be tried: {execution.outcome}: {said}"[:_MOST])
    raise MachineryError(f"{target.module} could not be tried: {execution.outcome}: {said}"[:_MOST])


def trying_policy(
    sandbox: Sandbox, target: Target, hash_seed: int, preload: tuple[str, ...]
) -> Policy:
    """A policy under which the target can be imported, with its own interpreter."""
    return replace(
        sandbox.section.policy(),
        readonly=target.roots,
        python=target.python,
        preload=preload,
        seed=0,
        hash_seed=hash_seed,
    )
