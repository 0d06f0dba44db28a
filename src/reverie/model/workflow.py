"""A workflow: ordered steps, data flowing from one to the next; and what one run of it came to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from reverie.model.execution import ErrorReport, Execution, FileChange
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome

_NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a callable or `module:callable`, and keyword arguments besides what flows in."""

    target: Callable[..., Any] | str
    params: Mapping[str, Any] = field(default_factory=lambda: _NO_PARAMS)


@dataclass(frozen=True, slots=True)
class StepRun:
    """One step, run. What it returned, said and left behind are its own claims."""

    name: str
    execution: Execution
    """Its `output` is what the step returned, where JSON can hold that."""
    output_type: str | None = None
    output_text: str | None = None
    """`repr` of a result that JSON cannot hold, cut."""

    @property
    def output(self) -> Any:
        """What the step returned; None also for what JSON cannot hold (see `output_type`)."""
        return self.execution.output

    @property
    def duration_ms(self) -> float:
        """Wall time, seen from outside."""
        return self.execution.duration_ms

    @property
    def cpu_seconds(self) -> float | None:
        """CPU time as the kernel counted it."""
        return self.execution.usage.cpu_seconds

    @property
    def peak_rss_bytes(self) -> int | None:
        """Peak memory as the kernel counted it."""
        return self.execution.usage.peak_rss_bytes


@dataclass(frozen=True, slots=True)
class WorkflowRun:
    """One run of a workflow. Steps after the first that failed are not in it."""

    outcome: TestOutcome
    error_category: ErrorCategory | None
    error: ErrorReport | None
    failed_step: str | None
    """The step that failed; None too when all ran and only an expectation was not met."""
    steps: tuple[StepRun, ...]
    files: Mapping[str, bytes]
    """What lay in the run's folder after the last step that succeeded, by relative path."""
    changes: tuple[FileChange, ...]
    """How `files` differ from the test data."""
    safe_mode: bool = False

    @property
    def succeeded(self) -> bool:
        """Whether every step succeeded and every expectation was met."""
        return self.outcome is TestOutcome.SUCCESS

    @property
    def output(self) -> Any:
        """What the last step returned."""
        return self.steps[-1].output if self.steps else None

    @property
    def outputs(self) -> dict[str, Any]:
        """What each step returned, by its name."""
        return {step.name: step.output for step in self.steps}

    @property
    def isolation(self) -> IsolationTier:
        """The tier the steps ran under."""
        return self.steps[-1].execution.isolation

    @property
    def duration_ms(self) -> float:
        """Wall time of all steps."""
        return sum(step.duration_ms for step in self.steps)

    @property
    def cpu_seconds(self) -> float | None:
        """CPU time of all steps; None when one was not measured."""
        measured = [step.cpu_seconds for step in self.steps if step.cpu_seconds is not None]
        return sum(measured) if len(measured) == len(self.steps) else None

    @property
    def peak_rss_bytes(self) -> int | None:
        """The largest peak of a step; None when none was measured."""
        measured = [step.peak_rss_bytes for step in self.steps if step.peak_rss_bytes is not None]
        return max(measured, default=None)
