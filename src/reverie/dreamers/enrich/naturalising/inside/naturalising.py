"""Tries with known values in them: calls of such values alone, and replaced values.

First come calls that are made of known values alone: typical use, then one thing changed at a
time. Then each try of the search: every value that nobody would write is replaced, role by role,
by one that is known, or known but for one edit.
"""

import functools
import inspect
import itertools
import random
import time
from collections.abc import Iterator
from typing import Any

from reverie.dreamers.enrich.naturalising.inside.pool import Place, Pool, part_at, text_of
from reverie.dreamers.enrich.search.inside.changing import with_part
from reverie.dreamers.enrich.search.inside.memory import Memory
from reverie.dreamers.enrich.search.inside.nodes import (
    CONST,
    FORM,
    REF,
    Line,
    Node,
    Reader,
    const,
    form,
    ref,
    render,
    with_named,
)
from reverie.dreamers.enrich.search.inside.probes import Recorder
from reverie.dreamers.enrich.search.inside.searching import Unimportable, equipped, load_probed
from reverie.dreamers.enrich.search.inside.shortening import looked_at, written
from reverie.dreamers.enrich.search.inside.surface import Action, Parameter, Surface
from reverie.dreamers.enrich.search.inside.trying import (
    Conditions,
    Outcome,
    Teller,
    in_child,
    is_junk,
)

_MOST_VALUES = 160
_PAIRED = 120
_DEEPEST = 2


class Offering:
    """Draws natural calls of what a module offers."""

    def __init__(self, surface: Surface, pool: Pool, chance: random.Random) -> None:
        self.surface = surface
        self.pool = pool
        self.chance = chance

    def of(self, action: Action) -> "Iterator[list[Line]]":
        """Tries of one action, each as natural as its values."""
        if not action.is_call:
            return
        before = self._receiver(action)
        if before is None:
            return
        given = [each for each in action.parameters if each.kind in ("place", "name", "rest")]
        options = {each.name: self._values(action, each) for each in given}
        required = [each for each in given if each.is_required or each.kind == "rest"]
        if any(each.is_required and not options[each.name] for each in required):
            return
        base = {each.name: options[each.name][0] for each in required if options[each.name]}
        for start in (before, *([each] for each in self._limited(action))):
            for chosen in self._choices(base, given, options):
                yield [*start, self._line(action, given, chosen, len(start))]
            if start:
                yield from self._stories(action, start, self._line(action, given, base, 1))

    def _stories(self, action: Action, before: "list[Line]", last: Line) -> "Iterator[list[Line]]":
        """The same after something else was done to the object, once and once more."""
        for other in self.surface.methods.get(str(action.owner), ()):
            given = [each for each in other.parameters if each.is_required]
            options = {each.name: self._values(other, each) for each in given}
            if not other.is_call or not all(options.values()):
                continue
            first = self._line(other, given, {n: each[0] for n, each in options.items()}, 1)
            yield [*before, first, _numbered(last, 2)]
            for name, several in options.items():
                for value in several[1:3]:
                    chosen = {**{n: each[0] for n, each in options.items()}, name: value}
                    second = self._line(other, given, chosen, 2)
                    yield [*before, second, _numbered(last, 3)]
                    yield [*before, first, second, _numbered(last, 3)]
                    yield [*before, second, _numbered(first, 3), _numbered(last, 4)]

    def _choices(
        self,
        base: "dict[str, Node]",
        given: "list[Parameter]",
        options: "dict[str, list[Node]]",
    ) -> "Iterator[dict[str, Node]]":
        yield base
        rows = [[(each.name, value) for value in options[each.name]] for each in given]
        for row in itertools.zip_longest(*rows):
            for pair in row:
                if pair is not None:
                    yield {**base, pair[0]: pair[1]}
        several = [each.name for each in given if options[each.name]]
        for _ in range(_PAIRED if len(several) > 1 else 0):
            changed = self.chance.sample(several, min(len(several), self.chance.choice((2, 2, 3))))
            yield {**base, **{name: self._any(options[name]) for name in changed}}

    def _any(self, values: "list[Node]") -> Node:
        """A value; known ones come more often than edited ones."""
        few = min(len(values), 12)
        return self.chance.choice(values[:few] if self.chance.random() < 0.7 else values)

    def _values(self, action: Action, parameter: Parameter) -> "list[Node]":
        role = action.key.rpartition(".")[2], parameter.name
        found = self.pool.values(role)[:_MOST_VALUES]
        default = parameter.default
        if type(default) is bool:
            found = [Node("const", not default)]
        elif default is not inspect.Parameter.empty:
            found = [each for each in found if not (each.kind == "const" and each.value == default)]
        return [*found, *(made for each in found[:1] for made in self._counted(each, (1, 2)))]

    def _receiver(self, action: Action, depth: int = 0) -> "list[Line] | None":
        if action.owner is None:
            return []
        for maker in self.surface.makers.get(action.owner, ()):
            required = [each for each in maker.parameters if each.is_required]
            values = [self._values(maker, each) for each in required]
            if all(values) and depth < _DEEPEST:
                chosen = {each.name: row[0] for each, row in zip(required, values)}  # noqa: B905
                if maker.is_call:
                    return [self._line(maker, required, chosen, 0)]
                return [Line(form(maker.text), "make", maker.key, 0)]
        return None

    def _limited(self, action: Action) -> "Iterator[Line]":
        """The object with a number of its own: 1, a limit that is soon reached."""
        usual = self._receiver(action)
        for line in usual or ():
            for node in self._counted(line.node, (1,)):
                yield Line(node, line.form, line.callee, 0)

    def _counted(self, node: Node, numbers: "tuple[int, ...]") -> "Iterator[Node]":
        """An object of the module's with a whole number that is mostly left out."""
        maker = str(node.value[0]).partition("(")[0] if node.kind == FORM else ""
        for action in self.surface.makers.get(maker, ())[:1]:
            for each in action.parameters[len(node.items) :]:
                if type(each.default) is int and "=" not in "".join(node.value):
                    yield from (
                        with_named(node, each.name, const(number))
                        for number in numbers
                        if number != each.default
                    )

    def _line(
        self, action: Action, given: "list[Parameter]", chosen: "dict[str, Node]", number: int
    ) -> Line:
        """A call; one that is not the first is of what the first has made."""
        text, items, names = action.text, [], []
        if number:
            text, items, names = f"·{text}", [ref(0)], [""]
        parts: list[str] = []
        by_name = False
        for each in given:
            if each.name not in chosen:
                by_name = True
                continue
            is_named = (by_name or each.kind == "name") and each.kind != "rest"
            is_named = is_named or type(chosen[each.name].value) is bool
            parts.append(f"{each.name}=·" if is_named and each.kind != "rest" else "·")
            by_name = by_name or is_named
            items.append(chosen[each.name])
            names.append(each.name)
        about: Any = (action.key, tuple(names))
        node = form(f"{text}({', '.join(parts)})", *items, about=about)
        return Line(node, action.form, action.key, number)


