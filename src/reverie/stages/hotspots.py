"""Stage C: hot callables made faster, each proven faster by itself before it is a dream.

For each callable that is worth it: imagine variants, race them, try the best, keep what is
proven.
"""

import ast
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from reverie.dreamers.evolve.operators import mutations
from reverie.dreamers.optimise.race import Course, Race, run_race, sample_calls
from reverie.dreamers.optimise.variants import (
    Variant,
    fitting_rewrites,
    imagine_variants,
    reached_functions,
)
from reverie.dreamers.rewriting.kinds import constant_kinds
from reverie.errors import UsageError, reason_of
from reverie.gates.python import imported_names
from reverie.instruments.benchmark.growing import annotated_calls, growing_calls
from reverie.instruments.benchmark.shown import large_calls, shown_growing_calls
from reverie.instruments.benchmark.target import CallableTarget, Inputs, parse_target
from reverie.model.measurements.attempts import Optimisation, OptimisationTrial
from reverie.model.measurements.benchmark import HotCallable, Profile
from reverie.model.repository.code import CodeIndex
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import parse_module
from reverie.trials.more_calls import imported_texts
from reverie.trials.speed_trial import Question, try_variant

Progress = Callable[[str], None]
_MOST_TRIALS = 4
_MOST_GUESSES = 16
TRIAL_SECONDS = 12.0
"""What is begun gets at least this: a trial that is cut short proves nothing."""
_PLAIN_GAIN = 1.5
"""With inputs that show such a gain no others are asked for."""
CALL_SECONDS = 0.001
"""Of the original: a call that takes this long is timed often enough for a 99th percentile."""
_MAKER = "make_input"
_GENERATED = """import random as _chance


def make_input(n, seed):
    random = _chance.Random(seed)
    _given = lambda *args, **kwargs: (args, kwargs)
    return {call}
"""


@dataclass(frozen=True, slots=True)
class Given:
    """Inputs for the benchmark, and the same for the race."""

    inputs: Inputs
    course: Course


def optimise_callable(
    sandbox: Sandbox,
    target: CallableTarget,
    maker: CallableTarget | None,
    budget_seconds: float,
    section: GuardSection,
    seed: int = 0,
    progress: Progress = lambda text: None,
    shown: tuple[str, ...] = (),
) -> Optimisation:
    """Everything worth trying on one callable, within the budget. `shown`: calls of its tests."""
    began = time.monotonic()
    source = read_source(target.file)
    named = f"{target.file}:{target.attribute}"
    progress("imagining variants")
    variants = [*_variants(target, source), *_guessed(source, target.attribute)]
    if not variants:
        return Optimisation(named, (), 0, time.monotonic() - began, "no known pattern fits")
    progress(f"racing {len(variants)} variants")
    candidates = inputs_for(target, source, maker, seed, shown)
    given, race = _raced(sandbox, candidates, source, variants)
    question = question_of(target, source, given, race, section)
    trials = _try_best(sandbox, question, race, began + budget_seconds, progress)
    note = None if trials else "no variant gives the same answers in less time"
    return Optimisation(named, tuple(trials), len(variants), time.monotonic() - began, note)


def question_of(
    target: CallableTarget, source: str, given: Given, race: Race, section: GuardSection
) -> Question:
    """What every variant of a callable is held to, from a race that its original has run."""
    return Question(
        files=_relatives(target),
        path=Path(target.file).relative_to(target.root).as_posix(),
        source=source,
        entry=target.attribute,
        inputs=given.inputs,
        size=race.size_within(CALL_SECONDS) or given.course.first_size,
        seed=given.course.seed,
        samples=sample_calls(race.samples, given.course),
        section=section,
    )


def is_worth_trying(target: CallableTarget) -> bool:
    """Whether anything is known that could make it faster. Only reads; nothing has to be proven."""
    return bool(_variants(target, read_source(target.file)))


def _variants(target: CallableTarget, source: str) -> list[Variant]:
    if not reached_functions(parse_module(source), target.attribute):
        raise UsageError(f"{target.file!r} has no function {target.attribute!r}")
    return imagine_variants(source, target.attribute)


def _guessed(source: str, entry: str) -> list[Variant]:
    """Rewrites whose preconditions nobody has shown, as nobody wrote types down: to be proven."""
    found = (each for each in mutations(source, entry, with_guesses=True) if each.is_guess)
    return [Variant(each.source, (each.operator,)) for each in islice(found, _MOST_GUESSES)]


def _raced(
    sandbox: Sandbox, candidates: list[Given], source: str, variants: list[Variant]
) -> tuple[Given, Race]:
    """The race with the first inputs on which a variant gains plainly; else with the best of them.

    Inputs by annotation may never get to what is slow: a graph of random names has no ways.
    """
    found: list[tuple[float, Given, Race]] = []
    for given in candidates:
        race = run_race(sandbox, given.course, source, variants)
        is_taken = bool(race.seconds) and not race.is_refused
        gain = race.ranked[0].speedup if race.ranked else 1.0
        found.append((gain if is_taken else 0.0, given, race))
        if is_taken and gain >= _PLAIN_GAIN:
            break
    _, given, race = max(found, key=lambda each: each[0])
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
        seconds = max(left, TRIAL_SECONDS)
        asked = replace(question, size=race.size_for(finish, CALL_SECONDS) or question.size)
        trials.append(try_variant(sandbox, asked, variant.source, variant.pattern, seconds))
    return trials


