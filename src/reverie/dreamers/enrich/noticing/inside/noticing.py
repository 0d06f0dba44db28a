"""Tries that come to something else where a mutant is in force, found by trying both ways.

What a function compares with stands in its source; a change of the comparison shows exactly
there, one step beside it, and nowhere else.

A fork for each function draws neighbours of the tries that reach it, and runs them on unchanged
code; a fork of that for each of its mutants runs the same on changed code. The first to differ,
the shortest first, are told. Whether a test can be made of it is for the host to find out.
"""

import ast
import functools
import gc
import re
import time
from collections.abc import Callable
from typing import Any

from reverie.dreamers.enrich.naturalising.inside.pool import Pool, part_at, role_at, text_of
from reverie.dreamers.enrich.search.inside.changing import is_receiver, next_number, with_part
from reverie.dreamers.enrich.search.inside.hunting import Hunter
from reverie.dreamers.enrich.search.inside.memory import Memory
from reverie.dreamers.enrich.search.inside.nodes import (
    CONST,
    DICT,
    DISPLAYS,
    FORM,
    Line,
    Node,
    Reader,
    const,
    places,
    ref,
    render,
    with_named,
)
from reverie.dreamers.enrich.search.inside.probes import Recorder
from reverie.dreamers.enrich.search.inside.searching import Unimportable, equipped, load_plain
from reverie.dreamers.enrich.search.inside.shortening import looked_at, written
from reverie.dreamers.enrich.search.inside.trying import (
    Conditions,
    Outcome,
    OutOfTime,
    Teller,
    guarded,
    in_child,
    is_junk,
)
from reverie.instruments.mutation.inside.changes import Changes, Invalid, Same
from reverie.instruments.mutation.inside.loading import CannotSwap, TargetFinder
from reverie.instruments.mutation.inside.sites import Site

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_MOST_SHOWN = 600
_MOST_SHOWN_ITEMS = 50


class Shown:
    """Each result as text, at the end of the try: also what was done to objects shows."""

    __slots__ = ("error", "texts")

    def __init__(self, texts: "list[str]", error: str) -> None:
        self.texts = texts
        self.error = error

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shown):
            return NotImplemented
        return self.texts == other.texts and self.error == other.error

    def __hash__(self) -> int:
        return hash((tuple(self.texts), self.error))

    def differs_at(self, other: "Shown") -> "int | None":
        """The last line of which another outcome shows something else; None where it ends so."""
        if self.error != other.error or len(self.texts) != len(other.texts):
            return None
        places = [at for at, text in enumerate(self.texts) if text != other.texts[at]]
        return places[-1] if places else None


def shown(outcome: Outcome) -> "Shown | None":
    """What an outcome shows; None when looking takes too long."""
    error = outcome.error
    try:
        with guarded():
            ending = "" if error is None else f"{type(error).__name__}: {_said(error)}"
            return Shown([_text(each) for each in outcome.values], ending)
    except OutOfTime:
        return None


def _said(error: BaseException) -> str:
    return _ADDRESS.sub("", _tried(str, error))


def _text(value: Any) -> str:
    text = _tried(repr, value)
    if " at 0x" not in text:
        return f"{type(value).__name__} {text}"
    parts = [_ADDRESS.sub("", text)]
    held = getattr(value, "__dict__", None)
    if isinstance(held, dict) and not isinstance(value, type):
        parts += [f"{name}={_ADDRESS.sub('', _tried(repr, each))}" for name, each in held.items()
                  if isinstance(name, str) and not name.startswith("_")]  # fmt: skip
    if hasattr(type(value), "__len__") and hasattr(type(value), "__iter__"):
        parts.append(_ADDRESS.sub("", _tried(_items, value)))
    return " ".join(parts)


def _items(value: Any) -> str:
    return repr(list(value)) if len(value) < _MOST_SHOWN_ITEMS else str(len(value))


def _tried(read: Any, value: Any) -> str:
    try:
        return str(read(value))[:_MOST_SHOWN]
    except Exception:  # noqa: BLE001  of the code under test
        return ""


_LONGEST_MADE = 40
_KNOWN_SHARE, _EDITED_SHARE = 0.5, 0.6
_LARGEST = 1 << 60


