"""`python -m benchmarks.enrich.funnel MODULE…`: where branches and mutants lose their last witness.

The steps of an enrichment, watched from outside: what each lets through is held against all that
the search has seen, on a kill matrix of everything, odd or not, for which there is time.
"""

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from benchmarks.enrich.measure import PYTHON
from reverie.dreamers.enrich import front
from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.enrich.worth import outline_of
from reverie.dreamers.enrich.writing import write
from reverie.dreamers.enrich.writing.selecting import weighing
from reverie.dreamers.enrich.writing.selecting.candidates import (
    Candidate,
    candidates_of,
    trial_program,
)
from reverie.dreamers.enrich.writing.selecting.never import Never
from reverie.dreamers.enrich.writing.selecting.taste import is_natural
from reverie.instruments.mutation.matrix import measure_kills
from reverie.model.call import Scenario
from reverie.sandbox.engine import Sandbox

ODD = os.environ.get("FUNNEL_ODD")
Key = tuple[tuple[str, ...], str]


@dataclass
class Watched:
    """What came through each step."""

    pieces: list[Scenario] = field(default_factory=list)
    fate: dict[tuple[str, ...], str] = field(default_factory=dict)
    writer: Any = None
    chosen: dict[int, tuple[int, ...]] = field(default_factory=dict)
    all: dict[int, tuple[int, ...]] = field(default_factory=dict)
    why: dict[int, str] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)
    weighed_at: float = 0.0


def _lines(scenario: Scenario) -> tuple[str, ...]:
    return tuple(step.line.source for step in scenario.steps)


@contextmanager
def watched() -> Iterator[Watched]:
    seen = Watched()
    sift, refuses = write.sift, Never.refuses
    kept, done = write._Writer._kept, write._Writer._written

    def sifting(pieces: Any, *rest: Any) -> Any:
        pieces = list(pieces)
        found = sift(pieces, *rest)
        through = {_lines(each) for each in found.scenarios}
        for each in pieces:
            seen.pieces.append(each)
            if _lines(each) not in through:
                seen.fate.setdefault(_lines(each), "sifted: a finding, or an error of Python's")
        return found

    def refusing(self: Any, scenario: Scenario) -> Any:
        why = refuses(self, scenario)
        if why is not None:
            seen.fate[_lines(scenario)] = f"never: {why}"
        return why

    def keeping(self: Any, chosen: Any) -> Any:
        left, poor = kept(self, chosen)
        gone = chosen.keys() - self.left_out.keys() - {k for t in left for k in t.keys}
        seen.why.update(dict.fromkeys(gone, "keepability: below the bar"))
        seen.why.update({key: f"wording: {why}" for key, why in self.left_out.items()})
        seen.all.update(chosen)
        return left, poor

    def finishing(self: Any, source: str, several: Any, chosen: Any, *rest: Any) -> Any:
        seen.writer, seen.chosen = self, dict(chosen)
        seen.told = {key for test in several for key in test.keys}
        return done(self, source, several, chosen, *rest)

    with (
        patch.object(write, "sift", sifting),
        patch.object(Never, "refuses", refusing),
        patch.object(write._Writer, "_kept", keeping),
        patch.object(write._Writer, "_written", finishing),
    ):
        yield seen


