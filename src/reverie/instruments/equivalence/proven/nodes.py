"""A function as a graph of small steps on registers, and two of them at one point of one run.

What the function is written like is gone from the graph. `Joint` is what each version has in its
registers, in common terms.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from reverie.instruments.equivalence.proven.scopes import FunctionNames
from reverie.instruments.equivalence.proven.terms import (
    ALWAYS,
    MAYBE_UNBOUND,
    UNBOUND,
    Term,
    exact_type,
    has_places,
    identity,
    negated,
)


class Unproven(Exception):
    """Nothing can be said: the code has something in it that is not understood here."""


class Kind(StrEnum):
    """What a step does."""

    PURE = "pure"  # makes a value of values; nobody can notice
    LOAD = "load"  # reads a local, which may be missing
    MOVE = "move"
    EVENT = "event"  # may run other code, or raise
    BRANCH = "branch"  # on a value of type bool
    RETURN = "return"
    RAISE = "raise"  # hands an exception on, as it is


@dataclass(slots=True, eq=False)
class Node:
    """One step, and what comes after it."""

    kind: Kind
    data: tuple[Any, ...] = ()
    arguments: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    next: "Node | None" = None
    otherwise: "Node | None" = None
    """After a branch that is not taken."""
    catch: "Catch | None" = None
    handling: str | None = None
    """The register of the exception that is being handled meanwhile."""
    live: frozenset[str] = frozenset()
    """Registers that are read from here on before they are written."""


@dataclass(frozen=True, slots=True)
class Catch:
    """Where an exception goes, and the register that it is put into."""

    node: Node
    register: str
    caught: frozenset[str] = frozenset()
    """Errors that an `except` on the way names: what happens there shows which steps can fail."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The function that a piece of code is part of; one that is put into another has a prefix."""

    names: FunctionNames
    prefix: str = ""
    inner: tuple[tuple[str, str], ...] = ()
    """Names of comprehensions around, with their registers."""
    depth: int = 0
    is_comprehension: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """Where control goes other than to the next step."""

    frame: Frame
    catch: Catch | None = None
    handling: str | None = None
    leave: "Exits" = field(default_factory=lambda: Exits())


@dataclass(frozen=True, slots=True)
class Exits:
    """Steps for `return`, `break` and `continue`; what has to run before is in them."""

    returned: "Node | None" = None
    broken: "Node | None" = None
    continued: "Node | None" = None
    value: str = ""
    """The register of what is returned."""


def mark_live(start: Node) -> int:
    """Work out which registers are read later; the number of steps."""
    nodes = _reachable(start)
    before: dict[Node, list[Node]] = {}
    for node in nodes:
        for each in _after(node):
            before.setdefault(each, []).append(node)
    pending = list(nodes)
    while pending:
        node = pending.pop()
        found = set(node.arguments)
        if node.handling is not None:
            found.add(node.handling)
        for way in (node.next, node.otherwise):
            if way is not None:
                found |= way.live - {*node.results}
        if node.catch is not None:
            found |= node.catch.node.live - {node.catch.register}
        if frozenset(found) != node.live:
            node.live = frozenset(found)
            pending += before.get(node, [])
    return len(nodes)


def _after(node: Node) -> list[Node]:
    ways = [node.next, node.otherwise, None if node.catch is None else node.catch.node]
    return [each for each in ways if each is not None]


def _reachable(start: Node) -> list[Node]:
    found, pending = {start: None}, [start]
    while pending:
        for each in _after(pending.pop()):
            if each not in found:
                found[each] = None
                pending.append(each)
    return list(found)


Fresh = Callable[[], int]
_SHAPED = frozenset(
    {"tuple", "items", "join", "method", "slice", "formatted", "length", "compared", "truth",
     "attr", "counted"}
)  # fmt: skip
"""Terms that are generalised part by part."""


