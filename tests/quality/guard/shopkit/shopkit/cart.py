"""A cart of items."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One line of a cart."""

    sku: str
    cents: int
    count: int = 1


class Cart:
    """Items in the order in which they were put in."""

    def __init__(self) -> None:
        self._items: list[Item] = []

    def add(self, item: Item) -> None:
        """Put an item in; a count below one is refused."""
        if item.count < 1:
            raise ValueError("count must be at least one")
        self._items.append(item)

    def total(self) -> int:
        """What all items cost."""
        total = 0
        for item in self._items:
            total += item.cents * item.count
        return total

    def skus(self) -> list[str]:
        """Every sku once, in order."""
        found: list[str] = []
        for item in self._items:
            if item.sku not in found:
                found.append(item.sku)
        return found

    def remove(self, sku: str) -> int:
        """Take out all items of a sku; how many lines went."""
        kept = [item for item in self._items if item.sku != sku]
        gone = len(self._items) - len(kept)
        self._items = kept
        return gone
