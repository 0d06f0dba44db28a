"""A workflow: ordered steps, data flowing from one to the next; and what one run of it came to."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from reverie.model.execution import ErrorReport, Execution, FileChange
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome

_NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a callable or `module:callable`, and keyword arguments besides what flows in."""

    target: Callable[..., Any] | str
    params: Mapping[str, Any] = field(default_factory=lambda: _NO_PARAMS, hash=False)
    each: bool = False
    """Called once for every item of what flows in; the list of results flows on."""
    cached: bool = False
    """With `each`: items that are equal are computed once."""

    @property
    def module(self) -> str:
        """The dotted name of its module."""
        named = self.target if isinstance(self.target, str) else ""
        return named.partition(":")[0] or str(getattr(self.target, "__module__", ""))

    def document(self) -> dict[str, Any]:
        """The step as JSON; only what is not the default."""
        document: dict[str, Any] = {"call": str(self.target)}
        if self.params:
            document["params"] = dict(self.params)
        return {**document, **{n: True for n in ("each", "cached") if getattr(self, n)}}


class WorkflowOrigin(StrEnum):
    """Where a workflow comes from."""

    DECLARED = "declared"
    CONSOLE_SCRIPT = "console_script"
    MAIN_BLOCK = "main_block"
    TEST_CHAIN = "test_chain"
    """Calls that hand results on, as a test was seen to make them."""
    SIGNATURE_CHAIN = "signature_chain"
    """What one returns fits what the next takes."""
    MODULE = "module"
    """One step, for a module that was integrated."""
    EVOLVED = "evolved"
    """Proven to do what its parent does, and to be better."""
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Workflow:
    """A workflow by name: steps of a repository, and what is needed to run and to judge it."""

    name: str
    steps: tuple[Step, ...]
    """Their targets are all `module:callable`."""
    origin: WorkflowOrigin = WorkflowOrigin.DECLARED
    params: Mapping[str, Any] = field(default_factory=lambda: _NO_PARAMS, hash=False)
    """Keyword arguments of the first step."""
    inputs: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    """Further such arguments, on which a variant has to do the same."""
    test_data: Mapping[str, str] = field(default_factory=lambda: _NO_PARAMS, hash=False)
    """Files of a fresh folder, by relative path."""
    expected_outputs: Mapping[str, Any] = field(default_factory=lambda: _NO_PARAMS, hash=False)
    """What a step returns by its name, or what a file holds by its path."""
    safe_mode: bool = False
    source: str = ""
    """Where it was found, for people: a file, a test, a parent workflow."""

    @property
    def targets(self) -> tuple[str, ...]:
        """The steps by name, in order."""
        return tuple(str(step.target) for step in self.steps)

    @property
    def modules(self) -> tuple[str, ...]:
        """The module of each step, in order."""
        return tuple(step.module for step in self.steps)

    @property
    def digest(self) -> str:
        """The same steps on the same data are the same version."""
        told = json.dumps(self.document(), sort_keys=True, default=str)
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def document(self) -> dict[str, Any]:
        """What is run, as JSON; not where it comes from."""
        return {
            "name": self.name,
            "steps": [step.document() for step in self.steps],
            "params": dict(self.params),
            "inputs": [dict(each) for each in self.inputs],
            "test_data": dict(self.test_data),
            "expected_outputs": dict(self.expected_outputs),
            "safe_mode": self.safe_mode,
        }


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