def funnel(module: str, seconds: float, seed: int, show: bool) -> None:
    target = find_target(module, None, str(PYTHON))
    with Sandbox() as sandbox, watched() as seen:
        began = time.monotonic()
        wish = front.Wish(seconds=seconds, seed=seed, is_measured=False)
        made = front.enrich_target(sandbox, target, wish)
        spent = time.monotonic() - began
        if show:
            print(made.written.source)
        for note in made.notes:
            print("  note:", note)
        knowing = write.know(target)
        every = candidates_of(seen.pieces, knowing.names, knowing.texts)
        matrix = measure_kills(
            sandbox, weighing.ground_of(target), trial_program(every, module),
            [list(each.numbers) for each in every], seconds=600, most=5000, enough=len(every),
            repeats=2,
        )  # fmt: skip
    assert matrix is not None
    final = _told(seen)
    telling = (
        write.Telling(write.parse_module(target.source)) if hasattr(write, "Telling") else None
    )
    writer = seen.writer
    weighed = (
        {}
        if writer is None
        else {_lines(each.scenario): place for place, each in enumerate(writer.candidates)}
    )
    taste = writer.reader.taste
    kills: dict[int, tuple[int, str]] = {}
    ways: dict[tuple[int, int], tuple[int, str]] = {}
    shortest: dict[tuple[str, tuple[int, int]], str] = {}
    for place, each in enumerate(every):
        rank, why = _fate(each, seen, taste)
        for arc in matrix.arcs[place]:
            told = "; ".join(_lines(each.scenario))
            shortest[why, arc] = min(shortest.get((why, arc), told), told, key=len)
        for number in each.numbers:
            if number not in matrix.steady:
                continue
            mine = rank, why
            if (
                telling is not None
                and rank >= 3
                and not telling.tells(each.scenario, each.check(number))
            ):
                mine = 2, "check: tells a reader nothing"
            for kill in matrix.kills.get(number, ()):
                kills[kill] = max(kills.get(kill, (0, "")), mine)
        for arc in matrix.arcs[place]:
            ways[arc] = max(ways.get(arc, (0, "")), (rank, why))
    final_kills, chosen_kills, weighed_kills = final
    for kill in weighed_kills[0]:
        kills[kill] = max(kills.get(kill, (0, "")), (5, "weighed, not chosen"))
    for kill, why in chosen_kills[0].items():
        kills[kill] = max(kills.get(kill, (0, "")), (6, why))
    for kill in final_kills[0]:
        kills[kill] = (9, "noticed")
    for arc in weighed_kills[1]:
        ways[arc] = max(ways.get(arc, (0, "")), (5, "weighed, not chosen"))
    for arc, why in chosen_kills[1].items():
        ways[arc] = max(ways.get(arc, (0, "")), (6, why))
    for arc in final_kills[1]:
        ways[arc] = (9, "noticed")
    if show:
        lost = {shortest[why, arc]: why for arc, (_, why) in ways.items() if (why, arc) in shortest}
        print("".join(f"  {why}: {lines}\n" for lines, why in lost.items()), end="")
    mutants = Counter(why for _, why in kills.values())
    mutants["never searched, or alike to every check"] = len(matrix.mutants) - len(kills)
    outline = outline_of(target.source)
    total = 2 * len(outline.branches)
    imported = made.findings.import_arcs
    branches: Counter[str] = Counter()
    last = 0.0
    for rank in (9, 6, 5, 4, 3, 2, 1, 0):
        for why in sorted({w for r, w in ways.values() if r == rank}):
            taken = {a for a, (r, w) in ways.items() if r > rank or (r == rank and w <= why)}
            now = outline.covered(taken | imported).branches * total
            branches[why] += round(now - last)
            last = now
    branches["never searched, or alike to every check"] = round(total - last)
    print(
        f"{module}: {len(matrix.mutants)} mutants, {total} branches, {spent:.0f} s of {seconds:g}, "
        f"{len(made.findings.scenarios)} scenarios, {len(every)} candidates, "
        f"{len(weighed)} weighed, {len(seen.chosen)} chosen, {len(seen.told)} told"
    )
    for why in sorted(set(mutants) | set(branches), key=lambda each: -mutants[each]):
        print(f"  {mutants[why]:5} mutants {branches[why]:4} branches  {why}")


def _told(seen: Watched) -> Any:
    writer = seen.writer
    matrix = writer.matrix
    final: tuple[set[Any], set[Any]] = set(), set()
    chosen: tuple[dict[Any, str], dict[Any, str]] = {}, {}
    for place, numbers in {**seen.all, **seen.chosen}.items():
        why = seen.why.get(place, "")
        for number in numbers:
            for kill in matrix.kills.get(number, ()):
                if place in seen.told:
                    final[0].add(kill)
                else:
                    chosen[0][kill] = why or "wavers, or mypy objects"
        for arc in matrix.arcs[place]:
            if place in seen.told:
                final[1].add(arc)
            else:
                chosen[1][arc] = why or "wavers, or mypy objects"
    weighed = set(matrix.killable), {arc for each in matrix.arcs for arc in each}
    return final, chosen, weighed


def _fate(candidate: Candidate, seen: Watched, taste: Any) -> tuple[int, str]:
    why = seen.fate.get(_lines(candidate.scenario))
    if why is not None:
        return (1 if why.startswith("sifted") else 2), why
    if not is_natural(candidate, taste):
        steps = candidate.scenario.steps
        if any(taste.oddities(step) for step in steps):
            return 3, "odd value"
        return 3, "spoilt value that is not refused"
    return 4, "natural, not weighed: no time, idle, or a shorter form lost it"


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.enrich.funnel", description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    for module in given.modules:
        funnel(module, given.seconds, given.seed, given.show)


if __name__ == "__main__":
    main()
