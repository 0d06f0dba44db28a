"""Code generation under the names of its source document, on the engine that everything uses.

with SandboxManager("path/to/repository") as manager:
    generator = CodeGenerator(manager)
    answer = generator.generate_function("Check if a number is prime")
    generator.validate_and_test(answer)
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from reverie.bootstrap import open_index_of
from reverie.errors import UsageError
from reverie.model.execution import Request, Script
from reverie.settings import find_repository, load_settings

if TYPE_CHECKING:
    from types import TracebackType

    from reverie.dreamers.generate import Answer
    from reverie.index.search.ranking import Hit
    from reverie.model.execution import Execution
    from reverie.model.history import ExecutionRecord, ExecutionStatistics
    from reverie.model.repository.code import CodeIndex
    from reverie.settings import Loaded


def _loaded(folder: str | Path | None) -> Loaded:
    place = find_repository(None if folder is None else str(folder), os.environ)
    return load_settings(place.path, os.environ, {})


class SandboxManager:
    """Runs code in the sandbox, and keeps each run in the journal of a repository."""

    def __init__(self, repository: str | Path | None = None) -> None:
        from reverie.bootstrap.leases import held
        from reverie.sandbox.engine import Sandbox
        from reverie.store import ExecutionRecorder, Journal

        self.loaded = _loaded(repository)
        self._opened = ExitStack()
        self.journal = self._opened.enter_context(Journal.open(self.loaded.repository_journal_url))
        self._recorder = self._opened.enter_context(ExecutionRecorder(self.journal))
        section = self.loaded.settings.sandbox
        self.sandbox = self._opened.enter_context(Sandbox(section, self._recorder))
        self._opened.enter_context(held(self.sandbox))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the sandbox and the journal."""
        self._opened.close()

    def execute(self, code: str, timeout_seconds: float | None = None) -> Execution:
        """One run of a script; what the code does wrong is in the execution."""
        limits = self.loaded.settings.sandbox.limits()
        if timeout_seconds is not None:
            limits = replace(limits, wall_seconds=timeout_seconds)
        return self.sandbox.run(Request(Script(code), limits))

    def get_execution_history(self, limit: int = 50) -> tuple[ExecutionRecord, ...]:
        """The newest runs."""
        from reverie.store import history

        self._recorder.flush()
        return history(self.journal, limit)

    def get_stats(self) -> ExecutionStatistics:
        """Runs by outcome, their rate of success and their durations."""
        from reverie.store import statistics

        self._recorder.flush()
        return statistics(self.journal)


@dataclass(frozen=True, slots=True)
class CodeGenerator:
    """Writes functions with tests; whatever it writes is kept in the journal, with its version."""

    manager: SandboxManager

    def generate_function(self, spec: str, seconds: float = 20.0) -> Answer:
        """A function and its tests from a sentence or a specification, or the reason for none."""
        from reverie.bootstrap.dreams import keep_generated
        from reverie.dreamers.generate import generate, parse_spec

        wanted = parse_spec(spec)
        answer = generate(self.manager.sandbox, wanted, seconds)
        if answer.solved:
            loaded = self.manager.loaded
            url = loaded.repository_journal_url
            keep_generated(url, loaded.repository, answer, wanted.sentence)
        return answer

    def validate_and_test(self, answer: Answer) -> dict[str, Any]:
        """Whether the safety rules let a function pass, and why its own tests fail, if they do."""
        from reverie.dreamers.generate.suite import failure_of
        from reverie.sandbox.safety import CodeValidator

        if answer.name is None or answer.source is None or answer.tests is None:
            raise UsageError(f"there is no function to test: {answer.reason}")
        checked = CodeValidator().validate(answer.source)
        failure = failure_of(self.manager.sandbox, answer.source, answer.name, answer.tests)
        return {"validated": checked.passed, "tested": failure is None, "reason": failure}

    def get_stats(self) -> dict[str, int]:
        """How many functions were written for the repository, by where they came from."""
        from reverie.model.procedure import DreamType
        from reverie.store import DreamStore

        kept = asyncio.run(DreamStore(self.manager.journal).get_by_type(DreamType.GENERATED))
        place = str(self.manager.loaded.repository.resolve())
        own = Counter(each.dreamer for each in kept if each.repository == place)
        return {"generated": own.total(), **own}


@dataclass(frozen=True, slots=True)
class CodeIndexer:
    """Reads a repository, and finds functions in it."""

    repository: str | Path | None = None

    def index(self) -> CodeIndex:
        """The index, as the files are now."""
        with open_index_of(_loaded(self.repository)) as index:
            index.refresh()
            return index.load()

    def search(self, question: str, limit: int = 10) -> tuple[Hit, ...]:
        """Functions by name, by words or by signature, best first."""
        with open_index_of(_loaded(self.repository)) as index:
            index.refresh()
            return tuple(index.search(question, limit))
