"""Presets: the canonical scenarios at `low` and `high`, and any scenario as a JSON document.

{"SCENARIO_NAME": "high_latency_api", "LEVEL": "high",
 "NETWORK_LATENCY_MS": 500, "NETWORK_JITTER_MS": 50, "PACKET_LOSS": 0.1}

They come from files (which rotate), from the environment, or are the canonical ones; which
scenarios suit a workflow is told by the words it is written with. Adaptive presets get harder
while a workflow holds, until it fails or nothing gets harder.
"""

import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from reverie.errors import UsageError, reason_of
from reverie.inputs.hostile import HOSTILE_SHARE, MISUSE_SHARE, Hostility
from reverie.model.measurements.stress import Preset, ScenarioResult, Severity, Survival
from reverie.model.settings.workflows import PresetMode, ScenariosSection

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


_MOST_BYTES = 1_000_000


def read_presets(text: str, where: str) -> tuple[Preset, ...]:
    """Presets from JSON: one, a list, or an object of them by scenario, perhaps by level too."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not JSON: {error}") from error
    presets = tuple(read_preset(each, where) for each in _flat(document, where, 0))
    if not presets:
        raise UsageError(f"{where}: holds no preset")
    names = [each.name for each in presets]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{where}: two presets are {name!r}")
    return presets


def _flat(document: Any, where: str, depth: int) -> list[Any]:
    if depth > 3:
        raise UsageError(f"{where}: presets are nested too deeply")
    if isinstance(document, list):
        return [inner for each in document for inner in _flat(each, where, depth + 1)]
    if isinstance(document, dict) and "SCENARIO_NAME" not in document:
        if not all(isinstance(each, dict | list) for each in document.values()):
            raise UsageError(f"{where}: a preset needs SCENARIO_NAME")
        return [inner for each in document.values() for inner in _flat(each, where, depth + 1)]
    return [document]


def read_preset_file(path: str) -> tuple[Preset, ...]:
    """The presets of a file."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(_MOST_BYTES + 1)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise UsageError(f"preset file {path!r}: {error}") from error
    if len(text) > _MOST_BYTES:
        raise UsageError(f"preset file {path!r}: larger than {_MOST_BYTES} characters")
    return read_presets(text, f"preset file {path!r}")


def rotate(files: Sequence[tuple[Preset, ...]], turn: int) -> tuple[Preset, ...]:
    """The presets of one turn: the files take turns, first to last and again."""
    return files[turn % len(files)]


def write_preset_file(path: str, presets: Sequence[Preset]) -> None:
    """Write presets so that `read_preset_file` reads them back; whole or not at all."""
    target = Path(path)
    text = json.dumps([preset_document(each) for each in presets], indent=2) + "\n"
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(target)
    except (OSError, ValueError) as error:
        beside.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path!r}: {reason_of(error)}") from error


KEYWORDS: Mapping[str, tuple[str, ...]] = {
    "high_latency_api": (
        "api", "http", "https", "url", "urllib", "requests", "httpx", "aiohttp", "client", "fetch",
        "download", "upload", "socket", "grpc", "rpc", "remote", "webhook", "endpoint",
    ),
    "flaky_upstream": (
        "api", "http", "https", "urllib", "requests", "httpx", "aiohttp", "client", "fetch",
        "retry", "upstream", "service", "gateway", "broker", "queue", "remote", "socket",
    ),
    "hostile_input": (
        "parse", "parser", "input", "form", "query", "sql", "sqlite", "html", "xml", "json", "yaml",
        "decode", "deserialize", "template", "render", "path", "file", "upload", "search", "regex",
    ),
    "user_misuse": (
        "user", "auth", "login", "permission", "role", "account", "admin", "validate", "check",
        "argument", "option", "cli", "convert", "format", "price", "discount",
    ),
    "concurrency_spike": (
        "thread", "threading", "async", "asyncio", "await", "lock", "pool", "executor", "worker",
        "queue", "cache", "counter", "session", "concurrent", "parallel", "global", "ticket",
    ),
    "schema_drift": (
        "record", "records", "row", "rows", "csv", "schema", "column", "columns", "field", "fields",
        "json", "import", "load", "transform", "orders", "items", "table", "dataframe", "etl",
    ),
    "resource_strain": (
        "batch", "bulk", "compute", "matrix", "sort", "cache", "buffer", "stream", "large",
        "memory", "train", "model", "index", "compress", "image", "chunk", "words",
    ),
}  # fmt: skip
"""Words, as they stand in names, that make a scenario worth its while."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Every word in names and sources, `loadOrders` and `load_orders` alike."""
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


def suggested_scenarios(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Scenarios with the words that call for each, best first; the mix when two or more are."""
    words = words_of(texts)
    found = {name: tuple(sorted(words.intersection(profile))) for name, profile in KEYWORDS.items()}
    chosen = {name: hits for name, hits in found.items() if hits}
    order = sorted(chosen, key=lambda name: (-len(chosen[name]), SCENARIOS.index(name)))
    result = {name: chosen[name] for name in order}
    return {**result, MIX: ()} if len(result) > 1 else result


def turns_of_presets(
    section: ScenariosSection, files: Sequence[str], turns: int | None, texts: Iterable[str] = ()
) -> list[tuple[Preset, ...]]:
    """The presets of every turn: files rotate, anything else is the same in all of them."""
    if files:
        read = [read_preset_file(each) for each in files]
        return [rotate(read, turn) for turn in range(turns or len(read))]
    return [_without_files(section, texts)] * (turns or 1)


def _without_files(section: ScenariosSection, texts: Iterable[str]) -> tuple[Preset, ...]:
    if section.mode is PresetMode.AUTO and section.presets is not None:
        return read_presets(section.presets, "scenarios.presets")
    if section.mode is PresetMode.KEYWORDS:
        names = suggested_scenarios(texts)
        return tuple(canonical_preset(name, level) for name in names for level in Severity)
    return canonical_presets()


def narrowed(
    presets: Sequence[Preset], scenarios: Sequence[str], levels: Sequence[str]
) -> tuple[Preset, ...]:
    """Those of some scenarios and levels; `UsageError` names one that there is not."""
    for name in scenarios:
        if name not in {each.scenario for each in presets}:
            known = ", ".join(dict.fromkeys(each.scenario for each in presets))
            raise UsageError(f"no preset for scenario {name!r}: there are {known}")
    for level in levels:
        if level not in {each.level for each in presets}:
            known = ", ".join(dict.fromkeys(each.level for each in presets))
            raise UsageError(f"no preset at level {level!r}: there are {known}")
    return tuple(
        each
        for each in presets
        if (not scenarios or each.scenario in scenarios) and (not levels or each.level in levels)
    )


def absent_scenarios(presets: Iterable[Preset]) -> tuple[str, ...]:
    """Canonical scenarios that no preset covers."""
    covered = {each.scenario for each in presets}
    return tuple(name for name in SCENARIOS if name not in covered)


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