def inputs_for(
    target: CallableTarget,
    source: str,
    maker: CallableTarget | None,
    seed: int,
    shown: tuple[str, ...] = (),
) -> list[Given]:
    """What the callable may be timed with, and the same for the race: the likeliest first.

    By what is `shown`, calls of tests that try many items; then by annotations, and else by one
    example of its docstring or another.
    """
    course = Course(target.file, target.module, (target.root,), target.attribute, _MAKER, seed=seed)
    if maker is not None:
        text = None if maker.file == target.file else read_source(maker.file)
        return [Given(Inputs(maker), course.with_maker(maker.attribute, text))]
    course = replace(course, module_names=_bound_names(source))
    near = imported_texts(Path(target.root), Path(target.file), source)
    calls = annotated_calls(source, target.attribute, near)
    by_type = [calls] if calls else []
    examples = [] if calls else shown_growing_calls(source, target.attribute)
    every = [*((call,) for call in shown), *by_type, *((call,) for call in examples)]
    if not every:
        said = "neither its annotations nor its examples say enough; give --inputs"
        raise UsageError(f"no inputs for {target.attribute!r}: {said}")
    return [
        Given(Inputs(sources=some), course.with_maker(_MAKER, _GENERATED.format(call=some[0])))
        for some in every
    ]


def _bound_names(source: str) -> frozenset[str]:
    """What a module binds at its top: its functions, classes, imports and values."""
    tree = parse_module(source)
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


def read_source(path: str) -> str:
    """The text of a module; `UsageError` where it cannot be read."""
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path!r}: {reason_of(error)}") from error


_MUCH_SHARE, _MUCH_SECONDS = 0.25, 0.01
LEAST_SECONDS = 8.0
"""With less left no further callable is begun."""
_MOST_SECONDS = 60.0
_MOST_SHOWN = 1
"""Calls of tests that a race is run with: each takes its time."""


@dataclass(frozen=True, slots=True)
class Hotspot:
    """A callable in which a rewrite fits, and what is known of its cost."""

    path: str
    qualname: str
    cost: HotCallable | None
    rewrites: tuple[str, ...]
    growth: tuple[str, ...]
    """How the rewrites that fit change the growth of time."""
    has_inputs: bool
    """Whether annotations, examples or tests say enough to call it with inputs that grow."""
    shown: tuple[str, ...] = ()
    """Calls of tests that try many items, as far as any do."""


def find_hotspots(
    index: CodeIndex, profile: Profile | None, *, with_others: bool = False
) -> tuple[Hotspot, ...]:
    """Callables in which something is known to be slow: the hottest first, then by place.

    `with_others`: those too in which nothing is known to be slow, and much of the time is spent.
    """
    costs = {(each.path, each.qualname): each for each in (profile.hot if profile else ())}
    much = much_of(profile) if with_others else math.inf
    hot = [place for place, each in costs.items() if each.own_seconds >= much]
    folder = Path(index.repository)
    tests = [_read(folder / module.path) for module in index.modules if module.is_test]
    found = [
        spot
        for module in index.modules
        if not module.is_test and module.error is None
        for spot in _spots(folder, module.path, costs, tests, hot)
    ]
    return tuple(sorted(found, key=_rank))


def much_of(profile: Profile | None) -> float:
    """Seconds of its own with which a callable is worth a long search.

    A share of what the code's own callables take: what starts the tests takes longer than they do.
    """
    if profile is None:
        return math.inf
    return max(_MUCH_SECONDS, _MUCH_SHARE * sum(each.own_seconds for each in profile.hot))


def _read(place: Path) -> str:
    try:
        return place.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""


def _rank(spot: Hotspot) -> tuple[bool, float, bool, str, str]:
    own = spot.cost.own_seconds if spot.cost else 0.0
    return not spot.has_inputs, -own, not spot.growth, spot.path, spot.qualname


def _spots(
    repository: Path,
    path: str,
    costs: Mapping[tuple[str, str], HotCallable],
    tests: Sequence[str],
    hot: Sequence[tuple[str, str]],
) -> Iterator[Hotspot]:
    source = _read(repository / path)
    others = [name for place, name in hot if place == path]
    try:
        fitting = {**dict.fromkeys(others, ()), **fitting_rewrites(source)}
    except (SyntaxError, ValueError, RecursionError):
        return
    near = tuple(imported_texts(repository, repository / path, source)) if fitting else ()
    for qualname, rewrites in fitting.items():
        shown = large_calls(source, qualname, tests)[:_MOST_SHOWN]
        yield Hotspot(
            path,
            qualname,
            costs.get((path, qualname)),
            tuple(each.name for each in rewrites),
            tuple(dict.fromkeys(each.growth for each in rewrites if each.growth)),
            bool(shown) or bool(growing_calls(source, qualname, near)),
            shown,
        )


def optimise_hotspots(
    sandbox: Sandbox,
    repository: Path,
    spots: Sequence[Hotspot],
    budget_seconds: float,
    section: GuardSection,
    seed: int = 0,
    progress: Progress = lambda text: None,
) -> tuple[Optimisation, ...]:
    """Those that can be called, in order, as far as the time goes."""
    began = time.monotonic()
    found: list[Optimisation] = []
    for number, spot in enumerate(each for each in spots if each.has_inputs):
        left = budget_seconds - (time.monotonic() - began)
        if found and left < LEAST_SECONDS:
            break
        progress(f"{spot.qualname} ({number + 1})")
        share = min(_MOST_SECONDS, max(LEAST_SECONDS, left / 2))
        target = parse_target(f"{repository / spot.path}:{spot.qualname}")
        try:
            found.append(
                optimise_callable(sandbox, target, None, share, section, seed, shown=spot.shown)
            )
        except UsageError as error:
            named = f"{target.file}:{target.attribute}"
            found.append(Optimisation(named, (), 0, 0.0, str(error)))
    return tuple(found)
