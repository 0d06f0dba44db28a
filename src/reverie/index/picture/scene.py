"""What the picture shows and where: a circle for each module, inside the circle of its group.

Circles are laid beside one another without overlap, near where they want to be. Nothing random.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reverie.index.graph import ImportGraph, ModuleNames, layers, reverse_reach
from reverie.model.repository.code import CodeIndex, Module
from reverie.model.repository.standing import Group, ModuleMap, ModuleSignals, ModuleStanding

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


_SMALLEST, _PER_ROOT_LINE = 3.0, 0.6
_MODULE_GAP, _GROUP_GAP, _GROUP_MARGIN = 1.6, 26.0, 8.0
_GROUP_STEP = 8.0


@dataclass(frozen=True, slots=True)
class Dot:
    """One module. Measures that nobody made are None."""

    name: str
    path: str
    group: int
    circle: Circle
    loc: int
    functions: int
    tier: str
    coverage: float | None
    hotness: float | None
    layer: int
    reach: float | None
    marks: tuple[str, ...]
    reasons: tuple[str, ...]
    error: str | None


@dataclass(frozen=True, slots=True)
class Ring:
    """One group."""

    id: str
    label: str
    circle: Circle


@dataclass(frozen=True, slots=True)
class Scene:
    """The whole picture. Edges are pairs of places in `dots`: importer, imported."""

    title: str
    dots: tuple[Dot, ...]
    rings: tuple[Ring, ...]
    edges: tuple[tuple[int, int], ...]


def compose_scene(
    index: CodeIndex,
    module_map: ModuleMap,
    standings: Sequence[ModuleStanding],
    signals: Mapping[str, ModuleSignals],
    title: str,
) -> Scene:
    """Lay out an index. The same index gives the same picture."""
    names = ModuleNames(index.modules)
    graph = ImportGraph.of(index, names)
    inner = [_inner_circles(group, names) for group in module_map.groups]
    rings = _rings(module_map.groups, inner, graph)
    measured = _Measures(
        layers(graph.imports),
        reverse_reach(graph.imports),
        {each.path: each for each in standings},
        signals,
    )
    dots: list[Dot] = []
    for at, circles in enumerate(inner):
        for path, circle in circles.items():
            moved = Circle(
                circle.x + rings[at].circle.x, circle.y + rings[at].circle.y, circle.radius
            )
            dots.append(_dot(names.by_path[path], at, moved, measured))
    place = {dot.path: at for at, dot in enumerate(dots)}
    edges = sorted((place[a], place[b]) for a, others in graph.imports.items() for b in others)
    return Scene(title, tuple(dots), tuple(rings), tuple(edges))


@dataclass(frozen=True, slots=True)
class _Measures:
    layers: Mapping[str, int]
    reach: Mapping[str, float | None]
    standings: Mapping[str, ModuleStanding]
    signals: Mapping[str, ModuleSignals]


def _dot(module: Module, group: int, circle: Circle, measured: _Measures) -> Dot:
    standing = measured.standings.get(module.path)
    signals = measured.signals.get(module.path, ModuleSignals())
    marks = ("orphan", "isolated", "redundant", "legacy")
    return Dot(
        name=module.name,
        path=module.path,
        group=group,
        circle=circle,
        loc=module.loc,
        functions=len(module.functions) + sum(len(each.methods) for each in module.classes),
        tier=module.tier.value,
        coverage=signals.coverage,
        hotness=signals.hotness,
        layer=measured.layers[module.path],
        reach=measured.reach[module.path],
        marks=tuple(mark for mark in marks if standing is not None and getattr(standing, mark)),
        reasons=() if standing is None else standing.reasons,
        error=module.error,
    )


def _inner_circles(group: Group, names: ModuleNames) -> dict[str, Circle]:
    """The modules of a group around its centre, the largest inside."""
    paths = sorted(group.members, key=lambda path: (-names.by_path[path].loc, path))
    radii = [_SMALLEST + _PER_ROOT_LINE * math.sqrt(names.by_path[path].loc) for path in paths]
    return dict(zip(paths, pack(radii, _MODULE_GAP), strict=True))


def _rings(
    groups: Sequence[Group], inner: Sequence[Mapping[str, Circle]], graph: ImportGraph
) -> list[Ring]:
    """Groups in the plane, each as near as there is room to those it is tied to."""
    radii = [enclosing_radius(list(each.values())) + _GROUP_MARGIN for each in inner]
    home = {path: at for at, group in enumerate(groups) for path in group.members}
    ties: Counter[tuple[int, int]] = Counter()
    for path, others in graph.imports.items():
        for other in others:
            ties[home[path], home[other]] += 1
    plane = Plane(_GROUP_GAP, 2 * max(radii, default=1.0))
    laid: dict[int, Circle] = {}
    for at in sorted(range(len(groups)), key=lambda each: -radii[each]):
        weights = {other: ties[at, other] + ties[other, at] for other in laid}
        total = sum(weights.values()) or 1
        x = sum(laid[other].x * weight for other, weight in weights.items()) / total
        y = sum(laid[other].y * weight for other, weight in weights.items()) / total
        laid[at] = plane.lay(radii[at], spiral(x, y, _GROUP_STEP))
    return [Ring(group.id, group.label, laid[at]) for at, group in enumerate(groups)]