class Neighbours:
    """Draws neighbours of tries with the constants of one function in mind."""

    def __init__(self, hunter: Hunter, function: "ast.AST | None", values: Pool) -> None:
        self.hunter = hunter
        self.values = values
        self.chance = hunter.chance
        found = [] if function is None else [_constant(each) for each in ast.walk(function)]
        self.numbers = sorted({each for each in found if type(each) in (int, float)})
        self.texts = sorted({each for each in found if type(each) is str and len(each) < 80})

    def of(self, lines: "list[Line]", others: "list[list[Line]]") -> "list[Line]":
        """A neighbour."""
        draw = self.chance.random()
        if self.chance.random() < _KNOWN_SHARE:
            return self._with_known(lines)
        if draw < 0.4:
            lines = self._at_an_edge(lines)
            return lines if draw < 0.25 else self._at_an_edge(lines)
        if draw < 0.55:
            return self.with_argument(lines)
        if draw < 0.65:
            return self.hunter.prepared(lines)
        return self.hunter.changer.change(lines, others)

    def _with_known(self, lines: "list[Line]") -> "list[Line]":
        """One or two values become others that are known of their role, or one edit away."""
        for _ in range(self.chance.choice((1, 1, 2))):
            options = [each for each in self.values.places(lines) if self.values.values(each.role)]
            if not options:
                return self._at_an_edge(lines)
            place = self.chance.choice(options)
            several = self.values.wholes[place.role]
            if self.chance.random() < _EDITED_SHARE:
                several = self.values.edits(place.role) or several
            lines = with_part(lines, place.line, place.path, self.chance.choice(several))
        return lines

    def _at_an_edge(self, lines: "list[Line]") -> "list[Line]":
        """One value becomes what the function, or the try, holds others against."""
        options = [
            (number, path, node)
            for number, line in enumerate(lines)
            for path, node in places(line.node)
            if (node.kind == CONST or node.kind in DISPLAYS) and not is_receiver(line.node, path)
        ]
        if not options:
            return lines
        number, path, node = self.chance.choice(options)
        edges = [*self.numbers, *_sizes([each for _, _, each in options])]
        further = self._further(lines[number].node, path)
        return with_part(lines, number, path, self._moved(node, edges, further))

    def _further(self, whole: Node, path: Any) -> "list[Node]":
        """Known items of a list that are not in it yet."""
        role, node = role_at(whole, path), part_at(whole, path)
        known = [] if role is None else self.values.wholes.get((role[0], f"{role[1]}[]"), [])
        there = {text_of(each) for each in node.items}
        return [each for each in known if text_of(each) not in there]

    def _moved(self, node: Node, edges: "list[Any]", further: "list[Node]") -> Node:
        value = node.value
        edge = self.chance.choice(edges) if edges else 1
        step = self.chance.choice((-1, 0, 0, 1))
        if node.kind != CONST:
            return self._resized(node, edge + step, further)
        if type(value) is bool or value is None:
            return const(not value)
        if type(value) in (int, float):
            moved = (edge + step, value + step, -value, edge * max(value, 1))
            return const(_kept_small(self.chance.choice(moved), value))
        if type(value) is str:
            return const(self._text_moved(value, edge + step))
        return self.hunter.changer.change_constant(value)

    def _text_moved(self, value: str, wanted: Any) -> str:
        draw = self.chance.random()
        text = self.chance.choice(self.texts) if self.texts else ""
        if draw < 0.3 and text:
            return text
        if draw < 0.6 and text:
            at = self.chance.randint(0, len(value))
            return value[:at] + text + value[at:]
        if draw < 0.8 and type(wanted) is int and 0 <= wanted <= _LONGEST_MADE:
            return ((value or "a") * (wanted + 1))[:wanted]
        return self.hunter.kinds.changed_text(value)

    def _resized(self, node: Node, wanted: Any, further: "list[Node]") -> Node:
        if type(wanted) is not int or not 0 <= wanted <= _LONGEST_MADE or not node.items:
            return node
        if node.kind == DICT:
            return node.with_items(node.items[: 2 * wanted])
        items = [*node.items, *further[: max(wanted - len(node.items), 0)]]
        while len(items) < wanted:
            items.append(self.chance.choice(node.items))
        return node.with_items(tuple(items[:wanted]))

    def with_argument(self, lines: "list[Line]") -> "list[Line]":
        """One optional argument more, all others as they are."""
        calls = [
            (number, path, node)
            for number, line in enumerate(lines)
            for path, node in places(line.node)
            if node.kind == FORM and node.about is not None and node.value[-1].endswith(")")
        ]
        if not calls:
            return self._at_an_edge(lines)
        number, path, node = self.chance.choice(calls)
        key, names = node.about or ("", ())
        action = self.hunter.changer.actions.get(key)
        free = [
            each for each in (action.parameters if action is not None else ())
            if each.kind in ("place", "name") and not each.is_required and each.name not in names
        ]  # fmt: skip
        if not free or action is None or not action.is_call:
            return self._at_an_edge(lines)
        parameter = self.chance.choice(free)
        made = self.hunter.maker.argument(key, parameter)
        return with_part(lines, number, path, with_named(node, parameter.name, made))


def _constant(node: ast.AST) -> Any:
    return node.value if isinstance(node, ast.Constant) else None


def _sizes(nodes: "list[Node]") -> "list[Any]":
    """Numbers of a try, and how long its texts and lists are."""
    found: set[Any] = set()
    for node in nodes:
        if node.kind == CONST and type(node.value) in (int, float):
            found.add(node.value)
        elif node.kind == CONST and isinstance(node.value, (str, bytes)):
            found.add(len(node.value))
        elif node.kind in DISPLAYS:
            found.add(len(node.items) // (2 if node.kind == DICT else 1))
    return sorted(found)


def _kept_small(moved: Any, value: Any) -> Any:
    return moved if abs(moved) < _LARGEST else value


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
        self.changes = Changes(finder, exhaustive=False, shortcuts=True)
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
