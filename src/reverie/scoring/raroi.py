"""ROI after risk: risk makes a gain smaller and a loss larger, never the other way round."""

from collections.abc import Sequence

from reverie.model.roi import Risk, RiskAdjusted, Severity

_PRIOR_BAD, _PRIOR_ALL = 1.0, 10.0
_WORST_TIMES = 10.0
_STANDARD_REACH, _CRITICAL_REACH = 0.05, 0.3
_SAMPLES = 5.0


def adjust_for_risk(base_minutes: float, risk: Risk) -> RiskAdjusted:
    """RAROI with its factors."""
    probability = rollback_probability(risk.rolled_back, risk.kept)
    severity = risk.severity.weight
    stability = 1.0 / (1.0 + max(0.0, risk.variation))
    safety = 0.5 ** max(0, risk.failed_suites)
    harm = probability * severity
    if base_minutes >= 0:
        minutes = base_minutes * (1.0 - harm) * stability * safety
    else:
        times = min((1.0 + harm) / (stability * safety), _WORST_TIMES)
        minutes = base_minutes * times
    return RiskAdjusted(minutes, base_minutes, probability, severity, stability, safety)


def rollback_probability(rolled_back: int, kept: int) -> float:
    """Posterior mean of a rollback, from a prior of one in ten."""
    return (_PRIOR_BAD + rolled_back) / (_PRIOR_ALL + rolled_back + kept)


def severity_of(reach: float, *, is_experimental: bool = False) -> Severity:
    """From the share of modules that import a module, directly or not."""
    if is_experimental:
        return Severity.EXPERIMENTAL
    if reach >= _CRITICAL_REACH:
        return Severity.CRITICAL
    return Severity.STANDARD if reach >= _STANDARD_REACH else Severity.LOW


def confidence_in(predicted: Sequence[float], real: Sequence[float]) -> float:
    """How far past predictions of ROI can be trusted, from 0 to 1; none: 0.

    n / (n + 5), lowered by the mean absolute error as a share of the spread of what came true.
    """
    pairs = list(zip(predicted, real, strict=True))
    if not pairs:
        return 0.0
    error = sum(abs(guess - truth) for guess, truth in pairs) / len(pairs)
    spread = max(real) - min(real)
    share = 0.0 if error == 0 else (error / spread if spread > 0 else float("inf"))
    return len(pairs) / (len(pairs) + _SAMPLES) / (1.0 + share)
