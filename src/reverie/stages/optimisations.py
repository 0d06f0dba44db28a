"""Stage C: hot callables made faster, each proven faster by itself before it is a dream.

For each callable that is worth it: imagine variants, race them, try the best, keep what is
proven.
"""

import ast
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from reverie.dreamers.optimise.patterns import catalogue
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
from reverie.instruments.benchmark.shown import shown_growing_calls
from reverie.instruments.benchmark.target import CallableTarget, Inputs, parse_target
from reverie.instruments.profiling import profile_suite
from reverie.model.dream import Dream, DreamKind
from reverie.model.measurements.attempts import Optimisation, OptimisationTrial
from reverie.model.measurements.benchmark import HotCallable, Profile
from reverie.model.outcome import counted
from reverie.model.repository.code import CodeIndex
from reverie.model.settings.analysis import CandidatesSection
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.stages.dreamer import Allowance, Dreamer, Example, Survey, Target, rewritten
from reverie.syntax.parsing import parse_module
from reverie.trials.more_calls import imported_texts
from reverie.trials.speed_trial import Question, try_variant

Progress = Callable[[str], None]
_MOST_TRIALS = 4
TRIAL_SECONDS = 12.0
"""What is begun gets at least this: a trial that is cut short proves nothing."""
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
) -> Optimisation:
    """Everything worth trying on one callable, within the budget."""
    began = time.monotonic()
    source = read_source(target.file)
    named = f"{target.file}:{target.attribute}"
    progress("imagining variants")
    variants = _variants(target, source)
    if not variants:
        return Optimisation(named, (), 0, time.monotonic() - began, "no known pattern fits")
    progress(f"racing {len(variants)} variants")
    given, race = _raced(sandbox, inputs_for(target, source, maker, seed), source, variants)
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


def _raced(
    sandbox: Sandbox, candidates: list[Given], source: str, variants: list[Variant]
) -> tuple[Given, Race]:
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
        seconds = max(left, TRIAL_SECONDS)
        asked = replace(question, size=race.size_for(finish, CALL_SECONDS) or question.size)
        trials.append(try_variant(sandbox, asked, variant.source, variant.pattern, seconds))
    return trials


