"""A cycle as plain values: what `--json` prints, and what the page is written from."""

from collections import Counter
from typing import Any

from reverie.cycle.planning import COMPLETE
from reverie.model.approval import NeedKind
from reverie.model.codec import pick, plain
from reverie.model.cycle import CycleDream, CycleRecord, StepState
from reverie.model.dream import DreamStatus
from reverie.model.ruling import Verdict

Document = dict[str, Any]
CYCLE_KEYS = (
    *("cycle_id", "repository", "baseline", "dreams", "trials", "executions", "verdicts"),
    *("promotions", "seconds", "result", "state", "revision", "branch", "seed", "findings"),
    *("steps", "environment", "error", "waiting", "skipped"),
)
"""What `reverie run` prints of a report."""
_PROMOTION = "dream_id kind branch bundle roi raroi commit patch title"
_STEP = "module file=path dreamer state note error value allowance seconds executions figures"
_TRIAL = (
    "judgement.verdict judgement.rulings judgement.needs score evidence.measures evidence.details "
    "evidence.command evidence.seed evidence.isolation seconds executions"
)


def cycle_document(record: CycleRecord) -> Document:
    """What `reverie run` prints: the cycle in figures."""
    tried = [each.trial for each in record.dreams if each.trial is not None]
    verdicts = Counter(trial.judgement.verdict for trial in tried)
    return pick(
        record.header,
        "cycle_id=id repository baseline dreams trials executions verdicts promotions seconds "
        "result state revision branch wishes.seed findings steps environment error waiting skipped",
        baseline=dict(record.header.baseline or {}),
        dreams=len(record.dreams),
        trials=len(tried),
        verdicts={verdict.value: verdicts[verdict] for verdict in Verdict},
        promotions=[pick(each.promotion, _PROMOTION) for each in record.promotions],
        findings=len(record.sightings),
        steps=dict(Counter(step.state.value for step in record.steps)),
        waiting=[_waiting(each) for each in record.dreams if _is_waiting(each)],
        skipped=[
            {"module": step.module, "reason": step.note}
            for step in record.steps
            if step.state is StepState.SKIPPED
        ],
    )


def report_document(record: CycleRecord) -> Document:
    """What `reverie report` prints: the cycle with every dream, its evidence and its rulings."""
    header = record.header
    return {
        **cycle_document(record),
        "started_at": header.started_at.isoformat(timespec="seconds"),
        "ended_at": header.ended_at and header.ended_at.isoformat(timespec="seconds"),
        **pick(header, "wishes.budget wishes.stage"),
        "modules": [pick(step, _STEP) for step in record.steps],
        "complete": [
            {"module": step.module, "why": (step.note or "").removeprefix(COMPLETE)}
            for step in record.steps
            if (step.note or "").startswith(COMPLETE)
        ],
        "promoted": [change_document(each) for each in record.promotions],
        "taken_back": [each.dream.id for each in record.ever_promoted if each.is_taken_back],
        "refused": [change_document(each) for each in record.dreams if _is_refused(each)],
        "known": [change_document(each) for each in record.dreams if each.known_from is not None],
        "found": [{"id": each.signature, **plain(each)} for each in record.sightings],
    }


def _is_waiting(each: CycleDream) -> bool:
    return each.status is DreamStatus.TESTED and each.trial is not None


def _waiting(each: CycleDream) -> Document:
    """A change that is proven and needs somebody's word, with the command that gives it."""
    dream = each.dream
    kinds = [] if each.trial is None else [need.kind for need in each.trial.judgement.needs]
    signing = f"reverie approve {dream.id} --as NAME --key FILE"
    return pick(
        each,
        "dream=dream.id dream.kind dream.module dream.title trial.judgement.needs command "
        "trial.evidence.measures",
        command=signing if NeedKind.APPROVALS in kinds else f"reverie promote {dream.id}",
    )


def _is_refused(each: CycleDream) -> bool:
    kept = (DreamStatus.PROMOTED, DreamStatus.TESTED, DreamStatus.PENDING_TEST)
    is_over = each.status not in kept and not each.is_taken_back
    return is_over and each.known_from is None


def change_document(each: CycleDream) -> Document:
    """One change with its difference, its evidence, its rulings and where it is offered."""
    change = each.dream.change
    return pick(
        each,
        "dream_id=dream.id dream.kind dream.module dream.title status known_from lines_added "
        "lines_removed files=dream.change.paths diff promotion trial",
        lines_added=sum(edit.lines_added for edit in change.edits),
        lines_removed=sum(edit.lines_removed for edit in change.edits),
        diff=change.diff(),
        promotion=each.promotion and pick(each.promotion, _PROMOTION),
        trial=each.trial and pick(each.trial, _TRIAL),
    )
