"""Stage C: hot callables of a module, each proven faster by itself before it is a dream.

What one rewrite or a few do not make faster is bred: a population of variants, where there is time.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock

from reverie.dreamers.optimise.patterns import catalogue
from reverie.errors import UsageError
from reverie.instruments.benchmark.target import parse_target
from reverie.instruments.profiling import profile_suite
from reverie.model.dream import Dream, DreamKind
from reverie.model.measurements.attempts import OptimisationTrial
from reverie.model.measurements.benchmark import Profile
from reverie.model.outcome import counted
from reverie.model.settings.analysis import CandidatesSection
from reverie.model.settings.judgement import GuardSection
from reverie.stages.dreamer import Allowance, Dreamer, Example, Survey, Target, rewritten
from reverie.stages.evolving import Wish, evolve_callable
from reverie.stages.hotspots import (
    LEAST_SECONDS,
    Hotspot,
    find_hotspots,
    much_of,
    optimise_hotspots,
)

_LEAST_BREEDING = 30.0
"""With less left no population is bred: the proof takes most of it."""
_BREEDING_SECONDS = 60.0
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
            best = self._best(survey, spot, left, allowance)
            if best is not None:
                is_faster = True
                title = _title(spot.qualname, best.pattern)
                yield rewritten(self, survey, allowance, title, best.source)
        if not is_faster:
            allowance.notes.remark = f"nothing was proven faster in {counted(tried, 'callable')}"

    def _best(
        self, survey: Survey, spot: Hotspot, seconds: float, allowance: Allowance
    ) -> OptimisationTrial | None:
        """What was proven: a rewrite or a few, and else the best of a population."""
        began, folder = time.monotonic(), survey.grounds.folder
        for found in optimise_hotspots(
            survey.sandbox, folder, (spot,), seconds, self.guard, allowance.seed
        ):
            if found.best is not None:
                return found.best
        left = seconds - (time.monotonic() - began)
        if left < _LEAST_BREEDING or not self._is_hot(spot) or allowance.is_stopped():
            return None
        target = parse_target(f"{folder / spot.path}:{spot.qualname}")
        wish = Wish(min(left, _BREEDING_SECONDS), allowance.seed, shown=spot.shown)
        try:
            bred = evolve_callable(survey.sandbox, target, None, wish, self.guard)
        except UsageError:  # nobody knows what it could be timed with
            return None
        notes = allowance.notes
        notes.figures["bred"] = notes.figures.get("bred", 0.0) + len(bred.lineage[1:])
        return bred.optimisation.best

    def _is_hot(self, spot: Hotspot) -> bool:
        """Whether much of the suite's time is its own."""
        return spot.cost is not None and spot.cost.own_seconds >= much_of(self._profile)

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
        for spot in find_hotspots(index, profile, with_others=True):
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
