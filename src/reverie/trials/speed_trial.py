"""The trial of an optimisation: everything of a refactoring, then time and memory.

    evidence = try_optimisation(trees, sandbox, plan)

Benchmarks become measures: who is faster, by how much at least, at what memory. `try_variant` tries
a faster variant of one callable: the same answers first, then paired times. It is what stage C
measures and asks, without the suite of a repository, which a file alone has not.
"""

import hashlib
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from reverie.errors import MachineryError, UsageError
from reverie.gates.gate import Matter
from reverie.gates.judge import judge_callable
from reverie.instruments.benchmark.instrument import compare_speed, measure_growth
from reverie.instruments.benchmark.rounds import Comparison, Effort
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.model.call import Call
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.measurements.attempts import OptimisationTrial
from reverie.model.measurements.benchmark import Benchmark, Growth, RequiredGain, SpeedVerdict
from reverie.model.ruling import Evidence
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.scoring.roi import told_amounts
from reverie.trials.findings import Findings
from reverie.trials.plan import Trees, TrialPlan, write_trees
from reverie.trials.refactoring_trial import RefactoringTrial
from reverie.trials.timing import measure_speed

_SMALL_BYTES = 1 << 18
"""What calls need less than this is not worth weighing."""
_SHOWN = 160
_SIGMAS = 1.96
"""Standard errors on either side of a median, in an interval of 95 %."""


def required_gain(section: GuardSection) -> RequiredGain:
    """What stage C asks for, as shares of the time: 20 % better is 1.2 times as fast."""
    p50, p95, p99 = (
        1 - 1 / (1 + each) for each in (section.gain_p50, section.gain_p95, section.gain_p99)
    )
    return RequiredGain(p50, p95, p99)


def note_speeds(found: Findings, measured: Sequence[tuple[str, Benchmark | None]]) -> None:
    """Each callable by name; None where there was nothing to time it with."""
    by_verdict: dict[SpeedVerdict, list[str]] = {each: [] for each in SpeedVerdict}
    for name, benchmark in measured:
        if benchmark is None:
            said = "neither inputs that grow nor calls of tests to time it with, or no time"
            by_verdict[SpeedVerdict.HOLD].append(f"{name}: {said}")
            continue
        if benchmark.difference is not None:
            found.note_names("equivalence.different", [f"{name}: {benchmark.difference}"[:_SHOWN]])
        judged = benchmark.judgement
        by_verdict[judged.verdict].append(f"{name}: {judged.reason}"[: 2 * _SHOWN])
    found.note_names("speed.faster", by_verdict[SpeedVerdict.FASTER])
    found.note_names("speed.slower", by_verdict[SpeedVerdict.SLOWER])
    found.note_names("speed.same", by_verdict[SpeedVerdict.NO_DIFFERENCE])
    found.note_names("speed.unknown", by_verdict[SpeedVerdict.HOLD])
    _note_worth(found, measured)
    _note_figures(found, [benchmark for _, benchmark in measured if benchmark is not None])


def _note_worth(found: Findings, measured: Sequence[tuple[str, Benchmark | None]]) -> None:
    """What is gained at the least, callable by callable: doublings of speed, classes of growth.

    The variation of the repeated pairs comes from the interval around the median.
    """
    gained = {name: each for name, each in measured if each is not None and _is_faster(each)}
    ratios = {name: each.judgement.speedup.p50 for name, each in gained.items()
              if each.judgement.speedup is not None}  # fmt: skip
    if not ratios:
        return
    found.note("speed.doublings", sum(math.log2(max(each.low, 1.0)) for each in ratios.values()))
    found.details["speed.ratios"] = told_amounts({name: each.low for name, each in ratios.items()})
    found.note("speed.pairs", min(each.judgement.pairs for each in gained.values()))
    spreads = [(each.high - each.low) / (2 * _SIGMAS * each.value) for each in ratios.values()]
    found.note("speed.variation", max(spreads))
    grown = [each.growth for each in gained.values() if each.growth is not None]
    if grown:
        found.note("speed.growth_classes", sum(map(_classes, grown)))


def _is_faster(benchmark: Benchmark) -> bool:
    return benchmark.judgement.verdict is SpeedVerdict.FASTER


def _classes(growth: Growth) -> int:
    """Classes by which growth is less: exponents half a class apart are of two."""
    return max(0, round(growth.old.value) - round(growth.new.value))


def _note_figures(found: Findings, measured: list[Benchmark]) -> None:
    gains = [each.judgement.speedup for each in measured if each.judgement.speedup is not None]
    for percentile in (50, 95, 99):
        known = [found_at for gain in gains if (found_at := gain.at(percentile)) is not None]
        if known:
            best = max(known, key=lambda each: each.low)
            found.note(f"speed.p{percentile}", best.low)
            found.note(f"speed.p{percentile}.value", best.value)
            found.note(f"speed.p{percentile}.high", best.high)
    ratios = [ratio for each in measured if (ratio := _memory(each)) is not None]
    if ratios and len(ratios) == len(measured):
        found.note("memory.ratio", max(ratios))


