"""Knowledge of a search: tries worth keeping, how near the others are, and how to get there."""

import random
from typing import Any

from reverie.instruments.equivalence.patterns import matching_texts

from .changing import is_receiver, with_part
from .kinds import Kinds
from .making import Maker
from .nodes import CONST, DISPLAYS, LIST, REF, SET, TUPLE, Line, Node, const, places

Pair = tuple[str, Any, Any]
_MOST_ITEMS = 60
_TOGETHER = ("==", "in", "startswith", "endswith", "matches")
_APART = ("!=", "not in")
_FARTHEST = 1e300
_LARGE = 1e15


class Solver:
    """Finds the place of a try that an operand came from, and puts the other operand there."""

    def __init__(self, maker: Maker, kinds: Kinds, chance: random.Random) -> None:
        self.maker = maker
        self.kinds = kinds
        self.chance = chance

    def solve(self, lines: "list[Line]", pair: Pair, *, wanted: bool) -> "list[Line]":
        """A try in which the comparison may come out as wanted; the same when nothing is known."""
        how, left, right = pair
        if wanted is (how in _APART) and how in (*_APART, *_TOGETHER):
            return self._moved(lines, left, self._other(left))
        if how == "isinstance":
            own = self.maker.surface.classes
            fitting = [
                name for name, each in own.items() if _holds(lambda it: issubclass(it, right), each)
            ]
            if fitting and self.chance.random() < 0.6:
                made = self.maker.instance(self.chance.choice(fitting))
                return self._put_somewhere(lines, made)
            return self._retyped(lines, lambda value: isinstance(value, right))
        if how == "hasattr":
            return self._retyped(lines, lambda value: hasattr(value, right), left)
        if how == "kinds":
            made = self.kinds.make(self.chance.choice(right))
            return self._put_somewhere(lines, made, left)
        if how in ("is", "is not"):
            return self._put_somewhere(lines, const(right if right is None else left))
        if how == "matches":
            found = matching_texts(right, self.chance, 1)
            return self._moved(lines, left, found[0]) if found else lines
        if isinstance(right, tuple):
            if not right:
                return lines
            return self._moved(lines, left, self.chance.choice(right))
        if how in ("in", "not in"):
            return self._contained(lines, left, right)
        if how == "startswith":
            right = right + left if self.chance.random() < 0.5 else right
        elif how == "endswith":
            right = left + right if self.chance.random() < 0.5 else right
        elif type(right) in (int, float) and type(left) in (int, float):
            return self._number_moved(lines, left, right)
        if self.chance.random() < 0.25:
            left, right = right, left
        return self._moved(lines, left, right)

    def _other(self, value: Any) -> Any:
        """A value of the same type, but not the same."""
        if type(value) is str:
            return self.chance.choice((self.kinds.a_text, lambda: self.kinds.changed_text(value)))()
        if type(value) is bytes:
            return value + b"a"
        return value + 1 if type(value) in (int, float) else value

    def _contained(self, lines: "list[Line]", left: Any, right: Any) -> "list[Line]":
        """`left in right`, both texts: the one put into the other, or out of it."""
        if type(left) is not str or type(right) is not str or not left:
            return lines
        if left in right:
            return self._moved(lines, right, right.replace(left, ""))
        at = self.chance.randint(0, len(right))
        if self.chance.random() < 0.3:
            return self._moved(lines, left, self.chance.choice(right or left))
        return self._moved(lines, right, right[:at] + left + right[at:])

    def _number_moved(self, lines: "list[Line]", left: Any, right: Any) -> "list[Line]":
        step = self.chance.choice((-1, 0, 0, 1))
        if self.chance.random() < 0.25:
            left, right = right, left
        options = []
        for number, path, node in _constants(lines):
            value = node.value
            if value == left and type(value) in (int, float):
                options.append((number, path, const(right + step)))
            elif type(value) is str and str(left) in value:
                options.append(
                    (number, path, const(value.replace(str(left), str(right + step), 1)))
                )
            elif type(value) in (int, float) and type(value) is not bool:
                moved = value + self._scaled(right - left, type(value)) + step
                options.append((number, path, const(_plain(moved))))
            if isinstance(value, (str, bytes)) and len(value) == left:
                options.append((number, path, const(_resized(value, right + step))))
        options += self._displays_resized(lines, left, right + step)
        return self._chosen(lines, options)

    def _scaled(self, gap: Any, kind: type) -> Any:
        """The gap, or a part of it: what was compared may grow faster than what was given."""
        if self.chance.random() < 0.5 or not abs(gap) < _LARGE:
            return gap if abs(gap) < _LARGE else 1
        part = gap / self.chance.choice(
            (2, 3, 5, 7, 10, 12, 60, 100, -1, self.chance.randint(2, 40))
        )
        return round(part) if kind is int else part

    def _displays_resized(
        self, lines: "list[Line]", left: Any, wanted: Any
    ) -> "list[tuple[int, tuple[int, ...], Node]]":
        if type(wanted) is not int or not 0 <= wanted <= _MOST_ITEMS:
            return []
        found = []
        for number, line in enumerate(lines):
            for path, node in places(line.node):
                if node.kind in (LIST, TUPLE, SET) and len(node.items) == left:
                    items = node.items[:wanted]
                    while len(items) < wanted:
                        items = (*items, self.kinds.integer() if not node.items else node.items[0])
                    found.append((number, path, node.with_items(items)))
        return found

    def _moved(self, lines: "list[Line]", left: Any, right: Any) -> "list[Line]":
        """`left` becomes `right` wherever it may have come from."""
        options: list[tuple[int, tuple[int, ...], Node]] = []
        spare: list[tuple[int, tuple[int, ...], Node]] = []
        for number, path, node in _constants(lines):
            value = node.value
            if type(value) is type(left) and value == left:
                options.append((number, path, const(right)))
            elif isinstance(left, str) and isinstance(right, str):
                put = _text_put(value, left, right, self.chance)
                if put is not None:
                    options.append((number, path, const(put)))
            elif type(value) is type(right):
                spare.append((number, path, const(right)))
            elif type(value) is str and type(left) in (int, float):
                spare.append((number, path, const(str(right))))
        if isinstance(left, str) and isinstance(right, str) and not options:
            spare += [
                (number, path, const(right)) for number, path, node in _constants(lines)
                if type(node.value) is str
            ]  # fmt: skip
        return self._chosen(lines, options or spare)

    def _retyped(self, lines: "list[Line]", fits: Any, instead: Any = None) -> "list[Line]":
        """Some argument becomes a value of the wanted type."""
        found = [each for each in self.kinds.samples() if _holds(fits, each[1])]
        if not found:
            return lines
        made = self.kinds.make(self.chance.choice(found)[0])
        return self._put_somewhere(lines, made, instead)

    def _put_somewhere(
        self, lines: "list[Line]", made: Node, instead: "str | None" = None
    ) -> "list[Line]":
        """A value in the place of some argument; of one of the type `instead`, if there is such."""
        options = [
            (number, path, made, _type_name(node))
            for number, line in enumerate(lines)
            for path, node in places(line.node)
            if path and (node.kind == CONST or node.kind in DISPLAYS or node.about is None)
            and node.kind != REF and not is_receiver(line.node, path)
        ]  # fmt: skip
        fitting = [each[:3] for each in options if each[3] == instead]
        return self._chosen(lines, fitting or [each[:3] for each in options])

    def _chosen(
        self, lines: "list[Line]", options: "list[tuple[int, tuple[int, ...], Node]]"
    ) -> "list[Line]":
        if not options:
            return lines
        number, path, part = self.chance.choice(options)
        return with_part(lines, number, path, part)


