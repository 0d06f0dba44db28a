"""The callables of a repository that are worth making faster, and an attempt at each."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reverie.dreamers.optimise.variants import fitting_rewrites
from reverie.errors import UsageError
from reverie.instruments.benchmark.growing import growing_calls
from reverie.instruments.benchmark.target import parse_target
from reverie.model.code import CodeIndex
from reverie.model.judgement_sections import GuardSection
from reverie.model.optimisation import Optimisation
from reverie.model.profile import HotCallable, Profile
from reverie.sandbox.engine import Sandbox
from reverie.stages.optimising import Progress, optimise_callable

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
    for qualname, rewrites in fitting.items():
        yield Hotspot(
            path,
            qualname,
            costs.get((path, qualname)),
            tuple(each.name for each in rewrites),
            tuple(dict.fromkeys(each.growth for each in rewrites if each.growth)),
            bool(growing_calls(source, qualname)),
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
