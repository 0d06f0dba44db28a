"""Stage D: public callables held to their word: it ends in findings for people, not in changes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from reverie.dreamers.fuzz.fuzz import Wish, fuzz
from reverie.errors import UsageError
from reverie.index.ranking import FoundCoverage
from reverie.model.cycle import Sighting
from reverie.model.dream import Dream, DreamKind
from reverie.model.outcome import counted
from reverie.model.repository.candidate import Ranking
from reverie.model.repository.code import CodeIndex
from reverie.model.repository.environment import Discovery, Fuzzed
from reverie.scoring.finding_ranks import FindingRank, rank_of
from reverie.stages.dreamer import Allowance, Example, Survey, Target
from reverie.stages.mending import mend

_UNHURRIED_SECONDS = 20.0
_MENDING_SHARE = 0.3
"""Of the time of a module, for small edits that make its docs true."""
Rank = Callable[[CodeIndex, FoundCoverage | None], Ranking]


@dataclass(frozen=True, slots=True)
class DiscoveryDreamer:
    """Looks for inputs on which callables do not do what they say. It changes nothing."""

    rank: Rank | None = None
    """Says which modules change most; None for whoever is told a module."""
    name: str = "discovery"
    kind: DreamKind = DreamKind.FINDING

    def examples(self) -> Iterable[Example]:
        """A module whose example is wrong: a finding, and no dream."""
        wrong = 'def double(n: int) -> int:\n    """>>> double(2)\n    4\n    """\n    return n\n'
        yield Example({"numbers.py": wrong}, "numbers.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Modules by how much they change: what is wrong there hurts most."""
        if self.rank is None:
            return ()
        ranking = self.rank(survey.grounds.index, None)
        return survey.targets(self.name, {each.path: each.value for each in ranking.candidates})

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """Nothing: what is found is noted, each by a script that failed in a fresh process."""
        budget, grounds = allowance.budget, survey.grounds
        seconds = _UNHURRIED_SECONDS if budget.seconds is None else budget.seconds
        wish = Wish(
            (1 - _MENDING_SHARE) * seconds,
            budget.executions,
            allowance.seed,
            grounds.interpreter.path,
        )
        try:
            found = fuzz(survey.sandbox, str(grounds.folder / survey.path), grounds.folder, wish)
        except UsageError as error:
            allowance.notes.remark = str(error)
            return
        notes = allowance.notes
        notes.executions += found.executions
        notes.figures["callables"] = float(len(found.callables))
        notes.figures["doubted"] = float(found.doubted)
        here, there = str(grounds.folder), str(grounds.repository)
        for each in found.findings:
            shown = replace(each, repro=each.repro.replace(here, there))
            seen = sighting_of(survey.module, shown, is_documented=_call_of(each) in survey.source)
            if rank_of(seen.details) is FindingRank.CONTRADICTS_DOCS:
                seen = _with_mending(survey, each, seen, _MENDING_SHARE * seconds)
            notes.sightings.append(seen)
        if not found.findings:
            notes.remark = _said(found)
        yield from ()


def _with_mending(survey: Survey, found: Discovery, seen: Sighting, seconds: float) -> Sighting:
    """The finding with an edit that makes the docs true, where a small one does."""
    mended = mend(survey, found, seconds)
    if mended is None:
        return seen
    fix = {"mending": mended.diff, "mending_shown": mended.said}
    return replace(seen, details={**seen.details, **fix})


def sighting_of(module: str, found: Discovery, *, is_documented: bool = False) -> Sighting:
    """A finding of the fuzzer as a cycle tells of it."""
    name = found.callable.rpartition(":")[2]
    title = f"{_call_of(found) or name}: {found.actual}"
    details = {
        "signature": found.signature,
        "function": name,
        "kind": found.kind,
        "basis": found.basis,
        "input": found.input,
        "expected": found.expected,
        "actual": found.actual,
        "hypothesis": found.hypothesis,
        "action": found.action,
        "repro": found.repro,
        "documented": is_documented,
    }
    return Sighting(module, title[:300], details)


def _call_of(found: Discovery) -> str:
    """The call that goes wrong, as somebody would write it."""
    return found.input.rpartition("\n")[2].removeprefix("result = ").strip()


def _said(found: Fuzzed) -> str:
    if not found.callables and found.notes:
        return found.notes[0]
    tried = counted(len(found.callables), "callable")
    return f"{tried} called {counted(found.executions, 'time')}: each kept its word"
