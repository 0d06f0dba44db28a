"""Stage C: hot callables made faster, each proven faster by itself before it is a dream."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock

from reverie.dreamers.optimise.patterns import catalogue
from reverie.instruments.profiling import profile_suite
from reverie.model.analysis_sections import CandidatesSection
from reverie.model.dream import Dream, DreamKind
from reverie.model.judgement_sections import GuardSection
from reverie.model.words import counted
from reverie.stages.dreamer import Allowance, Example, Survey, Target, rewritten
from reverie.stages.hotspots import LEAST_SECONDS, Hotspot, find_hotspots, optimise_hotspots

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
        return survey.targets(self.name, {path: heats[path] for path in ordered})

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

    def _known(self, survey: Survey) -> Spots:
        """Callables that can be timed and that a rewrite fits, by path, hottest first."""
        with self._looking:
            if self._spots is None:
                self._spots = self._looked_at(survey)
            return self._spots

    def _looked_at(self, survey: Survey) -> Spots:
        index, python = survey.grounds.index, survey.grounds.interpreter.path
        profile = profile_suite(survey.sandbox, index, self.candidates, python)
        if profile.problem is not None:
            survey.remarks.append(f"the suite could not be profiled: {profile.problem}")
        found: dict[str, list[Hotspot]] = {}
        for spot in find_hotspots(index, profile):
            if spot.has_inputs:
                found.setdefault(spot.path, []).append(spot)
        return {path: tuple(spots) for path, spots in found.items()}


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
