"""`foresight_gate.is_foresight_safe_to_promote`: the four conditions, from what a tracker holds."""

from collections.abc import Sequence
from typing import NamedTuple

from reverie.gates.governance import Outlook, unsafe_reasons
from reverie.learning.foresight_tracker import ForesightTracker, UpgradeForecast, UpgradeForecaster
from reverie.model.foresight import CollapseRisk, ReasonCode
from reverie.scoring.synergy import WorkflowGraph
from reverie.scoring.trajectory import collapse_risk


class Safety(NamedTuple):
    """Whether promoting is safe, why not, and what it was judged on."""

    ok: bool
    reason_codes: tuple[ReasonCode, ...]
    forecast: UpgradeForecast | None
    collapse: CollapseRisk | None = None


def is_foresight_safe_to_promote(
    workflow_id: str,
    patch: Sequence[str],
    tracker: ForesightTracker,
    workflow_graph: WorkflowGraph | None = None,
    roi_threshold: float = 0.0,
) -> Safety:
    """`(ok, reason_codes, forecast)`. Whatever goes wrong while judging is `unknown`, never ok.

    `patch`: what is promoted, for the record; the figures are those of the workflow.
    """
    try:
        expected = UpgradeForecaster(tracker).forecast(workflow_id)
        risk = collapse_risk(tracker.cycles(workflow_id))
        projected = [each.roi for each in expected.cycles]
        impact: dict[str, float | None] = {}
        if workflow_graph is not None and projected:
            last = tracker.worths(workflow_id)[-1:] or [0.0]
            wave = workflow_graph.simulate_impact_wave(workflow_id, projected[0] - last[0])
            impact = {name: each.roi for name, each in wave.items()}
        outlook = Outlook(projected, expected.confidence, risk, impact)
        reasons = unsafe_reasons(outlook, roi_threshold)
    except Exception:  # noqa: BLE001 - fail closed: what cannot be judged is not safe
        return Safety(False, (ReasonCode.UNKNOWN,), None)
    return Safety(not reasons, reasons, expected, risk)
