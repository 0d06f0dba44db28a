"""Scores of a repository: trackers filled from its journal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from reverie.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from reverie.cycle.pilots import Pilots, Prove
    from reverie.learning.foresight.tracker import ForesightTracker
    from reverie.learning.governance.borderline_bucket import BorderlineBucket
    from reverie.learning.governance.deployment_governance import Policy
    from reverie.learning.roi_tracker import ROITracker
    from reverie.model.judgement_sections import RoiSection
    from reverie.settings import Loaded, Settings
    from reverie.store import Journal


def open_roi_tracker(journal: Journal, repository: Path, settings: Settings) -> ROITracker:
    """What every tried dream was worth."""
    from reverie.learning.roi_tracker import ROITracker
    from reverie.store.worth import load_worths

    section = settings.governance
    return ROITracker(
        load_worths(journal, repository),
        section.completion_minutes,
        section.plateau,
        section.plateau_consecutive,
    )


def open_foresight_tracker(
    journal: Journal, repository: Path, settings: Settings
) -> ForesightTracker:
    """What was recorded cycle by cycle; of modules also what their tried dreams were worth."""
    from reverie.learning.foresight.tracker import ForesightTracker
    from reverie.store.foresight import ForesightMemory
    from reverie.store.worth import load_worths

    memory = ForesightMemory(journal, repository)
    tracker = ForesightTracker(memory, settings.governance.volatility)
    worths: dict[str, dict[str, float]] = defaultdict(dict)
    for row in load_worths(journal, repository):
        if row.minutes is not None:
            by_cycle = worths[row.groups["module"]]
            by_cycle[row.cycle_id] = by_cycle.get(row.cycle_id, 0.0) + row.minutes
    for module, by_cycle in worths.items():
        tracker.suppose(module, by_cycle.values())
    return tracker


def open_policy(journal: Journal | None, loaded: Loaded, overrides: Sequence[bytes] = ()) -> Policy:
    """The owner's rules, and overrides signed by approvers; every decision goes to the journal.

    `overrides`: envelopes besides those that the journal keeps.
    """
    from functools import partial

    from reverie.gates.governance.rules import parse_rules
    from reverie.learning.governance.deployment_governance import Policy
    from reverie.promotion.overrides import overrides_in_force
    from reverie.store.foresight import record_decision
    from reverie.store.overrides import load_overrides

    kept = () if journal is None else load_overrides(journal, loaded.repository)
    settings = loaded.settings
    section = settings.governance
    text = ""
    if section.rules is not None:
        text = _content("governance.rules", loaded.repository / section.rules)
    approvers = settings.promotion.known_approvers()
    return Policy(
        rules=parse_rules(text, str(section.rules)),
        overrides=overrides_in_force((*kept, *overrides), approvers, datetime.now(UTC)),
        roi_threshold=section.roi_threshold,
        log=None if journal is None else partial(record_decision, journal),
    )


def open_bucket(loaded: Loaded) -> BorderlineBucket:
    """The bucket of a repository."""
    from reverie.learning.governance.borderline_bucket import BorderlineBucket

    section = loaded.settings.governance
    return BorderlineBucket(loaded.data_dir / "borderline_bucket.jsonl", section.micropilot)


def open_pilots(loaded: Loaded, prove: Prove) -> Pilots:
    """What is done about dreams on the border."""
    from reverie.cycle.pilots import Pilots

    section = loaded.settings.governance
    return Pilots(
        open_bucket(loaded),
        prove,
        loaded.settings.guard.runs,
        section.borderline_raroi,
        section.borderline_confidence,
    )


def roi_section(loaded: Loaded) -> RoiSection:
    """The rates of ROI, with the severities that a file of the owner's lays down."""
    from dataclasses import replace

    from reverie.model.judgement_sections import parse_severities

    section = loaded.settings.roi
    if section.severity_file is None:
        return section
    path = loaded.repository / section.severity_file
    laid_down = parse_severities(_content("roi.severity_file", path), str(path))
    return replace(section, severities=(*section.severities, *laid_down))


def _content(key: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{key} = {str(path)!r}: {error}") from error