@dataclass(slots=True)
class Side:
    """One version: the next step, its registers, and the lists that nobody else has seen."""

    name: str
    node: Node
    registers: dict[str, Term]
    heap: dict[Term, Term] = field(default_factory=dict)
    ended: tuple[str, Term] | None = None
    """`returned` or `raised`, with what."""

    def copy(self) -> "Side":
        """The same, to go on with separately."""
        return replace(self, registers=dict(self.registers), heap=dict(self.heap))

    def live(self) -> Iterator[tuple[str, Term]]:
        """Registers that still matter, in a fixed order."""
        for name in sorted(self.node.live):
            yield name, self.registers.get(name, UNBOUND)

    def substitute(self, change: dict[Term, Term]) -> None:
        """Other terms for some terms, wherever they are."""
        for places in (self.registers, self.heap):
            for key, value in places.items():
                places[key] = substituted(value, change)  # type: ignore[index]
        if self.ended is not None:
            self.ended = self.ended[0], substituted(self.ended[1], change)


@dataclass(slots=True)
class Joint:
    """Both sides, and what is known of the terms that they share."""

    old: Side
    new: Side
    epoch: int
    """Changes with every step that others can notice."""
    facts: dict[Term, bool] = field(default_factory=dict)

    def copy(self) -> "Joint":
        """The same, to go on with separately."""
        return replace(self, old=self.old.copy(), new=self.new.copy(), facts=dict(self.facts))

    @property
    def sides(self) -> tuple[Side, Side]:
        """Old and new."""
        return self.old, self.new

    def learn(self, truth: Term, answer: bool) -> None:
        """From now on a term of type bool is known."""
        while truth[0] == "not":
            truth, answer = truth[1], not answer
        self.facts[truth] = answer
        change = {truth: ("const", "bool", str(answer))}
        if truth[0] == "is" and answer:
            single, other = sorted(truth[1:], key=lambda each: each[0] not in ("const", "builtin"))
            if single[0] in ("const", "builtin") and other[0] not in ("const", "builtin"):
                change[other] = single
        for side in self.sides:
            side.substitute(change)


def substituted(term: Term, change: dict[Term, Term]) -> Term:
    """A term with parts replaced, in its one form."""
    if term in change:
        return change[term]
    if not any(isinstance(each, tuple) for each in term):
        return term
    parts = [substituted(each, change) if isinstance(each, tuple) else each for each in term]
    if term[0] == "not":
        return negated(parts[1])
    if term[0] == "is":
        return identity(parts[1], parts[2])
    return tuple(parts)


class Matching:
    """Whether one state is an instance of another: the first has symbols for what may vary."""

    def __init__(self, known: Joint, given: Joint) -> None:
        self.known, self.given = known, given
        self.bound: dict[Term, Term] = {("epoch", known.epoch): ("epoch", given.epoch)}
        self.places: dict[Term, Term] = {}

    def fits(self) -> bool:
        """Every register that matters, every fact that the first relies on."""
        for mine, other in zip(self.known.sides, self.given.sides, strict=True):
            given = dict(other.live())
            if not all(self._term(value, given[n], mine, other) for n, value in mine.live()):
                return False
        return all(
            self.given.facts.get(self._image(fact)) == answer
            for fact, answer in self.known.facts.items()
        )

    def _image(self, term: Term) -> Term:
        return substituted(term, self.bound)

    def _term(self, known: Term, given: Term, mine: Side, other: Side) -> bool:
        if known[0] == "v" and isinstance(known[1], int):
            if known in self.bound:
                return self.bound[known] == given
            kind = known[2]
            is_fine = kind == MAYBE_UNBOUND or not may_be_unbound(given)
            if not is_fine or (kind not in (None, MAYBE_UNBOUND) and exact_type(given) != kind):
                return False
            if has_places(given):
                return False
            self.bound[known] = given
            return True
        if known[0] == "loc":
            return self._place(known, given, mine, other)
        if known[0] == given[0] == "epoch":
            return self.bound.setdefault(known, given) == given
        if known[0] != given[0] or len(known) != len(given):
            return False
        if known[0] == "global":
            return known[1] == given[1] and self._epoch(known[2], given[2])
        return all(
            self._term(a, b, mine, other)
            if isinstance(a, tuple) and isinstance(b, tuple)
            else a == b
            for a, b in zip(known[1:], given[1:], strict=True)
        )

    def _epoch(self, known: int, given: int) -> bool:
        if ALWAYS in (known, given):
            return known == given
        return self.bound.setdefault(("epoch", known), ("epoch", given)) == ("epoch", given)

    def _place(self, known: Term, given: Term, mine: Side, other: Side) -> bool:
        if given[0] != "loc" or given[3] != known[3]:
            return False
        if known in self.places or given in self.places.values():
            return self.places.get(known) == given
        self.places[known] = given
        return self._term(mine.heap[known], other.heap[given], mine, other)


