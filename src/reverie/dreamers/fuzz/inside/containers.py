"""A class beside a plain model of it: random uses of both, and the shortest where they differ."""

import itertools
import random
import time
from typing import Any

from reverie.dreamers.enrich.search.inside.trying import OutOfTime, guarded

from .checking import shown
from .prelude import same

MISSING = object()
WORDS = ("a", "to", "tone", "ton", "tea", "ten", "i", "in", "inn", "b", "", "té")


class Model:
    """A container that is slow, obvious and right. Answers are `MISSING` where there is none."""

    def __init__(self, kind: str, capacity: "int | None", is_largest_first: bool) -> None:
        self.kind = kind
        self.capacity = capacity
        self.sign = -1 if is_largest_first else 1
        self.items: list[Any] = []
        self.pairs: dict[Any, Any] = {}
        self.taken = 0

    def answer(self, role: str, args: "list[Any]") -> Any:
        """Do what the role does, and say what it should return; None where anything will do."""
        return getattr(self, f"_{role}")(*args)

    def _add(self, value: Any) -> None:
        if self.kind in ("set", "bloom"):
            self.items = [*self.items, value] if value not in self.items else self.items
            return
        self.items.append(value)
        if self.kind == "ring" and self.capacity is not None:
            del self.items[: -self.capacity]

    def _rank(self, item: Any, priority: int) -> None:
        self.items.append((priority, len(self.items) + self.taken, item))

    def _least(self) -> Any:
        return min(self.items) if self.items else MISSING

    def _most(self) -> Any:
        return max(self.items) if self.items else MISSING

    def _has(self, value: Any) -> bool:
        return value in self.items or value in self.pairs

    def _remove(self, value: Any) -> Any:
        if not self._has(value):
            return MISSING
        if value in self.items:
            self.items.remove(value)
        self.pairs.pop(value, None)
        return None

    def _take(self) -> Any:
        if self.kind == "priority":
            return self._take_first()
        value = self._peek()
        if value is not MISSING:
            self.items.remove(value) if self.kind != "stack" else self.items.pop()
        return value

    def _peek(self) -> Any:
        if not self.items:
            return MISSING
        if self.kind == "heap":
            return min(self.items, key=lambda each: each * self.sign)
        return self.items[-1 if self.kind == "stack" else 0]

    def _take_first(self) -> Any:
        if not self.items:
            return MISSING
        first = min(self.items, key=lambda each: (each[0] * self.sign, each[1]))
        self.items.remove(first)
        self.taken += 1
        return first[2]

    def _items(self) -> "list[Any]":
        return list(self.items)

    def _size(self) -> int:
        return len(self.pairs) if self.kind in ("map", "lru", "fifo_map") else len(self.items)

    def _store(self, key: Any, value: Any) -> None:
        is_new = key not in self.pairs
        if is_new and self.capacity is not None and len(self.pairs) >= self.capacity:
            del self.pairs[next(iter(self.pairs))]
        if not is_new and self.kind == "lru":
            del self.pairs[key]
        self.pairs[key] = value

    def _look(self, key: Any) -> Any:
        if key not in self.pairs:
            return MISSING
        value = self.pairs[key]
        if self.kind == "lru":
            del self.pairs[key]
            self.pairs[key] = value
        return value

    def _join(self, one: Any, other: Any) -> None:
        merged = self._part(one) | self._part(other)
        self.items = [each for each in self.items if not each & merged] + [merged]

    def _joined(self, one: Any, other: Any) -> bool:
        return other in self._part(one)

    def _part(self, value: Any) -> "set[Any]":
        return next((each for each in self.items if value in each), {value})


