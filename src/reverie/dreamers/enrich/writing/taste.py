"""What reads naturally: judged by whoever knows the values that people use."""

from collections.abc import Sequence
from typing import Protocol

from reverie.dreamers.enrich.writing.candidates import Candidate
from reverie.dreamers.enrich.writing.checks import Relation
from reverie.dreamers.enrich.writing.subject import SuspectedBug
from reverie.instruments.mutation.matrix import KillMatrix
from reverie.model.scenario import Step

_MOST_QUESTIONS = 3
_LEAST_KILLS = 2
"""Fewer changes that only an odd input shows are no condition that matters."""


class Taste(Protocol):
    """Judges single lines."""

    def oddities(self, step: Step) -> tuple[str, ...]:
        """Values of a step that nobody would write there."""

    def strangeness(self, step: Step) -> float:
        """What its values cost a reader, in lines."""


class AnyTaste:
    """Takes every line."""

    def oddities(self, step: Step) -> tuple[str, ...]:
        """None."""
        return ()

    def strangeness(self, step: Step) -> float:
        """Nothing."""
        return 0.0


def is_natural(candidate: Candidate, taste: Taste) -> bool:
    """Whether every value of a candidate is one that people use."""
    return not any(taste.oddities(step) for step in candidate.scenario.steps)


def questions_of(
    candidates: Sequence[Candidate], matrix: KillMatrix, taste: Taste, module: str
) -> list[SuspectedBug]:
    """Of inputs that nobody would write those that show most, for a person to look at."""
    left = matrix.killable
    found: list[SuspectedBug] = []
    while left and len(found) < _MOST_QUESTIONS:
        offers = [
            (len(matrix.kills.get(number, frozenset()) & left), -len(each.scenario.steps), place,
             number)
            for place, each in enumerate(candidates)
            for number in each.numbers
            if number in matrix.steady and each.check(number).relation is not Relation.RAISES
        ]  # fmt: skip
        best = max(offers, default=(0, 0, 0, 0))
        if best[0] < _LEAST_KILLS:
            break
        candidate, number = candidates[best[2]], best[3]
        left -= matrix.kills.get(number, frozenset())
        found.append(_question(candidate, number, best[0], module, taste))
    return found


def _question(
    candidate: Candidate, number: int, kills: int, module: str, taste: Taste
) -> SuspectedBug:
    check = candidate.check(number)
    steps = candidate.scenario.steps[: check.step + 1]
    lines = [f"{each.name} = {each.line.source}" if each.name else each.line.source
             for each in steps]  # fmt: skip
    odd = [text for each in steps for text in taste.oddities(each)]
    return SuspectedBug(
        module=module,
        function=candidate.callee([number]),
        line=None,
        kind="look_at",
        input="; ".join(lines),
        expected="a value that people use",
        actual=f"{check.relation} {check.expected.source}"[:300],
        why=f"only an input such as {odd[0] if odd else lines[-1]} shows {kills} changes of it: "
        "is it meant to be given that?",
        repro="\n".join(lines),
    )