def distance(pair: Pair) -> float:
    """How far a comparison is from coming out the other way; between 0 and 1."""
    _, left, right = pair
    if type(left) in (int, float) and type(right) in (int, float):
        gap = abs(left - right)
        return float(gap / (gap + 1)) if gap < _FARTHEST else 1.0
    if type(left) is str and type(right) is str:
        same = 0
        for one, other in zip(left, right):  # noqa: B905  to the shorter's end
            if one != other:
                break
            same += 1
        longest = max(len(left), len(right), 1)
        return 1 - (same + 1) / (longest + 1)
    return 1.0


def _constants(lines: "list[Line]") -> "list[tuple[int, tuple[int, ...], Node]]":
    return [
        (number, path, node)
        for number, line in enumerate(lines)
        for path, node in places(line.node)
        if node.kind == CONST
    ]


def _text_put(value: Any, left: str, right: str, chance: random.Random) -> "str | None":
    """A text in which `right` stands where `left` was found, also in another case."""
    if type(value) is bytes:
        try:
            value = value.decode()
        except UnicodeDecodeError:
            return None
    if type(value) is not str:
        return None
    if left and left in value:
        at = chance.choice([each for each in range(len(value)) if value.startswith(left, each)])
        return value[:at] + right + value[at + len(left) :]
    at = value.lower().find(left.lower().strip()) if left.strip() else -1
    if at >= 0:
        return value[:at] + right + value[at + len(left.strip()) :]
    if left == "" and len(value) < 200:
        at = chance.randint(0, len(value))
        return value[:at] + right + value[at:]
    return None


