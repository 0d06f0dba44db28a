"""One decision of governance on a tried dream, a module or a workflow, from the journal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reverie.errors import UsageError

if TYPE_CHECKING:
    from reverie.learning.governance.deployment_governance import Policy
    from reverie.model.cycle import CycleDream
    from reverie.settings import Loaded
    from reverie.store import Journal
    from reverie.store.promotions import JournaledDream


def decide_on(loaded: Loaded, journal: Journal, subject: str) -> dict[str, Any]:
    """What governance says now; it is not logged, and nothing is queued."""
    from reverie.bootstrap.scores import open_foresight_tracker, open_policy
    from reverie.learning.governance.deployment_governance import evaluate
    from reverie.store.promotions import find_tried

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
        raise UsageError(f"the dream {subject!r} was not tried")
    return {"subject": found.dream.id, **_on_dream(loaded, journal, found, policy)}


def as_decided_now(loaded: Loaded, journal: Journal, found: JournaledDream) -> JournaledDream:
    """A dream that governance held back, without that if it lets it through by now.

    A word that was signed since, or history, may have changed what is decided; proof does not.
    """
    from reverie.bootstrap.scores import open_policy
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

    from reverie.bootstrap.scores import open_foresight_tracker, open_roi_tracker
    from reverie.cycle.governing import Governor, without_governance
    from reverie.scoring.impact import WorkflowGraph

    if each.trial is None:
        raise UsageError(f"the dream {each.dream.id} was not tried")
    repository, settings = loaded.repository, loaded.settings
    governor = Governor(
        worths=partial(open_roi_tracker, journal, repository, settings),
        tracker=open_foresight_tracker(journal, repository, settings),
        graph=WorkflowGraph(),
        policy=replace(policy, needs_history=settings.governance.needs_history),
        alignment=settings.alignment,
    )
    return dict(governor.decide(each.dream, without_governance(each.trial)))
