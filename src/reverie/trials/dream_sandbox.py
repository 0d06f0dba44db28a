"""`DreamSandbox`: one dream, one set of inputs, one result, and what keeps failing.

    async with DreamSandbox(timeout_seconds=5) as sandbox:
        result = await sandbox.execute_dream(1, "def double(x): return 2 * x", {"x": 21})

It runs on the one sandbox engine and counts in the one journal. Without a journal of the
caller's it keeps a private one for as long as it is open. Output that is too long is cut where
people can see it.
"""

import asyncio
import shutil
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from reverie import store
from reverie.errors import UsageError
from reverie.model.dream import DreamId, DreamTestResult
from reverie.model.execution import MIB, Call, Execution, Policy, Request, Script
from reverie.model.history import FailurePattern, signature_of
from reverie.model.sections import SandboxSection
from reverie.sandbox.encode import find_entry
from reverie.sandbox.engine import Sandbox
from reverie.store import ExecutionRecorder, Journal, journal_url
from reverie.trials.fixes import suggest_fix, with_fix


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The first lines of a text; when it was cut, its last line says how much is missing."""

    text: str
    is_cut: bool


def first_lines(text: str, most: int) -> Excerpt:
    """At most `most` lines, and one more that names how many there were besides."""
    lines = text.split("\n")
    missing = len(lines) - most - (lines[-1] == "")
    if missing <= 0:
        return Excerpt(text, is_cut=False)
    return Excerpt("\n".join(lines[:most]) + f"\n[{missing} more lines]\n", is_cut=True)


MOST_PATTERNS = 100_000


class DreamSandbox:
    """Runs dreams in the sandbox, sorts their failures and remembers them."""

    def __init__(
        self,
        timeout_seconds: float = 30,
        memory_limit_mb: int = 512,
        max_output_lines: int = 1000,
        enable_network: bool = False,
        enable_filesystem: bool = False,
        *,
        folders: Sequence[str | PathLike[str]] = (),
        journal: Journal | None = None,
        sandbox: Sandbox | None = None,
    ) -> None:
        """`folders` are shown as private copies and need `enable_filesystem`.

        A `journal` or `sandbox` that is given stays open when this is closed.
        """
        if max_output_lines < 1:
            raise UsageError(f"max_output_lines must be at least 1, not {max_output_lines!r}")
        section = SandboxSection() if sandbox is None else sandbox.section
        copies = tuple(str(Path(folder).absolute()) for folder in folders)
        memory = int(memory_limit_mb * MIB)
        self.max_output_lines = max_output_lines
        self.limits = replace(
            section.limits(), wall_seconds=float(timeout_seconds), memory_bytes=memory
        )
        self.policy = Policy(
            enable_network, enable_filesystem, private_copies=copies, preload=section.preload
        )
        self._opening = threading.Lock()
        self._resources = ExitStack()
        self._sandbox = sandbox
        self._journal = journal
        self._recorder: ExecutionRecorder | None = None
        self._closing = weakref.finalize(self, self._resources.close)

    async def execute_dream(
        self,
        dream_id: DreamId,
        code: str,
        input_params: Mapping[str, Any] | None = None,
        expected_output_type: str | None = None,
    ) -> DreamTestResult:
        """Run a dream once.

        Calls the top-level function that the parameters fit; code without one runs as a
        script with the parameters as globals, and its output is what it leaves in `_result`.
        """
        params = dict(input_params or {})
        entry = find_entry(code, params)
        target = Script(code, params=params) if entry is None else Call(code, entry, params)
        request = Request(target, self.limits, self.policy, expected_output_type)
        execution = await asyncio.to_thread(self._run, request)
        return self._result(dream_id, request, execution, entry)

    def get_failure_patterns(self) -> dict[str, FailurePattern]:
        """Every failure in the journal by its signature, most frequent first, with a fix."""
        journal = self._flushed()
        found = () if journal is None else store.failure_patterns(journal, MOST_PATTERNS)
        return {pattern.signature: with_fix(pattern) for pattern in found}

    def get_test_statistics(self, since: datetime | None = None) -> dict[str, Any]:
        """Figures over the journal. Without tests there is no rate and no average: None."""
        journal = self._flushed()
        figures = None if journal is None else store.statistics(journal, since)
        if figures is None or figures.executions == 0:
            return _no_tests(0 if figures is None else figures.failure_patterns)
        outcomes = {outcome.value: count for outcome, count in figures.by_outcome.items()}
        return {
            "total_tests": figures.executions,
            "successful_tests": outcomes.get("success", 0),
            "success_rate": figures.success_rate,
            "average_execution_time_ms": figures.mean_duration_ms,
            "outcomes": outcomes,
            "failure_patterns_count": figures.failure_patterns,
        }

    def close(self) -> None:
        """Commit what was recorded, and end what was opened here. Twice is once."""
        self._closing()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.close)

    def _run(self, request: Request) -> Execution:
        sandbox, recorder = self._opened()
        execution = sandbox.run(request)
        recorder(request, execution)
        return execution

    def _opened(self) -> tuple[Sandbox, ExecutionRecorder]:
        """The engine and the recorder, opened with the first dream."""
        with self._opening:
            if not self._closing.alive:
                raise UsageError("this DreamSandbox is closed")
            if self._recorder is None:
                if self._journal is None:
                    self._journal = self._resources.enter_context(_private_journal(self._resources))
                self._recorder = self._resources.enter_context(ExecutionRecorder(self._journal))
            if self._sandbox is None:
                self._sandbox = self._resources.enter_context(Sandbox())
            return self._sandbox, self._recorder

    def _flushed(self) -> Journal | None:
        """The journal with everything in it that happened; None: nothing has, and there is none."""
        if not self._closing.alive:
            raise UsageError("this DreamSandbox is closed")
        if self._recorder is not None:
            self._recorder.flush()
        return self._journal

    def _result(
        self, dream_id: DreamId, request: Request, execution: Execution, entry: str | None
    ) -> DreamTestResult:
        error = execution.error
        stdout = first_lines(execution.stdout, self.max_output_lines)
        stderr = first_lines(execution.stderr, self.max_output_lines)
        target = request.target
        assert isinstance(target, Call | Script)
        return DreamTestResult(
            dream_id=dream_id,
            test_outcome=execution.outcome,
            error_category=execution.error_category,
            output=execution.output,
            error=None if error is None else error.message,
            traceback=None if error is None else error.traceback,
            stdout=stdout.text,
            stderr=stderr.text,
            output_truncated=execution.output_truncated or stdout.is_cut or stderr.is_cut,
            execution_time_ms=execution.duration_ms,
            isolation=execution.isolation,
            input_params=target.params,
            entry=entry,
            expected_output_type=request.expected_output_type,
            failure_signature=signature_of(execution),
            suggested_fix=_suggestion(execution),
            usage=execution.usage,
            changes=execution.changes,
            execution_id=execution.id,
            timestamp=execution.started_at,
        )


def _suggestion(execution: Execution) -> str | None:
    if execution.error is None or execution.error_category is None:
        return None
    fix = suggest_fix(execution.error_category, execution.error.message)
    return None if fix is None else str(fix)


def _no_tests(patterns: int) -> dict[str, Any]:
    return {
        "total_tests": 0,
        "successful_tests": 0,
        "success_rate": None,
        "average_execution_time_ms": None,
        "outcomes": {},
        "failure_patterns_count": patterns,
    }


def _private_journal(resources: ExitStack) -> Journal:
    """A journal of our own in a temporary folder that goes with it."""
    folder = tempfile.mkdtemp(prefix="reverie-journal-")
    resources.callback(shutil.rmtree, folder, ignore_errors=True)
    return Journal.open(journal_url(Path(folder)))
