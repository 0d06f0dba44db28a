"""What is done to one run: the share of a preset that falls on it, as the inside reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reverie.inputs.dice import Dice
from reverie.inputs.hostile import FORBIDDEN_FILES, HOSTILE, WRONG_TYPES
from reverie.model.execution import MIB
from reverie.model.stress import Preset

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
