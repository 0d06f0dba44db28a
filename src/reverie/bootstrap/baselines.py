"""The ratchet file of a repository: read, raised by measuring, lowered by decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import ConfigError, Refused, UsageError

if TYPE_CHECKING:
    from reverie.model.repository.environment import Surroundings
    from reverie.model.ruling import Baseline
    from reverie.settings import Settings


def read(repository: Path) -> Baseline:
    """What is kept; empty where there is no file."""
    from reverie.model.ruling import PATH, Baseline, read_baseline

    file = repository / PATH
    if not file.is_file():
        return Baseline()
    try:
        return read_baseline(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{PATH}: {error}") from error


def measure(repository: Path, settings: Settings, around: Surroundings) -> Mapping[str, float]:
    """The figures as the files stand, uncommitted work included."""
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.environments import open_copy
    from reverie.trials.plan import TrialPlan
    from reverie.trials.suites import measure_standing

    with open_copy(repository, None, around) as folder, open_sandbox(settings.sandbox) as sandbox:
        plan = TrialPlan(settings.guard, python=around.python)
        return measure_standing(folder, sandbox, plan)


def write(repository: Path, baseline: Baseline) -> Path:
    """Whole or not at all."""
    from reverie.model.ruling import PATH

    file = repository / PATH
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(baseline.text(), "utf-8")
    part.replace(file)
    return file


def lower(
    repository: Path, wanted: str, decision: str | None, person: str | None, key: str | None
) -> Baseline:
    """With one more signature under `MEASURE=VALUE`; lowered once two people have signed."""
    from reverie.model.ruling import MEASURES, Lowering
    from reverie.promotion.approvals import lower as signed_lower
    from reverie.promotion.bundle.keys import read_signing_key

    measure, _, value = wanted.partition("=")
    if measure not in MEASURES or not value:
        raise UsageError(
            f"--lower takes MEASURE=VALUE with {' or '.join(MEASURES)}, not {wanted!r}"
        )
    if decision is None or person is None or key is None:
        raise UsageError("--lower needs --decision FILE, --as NAME and --key FILE")
    baseline = read(repository)
    before = baseline.measures.get(measure)
    if before is None:
        raise UsageError(f"{measure} has no baseline: there is nothing to lower")
    entry = Lowering(measure, before, _number(value), decision, ())
    if entry.after >= before:
        raise UsageError(f"{value} does not lower {measure}, which is {before:g}")
    record = repository / decision
    if not record.resolve().is_relative_to(repository.resolve()) or not record.is_file():
        raise Refused(f"no decision record {decision!r} in the repository")
    signing = read_signing_key(Path(key).expanduser())
    return signed_lower(baseline, replace(entry), record.read_bytes(), person, signing)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise UsageError(f"--lower: {text!r} is no number") from error