USES = {
    "set": (("add", 1), ("remove", 1), ("has", 1), ("size", 0)),
    "bag": (("add", 1), ("remove", 1), ("has", 1), ("size", 0)),
    "priority": (("rank", 2), ("take", 0), ("size", 0)),
    "bloom": (("add", 1), ("has", 1)),
    "map": (("store", 2), ("look", 1), ("remove", 1), ("has", 1), ("size", 0)),
    "lru": (("store", 2), ("look", 1), ("size", 0)),
    "fifo_map": (("store", 2), ("look", 1), ("size", 0)),
    "heap": (("add", 1), ("take", 0), ("peek", 0), ("least", 0), ("most", 0), ("size", 0)),
    "stack": (("add", 1), ("take", 0), ("peek", 0), ("least", 0), ("most", 0), ("size", 0)),
    "queue": (("add", 1), ("take", 0), ("peek", 0), ("least", 0), ("most", 0), ("size", 0)),
    "ring": (("add", 1), ("items", 0), ("size", 0)),
    "partition": (("join", 2), ("joined", 2)),
}
"""What is done with each kind of container: roles, and how many values each is given."""
LAST = {
    "set": "has", "bag": "has", "priority": "take", "bloom": "has", "map": "look", "lru": "look",
    "fifo_map": "look", "heap": "take",
    "stack": "take", "queue": "take", "ring": "items", "partition": "joined",
}  # fmt: skip
"""What shows the state at the end."""


_SHORT = 2
_LEAST_SHARE = 0.8
_ROOM = 50
_PATIENT = 4.0
_SAME = "=="
Use = tuple[str, tuple[Any, ...]]


class Parted:
    """A use on which class and model part."""

    def __init__(
        self, uses: "list[Use]", expected: Any, actual: str, is_late: bool = False
    ) -> None:
        self.uses = uses
        self.expected = expected
        self.actual = actual
        self.is_late = is_late


