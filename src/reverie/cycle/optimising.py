"""One callable made faster: imagine variants, race them, try the best, keep what is proven."""

import ast
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from reverie.dreamers.optimise.race import Course, Finish, run_race
from reverie.dreamers.optimise.variants import imagine_variants, reached_functions
from reverie.errors import UsageError
from reverie.instruments.benchmark.growing import growing_calls
from reverie.instruments.benchmark.target import CallableTarget, Inputs
from reverie.model.call import Call, Expression
from reverie.model.judgement_sections import GuardSection
from reverie.model.optimisation import Optimisation, OptimisationTrial
from reverie.sandbox.engine import Sandbox
from reverie.trials.optimisation import Question, try_variant

Progress = Callable[[str], None]
_MOST_TRIALS = 4
_TRIAL_SECONDS = 12.0
"""What is begun gets at least this: a trial that is cut short proves nothing."""
_CALL_SECONDS = 0.001
"""Of the original: a call that takes this long is timed often enough for a 99th percentile."""
_MAKER = "make_input"
_GENERATED = """import random as _chance


def make_input(n, seed):
    random = _chance.Random(seed)
    _given = lambda *args, **kwargs: (args, kwargs)
    return {call}
"""


def optimise_callable(
    sandbox: Sandbox,
    target: CallableTarget,
    maker: CallableTarget | None,
    budget_seconds: float,
    section: GuardSection,
    seed: int = 0,
    progress: Progress = lambda text: None,
) -> Optimisation:
    """Everything worth trying on one callable, within the budget."""
    began = time.monotonic()
    source = _read(target.file)
    if not reached_functions(ast.parse(source), target.attribute):
        raise UsageError(f"{target.file!r} has no function {target.attribute!r}")
    named = f"{target.file}:{target.attribute}"
    progress("imagining variants")
    variants = imagine_variants(source, target.attribute)
    if not variants:
        return Optimisation(named, (), 0, time.monotonic() - began, "no known pattern fits")
    inputs, course = _inputs(target, source, maker, seed)
    progress(f"racing {len(variants)} variants")
    race = run_race(sandbox, course, source, variants)
    question = Question(
        files=_relatives(target),
        path=Path(target.file).relative_to(target.root).as_posix(),
        source=source,
        entry=target.attribute,
        inputs=inputs,
        size=race.size_within(_CALL_SECONDS) or course.first_size,
        seed=seed,
        samples=_literal_calls(race.samples),
        section=section,
    )
    trials = _try_best(sandbox, question, race.ranked, began + budget_seconds, progress)
    note = None if trials else "no variant gives the same answers in less time"
    return Optimisation(named, tuple(trials), len(variants), time.monotonic() - began, note)


def _try_best(
    sandbox: Sandbox, question: Question, ranked: list[Finish], deadline: float, progress: Progress
) -> list[OptimisationTrial]:
    """Best first, until one passes or the time is over."""
    trials: list[OptimisationTrial] = []
    for finish in ranked[:_MOST_TRIALS]:
        left = deadline - time.monotonic()
        if trials and (left <= 1.0 or trials[-1].is_promoted):
            break
        variant = finish.variant
        progress(f"trying {variant.pattern}")
        seconds = max(left, _TRIAL_SECONDS)
        trials.append(try_variant(sandbox, question, variant.source, variant.pattern, seconds))
    return trials


def _inputs(
    target: CallableTarget, source: str, maker: CallableTarget | None, seed: int
) -> tuple[Inputs, Course]:
    """What the callable is timed with, and the same for the race; by annotations if not given."""
    course = Course(target.file, target.module, (target.root,), target.attribute, _MAKER, seed=seed)
    if maker is not None:
        text = None if maker.file == target.file else _read(maker.file)
        return Inputs(maker), course.with_maker(maker.attribute, text)
    calls = growing_calls(source, target.attribute)
    if not calls:
        said = "its annotations do not say enough; give --inputs"
        raise UsageError(f"no inputs for {target.attribute!r}: {said}")
    return Inputs(sources=calls), course.with_maker(_MAKER, _GENERATED.format(call=calls[0]))


def _literal_calls(samples: Iterable[str]) -> tuple[Call, ...]:
    """Calls from arguments as they were shown; those that are no literals are passed over."""
    found = []
    for shown in samples:
        try:
            args, kwargs = ast.literal_eval(shown)
            given = tuple(Expression(repr(each)) for each in args)
            named = tuple((str(name), Expression(repr(each))) for name, each in kwargs.items())
        except (ValueError, SyntaxError, TypeError, AttributeError, RecursionError, MemoryError):
            continue
        found.append(Call(given, named))
    return tuple(found)


def _relatives(target: CallableTarget) -> dict[str, bytes]:
    """The file, and the package that it belongs to, by path from where it is imported."""
    root, file = Path(target.root), Path(target.file)
    below = file.relative_to(root)
    found = [file] if len(below.parts) == 1 else sorted((root / below.parts[0]).rglob("*"))
    return {
        each.relative_to(root).as_posix(): each.read_bytes()
        for each in found
        if each.is_file() and "__pycache__" not in each.parts
    }


def _read(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path!r}: {error}") from error
