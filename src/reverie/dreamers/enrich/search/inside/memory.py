"""What a search knows: tries worth keeping, ways taken, and how near the others are."""

from typing import Any

from .nodes import Line
from .solving import Pair, distance

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
