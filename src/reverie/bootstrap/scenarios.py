"""Wires stress runs: the sandbox they run in, and what is told about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reverie.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from reverie.model.workflow import Workflow
    from reverie.sandbox.engine import Sandbox
    from reverie.settings import Loaded

_MOST_BYTES = 1_000_000


@contextmanager
def open_stress_sandbox(loaded: Loaded, journal_url: str | None) -> Iterator[Sandbox]:
    """A sandbox with as many slots as runs are made at once."""
    from reverie.bootstrap import open_sandbox

    settings = loaded.settings
    slots = max(settings.sandbox.slots, settings.scenarios.slots)
    with open_sandbox(replace(settings.sandbox, slots=slots), journal_url) as sandbox:
        yield sandbox


def read_upstream(path: str | None) -> dict[str, Any]:
    """What an upstream answers, by path; `*` is any other."""
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            document = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"upstream {path!r}: {error}") from error
    if not isinstance(document, dict):
        raise UsageError(f"upstream {path!r}: expected an object of answers by path")
    return document


def texts_of(workflow: Workflow, repository: Path) -> Iterator[str]:
    """What a workflow is written with: its names, and the source of its modules."""
    from reverie.workflows.places import find_module, search_roots

    yield workflow.name
    yield from workflow.targets
    roots = search_roots(repository)
    for module in dict.fromkeys(workflow.modules):
        root = find_module(module, roots).root
        if root is None:
            continue
        from pathlib import Path

        base = Path(root, *module.split("."))
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                yield path.read_text(encoding="utf-8", errors="replace")
