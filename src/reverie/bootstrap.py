"""The composition root: the only place that names concrete backends and wires rooms together."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Recorder, Sandbox


@contextmanager
def open_sandbox(section: SandboxSection, journal_url: str | None = None) -> Iterator[Sandbox]:
    """A sandbox as the settings describe it; its executions are recorded if there is a journal.

    What was recorded is committed when this ends. Without a journal the store is not imported.
    """
    with ExitStack() as stack:
        recorder = None if journal_url is None else _open_recorder(stack, journal_url)
        yield stack.enter_context(Sandbox(section, recorder))


def _open_recorder(stack: ExitStack, journal_url: str) -> Recorder:
    from reverie.store import ExecutionRecorder, Journal

    journal = stack.enter_context(Journal.open(journal_url))
    return stack.enter_context(ExecutionRecorder(journal))