def inputs_for(
    target: CallableTarget, source: str, maker: CallableTarget | None, seed: int
) -> list[Given]:
    """What the callable may be timed with, and the same for the race: the likeliest first.

    By annotations where nobody says, and else by one example of its docstring or another.
    """
    course = Course(target.file, target.module, (target.root,), target.attribute, _MAKER, seed=seed)
    if maker is not None:
        text = None if maker.file == target.file else read_source(maker.file)
        return [Given(Inputs(maker), course.with_maker(maker.attribute, text))]
    course = replace(course, module_names=_bound_names(source))
    near = imported_texts(Path(target.root), Path(target.file), source)
    calls = annotated_calls(source, target.attribute, near)
    if calls:
        made = course.with_maker(_MAKER, _GENERATED.format(call=calls[0]))
        return [Given(Inputs(sources=calls), made)]
    shown = shown_growing_calls(source, target.attribute)
    if not shown:
        said = "neither its annotations nor its examples say enough; give --inputs"
        raise UsageError(f"no inputs for {target.attribute!r}: {said}")
    return [
        Given(Inputs(sources=(call,)), course.with_maker(_MAKER, _GENERATED.format(call=call)))
        for call in shown
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


LEAST_SECONDS = 8.0
"""With less left no further callable is begun."""
_MOST_SECONDS = 60.0


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
    """Whether annotations or examples say enough to call it with inputs that grow."""


def find_hotspots(index: CodeIndex, profile: Profile | None) -> tuple[Hotspot, ...]:
    """Callables in which something is known to be slow: the hottest first, then by place."""
    costs = {(each.path, each.qualname): each for each in (profile.hot if profile else ())}
    found = [
        spot
        for module in index.modules
        if not module.is_test and module.error is None
        for spot in _spots(Path(index.repository), module.path, costs)
    ]
    return tuple(sorted(found, key=_rank))


def _rank(spot: Hotspot) -> tuple[bool, float, bool, str, str]:
    own = spot.cost.own_seconds if spot.cost else 0.0
    return not spot.has_inputs, -own, not spot.growth, spot.path, spot.qualname


def _spots(
    repository: Path, path: str, costs: Mapping[tuple[str, str], HotCallable]
) -> Iterator[Hotspot]:
    try:
        source = (repository / path).read_bytes().decode("utf-8-sig")
        fitting = fitting_rewrites(source)
    except (OSError, UnicodeDecodeError, SyntaxError, ValueError, RecursionError):
        return
    near = tuple(imported_texts(repository, repository / path, source)) if fitting else ()
    for qualname, rewrites in fitting.items():
        yield Hotspot(
            path,
            qualname,
            costs.get((path, qualname)),
            tuple(each.name for each in rewrites),
            tuple(dict.fromkeys(each.growth for each in rewrites if each.growth)),
            bool(growing_calls(source, qualname, near)),
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
            found.append(optimise_callable(sandbox, target, None, share, section, seed))
        except UsageError as error:
            named = f"{target.file}:{target.attribute}"
            found.append(Optimisation(named, (), 0, 0.0, str(error)))
    return tuple(found)


_UNHURRIED_SECONDS = 120.0
Spots = Mapping[str, tuple[Hotspot, ...]]


@dataclass(slots=True)
class SpeedDreamer:
    """Knows patterns that do the same in less time. One for each copy of a repository."""

    guard: GuardSection = field(default_factory=GuardSection)
    candidates: CandidatesSection = field(default_factory=CandidatesSection)
    name: str = "optimise"
    kind: DreamKind = DreamKind.OPTIMISATION
    _spots: Spots | None = None
    _profile: Profile | None = None
    _looking: Lock = field(default_factory=Lock)

    def examples(self) -> Iterable[Example]:
        """A search in a list, again and again, and code without a loop."""
        yield Example({"people.py": _SEARCH}, "people.py")
        quick = "def add(one: int, other: int) -> int:\n    return one + other\n"
        yield Example({"people.py": quick}, "people.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """The suite runs under a profiler; modules with hot callables first."""
        heats = {path: _heat(spots) for path, spots in self._known(survey).items()}
        ordered = sorted(heats, key=lambda path: (-heats[path], path))
        return survey.rewritable(self.name, {path: heats[path] for path in ordered})

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """A dream for each callable of the module that was proven faster by itself."""
        began, tried, is_faster = time.monotonic(), 0, False
        seconds = allowance.budget.seconds or _UNHURRIED_SECONDS
        for spot in self._known(survey).get(survey.path, ()):
            left = seconds - (time.monotonic() - began)
            if allowance.is_stopped() or (tried and left < LEAST_SECONDS):
                break
            tried += 1
            allowance.notes.figures["callables"] = float(tried)
            for found in optimise_hotspots(
                survey.sandbox, survey.grounds.folder, (spot,), left, self.guard, allowance.seed
            ):
                if found.best is not None:
                    is_faster = True
                    title = _title(spot.qualname, found.best.pattern)
                    yield rewritten(self, survey, allowance, title, found.best.source)
        if not is_faster:
            allowance.notes.remark = f"nothing was proven faster in {counted(tried, 'callable')}"

    def profile_share(self, path: str, qualname: str) -> float | None:
        """The share of the suite's time in a callable; None where nobody profiled it."""
        profile = self._profile
        if profile is None or profile.problem is not None or profile.seconds <= 0:
            return None
        found = [each for each in profile.hot if (each.path, each.qualname) == (path, qualname)]
        return min(1.0, sum(each.total_seconds for each in found) / profile.seconds)

    def _known(self, survey: Survey) -> Spots:
        """Callables that can be timed and that a rewrite fits, by path, hottest first."""
        with self._looking:
            if self._spots is None:
                self._spots = self._looked_at(survey)
            return self._spots

    def _looked_at(self, survey: Survey) -> Spots:
        index, python = survey.grounds.index, survey.grounds.interpreter.path
        self._profile = profile = profile_suite(survey.sandbox, index, self.candidates, python)
        if profile.problem is not None:
            survey.remarks.append(f"the suite could not be profiled: {profile.problem}")
        found: dict[str, list[Hotspot]] = {}
        for spot in find_hotspots(index, profile):
            if spot.has_inputs:
                found.setdefault(spot.path, []).append(spot)
        return {path: tuple(spots) for path, spots in found.items()}


def profile_share(dreamers: Iterable[Dreamer], path: str, qualname: str) -> float | None:
    """The share of a profile's time in a callable, from whoever of them had one made."""
    shares = (
        each.profile_share(path, qualname) for each in dreamers if isinstance(each, SpeedDreamer)
    )
    return next((share for share in shares if share is not None), None)


def _title(qualname: str, pattern: str) -> str:
    """What becomes faster, and by which change: the one that gains, where others prepare it."""
    steps = pattern.split("+")
    gaining = [each for each in catalogue() if each.name in steps and not each.is_enabling]
    if not gaining:
        return f"Speed up {qualname}"
    how = min(gaining, key=lambda each: (each.is_minor, steps.index(each.name))).summary
    return f"Speed up {qualname}: {how[:1].lower()}{how[1:]}"


def _heat(spots: tuple[Hotspot, ...]) -> float:
    """Seconds of their own that the callables take in one run of the suite."""
    return sum(each.cost.own_seconds for each in spots if each.cost is not None)


_SEARCH = """def missing(wanted: list[int], known: list[int]) -> list[int]:
    found = []
    for each in wanted:
        if each not in known:
            found.append(each)
    return found
"""
