"""Evaluation without a model: the record of a dream's rule, its findings and its size."""

from collections import Counter
from collections.abc import Mapping, Sequence

from reverie.errors import UsageError
from reverie.model.dream import DreamStatus
from reverie.model.dream_moves import EVALUABLE
from reverie.model.evaluation import Evaluation
from reverie.model.finding import Severity
from reverie.model.outcome import TrustTier
from reverie.model.procedure import DreamProcedure, DreamTier
from reverie.sandbox.safety import RuleSet, check_source
from reverie.scoring.novelty import syntax_tokens
from reverie.scoring.viability import viability
from reverie.store import DreamStore

EVALUATOR = "record"
_MOST_RUNS = 1000
_GRAVE = (Severity.ERROR, Severity.CRITICAL)


async def evaluate_waiting(
    store: DreamStore, rules: RuleSet, ids: Sequence[int] | None = None
) -> list[DreamProcedure]:
    """Evaluate the dreams that wait for it, or those of some numbers; as they stand then."""
    record = await record_of_rules(store)
    if ids is None:
        waiting = await store.get_by_status(DreamStatus.PENDING_EVALUATION)
    else:
        waiting = [await store.get_dream(each) for each in dict.fromkeys(ids)]
        for each in waiting:
            if each.status not in EVALUABLE:
                raise UsageError(f"dream {each.id} is {each.status}: past its evaluation")
    return [await store.evaluate(evaluate(each, record, rules), EVALUATOR) for each in waiting]


async def record_of_rules(store: DreamStore) -> Mapping[str, tuple[int, int]]:
    """Of every rule: variants that did what they should, and variants tried.

    A variant counts when dreamers looked at it in the sandbox, and again when it was tested.
    """
    good: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    runs = [run.record for run in await store.get_generation_runs(_MOST_RUNS)]
    for record in (*runs, await store.test_record_by_dreamer()):
        for rule, (passed, looked_at) in record.items():
            good[rule] += passed
            tried[rule] += looked_at
    return {rule: (good[rule], tried[rule]) for rule in tried}


def evaluate(
    dream: DreamProcedure, record: Mapping[str, tuple[int, int]], rules: RuleSet
) -> Evaluation:
    """What the record of its rule says of a dream, lowered by static findings and size."""
    if dream.id is None:
        raise ValueError("a dream is evaluated after it was stored")
    passed, tried = record.get(dream.dreamer, (0, 0))
    findings = max(0, _findings(dream.code, rules) - _findings(dream.base_code, rules))
    growth = _growth(dream)
    score = viability(passed, tried, findings, growth)
    reasoning = (
        f"{passed} of {tried} variants by {dream.dreamer} were in order; "
        f"{findings} static findings; {growth:+.0%} syntax"
    )
    return Evaluation(dream.id, score, DreamTier.of(score), reasoning)


def _findings(code: str | None, rules: RuleSet) -> int:
    if code is None:
        return 0
    report = check_source(code, "<dream>", TrustTier.SANDBOX, rules)
    return sum(each.severity in _GRAVE for each in report.findings)


def _growth(dream: DreamProcedure) -> float:
    mine = syntax_tokens(dream.code) or ()
    base = syntax_tokens(dream.base_code or "") or ()
    return 0.0 if not dream.base_code or not base else (len(mine) - len(base)) / len(base)
