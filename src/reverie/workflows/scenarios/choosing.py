"""Which presets a stress run uses."""

from collections.abc import Iterable, Sequence

from reverie.errors import UsageError
from reverie.model.scenario_sections import PresetMode, ScenariosSection
from reverie.model.stress import Preset, Severity
from reverie.workflows.scenarios.keywords import suggested_scenarios
from reverie.workflows.scenarios.preset_files import read_preset_file, read_presets, rotate
from reverie.workflows.scenarios.presets import SCENARIOS, canonical_preset, canonical_presets


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
