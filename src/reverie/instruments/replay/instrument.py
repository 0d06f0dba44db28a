"""Old and new on the real calls of the tests, in place: no argument has to be made again.

    found = replay_in_place(sandbox, project, orders, tests, section=section, seconds=20.0)
    found["src/shop/prices.py"].answer.verdict

The tests run on the old tree. Where they call a function that was changed, the process forks: one
fork makes the call of the old version, one of the new, others of mutants of both, on the very
objects that the test has made. Each also gets calls whose plain values are a little otherwise. Only
the old version's answer goes on. What comes back was written by code that nobody trusts.

The program inside is made of modules of mutation and equivalence, and those of replaying.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from reverie.errors import MachineryError
from reverie.instruments.equivalence.mutants import Mutant, constant_names, is_dead
from reverie.instruments.equivalence.scenario import NOTHING, Shown
from reverie.instruments.mutation.program import PLANTED_INSIDE
from reverie.instruments.mutation.project import Project
from reverie.instruments.mutation.sandbox_side import suite_limits, suite_policy
from reverie.instruments.replay.orders import FileOrder
from reverie.model.execution import Call, Request
from reverie.model.measurements.equivalence import (
    Adequacy,
    BranchCoverage,
    Equivalence,
    EquivalenceVerdict,
    Survivor,
)
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Sandbox

ENTRY = "answer"


@cache
def replaying_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was seen."""
    entry = f"reverie.instruments.replay.inside.replaying:{ENTRY}"
    return bundled(entry, planted=PLANTED_INSIDE)


