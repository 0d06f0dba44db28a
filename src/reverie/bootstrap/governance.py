"""Scores, weights and governance of a repository, wired: trackers filled from its journal and git.

A decision of governance rests on the history in the journal, the owner's rules and what people
signed; it can be made again for a tried dream, a module or a workflow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from reverie.errors import ConfigError, UsageError, reason_of

if TYPE_CHECKING:
    from pathlib import Path

    from reverie.cycle.governing import Governor, Pilots, Prove
    from reverie.cycle.pairing import Pairing
    from reverie.cycle.workshop import LocalWorkshop
    from reverie.learning.deployment_governance import BorderlineBucket, Policy
    from reverie.learning.foresight_tracker import ForesightTracker
    from reverie.learning.roi_tracker import ROITracker
    from reverie.learning.weights.learners import Learner, Outcome
    from reverie.learning.weights.trainer import AutoTrainer
    from reverie.model.cycle import CycleDream, CycleRecord
    from reverie.model.repository.candidate import Commit
    from reverie.model.settings.judgement import GuardSection, RoiSection
    from reverie.settings import Loaded, Settings
    from reverie.store import Journal
    from reverie.store.cycles.promotions import JournaledDream


def open_roi_tracker(journal: Journal, repository: Path, settings: Settings) -> ROITracker:
    """What every tried dream was worth."""
    from reverie.learning.roi_tracker import ROITracker
    from reverie.store.cycles.worth import load_worths

    section = settings.governance
    return ROITracker(
        load_worths(journal, repository),
        section.completion_points,
        section.plateau,
        section.plateau_consecutive,
    )


def open_foresight_tracker(
    journal: Journal, repository: Path, settings: Settings
) -> ForesightTracker:
    """What was recorded cycle by cycle; of modules also what their tried dreams were worth."""
    from reverie.learning.foresight_tracker import ForesightTracker
    from reverie.store.cycles.measures import ForesightMemory
    from reverie.store.cycles.worth import load_worths

    memory = ForesightMemory(journal, repository)
    tracker = ForesightTracker(memory, settings.governance.volatility)
    worths: dict[str, dict[str, float]] = defaultdict(dict)
    for row in load_worths(journal, repository):
        if row.points is not None:
            by_cycle = worths[row.groups["module"]]
            by_cycle[row.cycle_id] = by_cycle.get(row.cycle_id, 0.0) + row.points
    for module, by_cycle in worths.items():
        tracker.suppose(module, by_cycle.values())
    return tracker


def open_policy(journal: Journal | None, loaded: Loaded, overrides: Sequence[bytes] = ()) -> Policy:
    """The owner's rules, and overrides signed by approvers; every decision goes to the journal.

    `overrides`: envelopes besides those that the journal keeps.
    """
    from functools import partial

    from reverie.gates.governance import parse_rules
    from reverie.learning.deployment_governance import Policy
    from reverie.promotion.approvals import overrides_in_force
    from reverie.store.cycles.measures import record_decision
    from reverie.store.cycles.promotions import load_overrides

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
    from reverie.learning.deployment_governance import BorderlineBucket

    section = loaded.settings.governance
    return BorderlineBucket(loaded.data_dir / "borderline_bucket.jsonl", section.micropilot)


def open_pilots(loaded: Loaded, prove: Prove) -> Pilots:
    """What is done about dreams on the border."""
    from reverie.cycle.governing import Pilots

    section = loaded.settings.governance
    return Pilots(
        open_bucket(loaded),
        prove,
        loaded.settings.guard.runs,
        section.borderline_raroi,
        section.borderline_confidence,
    )


def guard_section(loaded: Loaded) -> GuardSection:
    """What changes must show; where one approver is all there is, one approval is all it takes."""
    from dataclasses import replace

    section = loaded.settings.guard
    is_one = len(loaded.settings.promotion.known_approvers()) == 1
    return replace(section, approvals=1) if is_one else section


def roi_section(loaded: Loaded) -> RoiSection:
    """The rates of ROI, with the severities that a file of the owner's lays down."""
    from dataclasses import replace

    from reverie.model.settings.judgement import parse_severities

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
        raise ConfigError(f"{key} = {str(path)!r}: {reason_of(error)}") from error


def weights_of(loaded: Loaded, journal: Journal | None) -> Mapping[str, float]:
    """The weights in force; empty where nothing was learned, or nobody wants any."""
    from reverie.store.cycles.worth import weights_in_force

    if journal is None or not loaded.settings.roi.learned_weights:
        return {}
    return weights_in_force(journal, loaded.repository)


def load_outcomes(loaded: Loaded, journal: Journal) -> tuple[Outcome, ...]:
    """What became of each promotion on which time has told, oldest first."""
    from reverie.learning.weights.learners import Outcome
    from reverie.learning.weights.trainer import survived
    from reverie.promotion.git import Git
    from reverie.promotion.history import read_history
    from reverie.promotion.promoter import Promoter
    from reverie.promotion.rollback import status_of
    from reverie.scoring.roi import Terms, roi_of
    from reverie.store.cycles.promotions import load_offered

    section = roi_section(loaded)
    promoter = Promoter(loaded.repository, loaded.settings.promotion)
    git = Git.find(loaded.repository)
    history = None if git is None else read_history(git, loaded.settings.candidates.max_commits)
    found = []
    for each in load_offered(journal, loaded.repository):
        if each.trial is None or each.promotion is None:
            continue
        status = status_of(promoter, each.promotion)
        paths = each.dream.change.paths
        lived = survived(status, each.promotion.created_at, paths, history, _is_mending)
        terms = Terms(section, each.dream.change.lines_changed)
        roi = roi_of([each.trial.evidence], terms)
        if lived is not None and roi.benefit:
            parts = {part.name: part.points for part in roi.benefit}
            parts |= {part.name: -part.points for part in roi.cost}
            found.append(Outcome(parts, lived))
    return tuple(found)


