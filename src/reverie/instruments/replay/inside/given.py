"""What a call was given, taken from its frame, and the same a little otherwise."""

import copy
import random
from collections.abc import Sequence
from typing import Any

_MOST_TEXT = 400
_MOST_KEPT = 24
_EDGES: "dict[type, tuple[Any, ...]]" = {
    int: (0, 1, -1, 2, 10),
    float: (0.0, -1.5, 1.0, float("inf")),
    str: ("", " ", "a", "\n", "0", "-", "é"),
    bytes: (b"", b" ", b"a", b"\n"),
}
Place = tuple[str, str]
"""A parameter, and an attribute of what it is given; none for itself."""


class Given:
    """The arguments of one call and what its function finds around it."""

    def __init__(self, frame: Any) -> None:
        code, values = frame.f_code, frame.f_locals
        names = code.co_varnames
        count = code.co_argcount
        self.positional = list(names[:count])
        self.keywords = list(names[count : count + code.co_kwonlyargcount])
        place = count + code.co_kwonlyargcount
        self.rest: tuple[Any, ...] = ()
        self.more: dict[str, Any] = {}
        if code.co_flags & 4:
            self.rest = values[names[place]]
            place += 1
        if code.co_flags & 8:
            self.more = values[names[place]]
        self.values = {name: values[name] for name in (*self.positional, *self.keywords)}
        self.around = {name: values[name] for name in code.co_freevars if name in values}

    @property
    def args(self) -> "list[Any]":
        """By position."""
        return [*(self.values[name] for name in self.positional), *self.rest]

    @property
    def kwargs(self) -> "dict[str, Any]":
        """By name."""
        return {**{name: self.values[name] for name in self.keywords}, **self.more}

    def read(self, place: Place) -> Any:
        """What is at a place; an error where there is none."""
        name, attribute = place
        return getattr(self.values[name], attribute) if attribute else self.values[name]

    def put(self, place: Place, value: Any) -> None:
        """Something else at a place."""
        name, attribute = place
        if attribute:
            setattr(self.values[name], attribute, value)
        else:
            self.values[name] = value


class Disturbance:
    """Plain values at the places of one function, seen in earlier calls; and others like them."""

    def __init__(self, attributes: "Sequence[str]", constants: "Sequence[Any]") -> None:
        self._attributes = attributes
        self._constants = constants
        self._seen: dict[Place, list[Any]] = {}

    def places(self, given: Given) -> "list[Place]":
        """Those that hold something plain."""
        found: list[Place] = []
        for name in given.values:
            for attribute in ("", *self._attributes):
                try:
                    value = given.read((name, attribute))
                except Exception:  # noqa: BLE001  it has no such attribute, or none now
                    continue
                if _is_plain(value):
                    found.append((name, attribute))
        return found

    def learn(self, given: Given, places: "Sequence[Place]") -> None:
        """Remember what a real call had."""
        for place in places:
            kept = self._seen.setdefault(place, [])
            value = given.read(place)
            if type(value) in (list, dict, set):
                value = type(value)(value)  # the test goes on with its own
            if len(kept) < _MOST_KEPT and not any(_is_one(value, each) for each in kept):
                kept.append(value)

    def disturb(
        self, given: Given, places: "Sequence[Place]", chance: random.Random
    ) -> "list[tuple[Place, Any]]":
        """Put another value at one place, or at two; what was there, to be put back.

        The same chance does the same.
        """
        chosen = [chance.choice(places) for _ in range(1 if chance.random() < 0.75 else 2)]
        was: list[tuple[Place, Any]] = []
        for each in dict.fromkeys(chosen):
            try:
                before = given.read(each)
                given.put(each, self._other(before, each, chance))
            except Exception:  # noqa: BLE001  what cannot be set stays
                continue
            was.append((each, before))
        return was

    def _other(self, value: Any, place: Place, chance: random.Random) -> Any:
        seen = self._seen.get(place, ())
        if seen and (value is None or chance.random() < 0.3):
            return copy.copy(chance.choice(seen))  # the call may change it
        return self._near(value, chance)

    def _near(self, value: Any, chance: random.Random) -> Any:
        kind = type(value)
        if kind is bool:
            return not value
        like = [each for each in self._constants if type(each) is kind]
        if kind in _EDGES and chance.random() < 0.4:
            return chance.choice([*_EDGES[kind], *like])
        if kind is int:
            return chance.choice((value + 1, value - 1, -value, value * 2, value // 2))
        if kind is float:
            return chance.choice((value + 1, -value, value / 2, float(int(value))))
        if kind in (str, bytes):
            return _near_text(value, like, chance)
        if kind in (list, tuple):
            return kind(self._near_items(list(value), chance))
        if kind is dict:
            return self._near_mapping(value, chance)
        if kind in (set, frozenset):
            return kind(sorted(value, key=repr)[1:])
        return value

    def _near_items(self, items: "list[Any]", chance: random.Random) -> "list[Any]":
        if not items:
            return list(chance.choice(self._lists() or [[None]]))
        way, at = chance.randrange(6), chance.randrange(len(items))
        if way == 0:
            return items[:at]
        if way == 1:
            return items[::-1]
        if way == 2:
            return [*items, items[at]]
        if way == 3:
            return items[:at] + items[at + 1 :]
        return [*items[:at], self._near(items[at], chance), *items[at + 1 :]]

    def _lists(self) -> "list[Any]":
        return [
            each for seen in self._seen.values() for each in seen if type(each) in (list, tuple)
        ]

    def _near_mapping(self, value: "dict[Any, Any]", chance: random.Random) -> "dict[Any, Any]":
        if not value:
            return value
        key = chance.choice(list(value))
        if chance.random() < 0.4:
            return {each: item for each, item in value.items() if each != key}
        return {**value, key: self._near(value[key], chance)}


def _near_text(value: Any, like: "list[Any]", chance: random.Random) -> Any:
    at = chance.randrange(len(value) + 1)
    pieces = [*like, *_EDGES[type(value)]]
    return chance.choice(
        (
            value[:at],
            value[at:],
            value[:at] + value[at + 1 :],
            value[:at] + chance.choice(pieces) + value[at:],
            value[:at] + value[at : at + 1] + value[at:],
            value.swapcase(),
            value + value,
        )
    )


def _is_plain(value: Any) -> bool:
    """Whether it is of a type whose neighbours are known; of containers, the type is enough."""
    kind = type(value)
    if kind in (str, bytes):
        return len(value) <= 100 * _MOST_TEXT
    return value is None or kind in (bool, int, float, list, tuple, dict, set, frozenset)


def _is_one(value: Any, other: Any) -> bool:
    if type(value) is not type(other):
        return False
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        return value is other
    return bool(value == other)
