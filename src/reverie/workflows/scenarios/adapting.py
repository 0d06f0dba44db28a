"""Adaptive presets: harder while a workflow holds, until it fails or nothing gets harder."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from reverie.model.stress import Preset, ScenarioResult, Survival
from reverie.workflows.scenarios.presets import KEYS

_FACTOR = 1.5
_SHRINKING = frozenset({"cpu_quota", "memory"})
"""Parts of which less is harder."""
_HARDEST_SHARE = 0.9
_HARDEST = {"CPU_QUOTA": 0.05, "MEMORY_SHARE": 0.05, "THREAD_BURST": 200, "ASYNC_TASK_BURST": 400}

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Adapted:
    """What an adaptive preset came to."""

    scenario: str
    held: Preset | None
    """The hardest that the workflow survived."""
    broke: ScenarioResult | None
    """The first at which it failed; None: it never did."""
    rounds: int


def adapt(
    preset: Preset, try_it: Callable[[Preset], ScenarioResult], rounds: int, log: Log
) -> tuple[Adapted, list[ScenarioResult]]:
    """Try a preset, harden it while it holds, and say each decision with its reason."""
    results: list[ScenarioResult] = []
    held: Preset | None = None
    for turn in range(rounds):
        found = try_it(preset)
        results.append(found)
        if found.survival is not Survival.SURVIVED:
            log(f"{preset.scenario} {preset.level}: {found.survival}: no harder")
            broke = found if found.survival is Survival.FAILED else None
            return Adapted(preset.scenario, held, broke, turn + 1), results
        held = preset
        harder = harden(preset, turn + 1)
        if harder is None:
            log(f"{preset.scenario} {preset.level}: survived: as hard as it gets")
            break
        log(f"{preset.scenario}: {_changes(preset, harder)} because {preset.level} was survived")
        preset = harder
    return Adapted(preset.scenario, held, None, len(results)), results


def harden(preset: Preset, turn: int) -> Preset | None:
    """The next harder preset; None when every part is at its end."""
    changes: dict[str, Any] = {}
    for name, key in KEYS.items():
        value = getattr(preset, key.field)
        is_shrinking = key.field in _SHRINKING
        if value == (1.0 if is_shrinking else 0):
            continue
        end = _HARDEST.get(name, min(key.high, _HARDEST_SHARE) if key.high == 1 else key.high)
        wanted = value / _FACTOR if is_shrinking else value * _FACTOR
        wanted = max(wanted, end) if is_shrinking else min(wanted, end)
        changes[key.field] = round(wanted) if key.is_whole else round(wanted, 4)
    if all(getattr(preset, name) == value for name, value in changes.items()):
        return None
    return replace(preset, **changes, level=f"adapted-{turn}")


def _changes(before: Preset, after: Preset) -> str:
    changed = [
        f"{name} {getattr(before, key.field):g} → {getattr(after, key.field):g}"
        for name, key in KEYS.items()
        if getattr(before, key.field) != getattr(after, key.field)
    ]
    return ", ".join(changed)
