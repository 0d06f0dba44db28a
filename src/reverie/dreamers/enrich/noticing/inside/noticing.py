"""Tries that come to something else where a mutant is in force, found by trying both ways.

A fork for each function draws neighbours of the tries that reach it, and runs them on unchanged
code; a fork of that for each of its mutants runs the same on changed code. The first to differ,
the shortest first, are told. Whether a test can be made of it is for the host to find out.
"""

import functools
import gc
import time
from collections.abc import Callable
from typing import Any

from reverie.dreamers.enrich.naturalising.inside.pool import Pool
from reverie.dreamers.enrich.noticing.inside.neighbours import Neighbours
from reverie.dreamers.enrich.noticing.inside.showing import Shown, shown
from reverie.dreamers.enrich.search.inside.changing import next_number
from reverie.dreamers.enrich.search.inside.children import Teller, in_child
from reverie.dreamers.enrich.search.inside.conditions import Conditions
from reverie.dreamers.enrich.search.inside.finishing import looked_at, written
from reverie.dreamers.enrich.search.inside.judging import is_junk
from reverie.dreamers.enrich.search.inside.loading import Unimportable, load_plain
from reverie.dreamers.enrich.search.inside.memory import Memory
from reverie.dreamers.enrich.search.inside.nodes import Line, ref, render
from reverie.dreamers.enrich.search.inside.reading import Reader
from reverie.dreamers.enrich.search.inside.recording import Recorder
from reverie.dreamers.enrich.search.inside.searching import equipped
from reverie.dreamers.enrich.search.inside.trying import Outcome
from reverie.instruments.mutation.inside.changes import Changes, Invalid, Same
from reverie.instruments.mutation.inside.loading import TargetFinder
from reverie.instruments.mutation.inside.sites import Site
from reverie.instruments.mutation.inside.units import CannotSwap

_ROUNDS = 3
_POOL = 120
_POOL_SECONDS = 0.5
_FORK_SECONDS = 6.0
_COMPARING_SECONDS = 2.0
_ENOUGH = 2
"""Tries that set one mutant apart."""


class Try:
    """A neighbour with what it comes to on unchanged code."""

    __slots__ = ("lines", "outcome", "shown", "size")

    def __init__(self, lines: "list[Line]", outcome: Outcome, seen: Shown) -> None:
        self.lines = lines
        self.outcome = outcome
        self.shown = seen
        self.size = sum(line.node.size for line in lines) + 4 * len(lines)


