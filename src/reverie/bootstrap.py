"""The composition root: the only place that names concrete backends and wires rooms together."""

from collections.abc import Iterator
from contextlib import contextmanager

from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox


@contextmanager
def open_sandbox(section: SandboxSection, journal_url: str | None = None) -> Iterator[Sandbox]:
    """A sandbox as the settings describe it; its executions are recorded if there is a journal."""
    with Sandbox(section) as sandbox:
        yield sandbox
