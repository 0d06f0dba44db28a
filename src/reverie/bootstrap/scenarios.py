"""Wires stress runs: the sandbox they run in, and what is told about them."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import UsageError

if TYPE_CHECKING:
    from reverie.model.stress import StressReport, Trajectory
    from reverie.model.workflow import Workflow
    from reverie.sandbox.engine import Sandbox
    from reverie.settings import Loaded
    from reverie.workflows.scenarios.stress import StressPlan
    from reverie.workflows.scenarios.trajectory import Tracker

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


def plan_of(loaded: Loaded, upstream: Mapping[str, Any], seed: int = 0) -> StressPlan:
    """How the settings want workflows stressed; presets are left to the caller."""
    from reverie.workflows.scenarios.stress import StressPlan

    section = loaded.settings.scenarios
    return StressPlan(
        (),
        calls=section.calls,
        seed=seed,
        deadline_seconds=section.deadline_seconds,
        upstream=upstream,
    )


def simulate_temporal_trajectory(
    workflow_id: str,
    *,
    foresight_tracker: Tracker | None = None,
    repository: str | Path = ".",
    level: str = "high",
    upstream: Mapping[str, Any] | None = None,
) -> Trajectory:
    """Run a workflow of a repository through the five stages; a tracker gets each of them."""
    from reverie.workflows.scenarios.trajectory import run_trajectory

    loaded = _load(repository)
    workflow = find_workflow(loaded, workflow_id)
    with open_stress_sandbox(loaded, None) as sandbox:
        return run_trajectory(
            sandbox,
            workflow,
            str(loaded.repository),
            plan_of(loaded, upstream or {}),
            level=level,
            worth_minutes=loaded.settings.scenarios.worth_minutes,
            compute_minute=loaded.settings.roi.compute_minute,
            foresight_tracker=foresight_tracker,
        )


def run_repo_section_simulations(
    repo_path: str | Path,
    *,
    env_presets: Mapping[str, Any] | None = None,
    upstream: Mapping[str, Any] | None = None,
) -> dict[str, StressReport]:
    """Every declared or kept workflow under presets, the canonical ones if none are given.

    One that fails without any fault is logged and left out: faults say nothing about it.
    """
    from reverie.bootstrap.workflows import known_workflows
    from reverie.workflows.scenarios.preset_files import read_presets
    from reverie.workflows.scenarios.presets import canonical_presets
    from reverie.workflows.scenarios.stress import stress_workflow

    loaded = _load(repo_path)
    presets = canonical_presets()
    if env_presets is not None:
        presets = read_presets(json.dumps(env_presets), "env_presets")
    plan = replace(plan_of(loaded, upstream or {}), presets=presets)
    reports: dict[str, StressReport] = {}
    with open_stress_sandbox(loaded, None) as sandbox:
        for each in known_workflows(loaded):
            try:
                reports[each.name] = stress_workflow(sandbox, each, str(loaded.repository), plan)
            except UsageError as error:
                logging.getLogger(__name__).warning("%s", error)
    return reports


def find_workflow(loaded: Loaded, name: str) -> Workflow:
    """A workflow of a repository by name: declared, kept or found."""
    from reverie.bootstrap.workflows import open_shelf

    with open_shelf(loaded) as shelf:
        return shelf.find(name)


def _load(repository: str | Path) -> Loaded:
    from reverie.settings import find_repository, load_settings

    return load_settings(find_repository(str(repository), os.environ).path, os.environ, {})


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
        base = Path(root, *module.split("."))
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                yield path.read_text(encoding="utf-8", errors="replace")
