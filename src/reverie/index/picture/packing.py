"""Lays circles beside one another without overlap, near where they want to be. Nothing random."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_FINEST = 2.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle in the plane."""

    x: float
    y: float
    radius: float


class Plane:
    """Circles already laid; a grid keeps the search for free spots short."""

    def __init__(self, gap: float, cell: float) -> None:
        self._gap = gap
        self._cell = max(cell, 1.0)
        self._cells: dict[tuple[int, int], list[Circle]] = defaultdict(list)
        self._largest = 0.0

    def lay(self, radius: float, spots: Iterator[tuple[float, float]]) -> Circle:
        """Put a circle on the first of the spots that is free for it."""
        for x, y in spots:
            circle = Circle(x, y, radius)
            if self._is_free(circle):
                self._add(circle)
                return circle
        raise AssertionError("a spiral has no end")

    def _add(self, circle: Circle) -> None:
        self._cells[self._cell_of(circle.x, circle.y)].append(circle)
        self._largest = max(self._largest, circle.radius)

    def _is_free(self, circle: Circle) -> bool:
        reach = circle.radius + self._largest + self._gap
        left, top = self._cell_of(circle.x - reach, circle.y - reach)
        right, bottom = self._cell_of(circle.x + reach, circle.y + reach)
        for column in range(left, right + 1):
            for row in range(top, bottom + 1):
                for other in self._cells.get((column, row), ()):
                    apart = math.hypot(circle.x - other.x, circle.y - other.y)
                    if apart < circle.radius + other.radius + self._gap:
                        return False
        return True

    def _cell_of(self, x: float, y: float) -> tuple[int, int]:
        return math.floor(x / self._cell), math.floor(y / self._cell)


def pack(radii: Sequence[float], gap: float) -> list[Circle]:
    """Circles around the origin, in the order given: along one spiral, largest first packs best."""
    plane = Plane(gap, 2 * max(radii, default=1.0))
    spots = spiral(0.0, 0.0, max(min(radii, default=1.0), _FINEST))
    return [plane.lay(radius, spots) for radius in radii]


def enclosing_radius(circles: Sequence[Circle]) -> float:
    """How far circles around the origin reach."""
    return max((math.hypot(each.x, each.y) + each.radius for each in circles), default=0.0)


def spiral(x: float, y: float, step: float) -> Iterator[tuple[float, float]]:
    """Points that wind outwards around a point, about a step apart each way, without end."""
    yield x, y
    distance, angle = step, 0.0
    while True:
        yield x + distance * math.cos(angle), y + distance * math.sin(angle)
        turn = min(1.0, step / distance)
        angle += turn
        distance += step * turn / (2 * math.pi)
