"""Stressed runs of one workflow, step by step, and what each says of itself.

Faults are what is done to one run: the share of a preset that falls on it, as the inside reads it.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from reverie.errors import UsageError
from reverie.inputs.dice import Dice
from reverie.inputs.hostile import FORBIDDEN_FILES, HOSTILE, WRONG_TYPES
from reverie.model.execution import MIB, Call, Limits, Policy, Request
from reverie.model.measurements.stress import Preset
from reverie.model.workflow import StepRun, Workflow
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Sandbox
from reverie.workflows.answers import Files, files_from, read_answer
from reverie.workflows.program import PRELOADED as _OF_A_STEP
from reverie.workflows.program import entry_name
from reverie.workflows.recipe import search_roots
from reverie.workflows.sandbox_runner import Order, orders_for, with_roots

HEADROOM_BYTES = 8 * MIB
_MISUSES = (
    "wrong_type",
    "forbidden_file",
    "missing_argument",
    "wrong_type",
    "extra_argument",
    "wrong_type",
    "unknown_keyword",
)
_MIXED = ("network", "change", "schema_drift", "strain", "burst")
_MIXED_THREADS = 4
_MAIN = "_run_stressed"

PRELOADED = (
    *_OF_A_STEP,
    "asyncio",
    "concurrent.futures.thread",
    "csv",
    "ctypes",
    "dis",
    "hashlib",
    "http.client",
    "json",
    "random",
    "resource",
    "sqlite3",
    "ssl",
)
"""What the program imports, loaded once in the warm sandbox instead of once per step."""


@dataclass(frozen=True, slots=True)
class Usual:
    """What one run without faults does, so that faults fall where there is something to hit."""

    exchanges: tuple[int, ...] = ()
    """Per step."""
    records: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()
    """Bytes of memory per step."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What is done to one run of a workflow."""

    run: int
    preset: Preset
    seed: int
    change: Mapping[str, Any] | None = None
    in_turn: bool = False
    """Whether a burst is made one call after another, to compare with."""

    @property
    def changes_input(self) -> bool:
        """Whether the input is not what it was, so that a refusal is an answer."""
        return self.change is not None

    def document(self, step: int, usual: Usual, runs: int) -> dict[str, Any]:
        """The faults of one step as `inside/stressed.py` reads them."""
        preset = self.preset
        exchanges, records = sum(usual.exchanges), sum(usual.records)
        return {
            "seed": self.seed,
            "first_exchange": self.run * exchanges + sum(usual.exchanges[:step]),
            "first_record": self.run * records + sum(usual.records[:step]),
            "latency_ms": preset.latency_ms,
            "jitter_ms": preset.jitter_ms,
            "lose_every": _every(preset.loss, runs * exchanges),
            "fail_every": _every(preset.upstream_failures, runs * exchanges),
            "drift_every": _every(preset.schema_drift, runs * records),
            "cpu_quota": preset.cpu_quota,
            "memory": preset.memory,
            "need": usual.needs[step] if step < len(usual.needs) else 0,
            "headroom": HEADROOM_BYTES,
            "threads": preset.threads,
            "tasks": preset.tasks,
            "in_turn": self.in_turn,
            "change": None if self.change is None else dict(self.change),
        }


def _every(share: float, most: int) -> int:
    """One of how many; where there are fewer than that, one of those that there are."""
    if share <= 0:
        return 0
    every = max(1, round(1 / share))
    return min(every, most) if most else every


def plan_runs(preset: Preset, runs: int, seed: int) -> list[Faults]:
    """The faults of every run; a share of the runs is a count, not a chance."""
    if preset.is_mix:
        return [_mixed(preset, run, seed) for run in range(runs)]
    hostile = _chosen(preset.hostile, runs, f"hostile:{seed}:{preset.name}")
    misused = _chosen(preset.misuse, runs, f"misuse:{seed}:{preset.name}", taken=hostile)
    changes = {run: _hostile_change(turn, seed) for turn, run in enumerate(hostile)}
    changes |= {run: _misuse(turn, seed) for turn, run in enumerate(misused)}
    return [Faults(run, preset, seed, changes.get(run)) for run in range(runs)]


