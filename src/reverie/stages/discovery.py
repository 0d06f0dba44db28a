"""Stage D: public callables held to their word: it ends in findings for people, not in changes.

The examples that docs show are tried first, of every module: that takes a moment, and a module in
which one is wrong comes before all others.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.fuzz.fuzz import Wish, check_examples, fuzz
from reverie.errors import MachineryError, UsageError
from reverie.index.ranking import FoundCoverage
from reverie.model.cycle import Sighting
from reverie.model.dream import Dream, DreamKind
from reverie.model.outcome import counted
from reverie.model.repository.candidate import Ranking
from reverie.model.repository.code import CodeIndex
from reverie.model.repository.environment import Discovery, Fuzzed
from reverie.scoring.finding_ranks import FindingRank, rank_of
from reverie.stages.dreamer import Allowance, Example, Notes, Survey, Target
from reverie.stages.mending import mend

_UNHURRIED_SECONDS = 20.0
_MENDING_SHARE = 0.3
"""Of the time of a module, for small edits that make its docs true."""
Rank = Callable[[CodeIndex, FoundCoverage | None], Ranking]


_MOST_WITH_EXAMPLES = 60
"""Modules whose examples are tried before any other look."""


@dataclass(frozen=True, slots=True)
class DiscoveryDreamer:
    """Looks for inputs on which callables do not do what they say. It changes nothing.

    One for each copy of a repository.
    """

    rank: Rank | None = None
    """Says which modules change most; None for whoever is told a module."""
    name: str = "discovery"
    kind: DreamKind = DreamKind.FINDING
    _wrong: dict[str, Fuzzed] = field(default_factory=dict)
    """Modules by path whose examples do not hold, as seen while targets were looked for."""

    def examples(self) -> Iterable[Example]:
        """A module whose example is wrong: a finding, and no dream."""
        wrong = 'def double(n: int) -> int:\n    """>>> double(2)\n    4\n    """\n    return n\n'
        yield Example({"numbers.py": wrong}, "numbers.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Modules whose examples are wrong; then by how much they change: there it hurts most."""
        if self.rank is None:
            return ()
        ranking = self.rank(survey.grounds.index, None)
        values = {each.path: each.value for each in ranking.candidates}
        targets = survey.targets(self.name, values)
        self._wrong.update(_wrong_examples(survey, targets))
        best = max((each.value or 0.0 for each in targets), default=0.0)
        first = [replace(each, value=best) for each in targets if each.path in self._wrong]
        return (*first, *(each for each in targets if each.path not in self._wrong))

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
        notes = allowance.notes
        known = self._wrong.get(survey.path)
        shown = () if known is None else known.findings
        self._note(survey, notes, shown, _MENDING_SHARE * seconds)
        try:
            found = fuzz(survey.sandbox, str(grounds.folder / survey.path), grounds.folder, wish)
        except UsageError as error:
            notes.remark = str(error)
            return
        notes.executions += found.executions + (0 if known is None else known.executions)
        notes.figures["callables"] = float(len(found.callables))
        notes.figures["doubted"] = float(found.doubted)
        told = {each.signature for each in shown}
        new = [each for each in found.findings if each.signature not in told]
        self._note(survey, notes, new, _MENDING_SHARE * seconds)
        if not notes.sightings:
            notes.remark = _said(found)
        yield from ()

    def _note(
        self, survey: Survey, notes: Notes, found: Sequence[Discovery], seconds: float
    ) -> None:
        """Findings as people meet them: of the repository, with an edit where one is known."""
        here, there = str(survey.grounds.folder), str(survey.grounds.repository)
        for each in found:
            shown = replace(each, repro=each.repro.replace(here, there))
            seen = sighting_of(survey.module, shown, is_documented=_call_of(each) in survey.source)
            if rank_of(seen.details) is FindingRank.CONTRADICTS_DOCS:
                seen = _with_mending(survey, each, seen, seconds)
            notes.sightings.append(seen)


def _wrong_examples(survey: Survey, targets: Sequence[Target]) -> Iterator[tuple[str, Fuzzed]]:
    """Modules with an example that does not hold; those that cannot be asked are left out."""
    grounds = survey.grounds
    for each in targets[:_MOST_WITH_EXAMPLES]:
        place = os.path.join(grounds.folder, each.path)
        try:
            target = find_target(place, grounds.folder, grounds.interpreter.path)
            found = check_examples(survey.sandbox, target)
        except (UsageError, MachineryError):
            continue  # its turn says why
        if found.findings:
            yield each.path, found


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