_FEWEST = 150
"""Inputs without which nothing is claimed."""
_FEWEST_REAL = 3
_WANTED = 360
_VARIANTS = (4, 40)
_MOST_CALLS = 120
_MOST_ALIKE = 3
_WALL_TIMES = 4.0
_RECENT = 1000
_MOST_SHOWN = 10
_SHOWN = 160


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of the calls of the tests in one file."""

    answer: Equivalence
    shown: Shown
    """What they leave to a search, where nothing speaks against the new version."""


Found = Mapping[str, Replayed]


def replay_in_place(
    sandbox: Sandbox,
    project: Project,
    orders: Sequence[FileOrder],
    tests: Sequence[str],
    *,
    section: EquivalenceSection,
    seconds: float,
) -> Found:
    """By file: whether its watched functions do the same on the calls of some tests."""
    mutants = {order.path: order.mutants(section.seed) for order in orders}
    least, most = _VARIANTS
    variants = min(most, max(least, _WANTED // max(1, 2 * len(tests))))
    alike = min(_MOST_ALIKE, max(1, _MOST_CALLS // max(1, len(tests))))
    request = {
        "root": project.root,
        "paths": list(project.import_paths),
        "packages": list(project.packages),
        "args": [*project.arguments, *project.tests],
        "tests": list(tests),
        "files": {
            order.path: {
                **order.document(mutants[order.path]),
                "seconds": seconds / len(orders),
                "step_seconds": section.step_seconds,
                "variants": variants,
                "most": _MOST_CALLS,
                "alike": alike,
                "seed": str(section.seed),
            }
            for order in orders
        },
    }
    policy = replace(suite_policy(sandbox, project), disguise=0)
    limits = suite_limits(sandbox, _WALL_TIMES * seconds + 60.0)
    call = Call(replaying_program(), ENTRY, {"request": request})
    execution = sandbox.run(Request(call, limits, policy))
    if not execution.succeeded:
        said = execution.outcome if execution.error is None else execution.error.message
        raise MachineryError(f"calls could not be made again where they were made: {said}"[:400])
    try:
        return {
            order.path: _Ruling(
                order, mutants[order.path], execution.output["files"][order.path], section
            ).replayed()
            for order in orders
        }
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise MachineryError(f"calls that make no sense were told: {error!r}"[:400]) from error


@dataclass(frozen=True, slots=True)
class _Seen:
    """One input on which both versions did the same."""

    is_real: bool
    old: frozenset[int]
    new: frozenset[int]
    outcome: str


class _Ruling:
    """What may be concluded from what was seen of one file."""

    def __init__(
        self,
        order: FileOrder,
        mutants: tuple[list[Mutant], list[Mutant]],
        told: Mapping[str, Any],
        section: EquivalenceSection,
    ) -> None:
        self.order = order
        self.section = section
        self.seen = [
            _Seen(bool(real), frozenset(map(int, old)), frozenset(map(int, new)), str(outcome))
            for _, real, old, new, outcome in told["inputs"]
        ]
        self.trouble = None if told["trouble"] is None else str(told["trouble"])
        self.differences = [
            (bool(e["is_real"]), str(e["function"]), str(e["old"]), str(e["new"]))
            for e in told["differences"]
        ]
        self.noisy = int(told["noisy"])
        constants = [constant_names(each.tree) for each in order.versions]
        self.ways = [
            {
                int(way): str(condition)
                for way, condition, _ in ways
                if not is_dead(str(condition), int(way) % 2, names)
            }
            for ways, names in zip(told["branches"], constants, strict=True)
        ]
        self.adequacy = _adequacy(mutants, told)
        self.noticed = _names(mutants, told["killed"])
        self.idle = _names(mutants, told["idle"])

    def replayed(self) -> Replayed:
        """The verdict, and what is known even where there is none."""
        is_clean = self.trouble is None and not self.differences
        is_known = is_clean and self.noisy <= len(self.seen)
        old, new = map(frozenset, self._taken())
        shown = Shown(len(self.seen), (old, new), self.noticed, self.idle)
        return Replayed(self.conclude(), shown if is_known else NOTHING)

    def conclude(self) -> Equivalence:
        """The verdict: real inputs, many enough, all branches, hardly news, mutants noticed."""
        different = next((each for each in self.differences if each[0]), None)
        reason = self._doubt()
        verdict = EquivalenceVerdict.UNKNOWN if reason else EquivalenceVerdict.EQUIVALENT
        if different is not None:
            verdict = EquivalenceVerdict.DIFFERENT
            _, name, old, new = different
            reason = f"on a call of the tests {name} gives {new} and gave {old}"
        old_share, new_share = self._shares()
        return Equivalence(
            verdict=verdict,
            inputs=len(self.seen),
            branch_coverage=BranchCoverage(round(old_share, 4), round(new_share, 4)),
            reason=reason,
            adequacy=self.adequacy,
            novelty=round(self._novelty(), 4),
            seed=self.section.seed,
        )

    def _doubt(self) -> str | None:
        """Why the calls of the tests do not settle it."""
        if self.trouble is not None:
            return f"the calls of the tests cannot be made of the new version: {self.trouble}"
        if self.differences:
            _, name, old, new = self.differences[0]
            return f"near a call of the tests {name} gives {new} and gave {old}"[: 2 * _SHOWN]
        real = sum(each.is_real for each in self.seen)
        if len(self.seen) < _FEWEST or real < _FEWEST_REAL:
            return f"the tests make too few calls of it: {real}, {len(self.seen)} with neighbours"
        if self.noisy > len(self.seen):
            return "most calls do not do the same twice"
        unreached = self._unreached()
        if unreached is not None:
            return f"no input was found that decides a changed condition: {unreached}"
        if min(self._shares()) < self.section.least_coverage:
            return "too few branches were reached"
        if self._novelty() > self.section.novelty:
            once = 1 / self._novelty()
            return f"one input in {once:.0f} still shows behaviour that was not seen before"
        if self.adequacy.share < self.section.adequacy:
            shown = self.adequacy.survivors[0]
            return (
                f"the calls of the tests would notice {self.adequacy.share:.0%} of changes to the "
                f"changed code, and not {shown.code[:_SHOWN]} in line {shown.line} "
                f"of {shown.version}"
            )
        return None

    def _taken(self) -> tuple[set[int], set[int]]:
        old = {way for each in self.seen for way in each.old}
        return old, {way for each in self.seen for way in each.new}

    def _shares(self) -> tuple[float, float]:
        old, new = (
            len(ways.keys() & taken) / len(ways) if ways else 1.0
            for ways, taken in zip(self.ways, self._taken(), strict=True)
        )
        return old, new

    def _unreached(self) -> str | None:
        """A condition that only one version has, with a way that was never taken."""
        both = set(self.ways[0].values()) & set(self.ways[1].values())
        for ways, taken in zip(self.ways, self._taken(), strict=True):
            for way, condition in ways.items():
                if condition not in both and way not in taken:
                    return condition
        return None

    def _novelty(self) -> float:
        """How likely the next input is to show new behaviour, as Good and Turing estimate it."""
        seen = Counter((each.old, each.new, each.outcome) for each in self.seen)
        recent = self.seen[-_RECENT:]
        once = sum(seen[each.old, each.new, each.outcome] == 1 for each in recent)
        return once / len(recent) if recent else 1.0


def _names(
    mutants: tuple[list[Mutant], list[Mutant]], told: Sequence[Sequence[Any]]
) -> tuple[frozenset[str], frozenset[str]]:
    old, new = (
        frozenset(side[int(number)].name for number in numbers)
        for side, numbers in zip(mutants, told, strict=True)
    )
    return old, new


def _adequacy(mutants: tuple[list[Mutant], list[Mutant]], told: Mapping[str, Any]) -> Adequacy:
    total = noticed = idle = 0
    survivors: list[Survivor] = []
    for name, side, killed, resting in zip(
        ("old", "new"), mutants, told["killed"], told["idle"], strict=True
    ):
        seen, still = set(map(int, killed)), set(map(int, resting))
        for number, each in enumerate(side):
            if number not in seen and number not in still:
                if each.is_shared:
                    continue
                survivors.append(Survivor(name, each.line, each.operator, each.shown))
            total += 1
            noticed += number in seen
            idle += number in still
    return Adequacy(total, noticed, idle, tuple(survivors[:_MOST_SHOWN]))