def _chosen(share: float, runs: int, seed: str, taken: Sequence[int] = ()) -> list[int]:
    if share <= 0:
        return []
    free = [run for run in range(runs) if run not in taken]
    return Dice(seed).some(free, max(1, round(share * runs)))


def _hostile_change(turn: int, seed: int) -> dict[str, Any]:
    """Every kind takes its turn, and of a kind every payload."""
    kinds = tuple(HOSTILE)
    kind = kinds[(turn + seed) % len(kinds)]
    payloads = HOSTILE[kind]
    payload = payloads[(turn // len(kinds) + seed) % len(payloads)]
    return {"kind": kind, "turn": turn, "source": payload}


def _misuse(turn: int, seed: int) -> dict[str, Any]:
    kind = _MISUSES[turn % len(_MISUSES)]
    options = FORBIDDEN_FILES if kind == "forbidden_file" else WRONG_TYPES
    return {"kind": kind, "turn": turn, "source": Dice(f"misuse:{seed}:{turn}").pick(options)}


def _mixed(preset: Preset, run: int, seed: int) -> Faults:
    """Two of the kinds of faults, of which each takes its turn."""
    dice = Dice(f"mix:{seed}:{run}")
    first = _MIXED[run % len(_MIXED)]
    kinds = {first, dice.pick([each for each in _MIXED if each != first])}
    if "network" not in kinds:
        preset = replace(preset, latency_ms=0.0, jitter_ms=0.0, loss=0.0, upstream_failures=0.0)
    if "schema_drift" not in kinds:
        preset = replace(preset, schema_drift=0.0)
    if "strain" not in kinds:
        preset = replace(preset, cpu_quota=1.0, memory=1.0)
    is_burst = "burst" in kinds
    preset = replace(preset, threads=_MIXED_THREADS if is_burst else 0, tasks=0)
    change = None
    if "change" in kinds:
        turn = run // len(_MIXED)
        change = _misuse(turn, seed) if run % 2 else _hostile_change(turn, seed)
    return Faults(run, preset, seed, change)


_RESULT_BYTES = 32 * MIB
_GRACE_SECONDS = 5.0
_PROCESSES = 512


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that came out of a step; all of it is the step's claim."""

    type_name: str
    message: str
    where: str | None
    refused: bool


@dataclass(frozen=True, slots=True)
class StressedStep:
    """One stressed step, and what it claims."""

    run: StepRun
    fired: Mapping[str, int]
    harm: tuple[str, ...] = ()
    raised: Raised | None = None
    exchanges: int = 0
    records: int = 0
    need_bytes: int = 0
    seconds: float | None = None
    """Of the call alone."""
    results: Mapping[str, int] | None = None
    """Of a burst: how often each result came."""
    errors: int = 0
    has_network: bool = False


@dataclass(frozen=True, slots=True)
class StressedRun:
    """One run of a workflow with faults. Steps after the first that failed are not in it."""

    faults: Faults
    steps: tuple[StressedStep, ...]
    files: Mapping[str, bytes]

    @property
    def seconds(self) -> float:
        """Wall time of the calls of all steps; of one that was ended, all of its time."""
        whole = (each.run.duration_ms / 1000.0 for each in self.steps)
        own = (each.seconds for each in self.steps)
        return sum(t if mine is None else mine for mine, t in zip(own, whole, strict=True))

    @property
    def fired(self) -> dict[str, int]:
        """How often each fault fired, in all steps."""
        total: dict[str, int] = {}
        for step in self.steps:
            for name, times in step.fired.items():
                total[name] = total.get(name, 0) + times
        return total

    @property
    def usual(self) -> Usual:
        """What a run without faults tells about runs with them."""
        return Usual(
            tuple(each.exchanges for each in self.steps),
            tuple(each.records for each in self.steps),
            tuple(each.need_bytes for each in self.steps),
        )


class StressBench:
    """Runs one workflow again and again under faults; thread-safe."""

    def __init__(
        self,
        sandbox: Sandbox,
        workflow: Workflow,
        repository: str,
        deadline_seconds: float,
        upstream: Mapping[str, Any],
    ) -> None:
        if not workflow.steps:
            raise UsageError(f"workflow {workflow.name!r} has no step")
        self.sandbox = sandbox
        self.workflow = workflow
        self.deadline_seconds = deadline_seconds
        self.upstream = upstream
        self.files = files_from(workflow.test_data)
        self.orders = orders_for(workflow.steps, search_roots(repository), workflow.params)
        self.roots = tuple(dict.fromkeys(r for each in self.orders for r in each.recipe.roots))
        self.policy = self._policy()
        self._lock = threading.Lock()

    def run(self, faults: Faults, usual: Usual, runs: int) -> StressedRun:
        """One run; what goes wrong is in the result."""
        steps: list[StressedStep] = []
        files, handed = self.files, None
        for place, order in enumerate(self.orders):
            document = {
                **files.document(),
                "handed": handed,
                "hands_on": place < len(self.orders) - 1,
                "is_first": place == 0,
                "faults": faults.document(place, usual, runs),
            }
            step, files, handed = self._run_step(order, document, faults.seed)
            steps.append(step)
            if step.raised is not None or not step.run.execution.succeeded:
                break
        return StressedRun(faults, tuple(steps), files.contents)

    def _policy(self) -> Policy:
        base = with_roots(self.sandbox.section.policy(), self.roots, PRELOADED)
        return replace(base, enable_network=False)

    def _limits(self) -> Limits:
        base = self.sandbox.section.limits()
        return replace(
            base,
            wall_seconds=self.deadline_seconds + _GRACE_SECONDS,
            cpu_seconds=None,
            processes=max(base.processes, _PROCESSES),
            result_bytes=_RESULT_BYTES,
        )

    def _run_step(
        self, order: Order, given: dict[str, Any], seed: int
    ) -> tuple[StressedStep, Files, str | None]:
        entry = entry_name(order.recipe.name)
        params = {
            **given,
            "step": order.recipe.document(),
            "params": dict(order.params),
            "each": order.each,
            "cached": order.cached,
            "safe_mode": self.workflow.safe_mode,
            "most_bytes": _RESULT_BYTES // 2,
            "deadline": self.deadline_seconds,
            "roots": list(self.roots),
            "upstream": dict(self.upstream),
        }
        program = stressed_program(order.name, entry)
        call = Call(program, entry, params)
        request = Request(call, self._limits(), replace(self.policy, seed=seed))
        execution = self.sandbox.run(request)
        claim = execution.output if isinstance(execution.output, dict) else {}
        answer = read_answer(order.name, execution, _RESULT_BYTES // 2)
        return read_claim(answer.step, claim), answer.files, answer.handed


def read_claim(run: StepRun, claim: Mapping[str, Any]) -> StressedStep:
    """What a step claims, read with suspicion: what makes no sense is left out."""
    if not claim:
        return StressedStep(run, {})
    harm = claim.get("harm")
    results = claim.get("results")
    return StressedStep(
        run,
        _counts(claim.get("fired")),
        tuple(str(each)[:300] for each in harm) if isinstance(harm, list) else (),
        _raised(claim.get("raised")),
        _count(claim.get("exchanges")),
        _count(claim.get("records")),
        _count(claim.get("need")),
        _seconds(claim.get("seconds")),
        None if results is None else _counts(results),
        _count(claim.get("errors")),
        claim.get("has_network") is True,
    )


def _raised(claim: object) -> Raised | None:
    if not isinstance(claim, dict):
        return None
    where = claim.get("where")
    return Raised(
        str(claim.get("type"))[:100],
        str(claim.get("message"))[:300],
        where if isinstance(where, str) else None,
        claim.get("refused") is True,
    )


def _seconds(value: object) -> float | None:
    return value if isinstance(value, float) and 0 <= value < 1e6 else None


def _count(value: object) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else 0  # type: ignore[return-value]


def _counts(value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        return {}
    return {str(name)[:60]: _count(times) for name, times in value.items() if _count(times)}


def stressed_program(title: str, entry: str) -> str:
    """The program of one stressed step; its first line says which, its last what to call."""
    return f"# stressed step {' '.join(title.split())}\n{_body()}\n{entry} = {_MAIN}\n"


@cache
def _body() -> str:
    return bundled(f"reverie.workflows.scenarios.inside.stressed:{_MAIN}", is_listed=True)