def _is_mending(commit: Commit) -> bool:
    from reverie.index.hotness import is_fix, is_revert

    return is_fix(commit) or is_revert(commit)


def open_trainer(loaded: Loaded, journal: Journal, learner: str | Learner) -> AutoTrainer:
    """A trainer that goes on where the journal stands, and writes every training into it.

    A learner is given by its name, or itself.
    """
    from functools import partial

    from reverie.learning.weights.learners import learner_of
    from reverie.learning.weights.trainer import AutoTrainer, Trained
    from reverie.store.cycles.worth import Training, load_trainings, record_training

    repository = loaded.repository
    chosen = learner_of(learner) if isinstance(learner, str) else learner
    name = learner if isinstance(learner, str) else type(learner).__name__
    past = load_trainings(journal, repository, limit=1_000_000)

    def save(trained: Trained) -> None:
        told = Training(
            name,
            trained.weights,
            trained.replaced,
            trained.reason,
            trained.n,
            trained.loss_before,
            trained.loss_after,
        )
        record_training(journal, repository, told)

    return AutoTrainer(
        load=partial(load_outcomes, loaded, journal),
        save=save,
        learner=chosen,
        weights=past[0].weights if past else {},
        iterations=len(past),
        last_id=past[0].n if past else 0,
    )


FLAGS = "flags"


def open_governor(loaded: Loaded, journal: Journal, workshop: LocalWorkshop) -> Governor:
    """What rules on the promotions of one cycle."""
    from reverie.cycle.governing import Governor, impact_graph
    from reverie.store.cycles.worth import load_worths

    repository, settings = loaded.repository, loaded.settings
    policy = open_policy(journal, loaded)
    return Governor(
        worths=partial(open_roi_tracker, journal, repository, settings),
        tracker=open_foresight_tracker(journal, repository, settings),
        graph=impact_graph(workshop.grounds.index, load_worths(journal, repository)),
        policy=replace(policy, needs_history=settings.governance.needs_history),
        alignment=settings.alignment,
        pilots=workshop.pilots,
        recording=partial(_recording, journal, loaded),
        flags=loaded.data_dir / FLAGS,
    )


def open_pairing(workshop: LocalWorkshop, seed: int) -> Pairing:
    """What looks at dreams together."""
    from reverie.cycle.pairing import Pairing

    trying, edges = workshop.trying, frozenset(workshop.grounds.index.edges)
    return Pairing(trying.prove_together, seed, edges, trying.guard.lines)


def _recording(journal: Journal, loaded: Loaded, record: CycleRecord) -> ForesightTracker | None:
    """A tracker that writes into the journal; None where this cycle is recorded already."""
    from reverie.learning.foresight_tracker import ForesightTracker
    from reverie.store.cycles.measures import ForesightMemory

    memory = ForesightMemory(journal, loaded.repository, record.header.id)
    if memory.has_recorded(record.header.id):
        return None
    return ForesightTracker(memory, loaded.settings.governance.volatility)


def decide_on(loaded: Loaded, journal: Journal, subject: str) -> dict[str, Any]:
    """What governance says now; it is not logged, and nothing is queued."""
    from reverie.learning.deployment_governance import evaluate
    from reverie.store.cycles.promotions import find_tried

    repository = loaded.repository
    policy = replace(open_policy(journal, loaded), log=None)
    tracker = open_foresight_tracker(journal, repository, loaded.settings)
    if tracker.cycles(subject):
        scorecard = {"module": subject, "confidence": tracker.cycles(subject)[-1].confidence}
        told = evaluate(
            {"alignment": {"status": "pass"}},
            scorecard,
            patch=(),
            foresight_tracker=tracker,
            workflow_id=subject,
            policy=policy,
        )
        return {"subject": subject, **told}
    found = find_tried(journal, repository, subject).each
    if found.trial is None:
        raise UsageError(f"the change {subject!r} was not tried")
    return {"subject": found.dream.id, **_on_dream(loaded, journal, found, policy)}


def as_decided_now(loaded: Loaded, journal: Journal, found: JournaledDream) -> JournaledDream:
    """A dream that governance held back, without that if it lets it through by now.

    A word that was signed since, or history, may have changed what is decided; proof does not.
    """
    from reverie.cycle.governing import is_held, without_governance

    each = found.each
    if each.trial is None or not is_held(each.trial):
        return found
    decision = _on_dream(loaded, journal, each, open_policy(journal, loaded))
    if decision["verdict"] != "promote":
        return found
    return replace(found, each=replace(each, trial=without_governance(each.trial)))


def _on_dream(loaded: Loaded, journal: Journal, each: CycleDream, policy: Policy) -> dict[str, Any]:
    from functools import partial

    from reverie.cycle.governing import Governor, without_governance
    from reverie.scoring.synergy import WorkflowGraph

    if each.trial is None:
        raise UsageError(f"the change {each.dream.id} was not tried")
    repository, settings = loaded.repository, loaded.settings
    governor = Governor(
        worths=partial(open_roi_tracker, journal, repository, settings),
        tracker=open_foresight_tracker(journal, repository, settings),
        graph=WorkflowGraph(),
        policy=replace(policy, needs_history=settings.governance.needs_history),
        alignment=settings.alignment,
    )
    return dict(governor.decide(each.dream, without_governance(each.trial)))