class Noticing:
    """One module, and those of its mutants that no check has noticed."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.began = time.monotonic()
        self.request = request
        self.path: str = request["path"]
        finder = TargetFinder(frozenset((self.path,)))
        finder.come_first()
        conditions = Conditions()
        module = load_plain(request["module"], request["paths"])
        self.hunter = equipped(module, request, Memory({}), Recorder(), conditions)
        self.changes = Changes(finder, exhaustive=False)
        self.changes.look_around()
        self.tries = [
            (self._read(each["lines"]), set(each["reached"])) for each in request["tries"]
        ]
        self.values = Pool(request["known"])
        self.hunter.put_down()
        self.noticed: set[int] = set()
        self.scenarios: list[dict[str, Any]] = []
        gc.collect()
        gc.freeze()

    def _read(self, sources: "list[str]") -> "list[Line]":
        reader = Reader()
        for each in sources:
            reader.read(each)
        return [self.hunter.describer.describe(line) for line in reader.lines]

    def answer(self) -> "dict[str, Any]":
        """Round after round over the functions, while there is time."""
        units = self._units()
        for turn in range(_ROUNDS):
            for place, (unit, sites) in enumerate(units):
                left = [each for each in sites if each[0] not in self.noticed]
                if self._is_late() or not left:
                    continue
                seed = self.request["seed"] * 1_000_003 + turn * 1009 + place
                work = functools.partial(self._hunt, unit=unit, sites=left, seed=seed)
                told, _ = in_child(work, _FORK_SECONDS + _COMPARING_SECONDS * len(left))
                for number, scenario in told:
                    self.noticed.add(number)
                    self.scenarios.append(scenario)
        return {"scenarios": self.scenarios, "noticed": sorted(self.noticed)}

    def _is_late(self) -> bool:
        seconds = self.request["seconds"]
        return seconds is not None and time.monotonic() - self.began > seconds

    def _units(self) -> "list[tuple[Any, list[tuple[int, Site]]]]":
        """The functions of this process's share, each with its mutants that nothing notices."""
        sites = self.changes.survey(self.path).sites
        found: dict[tuple[str, int], tuple[Any, list[tuple[int, Site]]]] = {}
        for number in self.request["survivors"]:
            unit = sites[number].unit if number < len(sites) else None
            if unit is not None:
                several = found.setdefault((unit.qualname, unit.line), (unit.node, []))
                several[1].append((number, sites[number]))
        share, of = self.request["share"]
        return [found[key] for key in sorted(found)][share::of]

    # -- in forks ---------------------------------------------------------------------------

    def _hunt(self, teller: Teller, unit: Any, sites: "list[tuple[int, Site]]", seed: int) -> None:
        """Neighbours of what reaches a function, then each of its mutants against them."""
        self.hunter.take_up(seed)
        lines = {line for _, site in sites for line in range(site.lines[0], site.lines[1] + 1)}
        pool = self._pool(Neighbours(self.hunter, unit, self.values), lines)
        if not pool:
            return
        for number, _ in sites:
            if self._is_late():
                return
            change = self._prepared(number)
            if change is None:
                continue
            work = functools.partial(self._compare, change=change, pool=pool)
            told, _ = in_child(work, _COMPARING_SECONDS)
            for place, line in told:
                made = self._made(pool[place], line)
                if made is not None:
                    teller.tell((number, made))

    def _pool(self, neighbours: Neighbours, lines: "set[int]") -> "list[Try]":
        """Neighbours of the tries that reach any of the lines, the shortest first."""
        chance = self.hunter.chance
        near = [each for each, reached in self.tries if each and reached & lines]
        near = [each for each in near if not self.values.oddities(each)] or near
        found: list[Try] = []
        known = {key_of(each) for each in near}
        until = time.monotonic() + _POOL_SECONDS
        for _ in range(_POOL if near else 0):
            base = min(chance.choice(near), chance.choice(near), key=len)
            drawn = neighbours.of(base, [chance.choice(near)])
            key = key_of(drawn)
            is_odd = key in known or bool(self.values.oddities(drawn))
            made = None if is_odd else self._tried(drawn)
            known.add(key)
            if made is not None:
                found.append(made)
            if self.request["seconds"] is not None and time.monotonic() > until:
                break
        return sorted(found, key=lambda each: each.size)

    def _tried(self, lines: "list[Line]") -> "Try | None":
        outcome = self.hunter.runner.run(lines)
        if outcome.is_late or is_junk(outcome.error, self.path):
            return None
        if outcome.error is not None:
            lines = lines[: outcome.ended_at + 1]
        seen = shown(outcome)
        return None if seen is None else Try(lines, outcome, seen)

    def _prepared(self, number: int) -> "Callable[[], None] | None":
        try:
            return self.changes.prepare({"path": self.path, "number": number, "unit": None})
        except (Same, Invalid, CannotSwap):
            return None

    def _compare(self, teller: Teller, change: "Callable[[], None]", pool: "list[Try]") -> None:
        """Tell the tries that come to something else, and the line that shows it."""
        change()
        found = 0
        for place, each in enumerate(pool):
            outcome = self.hunter.runner.run(each.lines)
            seen = None if outcome.is_late else shown(outcome)
            if seen is not None and seen == each.shown:
                continue
            teller.tell((place, None if seen is None else each.shown.differs_at(seen)))
            found += 1
            if found == _ENOUGH:
                return

    def _made(self, one: Try, line: "int | None") -> "dict[str, Any] | None":
        """The try as source, with a look at the object in which the difference is."""
        if not self.hunter.runner.is_steady(one.lines, one.outcome):
            return None
        lines = looked_at(one.lines, one.outcome)
        is_early = line is not None and line < len(one.lines) - 1 and one.outcome.error is None
        if is_early and line is not None and len(lines) == len(one.lines):
            held = self.hunter.surface.kind_of(one.outcome.values[line])
            if held in self.hunter.surface.classes:
                look = ref(one.lines[line].number)
                lines = [*lines, Line(look, "read", one.lines[-1].callee, next_number(lines))]
        return written(lines, one.outcome.handling, "search")


def key_of(lines: "list[Line]") -> "tuple[str, ...]":
    """What tells one try from another."""
    names = {line.number: f"line_{place}" for place, line in enumerate(lines)}
    return tuple(render(line.node, names) for line in lines)


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """See `Noticing`."""
    try:
        return Noticing(request).answer()
    except Unimportable as error:
        return {"unimportable": str(error)}