def _memory(found: Benchmark) -> float | None:
    """New over old of what calls allocate at most; 1 where both need next to nothing."""
    if found.new is None or found.new.peak_bytes is None:
        return None
    if found.new.peak_bytes <= _SMALL_BYTES:
        return 1.0
    return found.memory_ratio


def try_optimisation(trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything that stage C asks for, as far as the budget goes."""
    trial = RefactoringTrial(trees, sandbox, plan, is_timed=True)
    trial.run()
    if not trial.is_settled and not trial.found.measures.get("equivalence.unknown"):
        measured = measure_speed(trial, required_gain(plan.section))
        if measured:
            note_speeds(trial.found, measured)
    return trial.found.evidence(Stage.C, trees, sandbox, plan)


_TIMING_SHARE = 0.6
"""Of what is left after comparing; the rest is for the growth."""
_MEASURING_GROWTH_SECONDS = 15.0
_LEAST_VARIANT_SECONDS = 6.0
"""What was found to behave alike is timed, however late it is."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be made faster: a callable in a file among its relatives, and its inputs."""

    files: Mapping[str, bytes]
    path: str
    """Of its file, among `files`."""
    source: str
    entry: str
    inputs: Inputs
    size: int
    seed: int
    samples: tuple[Call, ...] = ()
    """Calls that are like real ones: compared before those that are made up."""
    section: GuardSection = field(default_factory=GuardSection)


def try_variant(
    sandbox: Sandbox, question: Question, source: str, pattern: str, seconds: float
) -> OptimisationTrial:
    """Judge one variant. Times are only taken where the answers are the same."""
    edit = FileEdit(
        question.path, question.source, source, mode_before="100644", mode_after="100644"
    )
    change = Change((edit,))
    section = replace(question.section, budget_seconds=seconds)
    with tempfile.TemporaryDirectory() as scratch:
        trees = write_trees(question.files, change, Path(scratch))
        plan = TrialPlan(section, seed=question.seed, samples={question.entry: question.samples})
        trial = RefactoringTrial(trees, sandbox, plan)
        trial.found.note_complexity(change, section)
        trial.note_equivalence()
        if not trial.is_settled:
            trial.note_effects(is_late=True)
        benchmark = None
        if not trial.is_settled and not trial.found.measures.get("equivalence.unknown"):
            benchmark = _compare_speed(sandbox, question, trees, plan)
            note_speeds(trial.found, [(question.entry, benchmark)])
        evidence = trial.found.evidence(Stage.C, trees, sandbox, plan)
    return OptimisationTrial(
        hashlib.sha256(source.encode()).hexdigest()[:16],
        pattern,
        source,
        edit.diff(),
        trial.answers.get(question.entry),
        benchmark,
        judge_callable(Matter(Stage.C, change, evidence, section)),
    )


def duel(
    sandbox: Sandbox, question: Question, champion: str, challenger: str, seconds: float
) -> Benchmark | None:
    """Two variants timed in pairs, until it is clear or the time is over; nothing is proven."""
    edit = FileEdit(question.path, champion, challenger, mode_before="100644", mode_after="100644")
    files = {**question.files, question.path: champion.encode()}
    with tempfile.TemporaryDirectory() as scratch:
        trees = write_trees(files, Change((edit,)), Path(scratch))
        old, new = (
            parse_target(f"{tree / question.path}:{question.entry}")
            for tree in (trees.base, trees.head)
        )
        comparison = Comparison(old, new, question.inputs, question.size, question.seed)
        try:
            return compare_speed(sandbox, comparison, effort=Effort(budget_seconds=seconds))
        except (UsageError, MachineryError):
            return None


def _compare_speed(
    sandbox: Sandbox, question: Question, trees: Trees, plan: TrialPlan
) -> Benchmark | None:
    old, new = (
        parse_target(f"{tree / question.path}:{question.entry}")
        for tree in (trees.base, trees.head)
    )
    comparison = Comparison(old, new, question.inputs, question.size, question.seed)
    effort = Effort(budget_seconds=max(_LEAST_VARIANT_SECONDS, _TIMING_SHARE * plan.seconds_left))
    try:
        found = compare_speed(sandbox, comparison, required_gain(plan.section), effort)
        if found.judgement.verdict is SpeedVerdict.FASTER:
            seconds = min(_MEASURING_GROWTH_SECONDS, max(1.0, plan.seconds_left))
            effort = replace(effort, budget_seconds=seconds)
            found = replace(found, growth=measure_growth(sandbox, comparison, effort))
    except (UsageError, MachineryError):
        return None
    return found
