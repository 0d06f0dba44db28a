"""The whole of it: inputs drawn, solved for and changed, laws held against them, findings told."""

import functools
import random
import time
from typing import Any

from reverie.dreamers.enrich.search.inside.kinds import Kinds
from reverie.dreamers.enrich.search.inside.making import Describer, Maker
from reverie.dreamers.enrich.search.inside.memory import Solver
from reverie.dreamers.enrich.search.inside.nodes import Evaluator, Node, Reader
from reverie.dreamers.enrich.search.inside.probes import Recorder
from reverie.dreamers.enrich.search.inside.searching import (
    Unimportable,
    identifiers_of,
    load_probed,
    namespace_of,
    patterns_in,
)
from reverie.dreamers.enrich.search.inside.surface import Parameter, Surface, parameters_of
from reverie.dreamers.enrich.search.inside.trying import Teller, in_child, listen

from .checking import BROKEN, HELD, LATE, Checker, is_moderate
from .classes import Objects
from .drawing import Board, Drawer, Group, Proposer
from .growing import Growing
from .prelude import akin, counted, errors_of, listed, no_breaks, same
from .reporting import History, Reporting, cost
from .values import documented_hint

_CHUNK_SECONDS = 4.0
_MOST_BROKEN = 5
_MOST_FAILED = 200
_CORPUS = 60
_ACCEPTED = 120
_GROWING_SECONDS, _GROWING_SHARE = 6.0, 0.2


