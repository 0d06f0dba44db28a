"""A rough comparison of variants: same answers or not, how long; and sample calls from it.

Each variant runs in a process of its own. What is seen here only chooses what is worth a trial.
"""

import ast
import builtins
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.dreamers.optimise.variants import Variant
from reverie.model.call import Call, Expression
from reverie.model.execution import Execution, Limits, Policy
from reverie.sandbox.bundle import source_of
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import parse_module

_ENTRY = "_race"
_WALL_SECONDS = 20.0
_ENOUGH_SECONDS = 0.15
_MOST_SIZES = 12
SAMPLES = tuple((size, seed) for size in (1, 2, 3, 5, 8, 16, 40, 80) for seed in range(4))
"""Sizes and seeds of the inputs that are shown."""
_MORE_LOOKS, _ENOUGH_LOOKS, _LOOKING_SECONDS = 5, 2, 15.0
"""What else the cores do may double the time of a lap: the best of several counts."""
_PLAIN_GAIN = 1.5
_LONGEST_SECONDS = 0.03
"""Of a call: longer ones are too few for a 99th percentile."""
_AS_GOOD = 1.15
"""A variant this near to the fastest is preferred when it takes fewer steps."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is called, and with what: a module, its callable, and a `make_input(n, seed)`."""

    path: str
    module: str
    roots: tuple[str, ...]
    entry: str
    maker: str
    maker_source: str | None = None
    """None when the maker is a function of the module itself."""
    seed: int = 0
    first_size: int = 8
    module_names: frozenset[str] = frozenset()
    """What a maker that came from the module's own text may use of it."""

    def with_maker(self, name: str, source: str | None) -> "Course":
        """The same with other inputs."""
        return replace(self, maker=name, maker_source=source)


@dataclass(frozen=True, slots=True)
class Lap:
    """What one variant, or the original, took and gave for inputs of each size."""

    sizes: list[int]
    seconds: list[float]
    digests: list[str]
    samples: list[str]

    @property
    def is_refused(self) -> bool:
        """Whether the largest input makes it raise: the inputs do not fit."""
        return self.digests[-1].startswith("!")

    def is_like(self, other: "Lap") -> bool:
        """Whether the answers are the same."""
        return self.sizes == other.sizes and self.digests == other.digests

    def or_faster(self, other: "Lap | None") -> "Lap":
        """The better times of two laps; what is not like this one does not count."""
        if other is None or not self.is_like(other):
            return self
        return replace(self, seconds=list(map(min, self.seconds, other.seconds)))


@dataclass(frozen=True, slots=True)
class Finish:
    """How a variant did against the original.

    At the largest size that both were given, or at most sizes: where calls do not grow with it, a
    single one is luck.
    """

    variant: Variant
    speedup: float
    gains: Mapping[int, float] = field(default_factory=dict)
    """By size, as far as both went."""

    def is_plain_from(self, size: int) -> bool:
        """Whether the gain is a plain one at a size and at all larger ones."""
        return all(gain >= _PLAIN_GAIN for other, gain in self.gains.items() if other >= size)


@dataclass(frozen=True, slots=True)
class Race:
    """Who came in, best first, and what the original took for inputs of each size."""

    ranked: list[Finish]
    seconds: Mapping[int, float]
    samples: tuple[str, ...] = ()
    """Arguments and named ones, as they would be written: a claim, to be read as literals only."""
    is_refused: bool = False
    """Whether the original raises an error at the largest size: the inputs do not fit it."""

    def size_within(self, seconds: float) -> int | None:
        """The largest size that the original gets done in this time; None: it was never timed."""
        fitting = [size for size, spent in self.seconds.items() if spent <= seconds]
        return max(fitting, default=min(self.seconds, default=None))

    def size_for(self, finish: Finish, seconds: float) -> int | None:
        """The size within a time; a larger one where the gain of a variant shows only there.

        It has to show from there on: at a single size it may be luck.
        """
        usual = self.size_within(seconds)
        if usual is None or finish.is_plain_from(usual):
            return usual
        plain = [
            size
            for size, spent in self.seconds.items()
            if size > usual and spent <= _LONGEST_SECONDS and finish.is_plain_from(size)
        ]
        return min(plain, default=usual)


def run_race(sandbox: Sandbox, course: Course, original: str, variants: Sequence[Variant]) -> Race:
    """The variants with the original's answers that are faster, best first."""
    begun = first_lap(sandbox, course, original)
    if begun is None:
        return Race([], {})
    limits = {"most_sizes": len(begun.sizes), "enough_seconds": _WALL_SECONDS}
    order = lap_order(course) | limits
    laps = run_laps(sandbox, course, order, [each.source for each in variants])
    field = [
        (variant, lap)
        for variant, lap in zip(variants, laps, strict=True)
        if lap is not None and lap.is_like(begun)
    ]
    started = time.monotonic()
    for look in range(_MORE_LOOKS):
        is_clear = look >= _ENOUGH_LOOKS and _ranked(begun, field)
        if not field or is_clear or time.monotonic() - started > _LOOKING_SECONDS:
            break
        sources = [original, *(variant.source for variant, _ in field)]
        again, *others = run_laps(sandbox, course, order, sources)
        begun = begun.or_faster(again)
        field = [(each, lap.or_faster(new)) for (each, lap), new in zip(field, others, strict=True)]
    return raced(begun, _ranked(begun, field))


