"""Tests of dreams as documents: plain values under documented keys."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from reverie.model.behaviour import Seen
from reverie.model.codec import pick
from reverie.model.outcome import TestOutcome
from reverie.model.procedure import DreamProcedure, ProcedureTest
from reverie.trials.procedures import Tried, compared

_SHOWN = 200


def test_document(test: ProcedureTest, has_base: bool) -> dict[str, Any]:
    """One test, as far as it is in the journal."""
    return pick(
        test,
        "dream_id tested_at success=passed outcome error inputs succeeded compared same different "
        "more_robust less_robust speedup effectiveness seconds failures",
        dream_id=test.dream_id or None,
        compared=list(compared(test, has_base)),
    )


def result_document(
    dream: DreamProcedure, tried: Tried, *, with_inputs: bool = False
) -> dict[str, Any]:
    """One dream's test, with what was seen on each input if wanted."""
    document = {
        **test_document(tried.test, dream.is_variant),
        "title": dream.title,
        "base_procedure": dream.base_procedure,
        "dreamer": dream.dreamer,
    }
    if with_inputs:
        document["statistics"] = statistics_document(tried.seen)
        document["results"] = [
            {
                "call": call.render(dream.entry)[:_SHOWN],
                "outcome": each.outcome.value,
                "value": each.value[:_SHOWN],
                "error": each.error,
                "base": None if tried.base is None else tried.base[place].value[:_SHOWN],
            }
            for place, (call, each) in enumerate(zip(tried.plan.calls, tried.seen, strict=True))
        ]
    return document


def statistics_document(seen: Sequence[Seen]) -> dict[str, Any]:
    """Figures over executions. Without any there is no rate and no average: None."""
    made = [each for each in seen if each.is_made]
    outcomes = Counter(each.outcome for each in made)
    good = outcomes[TestOutcome.SUCCESS]
    return {
        "total_tests": len(made),
        "successful_tests": good,
        "success_rate": good / len(made) if made else None,
        "average_execution_time_ms": (
            sum(each.duration_ms for each in made) / len(made) if made else None
        ),
        "outcomes": {outcome.value: count for outcome, count in outcomes.most_common()},
        "failure_patterns_count": len({each.signature for each in made if each.signature}),
    }