class Fuzzing:
    """One run on one module."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.began = time.monotonic()
        self.request = request
        self.recorder = Recorder()
        module, ways = load_probed(request["module"], request["paths"], self.recorder)
        self.surface = Surface(module, set(request["own"]), set(request["helpers"]))
        self.namespace = namespace_of(module, request)
        self.namespace.update(
            akin=akin, same=same, counted=counted, errors_of=errors_of, no_breaks=no_breaks,
            listed=listed,
        )  # fmt: skip
        for name, value in vars(module).items():
            self.namespace.setdefault(name, value)
        self.module = module
        self.laws: list[dict[str, Any]] = request["laws"]
        self.ways = set(ways)
        self.chance = random.Random()
        self.kinds = Kinds(self.chance)
        self.maker = Maker(self.surface, self.kinds, self.chance)
        self.drawer = Drawer(self.maker, self.kinds, self.chance, set(request["ordered"]))
        self.annotated: set[tuple[str, str]] = set()
        """Parameters whose types are known from annotations, if at all."""
        self.parameters = self._parameters()
        solver = Solver(self.maker, self.kinds, self.chance)
        self.proposer = Proposer(self.drawer, solver, self.parameters, self.chance)
        hints = {key: each.hint for key, each in self.parameters.items()}
        self.evaluator = Evaluator(self.namespace)
        unit = set(request["unit"])
        self.checker = Checker(self.evaluator, str(module.__file__), hints, unit)
        self.checker.annotated = self.annotated
        self.checker.positive = set(request["positive"])
        self.drawer.unit = unit
        self.drawer.guesses = set(self.parameters) - self.annotated
        self.board = Board(len(self.laws))
        self.groups = self._groups()
        self.history = History()
        self._learn()
        listen()

    def _parameters(self) -> "dict[tuple[str, str], Any]":
        found = {}
        told = self.request["documented"]
        for name in {each[1] for law in self.laws for each in law["variables"]}:
            for each in parameters_of(self.namespace.get(name), {}):
                hint = told.get(f"{name}:{each.name}") if each.hint is None else None
                if hint is None:
                    self.annotated.add((name, each.name))
                else:
                    each = Parameter(each.name, each.kind, each.default, documented_hint(hint))
                found[name, each.name] = each
        return found

    def _groups(self) -> "list[Group]":
        found: dict[str, Group] = {}
        for number, law in enumerate(self.laws):
            if any((owner, name) not in self.parameters for _, owner, name in law["variables"]):
                continue  # what the module binds to the name is not what its source defines
            key = repr([each[1:] for each in law["variables"]])
            found.setdefault(key, Group(law["variables"], [])).laws.append(number)
        return list(found.values())

    def _learn(self) -> None:
        for each in (*self.request["constants"], *self.request["texts"]):
            self.kinds.learn(each)
        self.kinds.identifiers = identifiers_of(self.surface)
        for pattern in patterns_in(self.module):
            self.kinds.learn_pattern(pattern)
        self.drawer.pieces = self.request["pieces"]
        describer = Describer(self.surface, self.maker)
        for example in self.request["examples"]:
            reader = Reader()
            for line in example:
                reader.read(line)
            for line in reader.lines:
                describer.describe(line)

    # The run

    def run(self) -> "dict[str, Any]":
        """Everything, within the time or the number of executions given."""
        last = self.began + self.request["seconds"]
        until = last - min(_GROWING_SECONDS, _GROWING_SHARE * self.request["seconds"])
        objects = Objects(self.request, self.evaluator, self.drawer, self.chance)
        share = self.request["seconds"] * self.request["objects_share"]
        models = objects.models(self.began + share / 2)
        models += objects.usages(self.began + share)
        self.board.executions += objects.executions
        chunk = 0
        is_careful = False
        while time.monotonic() < until and self.board.executions < self.request["most"]:
            chunk += 0 if is_careful else 1
            work = functools.partial(self._hunt, chunk=chunk, until=until, is_careful=is_careful)
            told, _ = in_child(work, _CHUNK_SECONDS * (4 if is_careful else 2.5))
            if told and isinstance(told[-1], Board):
                self._take(told[-1])
                is_careful = False
            elif is_careful:
                self._blame(told)
                is_careful = False
            else:
                is_careful = True
            if self._is_done():
                break
        growing = Growing(self.evaluator, self.request)
        models += growing.search(self.groups, max(last, time.monotonic() + 1.0))
        self.board.executions += growing.executions
        reported = Reporting(self.laws, self.board, self.checker, self.namespace).findings()
        return {"findings": [*models, *reported], "executions": self.board.executions,
                "ways": len(self.ways), "taken": len(self.board.taken & self.ways)}  # fmt: skip

    def _take(self, board: Board) -> None:
        self.board = board
        for group, corpus in zip(self.groups, board.corpora):  # noqa: B905  as many
            group.corpus, group.accepted = corpus

    def _blame(self, told: "list[Any]") -> None:
        """The process died: the last input that was told is the one."""
        last = next((each for each in reversed(told) if isinstance(each, tuple)), None)
        self.board.executions += len(told)
        if last is not None:
            self.board.broken.setdefault(last[0], []).append((last[1], (LATE, ""), True))
            self.groups = [each for each in self.groups if last[0] not in each.laws]

    def _is_done(self) -> bool:
        """Whether every law is broken already, or no input is left to try."""
        return not any(group.variables for group in self.groups) and self.board.executions > 0

    def _hunt(self, teller: Teller, chunk: int, until: float, is_careful: bool) -> None:
        self.chance.seed(self.request["seed"] * 1_000_003 + chunk)
        if self.board.learned is not None:
            self.kinds.learned, self.kinds._known = self.board.learned
        self.recorder.open = self.ways - self.board.taken
        self.history.clear()
        last = min(time.monotonic() + _CHUNK_SECONDS * (3 if is_careful else 1), until)
        if chunk == 1:
            self._try_seeds(teller if is_careful else None)
        is_open = any(group.variables for group in self.groups)
        while is_open and time.monotonic() < last and self.board.executions < self.request["most"]:
            group = self.chance.choice(self.groups)
            if group.variables:
                self._attempt(group, self.proposer.propose(group), teller if is_careful else None)
        self.board.learned = self.kinds.learned, self.kinds._known
        self.board.corpora = [(each.corpus, each.accepted) for each in self.groups]
        teller.tell(self.board)

    def _try_seeds(self, teller: "Teller | None") -> None:
        for group in self.groups:
            if not group.variables:
                self._attempt(group, [], teller)

    def _attempt(self, group: Group, args: "list[Node]", teller: "Teller | None") -> None:
        """Hold every law of a group against one input, and learn from it."""
        self.recorder.clear()
        is_new = is_held = False
        for number in group.laws:
            if self.board.breaks[number] >= _MOST_FAILED:
                continue
            if teller is not None:
                teller.tell((number, args))
            self.board.executions += 1
            seen = self.checker.check(self.laws[number], args)
            if seen.state == BROKEN and number not in self.board.earlier:
                self.board.earlier[number] = self.history.calls(), args
            self.history.note(self.laws[number], args)
            if seen.state == HELD:
                self.board.held[number] += 1
                self.board.fresh[number][0] += self.proposer.is_fresh
                is_held = True
            elif seen.state == BROKEN:
                self.board.fresh[number][1] += self.proposer.is_fresh
                self.board.breaks[number] += 1
                self._keep(number, args, seen.likeness())
            elif seen.state == LATE:
                self._late(group, number, args)
                return
            is_new = is_new or bool(self.recorder.hits - self.board.taken)
        self._note(group, args, is_new)
        if is_held:
            self._accept(group, args)

    def _accept(self, group: Group, args: "list[Node]") -> None:
        if len(group.accepted) < _ACCEPTED:
            group.accepted.append(args)
        elif self.chance.random() < 0.2:
            group.accepted[self.chance.randrange(_ACCEPTED)] = args

    def _keep(self, number: int, args: "list[Node]", likeness: "tuple[str, str]") -> None:
        several = self.board.broken.setdefault(number, [])
        several.append((args, likeness, False))
        several.sort(key=lambda each: (each[2], cost(each[0])))
        del several[_MOST_BROKEN:]

    def _late(self, group: Group, number: int, args: "list[Node]") -> None:
        """What takes long is kept, if it is of everyday size; with more patience it is told."""
        if self.laws[number]["subject"].rpartition(".")[2].startswith("_"):
            group.laws = []  # what a helper may be given is known to its callers
            return
        values = [self.evaluator.value(each, {}) for each in args]
        if group.is_late or not all(map(is_moderate, values)):
            return
        group.is_late = True
        self.board.broken.setdefault(number, []).append((args, (LATE, ""), True))

    def _note(self, group: Group, args: "list[Node]", is_new: bool) -> None:
        hits = self.recorder.hits
        if is_new:
            group.corpus.append(args)
            del group.corpus[:-_CORPUS]
            self.board.taken |= hits
            self.recorder.open = self.ways - self.board.taken
        for way, pair in self.recorder.pairs.items():
            how, left, right = pair
            if how not in ("isinstance", "hasattr", "matches"):
                for each in (left, *(right if isinstance(right, tuple) else (right,))):
                    self.kinds.learn(each)
            wanted = way in self.recorder.open
            if len(group.near) < _CORPUS or self.chance.random() < 0.1:
                group.near.append((args, pair, wanted))
                del group.near[:-_CORPUS]


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """Fuzz one module's callables; see `Fuzzing`."""
    try:
        return Fuzzing(request).run()
    except Unimportable as error:
        return {"unimportable": str(error)}
