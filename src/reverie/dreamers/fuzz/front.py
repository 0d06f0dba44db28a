"""The front door: a callable, a file or a folder in, findings out.

with Sandbox() as sandbox:
    for found in fuzz(sandbox, "shop/prices.py:parse", Path(".")).findings:
        print(found.input, found.expected, found.actual)
        Path("repro.py").write_text(found.repro)
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.dreamers.enrich.target import Target, find_target
from reverie.dreamers.fuzz.fuzz import Effort, Progress, fuzz_callable, public_callables
from reverie.errors import MachineryError, UsageError
from reverie.model.discovery import Discovery, Fuzzed
from reverie.model.words import counted
from reverie.sandbox.engine import Sandbox

_LEAST_SECONDS = 2.0
_SKIPPED = frozenset({"tests", "test", "build", "dist", "node_modules", "venv", "docs", "examples"})


@dataclass(frozen=True, slots=True)
class Wish:
    """What fuzzing may spend, and with which Python."""

    seconds: float = 20.0
    executions: int | None = None
    seed: int = 0
    python: str | None = None


def fuzz(
    sandbox: Sandbox,
    named: str,
    repository: Path,
    wish: Wish = Wish(),  # noqa: B008  frozen
    progress: Progress = lambda *_: None,
) -> Fuzzed:
    """Fuzz what is named: `FILE:callable`, a module, a file or a folder."""
    place, colon, name = named.rpartition(":")
    if colon and place:
        target = find_target(place, repository, wish.python)
        if name.partition(".")[0].isidentifier():
            return fuzz_callable(sandbox, target, name, _effort(wish, wish.seconds), progress)
        raise UsageError(f"not the name of a callable: {name!r}")
    targets = list(_targets(named, repository, wish))
    pairs = [(target, each) for target in targets for each in public_callables(target)]
    if not pairs:
        raise UsageError(f"no public callable in {named!r}")
    return _fuzz_all(sandbox, named, pairs, wish, progress)


def _fuzz_all(
    sandbox: Sandbox,
    named: str,
    pairs: list[tuple[Target, str]],
    wish: Wish,
    progress: Progress,
) -> Fuzzed:
    """Each in turn, with an equal share of what is left of the time."""
    began = time.monotonic()
    found: dict[str, Discovery] = {}
    executions = doubted = 0
    tried: list[str] = []
    notes: list[str] = []
    for number, (target, name) in enumerate(pairs):
        left = wish.seconds - (time.monotonic() - began)
        if left <= 0:
            left_out = counted(len(pairs) - number, "callable")
            notes.append(f"{left_out} not reached within the time")
            break
        progress(f"fuzzing {name}", number, len(pairs))
        share = max(_LEAST_SECONDS, left / (len(pairs) - number))
        try:
            each = fuzz_callable(sandbox, target, name, _effort(wish, min(share, left)))
        except MachineryError as error:
            notes.append(f"{target.module}:{name}: {error}"[:200])
            continue
        executions += each.executions
        doubted += each.doubted
        tried.append(each.callable)
        for one in each.findings:
            found.setdefault(
                one.signature, replace(one, callable=f"{target.module}:{one.callable}")
            )
    seconds = time.monotonic() - began
    return Fuzzed(named, tuple(tried), executions, tuple(found.values()), seconds,
                  doubted=doubted, notes=tuple(notes))  # fmt: skip


def _effort(wish: Wish, seconds: float) -> Effort:
    return Effort(seconds, wish.executions, wish.seed)


def _targets(named: str, repository: Path, wish: Wish) -> Iterator[Target]:
    folder = next((each for each in (Path(named), repository / named) if each.is_dir()), None)
    if folder is None:
        yield find_target(named, repository, wish.python)
        return
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        hidden = any(each in _SKIPPED or each.startswith(".") for each in parts[:-1])
        if hidden or parts[-1].startswith(("test_", "conftest", "setup.")):
            continue
        try:
            yield find_target(os.path.abspath(path), repository, wish.python)
        except UsageError:
            continue  # a file that cannot be imported has no callable to try
