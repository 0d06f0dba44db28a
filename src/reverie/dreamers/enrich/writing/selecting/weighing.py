"""Measures what every candidate and its shorter forms notice; odd ones are left out.

Every form is tried on unchanged code and on the mutants, and the chooser has the last word.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.dreamers.enrich.writing.selecting.candidates import Candidate, trial_program
from reverie.dreamers.enrich.writing.selecting.choosing import Reader, choose, offers_of
from reverie.dreamers.enrich.writing.selecting.forms import (
    apart,
    holding_in,
    shorter_forms,
    some_of,
    sources_of,
    with_less,
    without_the_idle,
)
from reverie.dreamers.enrich.writing.selecting.taste import is_natural, questions_of
from reverie.dreamers.enrich.writing.subject import Standing, Subject, SuspectedBug
from reverie.dreamers.enrich.writing.wording.invariants import companions
from reverie.errors import MachineryError, SandboxLost, UsageError
from reverie.instruments.mutation.matrix import ENOUGH, REPEATS, Ground, KillMatrix, measure_kills
from reverie.sandbox.engine import Sandbox

_MOST_MUTANTS = 1500
_MATRIX_SHARE, _MORE_SHARE, _AGAIN_SHARE, _SHORTENING_SHARE = 0.5, 0.3, 0.4, 0.5
"""Of the time that is left."""
_QUESTION_SHARE = 0.12
_LAST_SHARE, _LAST_SECONDS = 0.3, 5.0
"""What is set aside for running and checking the file: so much on an idle machine, at most."""
_STILL_KILLED = 0.98
_JUDGED_ENOUGH = 0.9
_LEAST_SECONDS = 2.0
_ROUNDS = 3
"""Of leaving out one thing more."""

Further = Callable[[frozenset[int], float | None], list[Candidate]]
"""Candidates that may notice mutants which no other does, found in so many seconds."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """Candidates with what each of their checks notices."""

    candidates: list[Candidate]
    matrix: KillMatrix | None
    """None where the isolation allows no forks, and where there is nothing to weigh."""
    mutants: int | None = None
    executions: int = 0
    notes: tuple[str, ...] = ()
    questions: tuple[SuspectedBug, ...] = ()
    """Inputs that nobody would write, and that alone show something."""


class Scales:
    """Weighs the candidates of one module, within a time."""

    def __init__(
        self,
        sandbox: Sandbox,
        subject: Subject,
        reader: Reader,
        deadline: float | None,
        standing: Standing | None = None,
    ) -> None:
        self.standing = standing
        self.sandbox = sandbox
        self.subject = subject
        self.reader = reader
        self.deadline = deadline
        self.ground = ground_of(subject)
        self.executions = 0
        self.notes: list[str] = []

    def weigh(self, candidates: list[Candidate], further: Further | None = None) -> Weighed:
        """Which check notices which mutant; then the same for shorter forms of what is chosen."""
        natural = self._with_effect(
            [each for each in candidates if is_natural(each, self.reader.taste)]
        )
        odd = [each for each in candidates if not is_natural(each, self.reader.taste)]
        matrix = self._first_measured(natural)
        if matrix is None:
            note = "chosen by coverage alone: this isolation allows no forks"
            notes = (note,) if natural else ()
            return Weighed(natural, None, executions=self.executions, notes=notes)
        if further is not None:
            natural, matrix = self._with_more(natural, matrix, further)
        questions = self._questions(odd, matrix.mutants - matrix.killable)
        mutants = len(matrix.mutants)
        natural, matrix = self._shortened(natural, matrix)
        return Weighed(
            natural, matrix, mutants, self.executions, tuple(self.notes), tuple(questions)
        )

    def _with_effect(self, candidates: list[Candidate]) -> list[Candidate]:
        """The same without what has no effect: in its place what comes to the same with less."""
        settled: list[Candidate] = []
        waiting, count = candidates, 0
        for _ in range(_ROUNDS):
            forms = with_less(waiting)
            found = self._measured([form for _, form in forms], None, frozenset(), are_known=True)
            if found is None:
                break
            kept, shorter = apart(waiting, forms, found.steady)
            settled += kept
            waiting = [each for each in shorter if self._is_wanted(each)]
            count += len(shorter)
        if count:
            self.notes.append(f"{count} came to the same with an argument or a call less")
        unlike: dict[tuple[str, ...], Candidate] = {}
        for each in (*settled, *waiting):
            known = unlike.setdefault(sources_of(each), each)
            checks = tuple(dict.fromkeys((*known.checks, *each.checks)))
            unlike[sources_of(each)] = replace(known, checks=checks)
        return _numbered(list(unlike.values()), 0)

    def _first_measured(self, natural: list[Candidate]) -> KillMatrix | None:
        """Of the whole module; of what its own tests leave open, where that is known."""
        seconds = self._share(_MATRIX_SHARE)
        if self.standing is None:
            return self._measured(natural, seconds)
        matrix = self._measured(natural, seconds, self.standing.open_mutants)
        return None if matrix is None else replace(matrix, sites=len(self.standing.open_mutants))

    def _questions(self, odd: list[Candidate], left: frozenset[int]) -> list[SuspectedBug]:
        """What only inputs show that nobody would write, where there is time to find out."""
        seconds = self._share(_QUESTION_SHARE)
        is_early = seconds is None or seconds > _LEAST_SECONDS
        matrix = self._measured(odd, seconds, left) if left and is_early else None
        if matrix is None or not matrix.killable:
            return []
        self.notes.append(f"left out: {len(matrix.killable)} mutants that only odd inputs notice")
        return questions_of(odd, matrix, self.reader.taste, self.subject.module)

    def _with_more(
        self, candidates: list[Candidate], matrix: KillMatrix, further: Further
    ) -> tuple[list[Candidate], KillMatrix]:
        """Also what notices mutants that nothing did, where there was time to judge most."""
        seconds = self._share(_MORE_SHARE)
        is_early = seconds is None or seconds > _LEAST_SECONDS
        wanted = matrix.mutants - matrix.killable
        if not wanted or matrix.judged_share < _JUDGED_ENOUGH or not is_early:
            return candidates, matrix
        try:
            found = further(wanted, seconds)
        except SandboxLost:
            raise
        except (UsageError, MachineryError) as error:
            self.notes.append(f"what nothing noticed was not searched for again: {error}"[:300])
            return candidates, matrix
        known = {sources_of(each) for each in candidates}
        first = max((each.numbers.stop for each in candidates), default=0)
        new = [
            each
            for each in found
            if sources_of(each) not in known and is_natural(each, self.reader.taste)
        ]
        new = _numbered(self._with_effect(new), first)
        more = self._measured(new, self._share(_AGAIN_SHARE), wanted)
        if more is None:
            return candidates, matrix
        return [*candidates, *new], _together(matrix, more)

    def _shortened(
        self, candidates: list[Candidate], matrix: KillMatrix
    ) -> tuple[list[Candidate], KillMatrix]:
        chosen = choose(offers_of(candidates, beyond(self.standing, matrix), self.reader))
        shorter = shorter_forms(candidates, _with_companions(candidates, chosen, matrix))
        seconds = self._share(_SHORTENING_SHARE)
        again = self._measured(shorter, seconds, matrix.killable, are_known=True)
        if again is None:  # there was no time for it
            return without_the_idle(candidates, matrix, holding_in(candidates, matrix))
        holding = holding_in(shorter, again)
        if len(again.killable) < _STILL_KILLED * len(matrix.killable):
            return without_the_idle(candidates, matrix, holding)
        left, again = without_the_idle(shorter, replace(again, judged=matrix.judged), holding)
        return some_of(left, again, [each for each in left if self._is_wanted(each)])

    def _is_wanted(self, candidate: Candidate) -> bool:
        """Whether a shorter form may be written: it is judged as what the search found was."""
        scenario, never = candidate.scenario, self.reader.never
        return (
            (never is None or never.refuses(scenario) is None)
            and is_natural(candidate, self.reader.taste)
            and all(self.reader.tells(scenario, each) for each in candidate.checks)
        )

    def _measured(
        self,
        candidates: list[Candidate],
        seconds: float | None,
        only: frozenset[int] | None = None,
        *,
        are_known: bool = False,
    ) -> KillMatrix | None:
        """Of what is known to hold, all that notices a mutant is wanted."""
        if not candidates:
            return None
        found = measure_kills(
            self.sandbox,
            self.ground,
            trial_program(candidates, self.subject.module),
            [list(each.numbers) for each in candidates],
            seconds=seconds,
            most=_MOST_MUTANTS,
            only=only,
            enough=len(candidates) if are_known else ENOUGH,
            repeats=0 if are_known else REPEATS,
        )
        self.executions += 0 if found is None else found.executions
        return found

    def _share(self, share: float) -> float | None:
        """A share of what is left when the runs of the written file have had theirs."""
        if self.deadline is None:
            return None
        left = self.deadline - time.monotonic()
        return max(1.0, share * (left - min(_LAST_SHARE * left, _LAST_SECONDS * _crowding())))


def _with_companions(
    candidates: Sequence[Candidate], chosen: Mapping[int, Sequence[int]], matrix: KillMatrix
) -> dict[int, Sequence[int]]:
    """What was chosen, with a few more values for each law."""
    steady = {
        place: each.scenario
        for place, each in enumerate(candidates)
        if any(number in matrix.steady for number in each.numbers)
    }
    more = companions(steady, chosen)
    several = dict.fromkeys(other for others in more.values() for other in others)
    return {**chosen, **{other: tuple(candidates[other].numbers) for other in several}}


def beyond(standing: Standing | None, matrix: KillMatrix) -> KillMatrix:
    """The matrix without the steps that a module's own tests take already."""
    if standing is None:
        return matrix
    return replace(matrix, arcs=tuple(each - standing.arcs for each in matrix.arcs))


def _together(first: KillMatrix, more: KillMatrix) -> KillMatrix:
    """The matrix of all candidates: the first ones', then those that came later."""
    return replace(
        first,
        steady=first.steady | more.steady,
        kills={**first.kills, **more.kills},
        arcs=(*first.arcs, *more.arcs),
        survived=first.survived - more.killable,
    )


def _crowding() -> float:
    """How many want each core; more of everything takes longer then."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def ground_of(subject: Subject) -> Ground:
    """Where a module lives."""
    return Ground(
        subject.import_root,
        os.path.relpath(subject.path, subject.import_root),
        subject.module,
        (subject.import_root,),
        subject.python,
        tuple(root for root in subject.roots if root != subject.import_root),
    )


def _numbered(candidates: Sequence[Candidate], first: int) -> list[Candidate]:
    """The candidates with numbers that follow each other."""
    found = []
    for each in candidates:
        found.append(replace(each, first=first))
        first += len(each.checks)
    return found
