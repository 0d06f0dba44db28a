"""Dreams of procedures as rows, and rows as dreams."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping

from reverie.model.dream import DreamStatus
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.model.procedure import (
    DreamMetrics,
    DreamProcedure,
    DreamTier,
    DreamType,
    FailureShare,
    GenerationRun,
    ProcedureTest,
    Tightening,
)
from reverie.store.clock import from_microseconds, to_microseconds
from reverie.store.cycle_rows import Row, as_json
from reverie.store.text import storable

_TEXTS = ("repository", "base_procedure", "base_code", "code", "entry", "dreamer", "title",
          "reasoning", "evaluator", "test_error")  # fmt: skip
_PLAIN = ("run_id", "novelty_score", "cross_project_matches", "viability_score", "effectiveness")
_TEST_COUNTS = ("inputs", "succeeded", "same", "different", "more_robust", "less_robust")
_TEST_PLAIN = (*_TEST_COUNTS, "speedup", "effectiveness", "seconds", "error")

CHANGEABLE = (
    "novelty_score", "cross_project_matches", "status", "viability_score", "tier", "reasoning",
    "evaluator", "evaluated_at_us", "test_outcome", "test_error", "test_timestamp_us",
    "effectiveness",
)  # fmt: skip
"""What is learnt about a dream after it was stored; what it is does not change."""


def procedure_row(dream: DreamProcedure, now_us: int) -> Row:
    """A dream, without its number."""
    return {
        **{name: _text(getattr(dream, name)) for name in _TEXTS},
        **{name: getattr(dream, name) for name in _PLAIN},
        "digest": dream.digest,
        "dream_type": dream.dream_type.value,
        "details": as_json(dream.details),
        "import_roots": as_json(dream.import_roots),
        "status": dream.status.value,
        "tier": None if dream.tier is None else dream.tier.value,
        "evaluated_at_us": _us(dream.evaluated_at),
        "test_outcome": None if dream.test_outcome is None else dream.test_outcome.value,
        "test_timestamp_us": _us(dream.test_timestamp),
        "created_at_us": now_us if dream.created_at is None else _us(dream.created_at),
    }


def procedure_of(row: RowMapping) -> DreamProcedure:
    """The dream of a row."""
    tier, outcome = row["tier"], row["test_outcome"]
    return DreamProcedure(
        **{name: row[name] for name in (*_TEXTS, *_PLAIN, "id")},
        dream_type=DreamType(row["dream_type"]),
        details=json.loads(row["details"]),
        import_roots=tuple(json.loads(row["import_roots"])),
        status=DreamStatus(row["status"]),
        tier=None if tier is None else DreamTier(tier),
        evaluated_at=_moment(row["evaluated_at_us"]),
        test_outcome=None if outcome is None else TestOutcome(outcome),
        test_timestamp=_moment(row["test_timestamp_us"]),
        created_at=_moment(row["created_at_us"]),
    )


def run_row(run: GenerationRun) -> Row:
    """A generation run, without its number."""
    return {
        "started_at_us": to_microseconds(run.started_at),
        "repository": _text(run.repository),
        "strategy": storable(run.strategy),
        "seed": run.seed,
        "seconds": run.seconds,
        **{name: as_json(getattr(run, name)) for name in ("made", "stored", "dropped", "record")},
    }


def run_of(row: RowMapping) -> GenerationRun:
    """The generation run of a row."""
    return GenerationRun(
        started_at=from_microseconds(row["started_at_us"]),
        **{name: row[name] for name in ("repository", "strategy", "seed", "seconds", "id")},
        **{name: json.loads(row[name]) for name in ("made", "stored", "dropped")},
        record={name: (good, all_) for name, (good, all_) in json.loads(row["record"]).items()},
    )


def test_row(test: ProcedureTest) -> Row:
    """A test, without its number and its failures."""
    return {
        **{name: getattr(test, name) for name in _TEST_PLAIN},
        "dream_id": test.dream_id,
        "tested_at_us": to_microseconds(test.tested_at),
        "outcome": test.outcome.value,
        "error": _text(test.error),
    }


def test_of(row: RowMapping, failures: tuple[FailureShare, ...]) -> ProcedureTest:
    """The test of a row."""
    return ProcedureTest(
        **{name: row[name] for name in (*_TEST_PLAIN, "id", "dream_id")},
        tested_at=from_microseconds(row["tested_at_us"]),
        outcome=TestOutcome(row["outcome"]),
        failures=failures,
    )


def failure_row(test_id: int, failure: FailureShare) -> Row:
    """One failure of a test."""
    return {
        "test_id": test_id,
        "signature": failure.signature,
        "category": failure.category.value,
        "message": storable(failure.message),
        "inputs": failure.inputs,
    }


def failure_of(row: RowMapping) -> FailureShare:
    """The failure of a row."""
    category = ErrorCategory(row["category"])
    return FailureShare(row["signature"], category, row["message"], row["inputs"])


def metrics_row(metrics: DreamMetrics) -> Row:
    """Figures of one moment."""
    figures = asdict(metrics)
    moment = figures.pop("measured_at")
    return {
        "measured_at_us": to_microseconds(moment),
        "compound_health_score": metrics.compound_health_score,
        "figures": as_json(figures),
    }


def metrics_of(row: RowMapping) -> DreamMetrics:
    """The figures of a row."""
    figures: dict[str, Any] = json.loads(row["figures"])
    figures["left_out"] = tuple(figures["left_out"])
    return DreamMetrics(measured_at=from_microseconds(row["measured_at_us"]), **figures)


def tightening_row(tightening: Tightening) -> Row:
    """A constraint on a dreamer's rule, without its number."""
    return {
        "dreamer": storable(tightening.dreamer),
        "share": tightening.share,
        "constraint_name": storable(tightening.constraint),
        "evidence": as_json(tightening.evidence),
        "created_at_us": to_microseconds(tightening.created_at),
        "lifted_at_us": _us(tightening.lifted_at),
    }


def tightening_of(row: RowMapping) -> Tightening:
    """The constraint of a row."""
    return Tightening(
        dreamer=row["dreamer"],
        share=row["share"],
        constraint=row["constraint_name"],
        evidence=json.loads(row["evidence"]),
        created_at=from_microseconds(row["created_at_us"]),
        lifted_at=_moment(row["lifted_at_us"]),
        id=row["id"],
    )


def _text(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _us(moment: datetime | None) -> int | None:
    return None if moment is None else to_microseconds(moment)


def _moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else from_microseconds(microseconds)