def _resized(value: Any, wanted: Any) -> Any:
    if type(wanted) is not int or not 0 <= wanted <= 4 * _MOST_ITEMS:
        return value
    filler = value or ("a" if isinstance(value, str) else b"a")
    return (value + filler * wanted)[:wanted]


def _type_name(node: Node) -> str:
    if node.kind == CONST:
        return type(node.value).__name__
    if node.kind in DISPLAYS:
        return node.kind
    return "function" if "lambda" in node.value[0] else ""


def _plain(value: Any) -> Any:
    return value if not isinstance(value, int) or abs(value) < 1 << 70 else 0


def _holds(fits: Any, value: Any) -> bool:
    try:
        return bool(fits(value))
    except Exception:  # noqa: BLE001  a foreign `__instancecheck__`
        return False


_NEAREST = 6
_PER_SCOPE = 16
_PER_CALLEE = 12
_SOME_OUTCOMES, _MOST_OUTCOMES = 4, 120


class Entry:
    """A try worth keeping."""

    __slots__ = ("callee", "hits", "is_junk", "is_steady", "lines", "origin", "outcome",
                 "results", "size")  # fmt: skip

    def __init__(
        self,
        lines: "list[Line]",
        hits: "frozenset[int]",
        is_junk: bool,
        results: "list[tuple[int, str]]",
        origin: str,
    ) -> None:
        self.lines = lines
        self.hits = hits
        self.is_junk = is_junk
        """Whether it ended in an error that says more about the arguments than about the code."""
        self.outcome = 0
        """What it came to, where that sets it apart from others that go the same ways."""
        self.is_steady = True
        """Whether it comes to the same on another day and with other chances."""
        self.results = results
        """Line numbers and kinds of results that more can be done with."""
        self.origin = origin
        self.callee = next((each.callee for each in reversed(lines) if each.callee), "")
        self.size = sum(line.node.size for line in lines) + 4 * len(lines)

    @property
    def rank(self) -> "tuple[bool, int]":
        """Smaller is better to show."""
        return self.is_poor, self.size

    @property
    def is_poor(self) -> bool:
        """Whether a test of it would say little, or waver."""
        return self.is_junk or not self.is_steady


