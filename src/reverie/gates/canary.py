"""When a canary has failed: an error or a difference at once, slowness once it is sure."""

from reverie.model.canary import CanaryFigures, CanaryPlan

_LEAST_TIMED = 100
_LEAST_SHARE = 0.75


def regression(figures: CanaryFigures, plan: CanaryPlan) -> str | None:
    """What is worse about the new version; None while nothing is."""
    if figures.new_errors:
        return f"new_error: only the new version raises on {figures.new_errors} calls"
    if figures.differences:
        return f"difference: {figures.differences} calls have different results"
    return _slowness(figures, plan)


def _slowness(figures: CanaryFigures, plan: CanaryPlan) -> str | None:
    """Slower in the median, in the tail and on most calls: noise is rarely all three."""
    old, new = figures.p50_old_ms, figures.p50_new_ms
    if figures.compared < _LEAST_TIMED or not old or new is None or figures.slower_share is None:
        return None
    if not figures.p95_old_ms or figures.p95_new_ms is None:
        return None
    ratios = new / old, figures.p95_new_ms / figures.p95_old_ms
    if min(ratios) < plan.slower or figures.slower_share < _LEAST_SHARE:
        return None
    return f"latency: {ratios[0]:.2f} times the old median, {ratios[1]:.2f} times the old p95"