def raced(begun: Lap, ranked: list[Finish]) -> Race:
    """A race from the lap of the original, and who was faster."""
    seconds = dict(zip(begun.sizes, begun.seconds, strict=True))
    return Race(ranked, seconds, tuple(begun.samples), begun.is_refused)


def first_lap(sandbox: Sandbox, course: Course, original: str) -> Lap | None:
    """The original alone, with samples of its inputs."""
    (begun,) = run_laps(
        sandbox, course, {**lap_order(course), "samples": list(SAMPLES)}, [original]
    )
    return begun


def _ranked(begun: Lap, field: list[tuple[Variant, Lap]]) -> list[Finish]:
    """Those that gain, fastest first, but of nearly equal ones the shortest, imagined first."""
    finished = [finish_of(begun, *each) for each in field]
    left = sorted((each for each in finished if each.speedup > 1.0), key=lambda each: -each.speedup)
    ranked = []
    while left:
        near = [each for each in left if each.speedup * _AS_GOOD >= left[0].speedup]
        best = min(near, key=lambda each: (len(each.variant.steps), finished.index(each)))
        ranked.append(best)
        left.remove(best)
    return ranked


def finish_of(begun: Lap, variant: Variant, lap: Lap) -> Finish:
    """How a lap compares with the original's."""
    gains = [old / max(new, 1e-9) for old, new in zip(begun.seconds, lap.seconds, strict=True)]
    speedup = max(gains[-1], statistics.median(gains))
    return Finish(variant, speedup, dict(zip(begun.sizes, gains, strict=True)))


def lap_order(course: Course) -> dict[str, Any]:
    """What `inside.py` is asked for."""
    return {
        "path": course.path,
        "module": course.module,
        "roots": list(course.roots),
        "entry": course.entry,
        "maker": course.maker,
        "maker_source": course.maker_source,
        "seed": course.seed,
        "first_size": course.first_size,
        "most_sizes": _MOST_SIZES,
        "enough_seconds": _ENOUGH_SECONDS,
        "samples": [],
    }


def run_laps(
    sandbox: Sandbox,
    course: Course,
    order: Mapping[str, Any],
    sources: Sequence[str],
    wall_seconds: float = _WALL_SECONDS,
) -> list[Lap | None]:
    """A lap of each text; None for one that does not get through in time."""
    limits = replace(sandbox.section.limits(), wall_seconds=wall_seconds)
    policy = _policy(sandbox.section.policy(), course)
    code = source_of("reverie.dreamers.optimise.inside")
    asked = [{"order": order, "source": each} for each in sources]
    executions = sandbox.execute_many(code, _ENTRY, asked, limits=limits, policy=policy)
    return [_lap(each, limits) for each in executions]


def _policy(base: Policy, course: Course) -> Policy:
    return replace(
        base, readonly=tuple(dict.fromkeys((*base.readonly, *course.roots))), hash_seed=1
    )


def _lap(execution: Execution, limits: Limits) -> Lap | None:
    """What a variant claims of its run; None when it did not get through, or claims nonsense."""
    match execution.output:
        case {
            "sizes": [*sizes],
            "seconds": [*seconds],
            "digests": [*digests],
            "samples": [*samples],
        } if sizes:
            whole = all(type(each) is int for each in sizes)
            told = all(isinstance(each, str) for each in (*digests, *samples))
            timed = all(
                isinstance(each, int | float) and 0 <= each <= limits.wall_seconds
                for each in seconds
            )
            alike = len(sizes) == len(seconds) == len(digests)
            if execution.succeeded and whole and told and timed and alike:
                return Lap(sizes, seconds, digests, samples)
    return None


_MADE = "@"
"""Begins what is shown of arguments that cannot be written: their number, then their names."""


def sample_calls(shown: tuple[str, ...], course: Course) -> tuple[Call, ...]:
    """Calls from arguments as they were shown: claims, read as literals or made anew inside."""
    found = [
        _made(text, size, seed, course) if text.startswith(_MADE) else _literal(text)
        for text, (size, seed) in zip(shown, SAMPLES, strict=False)
    ]
    return tuple(each for each in found if each is not None)


def _literal(text: str) -> Call | None:
    try:
        args, kwargs = ast.literal_eval(text)
        given = tuple(Expression(repr(each)) for each in args)
        named = tuple((str(name), Expression(repr(each))) for name, each in kwargs.items())
    except (ValueError, SyntaxError, TypeError, AttributeError, RecursionError, MemoryError):
        return None
    return Call(given, named)


def _made(text: str, size: int, seed: int, course: Course) -> Call | None:
    """Each argument by a call of the maker, which is brought along."""
    count, *names = text.removeprefix(_MADE).split(",")
    if not count.isdigit() or not all(name.isidentifier() for name in names):
        return None
    made = f"{course.maker}({size}, {seed})"
    args = tuple(_expression(f"{made}[0][{place}]", course) for place in range(int(count)))
    kwargs = tuple((name, _expression(f"{made}[1][{name!r}]", course)) for name in names)
    return Call(args, kwargs)


def _expression(source: str, course: Course) -> Expression:
    if course.maker_source is None:
        return Expression(source, names=frozenset({course.maker}))
    names = frozenset(_free_names(course.maker_source)) & course.module_names
    return Expression(source, names=names, definitions=(course.maker_source,))


def _free_names(source: str) -> Iterator[str]:
    for node in ast.walk(parse_module(source)):
        if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
            yield node.id