class Memory:
    """All of it; crosses between processes as a whole."""

    def __init__(self, ways: "dict[int, str]") -> None:
        self.scopes = ways
        """The function of each way."""
        self.open = set(ways)
        self.entries: list[Entry] = []
        self.pioneers: list[Entry] = []
        """Those that were the first to go some way."""
        self.ranks: dict[int, tuple[bool, int]] = {}
        """Of each way taken, the rank of the best try that takes it."""
        self.near: dict[int, list[tuple[float, int, list[Line], Pair | None]]] = {}
        self.by_scope: dict[str, list[int]] = {}
        self.attempts: dict[int, int] = {}
        self.behaviours: dict[str, set[int]] = {}
        self.outcomes: dict[str, dict[int, int]] = {}
        """Of each callee, what it came to, and how many different things there were before."""
        self.tries = 0
        self.more: dict[str, Any] = {}
        """State of those who draw: constants learned, weights, chance."""

    def is_worth_keeping(self, entry: Entry) -> bool:
        """Whether it goes a new way, or an old one much better."""
        ranks = self.ranks
        for way in entry.hits:
            known = ranks.get(way)
            if known is None or (known[0] and not entry.is_poor) or (
                known[0] == entry.is_poor and known[1] > 2 * entry.size + 4
            ):  # fmt: skip
                return True
        return not entry.is_poor and self._is_new_behaviour(entry)

    def _is_new_behaviour(self, entry: Entry) -> bool:
        known = self.behaviours.setdefault(entry.callee or "", set())
        path = hash(entry.hits)
        if path in known or len(known) >= _PER_CALLEE:
            return False
        known.add(path)
        return True

    def is_new_outcome(self, entry: Entry, text: str, draw: float) -> bool:
        """Whether it came to something else than others of the same ways; the later, the rarer.

        Code without branches goes one way whatever it is given: what it comes to tells inputs
        apart, and a change of the code from what it was.
        """
        known = self.outcomes.setdefault(entry.callee or "", {})
        key = hash(text)
        if entry.is_junk or key in known or len(known) >= _MOST_OUTCOMES:
            return False
        known[key] = len(known)
        if draw * (1 + len(known)) > _SOME_OUTCOMES:
            return False
        entry.outcome = key
        return True

    def add(self, entry: Entry) -> None:
        """Keep a try."""
        number = len(self.entries)
        self.entries.append(entry)
        if entry.hits & self.open:
            self.pioneers.append(entry)
        for way in entry.hits:
            known = self.ranks.get(way)
            if known is None or entry.rank < known:
                self.ranks[way] = entry.rank
        for way in entry.hits & self.open:
            self.near.pop(way, None)
        self.open -= entry.hits
        for scope in {self.scopes[way] for way in entry.hits if way in self.scopes}:
            known_here = self.by_scope.setdefault(scope, [])
            known_here.append(number)
            if len(known_here) > _PER_SCOPE:
                del known_here[len(self.entries) % (_PER_SCOPE // 2)]

    def note_near(self, lines: "list[Line]", hits: "set[int]", pairs: "dict[int, Pair]") -> bool:
        """Remember the try where it comes near a way that none has taken; True if any nearer."""
        is_nearer = False
        for way in hits:
            other = way ^ 1
            if other not in self.open:
                continue
            pair = pairs.get(way & ~1)
            gap = 1.0 if pair is None else distance(pair)
            known = self.near.setdefault(other, [])
            if len(known) >= _NEAREST and gap >= known[-1][0]:
                continue
            if any(each[0] == gap and each[3] == pair for each in known):
                continue
            known.append((gap, len(lines), lines, pair))
            known.sort(key=lambda each: each[:2])
            del known[_NEAREST:]
            is_nearer = True
        for way, pair in pairs.items():
            if way in self.open and way not in hits and way + 1 not in hits:
                self._note(way, lines, pair)
            if -way in self.open:
                self._note(-way, lines, pair)
        return is_nearer

    def _note(self, way: int, lines: "list[Line]", pair: Pair) -> None:
        known = self.near.setdefault(way, [])
        gap = distance(pair)
        if len(known) < _NEAREST or gap < known[-1][0]:
            known.append((gap, len(lines), lines, pair))
            known.sort(key=lambda each: each[:2])
            del known[_NEAREST:]

    def __getstate__(self) -> "dict[str, Any]":
        state = dict(self.__dict__)
        state["near"] = {
            way: [(*each[:3], None if _is_bound(each[3]) else each[3]) for each in several]
            for way, several in self.near.items()
        }
        return state


def _is_bound(pair: "Pair | None") -> bool:
    """Whether it holds classes, which cannot cross."""
    return pair is not None and pair[0] == "isinstance"
