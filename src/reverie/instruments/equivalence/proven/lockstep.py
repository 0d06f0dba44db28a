"""Two graphs of steps, walked side by side: do they take the same steps on the same values?

Each side goes on until it comes to a step that others can notice. Both have to come to the same
one, with the same operands; what it gives is the same unknown value for both. Where one of them
has to know whether something is true, both ways are walked. A point at which both have been before
with at least as general values is done: what loops keep is found by generalising, again and again,
until nothing new turns up.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from reverie.instruments.equivalence.proven.conventions import (
    READING,
    READS,
    behaved,
    is_calm,
)
from reverie.instruments.equivalence.proven.nodes import (
    Generalising,
    Joint,
    Kind,
    Matching,
    Node,
    Side,
    Unproven,
    may_be_unbound,
    substituted,
)
from reverie.instruments.equivalence.proven.terms import (
    FALSE,
    NONE,
    TRUE,
    UNBOUND,
    Term,
    exact_type,
    identity,
    joined,
    known_result,
    negated,
    plain_step,
    result_type,
)

_MOST_STEPS = 4_000
_MOST_SILENT = 20_000
_EXACT = 4
"""So many states at one point before they are generalised."""
_NEVER_RAISES = frozenset({"store_cell", "closure"})
_ALWAYS_RAISES = frozenset({"raise", "assertion", "unbound"})

Alike = Callable[[Any, Any], bool]


class Lockstep:
    """One attempt to walk two functions side by side; `Unproven` where they part."""

    def __init__(self, alike: Alike, conventions: set[str] | None = None) -> None:
        self.alike = alike
        """Whether two functions that are made on the way are the same."""
        self.conventions = conventions
        """Those that were relied on; None: nothing is taken for granted."""
        self._numbers = itertools.count()
        self._seen: dict[tuple[Node, Node], list[Joint]] = {}
        self._pending: list[Joint] = []

    def fresh(self) -> int:
        """A number that nothing else has."""
        return next(self._numbers)

    def walk(self, old: Node, new: Node) -> None:
        """All runs of both."""
        self._pending = [Joint(Side("old", old, {}), Side("new", new, {}), self.fresh())]
        for _ in range(_MOST_STEPS):
            if not self._pending:
                return
            self._step(self._pending.pop())
        raise Unproven("too many ways")

    def _step(self, joint: Joint) -> None:
        waiting = [self._advance(side, joint) for side in joint.sides]
        for each in waiting:
            if each is not None:
                for answer in (True, False):
                    forked = joint.copy()
                    forked.learn(each, answer)
                    self._pending.append(forked)
                return
        old, new = joint.sides
        if old.ended is not None or new.ended is not None:
            self._end(joint)
        elif self._is_news(joint):
            self._pending += self._taken(self._pending_general(joint))

    def _end(self, joint: Joint) -> None:
        old, new = joint.old.ended, joint.new.ended
        if old is None or new is None or old[0] != new[0]:
            raise Unproven("one ends and the other goes on")
        Same(joint).require(old[1], new[1])

    # --- one side, as long as nobody notices ---

    def _advance(self, side: Side, joint: Joint) -> Term | None:
        """Go on to the next step that others notice; a truth that has to be known before."""
        for _ in range(_MOST_SILENT):
            node = side.node
            if side.ended is not None:
                return None
            match node.kind:
                case Kind.RETURN:
                    side.ended = ("returned", side.registers[node.arguments[0]])
                    continue
                case Kind.RAISE:
                    self._thrown(side, side.registers[node.arguments[0]])
                    continue
                case Kind.BRANCH:
                    truth = _decided(side.registers[node.arguments[0]], joint)
                    if truth is None:
                        return side.registers[node.arguments[0]]
                    following = node.next if truth else node.otherwise
                case Kind.LOAD if may_be_unbound(side.registers[node.arguments[0]]):
                    return None
                case Kind.LOAD | Kind.MOVE:
                    side.registers[node.results[0]] = side.registers[node.arguments[0]]
                    following = node.next
                case Kind.PURE:
                    side.registers[node.results[0]] = self._made(node, side, joint)
                    following = node.next
                case Kind.EVENT:
                    found = self._known(node, side, joint)
                    if found is None:
                        return None
                    side.registers.update(zip(node.results, found, strict=False))
                    following = node.next
            assert following is not None
            side.node = following
        raise Unproven("it may go round for ever")

    def _made(self, node: Node, side: Side, joint: Joint) -> Term:
        given = [side.registers[each] for each in node.arguments]
        match node.data:
            case ("term", term):
                return tuple(term)
            case ("global", name):
                return ("global", name, joint.epoch)
            case ("not",):
                return negated(given[0])
            case ("is",):
                return _settled(identity(given[0], given[1]), joint)
            case ("join",):
                return joined(given)
            case ("append",):
                return _append(side, given[0], given[1])
            case ("new", kind):
                place: Term = ("loc", side.name, self.fresh(), kind)
                side.heap[place] = ("items", ("nil",), *given)
                return place
            case (name,):
                return (name, *given)
        raise Unproven(str(node.data))

    def _known(self, node: Node, side: Side, joint: Joint) -> list[Term] | None:
        """What a step gives, where that is known and nobody notices it."""
        given = [side.registers[each] for each in node.arguments]
        match node.data:
            case ("truth",) if given[0][0] == "loc":
                items = side.heap[given[0]]
                if items[0] == "items" and len(items) > 2:
                    return [TRUE]
                return [FALSE] if items == ("items", ("nil",)) else None
            case ("unpack", shape) if given[0][0] == "tuple" and "*" not in shape:
                return list(given[0][1:]) if len(shape) == len(given[0]) - 1 else None
            case ("call", ("",)) if given[0][0] == "method" and given[0][2] == "append":
                if given[0][1][0] == "loc":
                    return [_append(side, given[0][1], given[1])]
        found = known_result(plain_step(node.data, given), given)
        if found is None:
            found = self._behaved(node, given, joint)
        return None if found is None else [_settled(found, joint)]

    def _behaved(self, node: Node, given: list[Term], joint: Joint) -> Term | None:
        """What values are taken to do; not where the code is prepared for their failure."""
        if self.conventions is None:
            return None
        found = behaved(node.data, given, ("epoch", joint.epoch))
        caught = frozenset() if node.catch is None else node.catch.caught
        if found is None or not is_calm(found[1], caught):
            return None
        self.conventions.add(found[1])
        return found[0]

    def _thrown(self, side: Side, error: Term) -> None:
        catch = side.node.catch
        if catch is None:
            side.ended = ("raised", error)
        else:
            side.node = catch.node
            side.registers[catch.register] = error

    # --- both sides, at a step that others notice ---

    def _is_news(self, joint: Joint) -> bool:
        known = self._seen.setdefault((joint.old.node, joint.new.node), [])
        for side in joint.sides:
            side.registers = dict(side.live())
        _forget(joint)
        return not any(Matching(each, joint).fits() for each in known)

    def _pending_general(self, joint: Joint) -> Joint:
        known = self._seen[joint.old.node, joint.new.node]
        if len(known) >= _EXACT:
            joint = self._generalised(known[-1], joint)
            known[:] = [joint.copy()]
        else:
            known.append(joint.copy())
        return joint

    def _generalised(self, known: Joint, joint: Joint) -> Joint:
        """What covers both; lists that only one of them has are taken for seen by others."""
        try:
            return Generalising(known, joint, self.fresh).joint()
        except Unproven:
            pair = [self._published(each.copy()) for each in (known, joint)]
            return Generalising(pair[0], pair[1], self.fresh).joint()

    def _published(self, joint: Joint) -> Joint:
        """Lists of one name, or that are given to one step, become one list for both."""
        same = Same(joint)
        old, new = joint.old.registers, joint.new.registers
        named = [(name, name) for name in sorted(old.keys() & new.keys()) if name[0] != "%"]
        for mine, other in (
            *named,
            *zip(joint.old.node.arguments, joint.new.node.arguments, strict=False),
        ):
            if old[mine][0] == new[other][0] == "loc":
                same.require(old[mine], new[other])
        self._show(joint, same)
        return joint

    def _taken(self, joint: Joint) -> Iterator[Joint]:
        """The same step on both sides; then how it may end."""
        steps = [_seen_step(side) for side in joint.sides]
        (old, old_given), (new, new_given) = steps
        same = Same(joint)
        if old[0] == new[0] == "closure":
            if not self.alike(old[1], new[1]):
                raise Unproven("functions that are made on the way differ")
        elif old != new:
            raise Unproven(f"{old} and {new}")
        if len(old_given) != len(new_given):
            raise Unproven(f"{old} of different things")
        for mine, other in zip(old_given, new_given, strict=True):
            same.require(mine, other)
        handled = [_handled(side) for side in joint.sides]
        same.require(*handled)
        self._show(joint, same)
        given = [substituted(each, same.shown) for each in old_given]
        if self.conventions is None or old[0] not in READS:
            joint.epoch = self.fresh()
        else:
            self.conventions.add(READING)
        if old[0] not in _NEVER_RAISES:
            failed = joint.copy()
            error: Term = ("v", self.fresh(), None)
            for side in failed.sides:
                self._thrown(side, error)
            yield failed
        if old[0] not in _ALWAYS_RAISES:
            self._go_on(joint, old, given)
            yield joint

    def _go_on(self, joint: Joint, data: tuple[Any, ...], given: list[Term]) -> None:
        counts = {len(side.node.results) for side in joint.sides}
        if len(counts) != 1:
            raise Unproven("different numbers of results")
        kinds = [result_type(data, given)] * counts.pop()
        if data[0] == "next":
            kinds = [None, "bool"]
        results: list[Term] = [("v", self.fresh(), kind) for kind in kinds]
        for side in joint.sides:
            side.registers.update(zip(side.node.results, results, strict=True))
            assert side.node.next is not None
            side.node = side.node.next

    def _show(self, joint: Joint, same: "Same") -> None:
        """Lists that both have made and that others now see: one list for both."""
        for mine, other in same.places.items():
            shown: Term = ("v", self.fresh(), mine[3])
            same.shown[mine] = same.shown[other] = shown
        for side in joint.sides:
            for place in same.shown:
                side.heap.pop(place, None)
            if same.shown:
                side.substitute(same.shown)


class Same:
    """Terms of both sides that stand for the same; lists are the same when they hold the same."""

    def __init__(self, joint: Joint) -> None:
        self.joint = joint
        self.places: dict[Term, Term] = {}
        self.shown: dict[Term, Term] = {}

    def require(self, old: Term, new: Term) -> None:
        """`Unproven` where they may differ."""
        if old[0] == "loc" and new[0] == "loc":
            if old in self.places or new in self.places.values():
                if self.places.get(old) != new:
                    raise Unproven("lists are shared otherwise")
                return
            if old[3] != new[3]:
                raise Unproven("other types")
            self.places[old] = new
            self.require(self.joint.old.heap[old], self.joint.new.heap[new])
            return
        if old[0] != new[0] or len(old) != len(new):
            raise Unproven(f"{old} is not {new}")
        for mine, other in zip(old[1:], new[1:], strict=True):
            if isinstance(mine, tuple) and isinstance(other, tuple):
                self.require(mine, other)
            elif mine != other or isinstance(mine, tuple) != isinstance(other, tuple):
                raise Unproven(f"{old} is not {new}")


def _decided(truth: Term, joint: Joint) -> bool | None:
    if exact_type(truth) != "bool":
        raise Unproven("a truth that is not known to be one")
    settled = _settled(truth, joint)
    return settled == TRUE if settled in (TRUE, FALSE) else None


def _settled(term: Term, joint: Joint) -> Term:
    if term[0] == "not":
        return negated(_settled(term[1], joint))
    known = joint.facts.get(term)
    return term if known is None else (TRUE if known else FALSE)


def _append(side: Side, place: Term, item: Term) -> Term:
    if place[0] != "loc":
        raise Unproven("a list that others see")
    items = side.heap[place]
    side.heap[place] = (*items, item) if items[0] == "items" else ("items", items, item)
    return NONE


def _seen_step(side: Side) -> tuple[tuple[Any, ...], list[Term]]:
    """The step that a side is at, as others see it."""
    node = side.node
    given = [side.registers[each] for each in node.arguments]
    if node.kind is Kind.LOAD:
        if given[0] == UNBOUND:
            return ("unbound", *node.data), []
        return ("check", *node.data), given
    return plain_step(node.data, given), given


def _handled(side: Side) -> Term:
    register = side.node.handling
    return NONE if register is None else side.registers[register]


def _forget(joint: Joint) -> None:
    """Facts on values that no register has any more are of no use."""
    symbols: set[Term] = set()
    for side in joint.sides:
        for _, value in side.live():
            symbols |= set(_symbols(value))
        for value in side.heap.values():
            symbols |= set(_symbols(value))
    joint.facts = {
        fact: answer
        for fact, answer in joint.facts.items()
        if {*_symbols(fact)} <= symbols and (fact[0] != "truth" or _is_lasting(fact, joint))
    }


def _is_lasting(fact: Term, joint: Joint) -> bool:
    return bool(fact[1][0] == "compared" or fact[2] == ("epoch", joint.epoch))


def _symbols(term: Term) -> Iterator[Term]:
    if term[0] in ("v", "param", "global"):
        yield term
    else:
        for each in term[1:]:
            if isinstance(each, tuple):
                yield from _symbols(each)
