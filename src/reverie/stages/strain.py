"""Declared workflows under input that is hostile, wrong or drifted, once before a night's changes.

Only faults of values count here: which of them come is decided by the seed, so that the share of
calls that is lost is the same in every night until the code changes. What load, clocks and quotas
do to a workflow is for `reverie workflow stress` and `trajectory`.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.model.codec import pick
from reverie.model.measurements.stress import Severity, StressReport, Survival
from reverie.stages.flows import Flows
from reverie.workflows.scenarios.presets import canonical_preset
from reverie.workflows.scenarios.stress import StressPlan, stress_workflow

WORKFLOWS = "workflows"
"""The key of a baseline under which this is kept."""
SCENARIOS = ("hostile_input", "user_misuse", "schema_drift")
_CALLS = 6
_SECONDS = 20.0
"""After which no further workflow is begun."""
_DEADLINE_SECONDS = 10.0
_FEW = 3


@dataclass(frozen=True, slots=True)
class Strained:
    """What one workflow held."""

    workflow: str
    modules: tuple[str, ...]
    """What its steps reach."""
    calls: int
    passed: int
    failure: str | None = None
    """What the first call that was lost came to: the workflow's own words."""

    @property
    def degradation(self) -> float:
        """The share of calls that was lost."""
        return 1 - self.passed / self.calls

    @property
    def said(self) -> str:
        """All of it in a line."""
        held = f"workflow {self.workflow} held {self.passed} of {self.calls} calls"
        lost = "" if self.failure is None else f": {self.failure}"
        return f"{held} with hostile, wrong or drifted input{lost}"[:300]

    def document(self) -> dict[str, Any]:
        """As a baseline keeps it."""
        return pick(self, "calls passed degradation failure", modules=list(self.modules))


def strained(flows: Flows, folder: Path, seed: int) -> Iterator[Strained]:
    """Every declared workflow that runs, and that these faults reach, as far as the time goes."""
    ends_at = time.monotonic() + _SECONDS
    presets = tuple(canonical_preset(each, Severity.HIGH) for each in SCENARIOS)
    plan = StressPlan(presets, _CALLS, seed, _DEADLINE_SECONDS, _SECONDS / _FEW)
    for workflow in flows.workflows:
        if time.monotonic() > ends_at:
            return
        try:
            report = stress_workflow(flows.sandbox, workflow, str(folder), plan)
        except UsageError:
            continue  # it cannot be run here, or fails without any fault: trials say so
        found = _held(report, tuple(sorted(flows.reach(workflow))))
        if found is not None:
            yield found


def _held(report: StressReport, modules: tuple[str, ...]) -> Strained | None:
    reached = [each for each in report.results if each.survival is not Survival.NOT_EXERCISED]
    calls, passed = (sum(getattr(each, name) for each in reached) for name in ("calls", "passed"))
    failures = (each.failure for each in reached if each.failure is not None)
    return (
        Strained(report.workflow, modules, calls, passed, next(failures, None)) if calls else None
    )


def degradation_of(baseline: Mapping[str, Any] | None, module: str) -> float | None:
    """The largest share that a workflow which reaches a module lost; None: none was run."""
    known = (baseline or {}).get(WORKFLOWS) or {}
    return max((each["degradation"] for each in known.values() if module in each["modules"]),
               default=None)  # fmt: skip
