"""The trial of a faster variant: the same answers first, then paired times."""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.instruments.benchmark.instrument import compare_speed
from reverie.instruments.benchmark.plan import Effort
from reverie.instruments.benchmark.rounds import Comparison
from reverie.instruments.benchmark.target import CallableTarget, Inputs
from reverie.instruments.equivalence import compare_versions, version_of
from reverie.model.benchmark import Benchmark, RequiredGain, SpeedVerdict
from reverie.model.change import FileEdit
from reverie.model.equivalence import Equivalence, EquivalenceVerdict
from reverie.model.optimisation import OptimisationTrial
from reverie.model.ruling import Answer, Judgement, Ruling
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.engine import Sandbox

REQUIRED = RequiredGain(p50=0.10, p95=0.15, p99=None)
_MEMORY_RATIO = 1.10
_SMALL_MEMORY_BYTES = 1 << 20
_NEEDS = ("two approvals", "a decision record", "a canary plan", "a tested rollback")


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be made faster, and with which inputs it is timed."""

    target: CallableTarget
    source: str
    inputs: Inputs
    size: int
    seed: int


@dataclass(frozen=True, slots=True)
class Spending:
    """How long one trial may take."""

    equivalence_seconds: float
    benchmark_seconds: float


def try_variant(
    sandbox: Sandbox,
    question: Question,
    source: str,
    pattern: str,
    changed: frozenset[str],
    spending: Spending,
) -> OptimisationTrial:
    """Judge one variant. The times are only taken when the answers are the same."""
    names = [question.target.attribute, *sorted(changed - {question.target.attribute})]
    equal = _compare_all(sandbox, question, source, names, spending)
    benchmark = None
    if equal.verdict is EquivalenceVerdict.EQUIVALENT:
        benchmark = _compare_speed(sandbox, question, source, spending)
    patch = FileEdit(Path(question.target.file).name, question.source, source).diff()
    return OptimisationTrial(
        hashlib.sha256(source.encode()).hexdigest()[:16],
        pattern,
        source,
        patch,
        equal,
        benchmark,
        Judgement(tuple(_rulings(equal, benchmark)), _NEEDS),
    )


def _compare_all(
    sandbox: Sandbox, question: Question, source: str, names: list[str], spending: Spending
) -> Equivalence:
    """The entry, then every other function whose text changed; the first doubt decides."""
    found: list[Equivalence] = []
    path = question.target.file
    for name in names:
        section = EquivalenceSection(
            budget_seconds=spending.equivalence_seconds, seed=question.seed
        )
        old = version_of(question.source, name, path=path)
        new = version_of(source, name, path=path)
        found.append(compare_versions(sandbox, old, new, section=section))
        if found[-1].verdict is not EquivalenceVerdict.EQUIVALENT:
            return found[-1]
    return found[0]


def _compare_speed(
    sandbox: Sandbox, question: Question, source: str, spending: Spending
) -> Benchmark:
    with _placed(question.target, source) as target:
        comparison = Comparison(
            question.target, target, question.inputs, question.size, question.seed
        )
        effort = Effort(budget_seconds=spending.benchmark_seconds)
        return compare_speed(sandbox, comparison, REQUIRED, effort, with_growth=True)


@contextmanager
def _placed(target: CallableTarget, source: str) -> Iterator[CallableTarget]:
    """The module with another text, among copies of its relatives, in a folder that goes away."""
    file = Path(target.file)
    with tempfile.TemporaryDirectory(prefix="reverie-variant-") as folder:
        root = Path(folder)
        below = file.relative_to(target.root)
        if len(below.parts) > 1:
            shutil.copytree(Path(target.root, below.parts[0]), root / below.parts[0], symlinks=True)
        (root / below).write_text(source, "utf-8")
        yield replace(target, file=str(root / below), root=str(root))


def _rulings(equal: Equivalence, benchmark: Benchmark | None) -> Iterator[Ruling]:
    yield _equivalence_ruling(equal)
    if benchmark is None:
        return
    judged = benchmark.judgement
    speedup = judged.speedup
    answer = {SpeedVerdict.FASTER: Answer.PASS, SpeedVerdict.HOLD: Answer.HOLD}.get(
        judged.verdict, Answer.FAIL
    )
    measured = None if speedup is None else round(speedup.p50.low, 3)
    yield Ruling("speed", answer, judged.reason_code, judged.reason, measured, round(1 / 0.9, 3))
    yield _memory_ruling(benchmark)


def _equivalence_ruling(equal: Equivalence) -> Ruling:
    answer, code = {
        EquivalenceVerdict.EQUIVALENT: (Answer.PASS, "equivalent"),
        EquivalenceVerdict.DIFFERENT: (Answer.FAIL, "behaviour_changed"),
        EquivalenceVerdict.UNKNOWN: (Answer.HOLD, "equivalence_unknown"),
    }[equal.verdict]
    reason = equal.reason or f"{equal.inputs} inputs, no difference"
    if equal.counterexample is not None:
        reason = f"differs on {equal.counterexample.expression}"
    return Ruling("equivalence", answer, code, reason, equal.inputs)


def _memory_ruling(benchmark: Benchmark) -> Ruling:
    """Memory may rise by a tenth; what is below a megabyte in all is not worth a word."""
    ratio, new = benchmark.memory_ratio, benchmark.new
    if ratio is None or new is None or new.peak_bytes is None:
        return Ruling("memory", Answer.HOLD, "memory_not_measured", "no peak was measured")
    if ratio <= _MEMORY_RATIO or new.peak_bytes <= _SMALL_MEMORY_BYTES:
        return Ruling(
            "memory", Answer.PASS, "memory_ok", "peak of a call", round(ratio, 3), _MEMORY_RATIO
        )
    return Ruling(
        "memory", Answer.FAIL, "memory_up", "peak of a call", round(ratio, 3), _MEMORY_RATIO
    )
