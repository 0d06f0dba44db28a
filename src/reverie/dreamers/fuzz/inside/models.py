"""Plain models of containers: what a cache, a heap, a trie or a ring has to answer."""

from typing import Any

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
