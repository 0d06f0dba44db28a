"""Weights of the parts of ROI, wired: outcomes from the journal and git, learners, trainings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.learning.weights.learner import Learner
    from reverie.learning.weights.outcome import Outcome
    from reverie.learning.weights.trainer import AutoTrainer
    from reverie.model.commit import Commit
    from reverie.settings import Loaded
    from reverie.store import Journal


def weights_of(loaded: Loaded, journal: Journal | None) -> Mapping[str, float]:
    """The weights in force; empty where nothing was learned, or nobody wants any."""
    from reverie.store.weights import weights_in_force

    if journal is None or not loaded.settings.roi.learned_weights:
        return {}
    return weights_in_force(journal, loaded.repository)


def load_outcomes(loaded: Loaded, journal: Journal) -> tuple[Outcome, ...]:
    """What became of each promotion on which time has told, oldest first."""
    from reverie.bootstrap.scores import roi_section
    from reverie.learning.weights.outcome import Outcome
    from reverie.learning.weights.survival import survived
    from reverie.promotion.git import Git
    from reverie.promotion.history import read_history
    from reverie.promotion.promoter import Promoter
    from reverie.promotion.rollback import status_of
    from reverie.scoring.roi import roi_of
    from reverie.store.promotions import load_offered

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
        roi = roi_of([each.trial.evidence], section, lines_changed=each.dream.change.lines_changed)
        if lived is not None and roi.benefit:
            parts = {part.name: part.minutes for part in roi.benefit}
            parts |= {part.name: -part.minutes for part in roi.cost}
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

    from reverie.learning.weights.learner import learner_of
    from reverie.learning.weights.trainer import AutoTrainer, Trained
    from reverie.store.weights import Training, load_trainings, record_training

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
