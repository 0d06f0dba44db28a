"""One callable made faster: imagine variants, race them, try the best, keep what is proven."""

import ast
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.dreamers.optimise.race import Course, Race, run_race
from reverie.dreamers.optimise.samples import sample_calls
from reverie.dreamers.optimise.variants import Variant, imagine_variants, reached_functions
from reverie.dreamers.rewriting.classes import constant_kinds
from reverie.errors import UsageError
from reverie.gates.python import imported_names
from reverie.instruments.benchmark.growing import annotated_calls
from reverie.instruments.benchmark.shown import shown_growing_calls
from reverie.instruments.benchmark.target import CallableTarget, Inputs
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
    named = f"{target.file}:{target.attribute}"
    progress("imagining variants")
    variants = _variants(target, source)
    if not variants:
        return Optimisation(named, (), 0, time.monotonic() - began, "no known pattern fits")
    progress(f"racing {len(variants)} variants")
    given, race = _raced(sandbox, _inputs(target, source, maker, seed), source, variants)
    question = Question(
        files=_relatives(target),
        path=Path(target.file).relative_to(target.root).as_posix(),
        source=source,
        entry=target.attribute,
        inputs=given.inputs,
        size=race.size_within(_CALL_SECONDS) or given.course.first_size,
        seed=seed,
        samples=sample_calls(race.samples, given.course),
        section=section,
    )
    trials = _try_best(sandbox, question, race, began + budget_seconds, progress)
    note = None if trials else "no variant gives the same answers in less time"
    return Optimisation(named, tuple(trials), len(variants), time.monotonic() - began, note)


def is_worth_trying(target: CallableTarget) -> bool:
    """Whether anything is known that could make it faster. Only reads; nothing has to be proven."""
    return bool(_variants(target, _read(target.file)))


def _variants(target: CallableTarget, source: str) -> list[Variant]:
    if not reached_functions(ast.parse(source), target.attribute):
        raise UsageError(f"{target.file!r} has no function {target.attribute!r}")
    return imagine_variants(source, target.attribute)


@dataclass(frozen=True, slots=True)
class _Given:
    """Inputs for the benchmark, and the same for the race."""

    inputs: Inputs
    course: Course


def _raced(
    sandbox: Sandbox, candidates: list[_Given], source: str, variants: list[Variant]
) -> tuple[_Given, Race]:
    """The race with the first inputs that the original takes; with the last if it takes none."""
    for given in candidates:
        race = run_race(sandbox, given.course, source, variants)
        if race.seconds and not race.is_refused:
            break
    return given, race


def _try_best(
    sandbox: Sandbox, question: Question, race: Race, deadline: float, progress: Progress
) -> list[OptimisationTrial]:
    """Best first, until one passes or the time is over."""
    trials: list[OptimisationTrial] = []
    for finish in race.ranked[:_MOST_TRIALS]:
        left = deadline - time.monotonic()
        if trials and (left <= 1.0 or trials[-1].is_promoted):
            break
        variant = finish.variant
        progress(f"trying {variant.pattern}")
        seconds = max(left, _TRIAL_SECONDS)
        asked = replace(question, size=race.size_for(finish, _CALL_SECONDS) or question.size)
        trials.append(try_variant(sandbox, asked, variant.source, variant.pattern, seconds))
    return trials


def _inputs(
    target: CallableTarget, source: str, maker: CallableTarget | None, seed: int
) -> list[_Given]:
    """What the callable may be timed with, and the same for the race: the likeliest first.

    By annotations where nobody says, and else by one example of its docstring or another.
    """
    course = Course(target.file, target.module, (target.root,), target.attribute, _MAKER, seed=seed)
    if maker is not None:
        text = None if maker.file == target.file else _read(maker.file)
        return [_Given(Inputs(maker), course.with_maker(maker.attribute, text))]
    course = replace(course, module_names=_bound_names(source))
    calls = annotated_calls(source, target.attribute)
    if calls:
        made = course.with_maker(_MAKER, _GENERATED.format(call=calls[0]))
        return [_Given(Inputs(sources=calls), made)]
    shown = shown_growing_calls(source, target.attribute)
    if not shown:
        said = "neither its annotations nor its examples say enough; give --inputs"
        raise UsageError(f"no inputs for {target.attribute!r}: {said}")
    return [
        _Given(Inputs(sources=(call,)), course.with_maker(_MAKER, _GENERATED.format(call=call)))
        for call in shown
    ]


def _bound_names(source: str) -> frozenset[str]:
    """What a module binds at its top: its functions, classes, imports and values."""
    tree = ast.parse(source)
    named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = {each.name for each in tree.body if isinstance(each, named)} | set(imported_names(tree))
    return frozenset(found | set(constant_kinds(tree)))


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
