"""A cycle as plain values: what `--json` prints, and what the page is written from."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from reverie.cycle.planning import COMPLETE
from reverie.model.cycle import CycleDream, CycleRecord, Step
from reverie.model.dream import DreamStatus
from reverie.model.promotion import Promotion
from reverie.model.ruling import Verdict

Document = dict[str, Any]
CYCLE_KEYS = (
    *("cycle_id", "repository", "baseline", "dreams", "trials", "executions", "verdicts"),
    *("promotions", "seconds", "result", "state", "revision", "branch", "seed", "findings"),
    *("steps", "environment", "error"),
)
"""What `reverie run` prints of a report."""


def cycle_document(record: CycleRecord) -> Document:
    """What `reverie run` prints: the cycle in figures."""
    header = record.header
    tried = [each.trial for each in record.dreams if each.trial is not None]
    verdicts = Counter(trial.judgement.verdict for trial in tried)
    return {
        "cycle_id": header.id,
        "repository": header.repository,
        "baseline": dict(header.baseline or {}),
        "dreams": len(record.dreams),
        "trials": len(tried),
        "executions": header.executions,
        "verdicts": {verdict.value: verdicts[verdict] for verdict in Verdict},
        "promotions": [
            _promotion(each.promotion) for each in record.promotions if each.promotion is not None
        ],
        "seconds": header.seconds,
        "result": None if header.result is None else dict(header.result),
        "state": header.state.value,
        "revision": header.revision,
        "branch": header.branch,
        "seed": header.wishes.seed,
        "findings": len(record.sightings),
        "steps": dict(Counter(step.state.value for step in record.steps)),
        "environment": dict(header.environment),
        "error": header.error,
    }


def _promotion(promotion: Promotion) -> Document:
    return {
        "dream_id": promotion.dream_id,
        "kind": promotion.kind.value,
        "branch": promotion.branch,
        "bundle": promotion.bundle,
        "roi": promotion.roi,
        "raroi": promotion.raroi,
        "commit": promotion.commit,
        "patch": promotion.patch,
        "title": promotion.title,
    }


def report_document(record: CycleRecord) -> Document:
    """What `reverie report` prints: the cycle with every dream, its evidence and its rulings."""
    header = record.header
    return {
        **cycle_document(record),
        "started_at": header.started_at.isoformat(timespec="seconds"),
        "ended_at": header.ended_at and header.ended_at.isoformat(timespec="seconds"),
        "budget": asdict(header.wishes.budget),
        "stage": header.wishes.stage.value,
        "modules": [_step(step) for step in record.steps],
        "complete": [
            {"module": step.module, "why": (step.note or "").removeprefix(COMPLETE)}
            for step in record.steps
            if (step.note or "").startswith(COMPLETE)
        ],
        "promoted": [_dream(each) for each in record.promotions],
        "refused": [_dream(each) for each in record.dreams if _is_refused(each)],
        "known": [_dream(each) for each in record.dreams if each.known_from is not None],
        "found": [
            {"module": each.module, "title": each.title, "details": dict(each.details)}
            for each in record.sightings
        ],
    }


def _is_refused(each: CycleDream) -> bool:
    kept = (DreamStatus.PROMOTED, DreamStatus.TESTED, DreamStatus.PENDING_TEST)
    return each.status not in kept and each.known_from is None


def _step(step: Step) -> Document:
    return {
        "module": step.module,
        "file": step.path,
        "dreamer": step.dreamer,
        "state": step.state.value,
        "note": step.note,
        "error": step.error,
        "value": step.value,
        "allowance": asdict(step.allowance),
        "seconds": step.seconds,
        "executions": step.executions,
        "figures": dict(step.figures),
    }


def _dream(each: CycleDream) -> Document:
    dream, trial, promotion = each.dream, each.trial, each.promotion
    document: Document = {
        "dream_id": dream.id,
        "kind": dream.kind.value,
        "module": dream.module,
        "title": dream.title,
        "status": each.status.value,
        "known_from": each.known_from,
        "lines_added": sum(edit.lines_added for edit in dream.change.edits),
        "lines_removed": sum(edit.lines_removed for edit in dream.change.edits),
        "files": list(dream.change.paths),
        "diff": dream.change.diff(),
        "promotion": None if promotion is None else _promotion(promotion),
        "trial": None,
    }
    if trial is not None:
        evidence = trial.evidence
        document["trial"] = {
            "verdict": trial.judgement.verdict.value,
            "rulings": [ruling.document() for ruling in trial.judgement.rulings],
            "needs": list(trial.judgement.needs),
            "score": dict(trial.score),
            "measures": dict(evidence.measures),
            "details": {name: list(names) for name, names in evidence.details.items()},
            "command": list(evidence.command),
            "seed": evidence.seed,
            "isolation": evidence.isolation.value,
            "seconds": trial.seconds,
            "executions": trial.executions,
        }
    return document
