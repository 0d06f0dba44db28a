"""Cycles as rows, and rows as cycles. JSON is pure ASCII, so every text comes back as it was."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import RowMapping

from reverie import __version__
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import (
    CycleBudget,
    CycleDream,
    CycleHeader,
    CycleState,
    CycleWishes,
    Sighting,
    Step,
    StepState,
    Trial,
)
from reverie.model.dream import Dream, DreamKind, DreamStatus, Stage
from reverie.model.evidence import Evidence
from reverie.model.outcome import IsolationTier
from reverie.model.promotion import Promotion, PromotionStatus
from reverie.model.ruling import Answer, Judgement, Ruling
from reverie.store.clock import from_microseconds, to_microseconds
from reverie.store.text import storable

Row = dict[str, Any]


def as_json(value: Any) -> str:
    """A value as the journal keeps it. Maps of any kind become objects."""
    return json.dumps(value, default=dict, sort_keys=True)


def header_row(header: CycleHeader) -> Row:
    """A cycle without its steps."""
    return {
        "id": header.id,
        "repository": storable(header.repository),
        "started_at_us": to_microseconds(header.started_at),
        "ended_at_us": None if header.ended_at is None else to_microseconds(header.ended_at),
        "state": header.state.value,
        "wishes": as_json(asdict(header.wishes)),
        "revision": header.revision,
        "branch": header.branch,
        "environment": as_json(header.environment),
        "baseline": None if header.baseline is None else as_json(header.baseline),
        "result": None if header.result is None else as_json(header.result),
        "seconds": header.seconds,
        "executions": header.executions,
        "error": _optional(header.error),
        "reverie_version": __version__,
    }


def header_of(row: RowMapping) -> CycleHeader:
    """The cycle of a row."""
    ended, baseline, result = row["ended_at_us"], row["baseline"], row["result"]
    return CycleHeader(
        id=row["id"],
        repository=row["repository"],
        started_at=from_microseconds(row["started_at_us"]),
        ended_at=None if ended is None else from_microseconds(ended),
        state=CycleState(row["state"]),
        wishes=_wishes(json.loads(row["wishes"])),
        revision=row["revision"],
        branch=row["branch"],
        environment=json.loads(row["environment"]),
        baseline=None if baseline is None else json.loads(baseline),
        result=None if result is None else json.loads(result),
        seconds=row["seconds"],
        executions=row["executions"],
        error=row["error"],
    )


def _wishes(told: Mapping[str, Any]) -> CycleWishes:
    changed = {"budget": CycleBudget(**told["budget"]), "stage": Stage(told["stage"])}
    return CycleWishes(**{**told, **changed})


def step_row(cycle_id: str, step: Step, now_us: int) -> Row:
    """One step of a plan."""
    return {
        "cycle_id": cycle_id,
        "position": step.position,
        "dreamer": step.dreamer,
        "module": storable(step.module),
        "path": storable(step.path),
        "source_hash": step.source_hash,
        "value": step.value,
        "content_hash": step.content_hash or None,
        "allowance": as_json(asdict(step.allowance)),
        "state": step.state.value,
        "note": _optional(step.note),
        "error": _optional(step.error),
        "seconds": step.seconds,
        "executions": step.executions,
        "figures": as_json(step.figures),
        "updated_at_us": now_us,
    }


def step_of(row: RowMapping) -> Step:
    """The step of a row."""
    plain = ("position", "dreamer", "module", "path", "source_hash", "value", "note", "error")
    return Step(
        **{name: row[name] for name in (*plain, "seconds", "executions")},
        content_hash=row["content_hash"] or "",
        allowance=CycleBudget(**json.loads(row["allowance"])),
        state=StepState(row["state"]),
        figures=json.loads(row["figures"]),
    )


def dream_row(cycle_id: str, each: CycleDream, now_us: int) -> Row:
    """A dream, without its trial."""
    dream = each.dream
    return {
        "cycle_id": cycle_id,
        "id": dream.id,
        "position": each.position,
        "kind": dream.kind.value,
        "dreamer": dream.dreamer,
        "module": storable(dream.module),
        "title": storable(dream.title),
        "seed": dream.seed,
        "change": as_json([asdict(edit) for edit in dream.change.edits]),
        "source_hash": each.source_hash,
        "status": each.status.value,
        "known_from": each.known_from,
        "created_at_us": now_us,
    }


def dream_of(row: RowMapping, trial: Trial | None, promotion: Promotion | None) -> CycleDream:
    """The dream of a row, with what became of it."""
    edits = tuple(FileEdit(**edit) for edit in json.loads(row["change"]))
    dream = Dream(
        kind=DreamKind(row["kind"]),
        dreamer=row["dreamer"],
        module=row["module"],
        title=row["title"],
        change=Change(edits),
        seed=row["seed"],
    )
    return CycleDream(
        dream=dream,
        position=row["position"],
        source_hash=row["source_hash"],
        status=DreamStatus(row["status"]),
        known_from=row["known_from"],
        trial=trial,
        promotion=promotion,
    )


def evidence_row(evidence: Evidence) -> Row:
    """What a trial measured."""
    return {
        "measures": as_json(evidence.measures),
        "seed": evidence.seed,
        "isolation": evidence.isolation.value,
        "command": as_json(evidence.command),
        "limits": as_json(evidence.limits),
        "hashes": as_json(evidence.hashes),
        "versions": as_json(evidence.versions),
        "details": as_json(evidence.details),
    }


def evidence_of(row: RowMapping) -> Evidence:
    """The evidence of a row."""
    details = json.loads(row["details"])
    return Evidence(
        measures=json.loads(row["measures"]),
        seed=row["seed"],
        isolation=IsolationTier(row["isolation"]),
        command=tuple(json.loads(row["command"])),
        limits=json.loads(row["limits"]),
        hashes=json.loads(row["hashes"]),
        versions=json.loads(row["versions"]),
        details={name: tuple(names) for name, names in details.items()},
    )


def ruling_row(position: int, ruling: Ruling) -> Row:
    """One gate's answer."""
    return {
        "position": position,
        "gate": ruling.gate,
        "verdict": ruling.verdict.value,
        "reason_code": ruling.reason_code,
        "reason": storable(ruling.reason),
        "measured": as_json(ruling.measured),
        "required": as_json(ruling.required),
    }


