"""A workflow: ordered steps, data flowing from one to the next; its runs, versions and documents.

A workflow as somebody wrote it down (TOML of a project, JSON of the journal) is read strictly.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
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


@dataclass(frozen=True, slots=True)
class WorkflowVersion:
    """One version. Versions of a name are counted from 1, and the newest one holds."""

    workflow: Workflow
    version: int
    parent: str | None
    """Digest of the workflow that it was made from."""
    merged_into: str | None
    """Name of the workflow that it became part of."""
    created_at: datetime


_NAME = re.compile(r"[A-Za-z0-9_][\w.-]*")
_TARGET = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")
_STEP_KEYS = frozenset({"call", "params", "each", "cached"})
_TABLES = ("params", "test_data", "expected_outputs")
_KEYS = frozenset({"steps", "inputs", "safe_mode", *_TABLES})
_MOST_STEPS = 100


def is_workflow_name(text: str) -> bool:
    """Whether a workflow can have this name."""
    return bool(_NAME.fullmatch(text)) and len(text) <= 200


def read_workflow(
    name: str, given: object, origin: WorkflowOrigin = WorkflowOrigin.DECLARED, source: str = ""
) -> Workflow:
    """The workflow of a list of steps, or of a table with `steps`; `ValueError` says what is wrong.

    A step is `module:callable`, or a table with `call`, `params`, `each` and `cached`.
    """
    if not is_workflow_name(name):
        raise ValueError(f"{name!r:.80} is no name of a workflow")
    table = {"steps": given} if isinstance(given, list) else given
    if not isinstance(table, Mapping):
        raise ValueError(f"workflow {name}: expected a list of steps, or a table with steps")
    _refuse_unknown(table, _KEYS, f"workflow {name}")
    steps = table.get("steps")
    if not isinstance(steps, list) or not 0 < len(steps) <= _MOST_STEPS:
        raise ValueError(f"workflow {name}: steps: expected a list of 1 to {_MOST_STEPS}")
    tables = {each: _table(table.get(each, {}), f"workflow {name}: {each}") for each in _TABLES}
    texts = tables["test_data"]
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError(f"workflow {name}: test_data: expected texts by file name")
    inputs = table.get("inputs", [])
    if not isinstance(inputs, list):
        raise ValueError(f"workflow {name}: inputs: expected a list of tables")
    return Workflow(
        name,
        tuple(_step(each, f"workflow {name}: step {at}") for at, each in enumerate(steps, 1)),
        origin,
        params=tables["params"],
        inputs=tuple(_table(each, f"workflow {name}: inputs") for each in inputs),
        test_data=texts,
        expected_outputs=tables["expected_outputs"],
        safe_mode=_flag(table, "safe_mode", f"workflow {name}"),
        source=source,
    )


def _step(given: object, where: str) -> Step:
    table = {"call": given} if isinstance(given, str) else given
    if not isinstance(table, Mapping):
        raise ValueError(f"{where}: expected module:callable, or a table with call")
    _refuse_unknown(table, _STEP_KEYS, where)
    call = table.get("call")
    if not isinstance(call, str) or not _TARGET.fullmatch(call):
        raise ValueError(f"{where}: expected module:callable, not {call!r:.80}")
    each, cached = _flag(table, "each", where), _flag(table, "cached", where)
    if cached and not each:
        raise ValueError(f"{where}: cached needs each")
    return Step(call, _table(table.get("params", {}), f"{where}: params"), each, cached)


def _table(given: object, where: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise ValueError(f"{where}: expected a table")
    try:
        json.dumps(given, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{where}: {error}"[:200]) from None
    return dict(given)


def _flag(table: Mapping[str, Any], key: str, where: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{where}: {key}: expected true or false, not {value!r:.80}")
    return value


def _refuse_unknown(table: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise ValueError(
                f"{where}: unknown key {key!r:.80}; there are {', '.join(sorted(known))}"
            )
