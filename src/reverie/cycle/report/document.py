"""A cycle as plain values: what `--json` prints, and what the page is written from."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from reverie.cycle.planning import COMPLETE, TAKEN_UP
from reverie.cycle.report.profile import profile_of
from reverie.model.codec import pick, plain
from reverie.model.cycle import CycleDream, CycleRecord, Sighting, Step, StepState
from reverie.model.dream import AT_STAGE, DreamStatus, author_of
from reverie.model.ruling import NeedKind, Verdict
from reverie.scoring.finding_ranks import rank_of, ranked

Document = dict[str, Any]
_EVEN = 0.5
CYCLE_KEYS = (
    *(
        "cycle",
        "cycle_id",
        "budget",
        "repository",
        "baseline",
        "dreams",
        "trials",
        "executions",
        "verdicts",
    ),
    *("promotions", "seconds", "result", "state", "revision", "branch", "seed", "findings"),
    *("steps", "environment", "error", "waiting", "skipped", "authors"),
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
        "cycle=id cycle_id=id budget repository baseline dreams trials executions verdicts "
        "promotions seconds result state revision branch wishes.seed findings steps environment "
        "error waiting skipped authors",
        budget=_budget(record),
        baseline=dict(record.header.baseline or {}),
        dreams=len(record.dreams),
        trials=len(tried),
        verdicts={verdict.value: verdicts[verdict] for verdict in Verdict},
        promotions=[_promotion(each) for each in record.promotions],
        findings=[_finding(each) for each in ranked(record.sightings)],
        environment={**record.header.environment, "suite": _suite(record)},
        steps=dict(Counter(step.state.value for step in record.steps)),
        waiting=[_waiting(each) for each in record.dreams if _is_waiting(each)],
        skipped=[
            {"module": step.module, "reason": _why_not(step)}
            for step in record.steps
            if step.state in (StepState.SKIPPED, StepState.FAILED) and step.note != TAKEN_UP
        ],
        authors=_authors(record),
    )


def failed_everywhere(document: Document) -> bool:
    """Whether Reverie failed at all that it began: one module that it cannot try ends no night.

    Each step that failed is told with its module, whatever the answer is.
    """
    steps = document["steps"]
    return bool(steps.get(StepState.FAILED)) and not steps.get(StepState.DONE)


def failed_reason(note: str | None) -> str:
    """What went wrong with Reverie itself, in a line."""
    return f"Reverie failed there: {note or 'the journal holds the error'}"


def _why_not(step: Step) -> str | None:
    return failed_reason(step.note) if step.state is StepState.FAILED else step.note


def _authors(record: CycleRecord) -> list[Document]:
    """What every model, agent and program was asked, came to and cost, stage by stage."""
    found = []
    for name in dict.fromkeys(step.dreamer for step in record.steps if AT_STAGE in step.dreamer):
        steps = [step for step in record.steps if step.dreamer == name]
        dreams = [each for each in record.dreams if each.dream.dreamer == name]
        kept = (DreamStatus.PROMOTED, DreamStatus.TESTED)
        costs = {
            key: round(sum(step.figures.get(key, 0) for step in steps), 6)
            for key in ("calls", "tokens", "money")
        }
        found.append(
            {
                "author": author_of(name),
                "stage": name.rpartition(AT_STAGE)[2],
                "tasks": sum(step.state is not StepState.SKIPPED for step in steps),
                "proposals": len(dreams),
                "proven": sum(each.status in kept for each in dreams),
                **costs,
                "seconds": round(sum(step.seconds for step in steps), 3),
                "problems": [f"{step.module}: {step.note}" for step in steps if step.note],
            }
        )
    return found


def _budget(record: CycleRecord) -> Document:
    asked = record.header.wishes.budget
    return {
        **plain(asked),
        "asked_seconds": asked.seconds,
        "spent_seconds": round(record.header.seconds, 3),
    }


def _suite(record: CycleRecord) -> Document | None:
    """How the suite stood before; None until it was measured."""
    before = record.header.baseline
    if before is None:
        return None
    counts = {name: before.get(name) for name in ("passed", "failed", "skipped")}
    return {**counts, "broken": list(before.get("broken_files") or ())}


def _promotion(each: CycleDream) -> Document:
    """Where a change is offered, who came up with it, and what it is worth."""
    told: Document = pick(each.promotion, _PROMOTION)
    return {
        **pick(each.dream, "dream=id author module"),
        **told,
        "worth": told["raroi"],
        "kept": _kept(each),
    }


def _kept(each: CycleDream) -> float | None:
    """How likely people keep it as it is; None where nobody could say."""
    return None if each.trial is None else kept_chance(each.trial.score)


def kept_chance(score: Mapping[str, Any]) -> float | None:
    """How likely people keep a change; None where that is a guess: even, and nobody has decided."""
    chance = score.get("kept_probability")
    is_guess = chance == _EVEN and not score.get("kept_decisions")
    return chance if isinstance(chance, float) and not is_guess else None


def _finding(each: Sighting) -> Document:
    found = each.details
    return {
        "id": each.signature,
        "module": each.module,
        "callable": found.get("function"),
        "rank": int(rank_of(found)),
        "title": each.title,
        "repro": found.get("repro") or found.get("input"),
        "mending": found.get("mending"),
    }


def report_document(record: CycleRecord) -> Document:
    """What `reverie report` prints: the cycle with every dream, its evidence and its rulings."""
    header = record.header
    return {
        **cycle_document(record),
        "started_at": header.started_at.isoformat(timespec="seconds"),
        "ended_at": header.ended_at and header.ended_at.isoformat(timespec="seconds"),
        "stage": header.wishes.stage or "all",
        "modules": [pick(step, _STEP) for step in record.steps],
        "complete": [
            {"module": step.module, "why": (step.note or "").removeprefix(COMPLETE)}
            for step in record.steps
            if (step.note or "").startswith(COMPLETE)
        ],
        "waiting": [
            {**change_document(each), **_waiting(each)}
            for each in record.dreams
            if _is_waiting(each)
        ],
        "promoted": [change_document(each) for each in record.promotions],
        "taken_back": [each.dream.id for each in record.ever_promoted if each.is_taken_back],
        "refused": [change_document(each) for each in record.dreams if _is_refused(each)],
        "known": [change_document(each) for each in record.dreams if each.known_from is not None],
        "found": [
            {"id": each.signature, "rank": int(rank_of(each.details)), **plain(each)}
            for each in ranked(record.sightings)
        ],
        "profile": profile_of(record),
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
        "trial.evidence.measures kept",
        kept=_kept(each),
        command=signing if NeedKind.APPROVALS in kinds else f"reverie promote {dream.id}",
    )


def _is_refused(each: CycleDream) -> bool:
    kept = (DreamStatus.PROMOTED, DreamStatus.TESTED, DreamStatus.PENDING_TEST)
    is_over = each.status not in kept and not each.is_taken_back
    return is_over and each.known_from is None and not _is_part(each)


def _is_part(each: CycleDream) -> bool:
    """Whether it passed, and is promoted with others of its module as one change."""
    is_proven = each.trial is not None and each.trial.judgement.verdict is Verdict.PROMOTE
    return is_proven and each.status is DreamStatus.ARCHIVED


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