def ruling_of(row: RowMapping) -> Ruling:
    """The ruling of a row."""
    return Ruling(
        gate=row["gate"],
        verdict=Answer(row["verdict"]),
        reason_code=row["reason_code"],
        reason=row["reason"],
        measured=json.loads(row["measured"]),
        required=json.loads(row["required"]),
    )


def trial_of(row: RowMapping, evidence: Evidence, rulings: tuple[Ruling, ...]) -> Trial:
    """The trial of a row, with what it measured and what was ruled."""
    return Trial(
        evidence=evidence,
        judgement=Judgement(rulings, tuple(json.loads(row["needs"]))),
        score=json.loads(row["score"]),
        seconds=row["seconds"],
        executions=row["executions"],
    )


def promotion_row(promotion: Promotion) -> Row:
    """Where a dream was offered."""
    return {
        "status": promotion.status.value,
        "created_at_us": to_microseconds(promotion.created_at),
        "branch": promotion.branch,
        "commit_id": promotion.commit,
        "base": promotion.base,
        "patch": _optional(promotion.patch),
        "bundle": _optional(promotion.bundle),
        "roi": promotion.roi,
        "raroi": promotion.raroi,
    }


def promotion_of(row: RowMapping, dream: RowMapping) -> Promotion:
    """The promotion of a row, told with its dream's."""
    return Promotion(
        dream_id=row["dream_id"],
        kind=DreamKind(dream["kind"]),
        title=dream["title"],
        status=PromotionStatus(row["status"]),
        created_at=from_microseconds(row["created_at_us"]),
        commit=row["commit_id"],
        **{name: row[name] for name in ("branch", "base", "patch", "bundle", "roi", "raroi")},
    )


def sighting_of(row: RowMapping) -> Sighting:
    """The finding of a row."""
    return Sighting(row["module"], row["title"], json.loads(row["details"]))


def _optional(text: str | None) -> str | None:
    return None if text is None else storable(text)