def _words(term: Term) -> list[object]:
    return [each for each in term if not isinstance(each, tuple)]


def may_be_unbound(term: Term) -> bool:
    """Whether reading it may fail."""
    return term == UNBOUND or (term[0] == "v" and term[2] == MAYBE_UNBOUND)


class Generalising:
    """The strictest state that two states are instances of."""

    def __init__(self, first: Joint, second: Joint, fresh: Fresh) -> None:
        self.first, self.second, self.fresh = first, second, fresh
        self.pairs: dict[tuple[Term, Term], Term] = {}
        self.places: dict[tuple[Term, Term], Term] = {}
        self.heaps: list[dict[Term, Term]] = [{}, {}]

    def joint(self) -> Joint:
        """Both sides; equal terms stay equal."""
        made = []
        for number in (0, 1):
            mine, other = self.first.sides[number], self.second.sides[number]
            given = dict(other.live())
            registers = {
                name: self._term(value, given[name], number) for name, value in mine.live()
            }
            made.append(Side(mine.name, mine.node, registers, self.heaps[number]))
        facts = {
            fact: answer
            for fact, answer in self.first.facts.items()
            if self.second.facts.get(fact) == answer
        }
        epoch = self.first.epoch
        if epoch != self.second.epoch:
            epoch = self._epoch(epoch, self.second.epoch)
        return Joint(made[0], made[1], epoch, facts)

    def _term(self, first: Term, second: Term, number: int) -> Term:
        if first[0] == "loc" or second[0] == "loc":
            return self._place(first, second, number)
        if first == second and not has_places(first):
            return first
        if first[0] == second[0] == "epoch":
            return ("epoch", self._epoch(first[1], second[1]))
        is_shaped = first[0] == second[0] and len(first) == len(second) and first[0] != "v"
        is_global = is_shaped and first[0] == "global" and first[1] == second[1]
        if is_global and ALWAYS not in (first[2], second[2]):
            return ("global", first[1], self._epoch(first[2], second[2]))
        if is_shaped and first[0] in _SHAPED and _words(first) == _words(second):
            return tuple(
                self._term(a, b, number) if isinstance(a, tuple) else a
                for a, b in zip(first, second, strict=True)
            )
        if has_places(first) or has_places(second):
            raise Unproven("a list of lists that grows")
        pair = (first, second)
        if pair not in self.pairs:
            kind = exact_type(first) if exact_type(first) == exact_type(second) else None
            if may_be_unbound(first) or may_be_unbound(second):
                kind = MAYBE_UNBOUND
            self.pairs[pair] = ("v", self.fresh(), kind)
        return self.pairs[pair]

    def _epoch(self, first: int, second: int) -> int:
        pair = (("epoch", first), ("epoch", second))
        if pair not in self.pairs:
            self.pairs[pair] = ("epoch", self.fresh())
        return int(self.pairs[pair][1])

    def _place(self, first: Term, second: Term, number: int) -> Term:
        if first[0] != "loc" or second[0] != "loc" or first[3] != second[3]:
            raise Unproven("a list in some runs only")
        pair = (first, second)
        if pair in self.places:
            return self.places[pair]
        if any(first == a or second == b for a, b in self.places):
            raise Unproven("lists that come together")
        made: Term = ("loc", first[1], self.fresh(), first[3])
        self.places[pair] = made
        heaps = self.first.sides[number].heap, self.second.sides[number].heap
        self.heaps[number][made] = self._term(heaps[0][first], heaps[1][second], number)
        return made