def _numbered(line: Line, number: int) -> Line:
    return Line(line.node, line.form, line.callee, number)


_MOST_SUBSTITUTIONS = 80
_MOST_PLACES = 12
_PER_ACTION = 18
_PER_WAY = 4
"""Calls that go the same ways and come to different results: so many show enough."""
_TOGETHER = 6
_OFFERED_SHARE = 0.45
_FORK_SECONDS = 20.0
_NUMBERS = (1, 2, 3, 0, 5, 10, 100, 1000, 999, 1001, 999_999, 1_000_000, -1)
_FLOATS = (1.5, 0.5, 2.0, 0.0, 10.0, 100.0, -1.5)
_MOST_TOLD = 200


class Naturalising:
    """One module, and what a search has found of it."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.began = time.monotonic()
        self.request = request
        self.recorder = Recorder()
        conditions = Conditions()
        module, _ = load_probed(request["module"], request["paths"], self.recorder)
        self.hunter = equipped(module, request, Memory({}), self.recorder, conditions)
        self.hunter.take_up(request["seed"])
        self.pool = Pool(request["known"])
        self.ways: set[int] = set()
        """Those that natural tries take."""
        self.scenarios: list[dict[str, Any]] = []

    def answer(self) -> "dict[str, Any]":
        """Natural tries, while there is time."""
        share, of = self.request["share"]
        actions = [each for each in self.hunter.surface.targets if each.is_call]
        actions.sort(key=_is_hidden)  # under load the last ones may get no time
        actions = actions[share::of]
        seconds = self.request["seconds"]
        each_one = None if seconds is None else _OFFERED_SHARE * seconds / max(1, len(actions))
        for action in actions:
            if not self._is_late(_OFFERED_SHARE):
                self._take(functools.partial(self._offer, action=action, seconds=each_one))
        tries = [self._read(each) for each in self.request["tries"][share::of]]
        for at in range(0, len(tries), _TOGETHER):
            if not self._is_late():
                group = [each for each in tries[at : at + _TOGETHER] if each]
                self._take(functools.partial(self._replace_all, tries=group))
        return {"scenarios": self.scenarios, "texts": self.pool.made}

    def _is_late(self, share: float = 1.0) -> bool:
        seconds = self.request["seconds"]
        return seconds is not None and time.monotonic() - self.began > share * seconds

    def _take(self, work: Any) -> None:
        told, _ = in_child(work, _FORK_SECONDS)
        for scenario, hits in told:
            self.ways |= hits
            if scenario is not None:
                self.scenarios.append(scenario)

    def _read(self, sources: "list[str]") -> "list[Line]":
        reader = Reader()
        for each in sources:
            reader.read(each)
        return [self.hunter.describer.describe(line) for line in reader.lines]

    # -- in forks ---------------------------------------------------------------------------

    def _offer(self, teller: Teller, action: Any, seconds: "float | None") -> None:
        """Calls of one action that go different ways, or come to different results."""
        until = None if seconds is None else time.monotonic() + seconds
        kept: dict[tuple[Any, ...], set[str]] = {}
        offering = Offering(self.hunter.surface, self.pool, self.hunter.chance)
        total = 0
        for lines in offering.of(action):
            if until is not None and time.monotonic() > until:
                break
            outcome, hits = self._run(lines)
            if outcome is None or not hits:
                continue
            shown = "" if outcome.error is not None else _shown(outcome)
            # what was done before may matter though the same comes of it: another order
            shown += "".join(render(each.node, {0: "it"}) for each in lines[1:-1])
            several = kept.setdefault((hits, type(outcome.error), len(lines)), set())
            is_full = total >= _PER_ACTION and several
            if shown in several or len(several) >= _PER_WAY or is_full:
                continue
            if self._tell(teller, lines, outcome, hits):
                if len(lines) == 1:
                    self._tell_usual(teller, lines, hits, type(outcome.error))
                several.add(shown)
                total += 1

    def _replace_all(self, teller: Teller, tries: "list[list[Line]]") -> None:
        for lines in tries:
            if self._is_late():
                return
            self._replace(teller, lines)

    def _replace(self, teller: Teller, lines: "list[Line]") -> None:
        outcome, hits = self._run(lines)
        if outcome is None or not hits:
            return
        if not self.pool.oddities(lines):
            teller.tell((None, set(hits)))
            self._tell_usual(teller, lines, hits, type(outcome.error))
            return
        for wanted in dict.fromkeys((hits, hits - self.ways)):
            made = self._natural(lines, wanted, type(outcome.error)) if wanted else None
            if made is None:
                continue
            ended, taken = self._run(made)
            if ended is not None and self._tell(teller, made, ended, taken):
                self.ways |= taken
                self._tell_usual(teller, made, taken, type(outcome.error))
                return

    def _tell_usual(
        self, teller: Teller, lines: "list[Line]", wanted: "frozenset[int]", ending: type
    ) -> None:
        """The same once more with the first known value of each role, where that will do."""
        usual = lines
        for place in self.pool.places(lines):
            first = self.pool.wholes.get(place.role, [])[:1]
            if first and render(first[0], {}) != place.text:
                made = self._put(usual, place, first[0])
                usual = made if self._still(made, wanted, ending) else usual
        outcome, hits = self._run(usual)
        if usual is not lines and outcome is not None:
            self._tell(teller, usual, outcome, hits)

    def _natural(
        self, lines: "list[Line]", wanted: "frozenset[int]", ending: type
    ) -> "list[Line] | None":
        """The lines with every odd value replaced; None where one of them stays."""
        at_once = self._all_first(lines)
        if at_once is not lines and self._still(at_once, wanted, ending):
            lines = at_once
        left = _MOST_SUBSTITUTIONS
        stuck: set[tuple[int, Any]] = set()
        while left > 0:
            odd = [
                each for each in self.pool.oddities(lines) if (each.line, each.path) not in stuck
            ]
            if not odd:
                break
            place = odd[0]
            for value in self._candidates(lines, place):
                left -= 1
                made = self._put(lines, place, value)
                if self._still(made, wanted, ending):
                    lines = made
                    break
                if left <= 0:
                    break
            else:
                stuck.add((place.line, place.path))
        return None if self.pool.oddities(lines) else lines

    def _all_first(self, lines: "list[Line]") -> "list[Line]":
        """The lines with the first known value in every odd place: mostly that will do."""
        for _ in range(_MOST_PLACES):
            odd = [each for each in self.pool.oddities(lines) if self.pool.wholes.get(each.role)]
            if not odd:
                break
            lines = self._put(lines, odd[0], self._fresh_first(lines, odd[0])[0])
        return lines

    def _fresh_first(self, lines: "list[Line]", place: Place) -> "list[Node]":
        """Known values of a role; of items those first that are not there: two stay two."""
        found = self.pool.wholes[place.role]
        if not place.role[1].endswith("[]"):
            return found
        there = {each.text for each in self.pool.places(lines) if each.role == place.role}
        return sorted(found, key=lambda each: text_of(each) in there)

    def _candidates(self, lines: "list[Line]", place: Place) -> "list[Node]":
        """What may stand there instead, the best first."""
        old = part_at(lines[place.line].node, place.path)
        found = self.pool.values(place.role)
        if place.role[1].endswith("[]") and not found:
            found = self.pool.values((place.role[0], place.role[1][:-2]))
        if old.kind == CONST and type(old.value) in (int, float):
            edges = sorted(self.pool.familiar.numbers)
            beside = [each + by for each in edges for by in (0, 1, -1)]
            numbers = _NUMBERS if type(old.value) is int else _FLOATS
            found = [*found, *map(const, (*numbers, *beside))]
        kind = type(old.value)
        is_plain = old.kind == CONST and place.role[1].endswith("[]")
        if is_plain:  # two different items stay different, where that will do
            others = {each.text for each in self.pool.places(lines) if each.role == place.role}
            found = sorted(found, key=lambda each: text_of(each) in others)
        return [each for each in found if not is_plain or type(each.value) is kind]

    def _put(self, lines: "list[Line]", place: Place, value: Node) -> "list[Line]":
        """The value there, and wherever else the old one stands for the same."""
        others = [
            each for each in self.pool.places(lines)
            if each.text == place.text and (each.role[1] == place.role[1] or len(each.text) > 4)
        ]  # fmt: skip
        for each in others:
            try:
                old = part_at(lines[each.line].node, each.path)
            except IndexError:
                continue  # a part of what was replaced already
            if (not old.needs or old.kind == REF) and text_of(old) == place.text:
                lines = with_part(lines, each.line, each.path, value)
        return lines

    def _still(self, lines: "list[Line]", wanted: "frozenset[int]", ending: type) -> bool:
        outcome, hits = self._run(lines)
        return outcome is not None and type(outcome.error) is ending and wanted <= hits

    def _run(self, lines: "list[Line]") -> "tuple[Outcome | None, frozenset[int]]":
        self.recorder.clear()
        outcome = self.hunter.runner.run(lines)
        if outcome.is_late or is_junk(outcome.error, self.hunter.path):
            return None, frozenset()
        return outcome, frozenset(self.recorder.hits)

    def _tell(
        self, teller: Teller, lines: "list[Line]", outcome: Outcome, hits: "frozenset[int]"
    ) -> bool:
        if not self.hunter.runner.is_steady(lines, outcome):
            return False
        if outcome.error is not None:
            lines = lines[: outcome.ended_at + 1]
        made = written(looked_at(lines, outcome), outcome.handling, "natural")
        if made is None:
            return False
        teller.tell((made, set(hits)))
        return True


def _is_hidden(action: Action) -> bool:
    """Whether its name says that it is not for everybody."""
    return action.key.rpartition(".")[2].startswith("_")


def _shown(outcome: Outcome) -> str:
    value = outcome.values[-1] if outcome.values else None
    try:
        return f"{type(value).__name__} {value!r}"[:_MOST_TOLD]
    except Exception:  # noqa: BLE001  of the code under test
        return type(value).__name__


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """See `Naturalising`."""
    try:
        return Naturalising(request).answer()
    except Unimportable as error:
        return {"unimportable": str(error)}
