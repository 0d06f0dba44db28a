"""The search: which try comes next, and what is learned from it."""

import random

from .changing import Changer, needed_lines, next_number
from .kinds import Kinds
from .making import Describer, Maker
from .memory import Entry, Memory, Pair, Solver
from .nodes import CONST, Line, form, places, ref
from .probes import Recorder
from .surface import Action, Surface
from .trying import Outcome, Runner, complaint, is_junk

_LONGEST = 12
_MOST_TO_MEND = 20
_TOLD = (str, int, float, bytes, list, tuple, dict)
_MOST_TOLD = 200


class Hunter:
    """Draws tries, runs them and keeps what is worth it."""

    def __init__(
        self, surface: Surface, memory: Memory, runner: Runner, recorder: Recorder, path: str
    ) -> None:
        self.chance = random.Random()
        self.surface = surface
        self.memory = memory
        self.runner = runner
        self.recorder = recorder
        self.path = path
        self.kinds = Kinds(self.chance)
        self.maker = Maker(surface, self.kinds, self.chance)
        self.changer = Changer(surface, self.maker, self.kinds, self.chance)
        self.solver = Solver(self.maker, self.kinds, self.chance)
        self.describer = Describer(surface, self.maker)
        self._open: list[int] = []
        self.to_mend: list[tuple[list[Line], Pair]] = []
        self.found: list[Entry] = []
        """What was kept since the last time that somebody looked."""

    def take_up(self, seed: int) -> None:
        """Go on with what the memory holds."""
        self.chance.seed(seed)
        more = self.memory.more
        if more:
            self.kinds.learned = more["learned"]
            self.kinds._known = more["known"]
            self.maker.weights = more["weights"]
            self.maker.seen = more["seen"]
            self.kinds.patterns = more["patterns"]
        self.recorder.open = self.memory.open

    def put_down(self) -> None:
        """Leave everything in the memory."""
        self.memory.more = {
            "learned": self.kinds.learned, "known": self.kinds._known,
            "weights": self.maker.weights, "seen": self.maker.seen,
            "patterns": self.kinds.patterns,
        }  # fmt: skip

    def run_one(self) -> None:
        """One try."""
        self.maker.used.clear()
        lines = self._next()
        if lines:
            self.attempt(lines, "search")

    def attempt(self, lines: "list[Line]", origin: str) -> "Outcome | None":
        """Run a try and learn from it."""
        self.memory.tries += 1
        self.recorder.clear()
        outcome = self.runner.run(lines)
        if outcome.is_late:
            self.maker.reward(0.6)
            return None
        hits = set(self.recorder.hits)
        if not hits:
            if outcome.error is not None:
                self.maker.reward(0.8)
                self._mend_later(lines, outcome.error)
            return outcome
        if outcome.error is not None:
            lines = lines[: outcome.ended_at + 1]
        junk = is_junk(outcome.error, self.path)
        if junk and outcome.error is not None:
            self._mend_later(lines, outcome.error)
        self.maker.reward(0.92 if junk else 1.06)
        self._learn_constants()
        entry = Entry(lines, frozenset(hits), junk, self._results(lines, outcome), origin)
        self.memory.note_near(lines, hits, self.recorder.pairs)
        if self.memory.is_worth_keeping(entry) or self._is_telling(entry, outcome):
            self._keep(entry, outcome)
        return outcome

    def _is_telling(self, entry: Entry, outcome: Outcome) -> bool:
        if outcome.error is not None or not outcome.values:
            return False
        value = outcome.values[-1]
        if type(value) not in _TOLD or not value:
            return False
        return self.memory.is_new_outcome(entry, repr(value)[:_MOST_TOLD], self.chance.random())

    def _keep(self, entry: Entry, outcome: Outcome) -> None:
        """Keep a try; one that wavers only if it is the first to go some way."""
        entry.is_steady = self.runner.is_steady(entry.lines, outcome)
        if entry.is_steady or (not entry.outcome and self.memory.is_worth_keeping(entry)):
            self.maker.reward(1.6)
            self.memory.add(entry)
            self.found.append(entry)

    def _mend_later(self, lines: "list[Line]", error: BaseException) -> None:
        """An error that names what it wanted is worth a try with that."""
        if len(self.to_mend) < _MOST_TO_MEND and self.chance.random() < 0.5:
            wanted = complaint(error)
            if wanted is not None:
                self.to_mend.append((lines, wanted))

    def _learn_constants(self) -> None:
        for pattern in sorted(self.recorder.patterns):
            self.kinds.learn_pattern(pattern)
        self.recorder.patterns.clear()
        for how, left, right in self.recorder.pairs.values():
            if how == "matches":
                self.kinds.learn_pattern(right)
            if how in ("isinstance", "hasattr", "matches"):
                continue
            for each in (left, *(right if isinstance(right, tuple) else (right,))):
                self.kinds.learn(each)

    def _results(self, lines: "list[Line]", outcome: Outcome) -> "list[tuple[int, str]]":
        found = []
        for line, value in zip(lines, outcome.values):  # noqa: B905  values end earlier
            kind = self.surface.kind_of(value)
            if kind is not None:
                found.append((line.number, kind))
        return found

    # What comes next

    def _next(self) -> "list[Line]":
        if self.to_mend and self.chance.random() < 0.5:
            return self.solver.solve(*self.to_mend.pop(), wanted=True)
        draw = self.chance.random()
        entries = self.memory.entries
        if entries and draw < 0.55:
            lines = self._towards()
            if lines:
                return lines
        if entries and draw < 0.7:
            return self.changer.change(self._entry().lines, self._others())
        if entries and draw < 0.82:
            return self._extended(self._entry())
        return self._fresh()

    def _entry(self) -> Entry:
        draw = self.chance.random()
        if draw < 0.3:
            return self.chance.choice(self.memory.entries)
        pioneers = self.memory.pioneers
        return self.chance.choice(pioneers[-30:] if draw < 0.6 else pioneers)

    def _others(self) -> "list[list[Line]]":
        return [self._entry().lines for _ in range(2)] if self.memory.entries else []

    def _towards(self) -> "list[Line]":
        """A try that may take a way not taken yet, from one that came near it."""
        way = self._open_way()
        if way is None:
            return []
        self.memory.attempts[way] = self.memory.attempts.get(way, 0) + 1
        near = self.memory.near.get(way)
        if not near:
            return self._within(self.memory.scopes[way])
        place = min(self.chance.randrange(len(near)), self.chance.randrange(len(near)))
        _, _, lines, pair = near[place]
        if pair is not None and self.chance.random() < 0.65:
            solved = self.solver.solve(lines, pair, wanted=way % 2 == 0)
            return solved if self.chance.random() < 0.75 else self.changer.change_part(solved)
        if self.chance.random() < 0.4:
            return self.prepared(lines)
        return self.changer.change(lines, self._others())

    def prepared(self, lines: "list[Line]") -> "list[Line]":
        """A try with something more done to an object before its last line."""
        made = [
            place for place, line in enumerate(lines[:-1])
            if line.form == "make" and self.surface.methods.get(str(line.callee))
        ]  # fmt: skip
        if not made or len(lines) >= _LONGEST:
            return self.changer.change(lines, self._others())
        place = self.chance.choice(made)
        action = self.chance.choice(self.surface.methods[str(lines[place].callee)])
        at = self.chance.randint(place + 1, len(lines) - 1)
        for _ in range(self.chance.choice((1, 1, 2))):
            more = self._with_action(lines, lines[place].number, action)
            lines = [*lines[:at], more[-1], *lines[at:]]
        return lines

    def _open_way(self) -> "int | None":
        if len(self._open) != len(self.memory.open):
            self._open = sorted(self.memory.open)
        options = self._open
        if not options:
            return None
        few = [self.chance.choice(options) for _ in range(6)]
        near = self.memory.near
        tried = self.memory.attempts
        return min(few, key=lambda way: tried.get(way, 0) + (0 if way in near else 60))

    def _within(self, scope: str) -> "list[Line]":
        """A neighbour of a try that runs the function, or a call of it."""
        known = self.memory.by_scope.get(scope)
        if known and self.chance.random() < 0.7:
            entry = self.memory.entries[self.chance.choice(known)]
            draw = self.chance.random()
            if draw < 0.25:
                return self._extended(entry)
            if draw < 0.5:
                return self.prepared(entry.lines)
            return self.changer.change(entry.lines, self._others())
        action = self.changer.actions.get(scope)
        return self._doing(action) if action is not None else []

    # New tries

    def _fresh(self) -> "list[Line]":
        actions = self.surface.targets
        if not actions:
            return []
        several = [self.chance.choice(actions) for _ in range(2)]
        several.sort(key=lambda each: len(self.memory.by_scope.get(each.key, ())))
        return self._doing(several[0] if self.chance.random() < 0.6 else several[1])

    def _doing(self, action: Action) -> "list[Line]":
        """An action, with whatever it needs before it."""
        if action.owner is None:
            return [Line(self.maker.action(action, None), action.form, action.key, 0)]
        lines, number = self._receiver(action.owner)
        methods = self.surface.methods[action.owner]
        if self.chance.random() < 0.25:
            lines = self._burst(lines, number, methods)
        for _ in range(self.chance.choice((0, 0, 1, 1, 2, 3, 5))):
            lines = self._with_action(lines, number, self.chance.choice(methods))
        return self._with_action(lines, number, action)

    def _burst(self, lines: "list[Line]", number: int, methods: "list[Action]") -> "list[Line]":
        """One change several times: what fills up, overflows."""
        changing = [each for each in methods if each.form == "change"] or methods
        chosen = self.chance.choice(changing)
        for _ in range(self.chance.choice((2, 3, 4))):
            lines = self._with_action(lines, number, chosen)
        return lines

    def _receiver(self, owner: str) -> "tuple[list[Line], int]":
        for _ in range(4):
            entry = self._entry() if self.memory.entries else None
            fitting = [number for number, kind in entry.results if kind == owner] if entry else []
            if fitting and entry is not None and self.chance.random() < 0.6:
                return needed_lines(entry.lines, fitting[-1]), fitting[-1]
        return [Line(self.maker.instance(owner), "make", owner, 0)], 0

    def _with_action(self, lines: "list[Line]", receiver: int, action: Action) -> "list[Line]":
        self.maker.at_hand = [receiver]
        self.maker.echoes = [
            part
            for line in lines
            for path, part in places(line.node)
            if path and part.kind == CONST
        ]
        node = self.maker.action(action, ref(receiver))
        self.maker.at_hand, self.maker.echoes = [], []
        return [*lines, Line(node, action.form, action.key, next_number(lines))]

    def _extended(self, entry: Entry) -> "list[Line]":
        """A try with something more done to one of its results."""
        if not entry.results or len(entry.lines) >= _LONGEST:
            return self.changer.change(entry.lines, self._others())
        number, kind = self.chance.choice(entry.results)
        if kind.startswith("callable"):
            extra = kind.split(":")[1:]
            if extra and self.chance.random() < 0.5:
                node = form(f"·.{self.chance.choice(extra)}()", ref(number))
                return [*entry.lines, Line(node, "call", entry.callee, next_number(entry.lines))]
            items = tuple(
                self.maker.any_kind(entry.callee, "")
                for _ in range(self.chance.choice((0, 1, 1, 1, 2)))
            )
            node = form("·(" + ", ".join("·" for _ in items) + ")", ref(number), *items)
            return [*entry.lines, Line(node, "call", entry.callee, next_number(entry.lines))]
        actions = self.surface.methods.get(kind)
        if not actions:
            return self.changer.change(entry.lines, self._others())
        lines = entry.lines
        for _ in range(self.chance.choice((1, 1, 2, 3))):
            lines = self._with_action(lines, number, self.chance.choice(actions))
        return lines