class Comparison:
    """One class and its model."""

    def __init__(self, made: Any, told: "dict[str, Any]", chance: random.Random) -> None:
        self.made = made
        self.told = told
        self.kind: str = told["model"]
        self.roles: dict[str, str] = told["roles"]
        self.chance = chance
        self.runs = 0
        self.short = [0, 0]
        """Short uses: all, and those on which they agree."""

    def search(self, until: float, most: int) -> "Parted | None":
        """Uses at random until one parts them; None too when even short ones nearly always do."""
        found: Parted | None = None
        for _ in range(most):
            if time.monotonic() > until:
                break
            capacity = self._capacity()
            uses = self._uses()
            parted = self.run(capacity, uses)
            if len(uses) <= _SHORT:
                self.short[0] += 1
                self.short[1] += parted is None
            if parted is not None and (found is None or len(parted.uses) < len(found.uses)):
                found = self._shrunk(capacity, parted, until)
                self.capacity = capacity
                if parted.is_late:
                    break  # each such use takes seconds
        if found is not None and found.is_late:
            return found
        if not self.short[0] or self.short[1] / self.short[0] < _LEAST_SHARE:
            return None
        return found

    def _capacity(self) -> "int | None":
        """Small where it is what the model is about; otherwise there is always room."""
        if not self.told["capacity"]:
            return None
        is_about = self.kind in ("lru", "fifo_map", "ring", "partition")
        return self.chance.choice((1, 2, 2, 3, 4)) if is_about else _ROOM

    def _uses(self) -> "list[Use]":
        options = [each for each in USES[self.kind] if each[0] in self.roles]
        many = self.chance.choice((1, 2, 3, 3, 4, 5, 6, 8, 10, 14))
        several = [self._use(*self.chance.choice(options[:1] * 2 + options)) for _ in range(many)]
        if LAST[self.kind] in self.roles:
            several.append(self._use(LAST[self.kind], dict(USES[self.kind])[LAST[self.kind]]))
        return several

    def _use(self, role: str, many: int) -> Use:
        if many == 2 and role == "store":
            return role, (self._value(), self.chance.randint(0, 99))
        if role == "rank":
            top = 4 if self.told["is_stable"] else 10**6
            return role, (self.chance.randint(0, 99), self.chance.randint(0, top))
        return role, tuple(self._value() for _ in range(many))

    def _value(self) -> Any:
        if "str" in self.told["key_hint"] and "int" not in self.told["key_hint"]:
            return self.chance.choice(WORDS)
        return self.chance.randint(0, 6 if self.kind != "heap" else 20)

    def make(self, capacity: "int | None") -> Any:
        """A new instance."""
        if capacity is None:
            return self.made()
        return self.made(
            **{self.told["capacity"]: capacity + (5 if self.kind == "partition" else 0)}
        )

    def run(
        self, capacity: "int | None", uses: "list[Use]", patience: float = 1.0
    ) -> "Parted | None":
        """The first use after which the two part; one that never ends is such a use."""
        self.runs += 1
        model = Model(self.kind, capacity, self.told["is_largest_first"])
        place, expected = 0, None
        try:
            with guarded(patience):
                subject = self.make(capacity)
                for place, (role, args) in enumerate(uses):
                    if self.kind == "partition" and capacity is not None:
                        args = tuple(each % (capacity + 5) for each in args)
                    expected = model.answer(role, list(args))
                    told = self._difference(subject, role, args, expected)
                    if told is not None:
                        return Parted([*uses[:place], (role, args)], expected, told)
        except OutOfTime:
            if patience < _PATIENT:
                return self.run(capacity, uses[: place + 1], _PATIENT)
            return Parted(uses[: place + 1], expected, "it does not return", is_late=True)
        except Exception:  # noqa: BLE001  it cannot even be made
            return None
        return None

    def _difference(
        self, subject: Any, role: str, args: "tuple[Any, ...]", expected: Any
    ) -> "str | None":
        name = self.roles[role]
        try:
            given = args[::-1] if role == "rank" and self.told["is_priority_first"] else args
            if name.endswith(_SAME):
                ask = getattr(subject, name.removesuffix(_SAME))
                actual = ask(given[0]) == ask(given[1])
            else:
                actual = getattr(subject, name)(*given)
            if role == "items" and not isinstance(actual, (list, tuple)):
                actual = list(itertools.islice(actual, 1000))
        except Exception as error:  # noqa: BLE001  it may say so that there is nothing
            if expected is MISSING:
                return None
            return f"{type(error).__name__}: {error}"[:200]
        if expected is None:
            return None
        if expected is MISSING:
            is_none = actual is None or actual is False or actual == -1 or role == "remove"
            return None if is_none else shown(actual)
        if role in ("has", "joined"):
            return (
                None
                if bool(actual) == expected or (expected is False and self.kind == "bloom")
                else shown(actual)
            )
        if role == "items":
            return None if same(list(actual), expected) else shown(actual)
        return None if same(actual, expected) else shown(actual)

    def _shrunk(self, capacity: "int | None", parted: Parted, until: float) -> Parted:
        """Without the uses that are not needed, as far as there is time."""
        is_shorter = True
        while is_shorter:
            is_shorter = False
            for place in range(len(parted.uses) - 1):
                if time.monotonic() > until:
                    return parted
                again = self.run(capacity, parted.uses[:place] + parted.uses[place + 1 :])
                if again is not None and len(again.uses) < len(parted.uses):
                    parted, is_shorter = again, True
                    break
        return parted

    def document(self, parted: Parted) -> "dict[str, Any]":
        """The finding as source: what was done, what was asked last, and what the model says."""
        given = "" if self.capacity is None else f"{self.told['capacity']}={self._given()}"
        lines = [f"subject = {self.told['name']}({given})"]
        for role, args in parted.uses[:-1]:
            if role == "rank" and self.told["is_priority_first"]:
                args = args[::-1]
            lines.append(self._text(role, args))
        role, args = parted.uses[-1]
        asked = self._text(role, args)
        if role == "items":
            asked = f"list({asked})"
        missing = parted.expected is MISSING
        return {
            "lines": lines,
            "asked": asked,
            "expected": None if missing else repr(parted.expected),
            "actual": parted.actual,
            "is_truth": role in ("has", "joined"),
            "is_late": parted.is_late,
        }

    def _text(self, role: str, args: "tuple[Any, ...]") -> str:
        name = self.roles[role]
        if name.endswith(_SAME):
            name = name.removesuffix(_SAME)
            return " == ".join(f"subject.{name}({each!r})" for each in args)
        return f"subject.{name}({', '.join(map(repr, args))})"

    def _given(self) -> int:
        return (self.capacity or 0) + (5 if self.kind == "partition" else 0)
