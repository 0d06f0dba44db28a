"""What a step says of itself when it has run, read with suspicion."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.model.execution import ErrorReport, Execution
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.model.workflow import StepRun
from reverie.workflows.fixtures import Files, files_claimed


@dataclass(frozen=True, slots=True)
class Answer:
    """A step, its files, and what it hands on: bytes that are never opened here."""

    step: StepRun
    files: Files = field(default_factory=Files)
    handed: str | None = None


def read_answer(name: str, execution: Execution, most_bytes: int) -> Answer:
    """The answer of one execution; one that makes no sense fails the step."""
    if not execution.succeeded:
        return Answer(StepRun(name, execution))
    claim = execution.output
    if not isinstance(claim, dict):
        return _refused(name, execution, "its answer makes no sense")
    if claim.get("too_large") is not None:
        return _refused(name, execution, f"its files are larger than {most_bytes} bytes together")
    if isinstance(claim.get("not_handed"), str):
        return _refused(name, execution, f"its result cannot be handed on: {claim['not_handed']}")
    files, handed = files_claimed(claim), claim.get("handed")
    if files is None or not isinstance(handed, str | None):
        return _refused(name, execution, "its answer makes no sense")
    step = StepRun(
        name,
        replace(execution, output=claim.get("value")),
        output_type=_text(claim, "type"),
        output_text=_text(claim, "text"),
    )
    return Answer(step, files, handed)


def _text(claim: Mapping[str, Any], key: str) -> str | None:
    value = claim.get(key)
    return value if isinstance(value, str) else None


def _refused(name: str, execution: Execution, why: str) -> Answer:
    failed = replace(
        execution,
        outcome=TestOutcome.OUTPUT_VALIDATION_FAILED,
        error_category=ErrorCategory.VALIDATION,
        error=ErrorReport(why),
        output=None,
    )
    return Answer(StepRun(name, failed))
