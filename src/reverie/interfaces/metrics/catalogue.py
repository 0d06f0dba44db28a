"""Every metric: its name, its meaning, the documents' names for the same figure; and their text.

The text is what Prometheus reads (version 0.0.4 of its format).
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from reverie.model.events import Observation

Samples = tuple[Observation, ...]
COUNTER, GAUGE, HISTOGRAM = "counter", "gauge", "histogram"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of ours; `key` is what it is counted as in the journal."""

    key: str
    name: str
    kind: str
    help: str
    labels: tuple[str, ...] = ()


def _counter(key: str, name: str, told: str, *labels: str) -> Metric:
    return Metric(key, f"reverie_{name}_total", COUNTER, told, labels)


def _gauge(key: str, name: str, told: str, *labels: str) -> Metric:
    return Metric(key, f"reverie_{name}", GAUGE, told, labels)


METRICS: tuple[Metric, ...] = (
    _gauge("info", "info", "Always 1; the versions of Reverie and of the journal.",
           "version", "schema"),
    _counter("executions", "executions", "Executions in the sandbox.", "outcome", "tier", "target"),
    Metric("durations", "reverie_execution_duration_seconds", HISTOGRAM,
           "Wall time of executions.", ("tier", "target")),
    _counter("cpu", "execution_cpu_seconds", "CPU time of executions.", "tier", "target"),
    _gauge("slots", "sandbox_slots", "Slots of the sandbox that this process has open.", "state"),
    _counter("failures", "failures", "Failed executions.", "category"),
    _gauge("failure_patterns", "failure_patterns", "Different failures that were seen."),
    _gauge("cycles", "cycles", "Cycles by state.", "state"),
    _counter("cycle_seconds", "cycle_seconds", "Time spent on cycles."),
    _gauge("steps", "steps", "Steps of cycles by state.", "dreamer", "state"),
    _gauge("last_start", "last_cycle_start_timestamp_seconds",
           "When the last cycle that measured a repository began.", "repository"),
    _gauge("last_end", "last_cycle_end_timestamp_seconds", "When it ended.", "repository"),
    _gauge("last_seconds", "last_cycle_duration_seconds", "Time spent on it.", "repository"),
    _gauge("suite_tests", "suite_tests", "Tests of the suite after the last cycle.",
           "repository", "outcome"),
    _gauge("line_coverage", "suite_line_coverage_ratio", "Share of lines that the suite runs.",
           "repository"),
    _gauge("branch_coverage", "suite_branch_coverage_ratio",
           "Share of branches that the suite takes.", "repository"),
    _gauge("dreams", "dreams", "Candidate changes by status.", "kind", "status"),
    _counter("trials", "trials", "Dreams that were tried.", "kind", "verdict"),
    _counter("trial_seconds", "trial_seconds", "Time spent on trials.", "kind"),
    _counter("rulings", "rulings", "Rulings of gates.", "gate", "verdict"),
    _gauge("promotions", "promotions", "Promotions by status.", "kind", "status"),
    _gauge("promotion_roi", "promotion_roi_points",
           "What promotions are worth, in points.", "kind"),
    _gauge("promotion_raroi", "promotion_raroi_points", "The same, less their risk.", "kind"),
    _counter("rollbacks", "rollbacks", "Promotions that were taken back."),
    _counter("approvals", "approvals", "Approvals by people."),
    _counter("findings", "findings", "Behaviour that looks like a fault."),
    _gauge("canaries", "canaries", "Canaries by state.", "state"),
    _counter("regressions", "regressions", "Functions that became slower."),
    _gauge("procedures", "procedures", "Dreams of the dream journal.", "type", "status"),
    _counter("procedure_tests", "procedure_tests", "Tests of them.", "outcome"),
    _gauge("tightenings", "tightenings", "Rules made stricter after failures.", "state"),
    _gauge("health", "dream_health_ratio", "Health of variants, as measured last."),
    _gauge("foresight_cycles", "foresight_cycles", "Recorded cycles of a workflow or module.",
           "subject"),
    _gauge("foresight_roi", "foresight_roi_points", "Worth of its last cycle.", "subject"),
    _gauge("forecast_roi", "forecast_roi_points", "Forecast of its worth.", "subject", "ahead"),
    _gauge("forecast_risk", "forecast_risk_ratio",
           "Probability that it will be worth nothing or less.", "subject", "ahead"),
    _gauge("forecast_confidence", "forecast_confidence_ratio", "How sure that is.", "subject"),
    _gauge("threshold", "threshold", "Thresholds in the settings.", "name"),
    _gauge("orphans", "orphan_modules", "Modules by mark, when orphans were last looked for.",
           "repository", "mark"),
    _gauge("synergy", "synergy", "Interaction of changes, modules or steps, as measured last.",
           "metric", "subject"),
    _gauge("trainer_iterations", "trainer_iterations", "Trainings of the weights of ROI."),
    _gauge("trainer_last_id", "trainer_last_id", "Outcomes that the last training saw."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DocumentName:
    """A gauge of the source documents, as a sum, or a mean, of samples of ours."""

    name: str
    key: str
    told: str
    chosen: Callable[[Observation], bool] = lambda sample: True
    is_mean: bool = False


def _has(**wanted: str) -> Callable[[Observation], bool]:
    return lambda sample: all(sample.labels.get(key) == value for key, value in wanted.items())


def _orphan(name: str, key: str, told: str, **wanted: str) -> DocumentName:
    return DocumentName(f"orphan_modules_{name}_total", key, told, _has(**wanted))


DOCUMENT_NAMES: tuple[DocumentName, ...] = (
    _orphan("tested", "trials", "trials of kind integration", kind="integration"),
    _orphan("reintroduced", "promotions", "promotions of kind integration", kind="integration"),
    _orphan("failed", "trials", "such trials that were rejected",
            kind="integration", verdict="reject"),
    _orphan("redundant", "orphans", "modules marked redundant", mark="redundant"),
    _orphan("legacy", "orphans", "modules marked legacy", mark="legacy"),
    DocumentName("self_test_passed_total", "suite_tests", "passed tests", _has(outcome="passed")),
    DocumentName("self_test_failed_total", "suite_tests", "failed tests", _has(outcome="failed")),
    DocumentName("self_test_average_runtime_seconds", "test_seconds", "mean time of a test run"),
    DocumentName("self_test_average_coverage", "line_coverage", "mean share of lines",
                 is_mean=True),
    DocumentName("synergy_trainer_iterations", "trainer_iterations", "trainings"),
    DocumentName("synergy_trainer_last_id", "trainer_last_id", "outcomes seen"),
)  # fmt: skip
SYNERGY_KEYS = frozenset({"synergy", "trainer_iterations", "trainer_last_id"})
"""What the stand-alone synergy exporter shows."""


CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LABEL_CHARACTERS = 200
"""A longer name is cut: what is watched may have named itself."""
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", '"': '\\"'})


@dataclass(frozen=True, slots=True)
class Histogram:
    """Durations of one set of labels: how many were at most each bound, and their sum."""

    labels: Mapping[str, str]
    bounds: tuple[float, ...]
    counts: tuple[int, ...]
    """Per bound, not yet added up; the last is for what is beyond every bound."""
    total: float


@dataclass(frozen=True, slots=True)
class Family:
    """All samples of one metric."""

    name: str
    kind: str
    help: str
    samples: tuple[Observation, ...] = ()
    histograms: tuple[Histogram, ...] = ()


def exposition(families: Iterable[Family]) -> str:
    """The families as text; those without a sample are left out."""
    return "".join(f"{line}\n" for family in families for line in _lines(family))


def _lines(family: Family) -> list[str]:
    lines = [_sample(family.name, each.labels, each.value) for each in family.samples]
    for histogram in family.histograms:
        lines.extend(_buckets(family.name, histogram))
    if not lines:
        return []
    told = family.help.replace("\\", "\\\\").replace("\n", "\\n")
    return [f"# HELP {family.name} {told}", f"# TYPE {family.name} {family.kind}", *lines]


def _buckets(name: str, histogram: Histogram) -> list[str]:
    lines, below = [], 0
    bounds = (*histogram.bounds, math.inf)
    for bound, count in zip(bounds, histogram.counts, strict=True):
        below += count
        labels = {**histogram.labels, "le": _number(bound)}
        lines.append(_sample(f"{name}_bucket", labels, below))
    lines.append(_sample(f"{name}_sum", histogram.labels, histogram.total))
    lines.append(_sample(f"{name}_count", histogram.labels, below))
    return lines


def _sample(name: str, labels: Mapping[str, str], value: float) -> str:
    shown = ",".join(f'{key}="{_label(text)}"' for key, text in labels.items())
    return f"{name}{{{shown}}} {_number(value)}" if shown else f"{name} {_number(value)}"


def _label(text: str) -> str:
    cut = text if len(text) <= LABEL_CHARACTERS else text[: LABEL_CHARACTERS - 1] + "…"
    return cut.encode("utf-8", "replace").decode().translate(_ESCAPES)


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    if math.isnan(value):
        return "NaN"
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))
