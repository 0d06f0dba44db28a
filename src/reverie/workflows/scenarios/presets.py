"""Presets: the canonical scenarios at `low` and `high`, and any scenario as a JSON document.

{"SCENARIO_NAME": "high_latency_api", "LEVEL": "high",
 "NETWORK_LATENCY_MS": 500, "NETWORK_JITTER_MS": 50, "PACKET_LOSS": 0.1}
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from reverie.errors import UsageError
from reverie.inputs.hostile import HOSTILE_SHARE, MISUSE_SHARE, Hostility
from reverie.model.stress import Preset, Severity

_LOW, _HIGH = Severity.LOW, Severity.HIGH


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of a preset's document: the field it sets, and its bounds."""

    field: str
    low: float
    high: float
    is_whole: bool = False


KEYS: Mapping[str, _Key] = {
    "NETWORK_LATENCY_MS": _Key("latency_ms", 0, 60_000),
    "NETWORK_JITTER_MS": _Key("jitter_ms", 0, 60_000),
    "PACKET_LOSS": _Key("loss", 0, 1),
    "UPSTREAM_FAILURES": _Key("upstream_failures", 0, 1),
    "HOSTILE_SHARE": _Key("hostile", 0, 1),
    "MISUSE_SHARE": _Key("misuse", 0, 1),
    "THREAD_BURST": _Key("threads", 0, 500, is_whole=True),
    "ASYNC_TASK_BURST": _Key("tasks", 0, 5_000, is_whole=True),
    "SCHEMA_DRIFT": _Key("schema_drift", 0, 1),
    "CPU_QUOTA": _Key("cpu_quota", 0.02, 1),
    "MEMORY_SHARE": _Key("memory", 0, 1),
}
"""What a preset's document may hold besides `SCENARIO_NAME`, `LEVEL` and `MIX`."""

_DEFAULTS = {each.name: each.default for each in fields(Preset)}

CANONICAL: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "high_latency_api": {
        "latency_ms": (200, 500),
        "jitter_ms": (20, 50),
        "loss": (0.05, 0.10),
    },
    "hostile_input": {"hostile": (HOSTILE_SHARE[Hostility.LOW], HOSTILE_SHARE[Hostility.HIGH])},
    "user_misuse": {"misuse": (MISUSE_SHARE[Hostility.LOW], MISUSE_SHARE[Hostility.HIGH])},
    "concurrency_spike": {"threads": (10, 50), "tasks": (20, 100)},
    "schema_drift": {"schema_drift": (0.05, 0.20)},
    "flaky_upstream": {"upstream_failures": (1 / 20, 5 / 20)},
    "resource_strain": {"cpu_quota": (0.5, 0.25), "memory": (0.5, 0.25)},
}
"""Each canonical scenario but the mix: what its faults are at `low` and at `high`."""

MIX = "chaotic_failure"
SCENARIOS = (*CANONICAL, MIX)


def canonical_preset(scenario: str, level: str) -> Preset:
    """A built-in preset; `UsageError` names a scenario or a level that there is not."""
    if scenario not in SCENARIOS:
        raise UsageError(f"no scenario {scenario!r}: choose from {', '.join(SCENARIOS)}")
    if level not in tuple(Severity):
        raise UsageError(f"no level {level!r}: choose from {', '.join(Severity)}")
    place = tuple(Severity).index(Severity(level))
    parts = CANONICAL.values() if scenario == MIX else (CANONICAL[scenario],)
    faults: dict[str, Any] = {name: pair[place] for part in parts for name, pair in part.items()}
    whole = {key.field for key in KEYS.values() if key.is_whole}
    faults = {name: int(value) if name in whole else value for name, value in faults.items()}
    return Preset(scenario, level, **faults, is_mix=scenario == MIX)


def canonical_presets(levels: tuple[str, ...] = (_LOW, _HIGH)) -> tuple[Preset, ...]:
    """Every canonical scenario, each at every level."""
    return tuple(canonical_preset(name, level) for name in SCENARIOS for level in levels)


def generate_canonical_presets() -> dict[str, dict[str, dict[str, Any]]]:
    """The documents of the canonical presets, by scenario and level."""
    return {
        name: {str(level): preset_document(canonical_preset(name, level)) for level in Severity}
        for name in SCENARIOS
    }


def preset_document(preset: Preset) -> dict[str, Any]:
    """A preset as JSON values; parts that are left out are not in it."""
    document: dict[str, Any] = {"SCENARIO_NAME": preset.scenario, "LEVEL": preset.level}
    for name, key in KEYS.items():
        value = getattr(preset, key.field)
        if value != _DEFAULTS[key.field]:
            document[name] = value
    return {**document, "MIX": True} if preset.is_mix else document


def read_preset(document: object, where: str) -> Preset:
    """The preset of a document; `UsageError` names what is wrong and where."""
    if not isinstance(document, Mapping):
        raise UsageError(f"{where}: a preset is an object, not {document!r:.60}")
    rest = dict(document)
    scenario, level = rest.pop("SCENARIO_NAME", None), rest.pop("LEVEL", "custom")
    mix = rest.pop("MIX", False)
    for name, value in (("SCENARIO_NAME", scenario), ("LEVEL", level)):
        if not isinstance(value, str) or not value.strip() or len(value) > 100:
            raise UsageError(f"{where}: {name} = {value!r:.60}: expected a name")
    if not isinstance(mix, bool):
        raise UsageError(f"{where}: MIX = {mix!r:.60}: expected true or false")
    faults = {_key(name, where).field: _value(name, value, where) for name, value in rest.items()}
    return Preset(scenario, level, **faults, is_mix=mix)


def _key(name: object, where: str) -> _Key:
    if not isinstance(name, str) or name not in KEYS:
        raise UsageError(f"{where}: {name!r:.60} is no key of a preset: {', '.join(KEYS)}")
    return KEYS[name]


def _value(name: str, value: object, where: str) -> Any:
    key = KEYS[name]
    kind = "a whole number" if key.is_whole else "a number"
    if isinstance(value, int | float) and not isinstance(value, bool):
        fits = math.isfinite(value) and key.low <= value <= key.high
        if fits and (isinstance(value, int) or not key.is_whole):
            return value if key.is_whole else float(value)
    raise UsageError(
        f"{where}: {name} = {value!r:.60}: expected {kind} from {key.low:g} to {key.high:g}"
    )
