"""The kill matrix: which of many small checks notice which mutant of one module.

    matrix = measure_kills(sandbox, ground, program, trials, seconds=15.0)
    matrix.kills[3]     # the mutants that check 3 notices

Checks are cheaper than tests: no pytest, one fork for each mutant, every check that reaches it. It
is there to choose with; what the chosen tests are worth is measured by a campaign.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from reverie.errors import MachineryError
from reverie.instruments.mutation.program import ENTRY, far_side, private_folders
from reverie.model.execution import MIB, Call, Execution, Limits, Policy, Request
from reverie.model.outcome import IsolationTier
from reverie.sandbox.engine import Sandbox

ENOUGH = 8
"""So many trials that notice a mutant are choice enough."""
REPEATS = 20
"""A check that chance lets hold three times out of four is found out by so many."""
_SEED = 1337
_WORKERS = 2
_START_SECONDS = 30.0
_VERDICTS = frozenset({"killed", "survived", "not_covered", "equivalent", "invalid", "unfit"})
_COUNTED = ("killed", "survived", "not_covered")


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a module lives: its root, its file below that, its dotted name."""

    root: str
    file: str
    module: str
    import_paths: tuple[str, ...] = ()
    python: str | None = None
    readonly: tuple[str, ...] = ()
    """More folders to be seen."""


@dataclass(frozen=True, slots=True)
class KillMatrix:
    """What holds on unchanged code, and what notices which mutant. Mutants go by number."""

    steady: frozenset[int]
    """Checks that hold each time on unchanged code."""
    kills: dict[int, frozenset[int]]
    """Check, then the mutants that it notices."""
    arcs: tuple[frozenset[tuple[int, int]], ...]
    """By trial: the steps it takes through the module."""
    mutants: frozenset[int]
    """Those that were judged and make a difference."""
    sites: int
    """How many mutants there are in the file."""
    judged: int = 0
    """How many of them there was time for."""
    executions: int = 0
    survived: frozenset[int] = frozenset()
    """Those that some trial reaches and no check notices."""

    @property
    def judged_share(self) -> float:
        """The share of the mutants that there was time for."""
        return self.judged / self.sites if self.sites else 1.0

    @property
    def killable(self) -> frozenset[int]:
        """The mutants that any check notices."""
        return frozenset().union(*self.kills.values())


def measure_kills(
    sandbox: Sandbox,
    ground: Ground,
    program: str,
    trials: Sequence[Sequence[int]],
    *,
    seconds: float | None,
    most: int = 2000,
    only: frozenset[int] | None = None,
    enough: int = ENOUGH,
    repeats: int = REPEATS,
) -> KillMatrix | None:
    """The matrix of a program of trials; None where the isolation allows no forks.

    `most` mutants of the file, or `only` these; a mutant that `enough` trials have noticed is
    shown to no more of them. What holds is held against other chances `repeats` times.
    """
    if sandbox.tier is IsolationTier.LANDLOCK:
        return None

    def work(number: int) -> Execution | MachineryError:
        share = {
            "share": [number, _WORKERS],
            "seconds": seconds,
            "most": most,
            "only": None if only is None else sorted(only),
            "enough": enough,
            "repeats": repeats // _WORKERS,
        }
        return _ask(sandbox, ground, program, trials, share)

    with ThreadPoolExecutor(_WORKERS) as pool:
        answers = list(pool.map(work, range(_WORKERS)))
    checks = frozenset(check for ids in trials for check in ids)
    return _joined([_read(each, checks, len(trials)) for each in answers])


def _ask(
    sandbox: Sandbox,
    ground: Ground,
    program: str,
    trials: Sequence[Sequence[int]],
    share: dict[str, Any],
) -> Execution | MachineryError:
    request = {
        "mode": "matrix",
        "root": ground.root,
        "files": [ground.file],
        "paths": list(ground.import_paths or (ground.root,)),
        "packages": [ground.module.partition(".")[0]],
        "module": ground.module,
        "program": program,
        "trials": [list(ids) for ids in trials],
        "private": private_folders(sandbox),
        **share,
    }
    call = Call(far_side(), ENTRY, {"request": request})
    try:
        return sandbox.run(
            Request(call, _limits(sandbox, share["seconds"]), _policy(sandbox, ground))
        )
    except MachineryError as error:
        return error


def _policy(sandbox: Sandbox, ground: Ground) -> Policy:
    return replace(
        sandbox.section.policy(),
        readonly=(ground.root, *ground.readonly),
        python=ground.python,
        working_directory=ground.root,
        seed=_SEED,
    )


def _limits(sandbox: Sandbox, seconds: float | None) -> Limits:
    base = sandbox.section.limits()
    wall = _START_SECONDS + 2 * (300.0 if seconds is None else seconds)
    return replace(
        base,
        wall_seconds=wall,
        cpu_seconds=int(2 * wall) + 2,
        memory_bytes=max(base.memory_bytes, 1024 * MIB),
        processes=max(base.processes, 128),
        result_bytes=64 * MIB,
    )


def _read(answer: Execution | MachineryError, checks: frozenset[int], trials: int) -> KillMatrix:
    """An answer, believed only as far as its shape goes."""
    if isinstance(answer, MachineryError):
        raise answer
    if not answer.succeeded:
        why = answer.error.message if answer.error is not None else answer.outcome
        raise MachineryError(f"the kill matrix failed: {why}"[:400])
    try:
        found = answer.output
        kills: dict[int, set[int]] = {}
        mutants, survived = set(), set()
        for number, _, verdict, broken in found["results"]:
            if verdict not in _VERDICTS:
                raise ValueError(verdict)
            if verdict in _COUNTED:
                mutants.add(int(number))
            if verdict == "survived":
                survived.add(int(number))
            for check in broken:
                kills.setdefault(int(check), set()).add(int(number))
        arcs = [frozenset((int(a), int(b)) for a, b in each) for each in found["arcs"]]
        steady = frozenset(map(int, found["steady"])) & checks
        sites, judged = int(found["sites"]), len(found["results"])
    except (TypeError, ValueError, KeyError) as error:
        raise MachineryError(f"the kill matrix has no such shape: {error!r}"[:400]) from error
    arcs += [frozenset()] * (trials - len(arcs))
    known = {check: frozenset(each) for check, each in kills.items() if check in checks}
    return KillMatrix(
        steady, known, tuple(arcs[:trials]), frozenset(mutants), sites, judged, 1,
        frozenset(survived),
    )  # fmt: skip


def _joined(parts: Sequence[KillMatrix]) -> KillMatrix:
    """The shares together; steady is what held in every one of them."""
    kills: dict[int, frozenset[int]] = {}
    for part in parts:
        for check, noticed in part.kills.items():
            kills[check] = kills.get(check, frozenset()) | noticed
    steady = frozenset.intersection(*(part.steady for part in parts))
    return KillMatrix(
        steady,
        {check: noticed for check, noticed in kills.items() if check in steady},
        parts[0].arcs,
        frozenset().union(*(part.mutants for part in parts)),
        parts[0].sites,
        sum(part.judged for part in parts),
        sum(part.executions for part in parts),
        frozenset().union(*(part.survived for part in parts)),
    )
