"""The journal against a plain-Python model of itself."""

import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from math import ceil
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.postgres import Server

from reverie.model.execution import Execution, Request
from reverie.model.history import failure_signature
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.store import (
    ExecutionRecorder,
    Journal,
    RecorderSettings,
    details,
    failure_patterns,
    history,
    journal_url,
    prune,
    statistics,
)
from reverie.store.scalars import storable
from reverie.testing.fakes import FIRST_START, finished

MESSAGES = st.sampled_from(["bad value", "at 0x1", "at 0x2", "nul \x00", "\ud800"]) | st.text()
DURATIONS = st.floats(min_value=0, max_value=1e6) | st.just(float("nan"))
SECONDS = st.integers(0, 4)  # few, so that many executions start at once


@st.composite
def executions(draw: st.DrawFn) -> tuple[Request, Execution]:
    request, execution = finished(
        draw(st.integers(0, 40)),
        code=draw(st.sampled_from(["a", "b", "c\x00", ""])),
        outcome=draw(st.sampled_from(TestOutcome)),
        message=draw(MESSAGES),
        wall_seconds=draw(DURATIONS),
        isolation=draw(st.sampled_from(IsolationTier)),
    )
    started_at = FIRST_START + timedelta(seconds=draw(SECONDS))
    return request, replace(execution, started_at=started_at)


EXECUTIONS = executions()


@dataclass
class Recorded:
    arrival: int
    request: Request
    execution: Execution

    @property
    def place(self) -> tuple[object, int]:
        return self.execution.started_at, self.arrival

    @property
    def signature(self) -> str:
        error = self.execution.error
        assert error is not None
        return failure_signature(str(error.type_name), error.message, error.location)


class JournalMachine(RuleBasedStateMachine):
    """Records, flushes, reopens and prunes; whatever is flushed must be found again."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.url = self.new_url()
        self.model: dict[str, Recorded] = {}
        self.frequency: Counter[str] = Counter()
        self.is_flushed = True
        self.arrivals = 0

    def new_url(self) -> str:
        """Where a new journal is made."""
        return journal_url(self.folder)

    @initialize(batch_rows=st.integers(1, 4))
    def open(self, batch_rows: int) -> None:
        self.settings = RecorderSettings(batch_rows=batch_rows, buffer_rows=8, flush_seconds=3600)
        self.journal = Journal.open(self.url)
        self.recorder = ExecutionRecorder(self.journal, self.settings)

    @rule(executions=st.lists(EXECUTIONS, min_size=1, max_size=6))
    def record(self, executions: list[tuple[Request, Execution]]) -> None:
        self.is_flushed = False
        for request, execution in executions:
            self.recorder(request, execution)
            self.arrivals += 1
            if execution.id in self.model:
                continue
            recorded = Recorded(self.arrivals, request, execution)
            self.model[execution.id] = recorded
            if not execution.succeeded:
                self.frequency[recorded.signature] += 1

    @rule()
    def flush(self) -> None:
        self.recorder.flush()
        self.is_flushed = True

    @rule()
    def reopen(self) -> None:
        self.recorder.close()
        self.journal.close()
        self.journal = Journal.open(self.url, create=False)
        self.recorder = ExecutionRecorder(self.journal, self.settings)
        self.is_flushed = True

    @precondition(lambda self: self.is_flushed)
    @rule(second=SECONDS)
    def forget(self, second: int) -> None:
        before = FIRST_START + timedelta(seconds=second)
        old = [key for key, each in self.model.items() if each.execution.started_at < before]
        assert prune(self.journal, before) == len(old)
        for key in old:
            del self.model[key]

    def expected(self) -> list[Recorded]:
        return sorted(self.model.values(), key=lambda each: each.place, reverse=True)

    @precondition(lambda self: self.is_flushed)
    @rule(
        limit=st.integers(1, 6),
        outcome=st.none() | st.sampled_from(TestOutcome),
        isolation=st.none() | st.sampled_from(IsolationTier),
        second=st.none() | SECONDS,
    )
    def page_through(self, limit, outcome, isolation, second) -> None:  # type: ignore[no-untyped-def]
        since = None if second is None else FIRST_START + timedelta(seconds=second)
        wanted = [
            each.execution.id
            for each in self.expected()
            if outcome in (None, each.execution.outcome)
            and isolation in (None, each.execution.isolation)
            and (since is None or each.execution.started_at >= since)
        ]
        found: list[str] = []
        while page := history(
            self.journal, limit, found[-1] if found else None, outcome, isolation, since=since
        ):
            assert len(page) <= limit
            found += [row.id for row in page]
        assert found == wanted

    @precondition(lambda self: self.is_flushed and self.model)
    @rule(data=st.data())
    def look_at_one(self, data: st.DataObject) -> None:
        each = data.draw(st.sampled_from(self.expected()))
        found = details(self.journal, each.execution.id)
        error = each.execution.error
        assert found.record.started_at == each.execution.started_at
        assert found.record.outcome is each.execution.outcome
        assert found.record.code_hash == each.request.code_hash
        assert found.record.error_message == (None if error is None else storable(error.message))

    @invariant()
    def figures_agree(self) -> None:
        if not self.is_flushed:
            return
        executions = [each.execution for each in self.expected()]
        assert [row.id for row in history(self.journal, 1000)] == [e.id for e in executions]
        durations = sorted(e.duration_ms for e in executions if e.duration_ms == e.duration_ms)
        found = statistics(self.journal)
        assert found.by_outcome == Counter(e.outcome for e in executions)
        assert found.by_isolation == Counter(e.isolation for e in executions)
        assert found.durations == len(durations)
        for share, value in ((0.50, found.p50_duration_ms), (0.95, found.p95_duration_ms)):
            rank = ceil(share * len(durations)) - 1
            assert value == (durations[rank] if durations else None)
        patterns = failure_patterns(self.journal, limit=1000)
        assert {each.signature: each.frequency for each in patterns} == self.frequency

    def teardown(self) -> None:
        if hasattr(self, "recorder"):
            self.recorder.close()
            self.journal.close()
        shutil.rmtree(self.folder)


TestJournalMachine = JournalMachine.TestCase
TestJournalMachine.settings = settings(max_examples=12, stateful_step_count=20)


def test_the_same_in_postgresql(postgres: Server) -> None:
    class PostgresMachine(JournalMachine):
        def new_url(self) -> str:
            return postgres.new_journal()

    few = settings(TestJournalMachine.settings, max_examples=4)
    run_state_machine_as_test(PostgresMachine, settings=few)
