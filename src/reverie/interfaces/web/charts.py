"""Plots and the module map as inline SVG: coloured by the page's style, read without a script.

In the map every module is a rectangle as large as its lines, laid out by package.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reverie.cycle.report.inert import inert
from reverie.interfaces.web.rendering import url
from reverie.model.foresight import Projection
from reverie.model.outcome import counted
from reverie.store.browsing.modules import IndexedModule

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _FOOT = 640, 220, 56, 14, 14, 26

_TALL, _SIDE = 300, 70
"""How high the plot of hot spots is, and what its shares take at the left."""
_SPOT, _ASIDE = 24, 6
"""Width of a place for a spot on a plot, and how many places aside it may stand."""
_DATA = 1 << 16
"""Characters of what a plot hands to the script."""


@dataclass(frozen=True, slots=True)
class Point:
    """One cycle on a plot."""

    label: str
    value: float
    href: str | None = None
    note: str = ""
    """What is told beside the label, not on the axis."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One module on a plot of changes against coverage."""

    told: str
    changes: float
    share: float
    """Of its branches (or lines) that tests run."""
    size: int
    href: str
    kind: str = ""
    name: str = ""
    """Written beside it; empty: only told to whoever points at it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """How values are told, and bounds that they cannot leave."""

    scale: float = 1.0
    name: str = ""
    low: float | None = None
    high: float | None = None
    least: float = 0.0
    """What an axis shows at the least from end to end: a small step shall not look like a leap."""

    def told(self, value: float) -> str:
        """A value with its unit."""
        return f"{self.scale * value:.3g}{self.name}"


SHARES = Unit(100.0, " %", 0.0, 1.0, least=0.2)
COUNTS = Unit()
POINTS = Unit()
"""Of worth: a number to compare with, without a unit of its own."""


@dataclass(frozen=True, slots=True)
class _Frame:
    low: float
    high: float
    columns: int

    def x(self, column: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * column / max(1, self.columns - 1), 1)

    def y(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return round(_HEIGHT - _FOOT - (_HEIGHT - _TOP - _FOOT) * min(max(share, 0.0), 1.0), 1)


def line_chart(
    title: str,
    points: Sequence[Point],
    unit: Unit = COUNTS,
    ahead: Sequence[Projection] = (),
) -> Markup:
    """A line over cycles; behind it what is expected, in bands of 80 and 95 of 100."""
    frame = _frame(points, unit, ahead)
    body = [_grid(frame, unit), *_bands(frame, len(points), ahead)]
    line = " ".join(f"{frame.x(n)},{frame.y(each.value)}" for n, each in enumerate(points))
    body.append(f'<polyline class="line" points="{line}"/>')
    if ahead and points:
        start = f"{frame.x(len(points) - 1)},{frame.y(points[-1].value)}"
        rest = (f"{frame.x(len(points) + n)},{frame.y(e.value)}" for n, e in enumerate(ahead))
        body.append(f'<polyline class="line ahead" points="{start} {" ".join(rest)}"/>')
    body += [_dot(frame, n, each, unit) for n, each in enumerate(points)]
    body.append(_ends(frame, points))
    last = f", last {unit.told(points[-1].value)}" if points else ""
    told = inert(f"{title}: {counted(len(points), 'point')}{last}")
    return Markup(
        f'<div class="plot" data-plot="{inert(_data(points, unit, ahead), _DATA)}">'
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="group" '
        f'aria-label="{told}">{"".join(body)}</svg></div>'
    )


def _data(points: Sequence[Point], unit: Unit, ahead: Sequence[Projection]) -> str:
    """What the script draws again, to be pointed at and zoomed into."""
    return json.dumps(
        {
            "labels": [each.label for each in points] + [f"+{each.ahead}" for each in ahead],
            "notes": [each.note for each in points],
            "links": [each.href for each in points],
            "values": [_rounded(unit, each.value) for each in points],
            "ahead": [
                [_rounded(unit, value) for value in (e.value, e.low80, e.high80, e.low95, e.high95)]
                for e in ahead
            ],
            "unit": unit.name,
            "low": None if unit.low is None else unit.scale * unit.low,
            "high": None if unit.high is None else unit.scale * unit.high,
            "least": unit.scale * unit.least,
        }
    )


def _rounded(unit: Unit, value: float) -> float:
    return round(unit.scale * value, 4)


def scatter(title: str, spots: Sequence[Spot]) -> Markup:
    """Modules by how often they change (across) and how much tests run of them (up)."""
    most = max((each.changes for each in spots), default=0.0) or 1.0
    largest = max((each.size for each in spots), default=1) or 1
    body = [_scatter_grid()]
    labels: list[tuple[str, float, float, float]] = []
    taken: _Taken = {}
    for each in sorted(spots, key=lambda spot: (bool(spot.kind), -spot.size)):
        # By the root: one module that changes all the time would push the others into a corner.
        wanted = _SIDE + 16 + (_WIDTH - _SIDE - _RIGHT - 32) * (each.changes / most) ** 0.5
        y = _height(each.share)
        x = _free(taken, wanted, y)
        radius = round(4 + 10 * (each.size / largest) ** 0.5, 1)
        tip = inert(each.told)
        body.append(
            f'<a href="{inert(each.href)}" aria-label="{tip}"><title>{tip}</title>'
            f'<circle class="spot {each.kind}" cx="{x}" cy="{y}" r="{radius}"/></a>'
        )
        labels.append((each.name, x, y, radius))
    body += _beside(labels)
    return Markup(
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_TALL}" role="group" '
        f'aria-label="{inert(title)}">{"".join(body)}</svg>'
    )


_Taken = dict[tuple[int, int], tuple[float, float]]
"""Where spots stand, by cell: a spot can only touch those of the nine cells around it."""


def _free(taken: _Taken, x: float, y: float) -> float:
    """The nearest place at a height where no spot stands yet; as wanted where all is full."""
    for steps in range(2 * _ASIDE + 1):
        aside = (steps + 1) // 2 * (-1 if steps % 2 else 1)
        at = round(x + aside * _SPOT, 1)
        if _SIDE < at < _WIDTH - _RIGHT and not _is_taken(taken, at, y):
            break
    else:
        at = round(x, 1)
    taken[int(at // _SPOT), int(y // _SPOT)] = (at, y)
    return at


def _is_taken(taken: _Taken, x: float, y: float) -> bool:
    column, row = int(x // _SPOT), int(y // _SPOT)
    around = ((column + n, row + m) for n in (-1, 0, 1) for m in (-1, 0, 1))
    near = (taken[cell] for cell in around if cell in taken)
    return any(abs(x - left) < _SPOT and abs(y - top) < _SPOT for left, top in near)


def _beside(labels: Sequence[tuple[str, float, float, float]]) -> list[str]:
    """Names next to their spots, each where it touches neither another name nor another spot."""
    drawn: list[str] = []
    taken = [_Box(x - r, y - r, 2 * r, 2 * r) for _, x, y, r in labels]
    for place, (name, x, y, radius) in enumerate(labels):
        others = taken[:place] + taken[place + 1 :]
        for anchor, at, height in _places(x, y, radius):
            wide = _CHARACTER * len(name)
            left = at - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
            box = _Box(left, height - 10, wide, 13)
            if name and left > _SIDE and not any(_touch(box, each) for each in others):
                taken.append(box)
                drawn.append(
                    f'<text class="spotname" x="{at:.1f}" y="{height:.1f}" '
                    f'text-anchor="{anchor}">{inert(name, 40)}</text>'
                )
                break
    return drawn


def _places(x: float, y: float, radius: float) -> list[tuple[str, float, float]]:
    """Where a name can stand beside a spot: how it is anchored, and where."""
    right, left = ("start", x + radius + 4, y + 4), ("end", x - radius - 4, y + 4)
    sides = [left, right] if x > _WIDTH * 0.7 else [right, left]
    above, below = y - radius - 5, y + radius + 13
    return [
        *sides,
        *(("middle", x, height) for height in (above, below)),
        *(("end", x, height) for height in (above, below)),
        *(("start", x, height) for height in (above, below)),
    ]


def _touch(one: "_Box", two: "_Box") -> bool:
    across = one.x < two.x + two.width and two.x < one.x + one.width
    return across and one.y < two.y + two.height and two.y < one.y + one.height


def _height(share: float) -> float:
    """Where a share stands, with room for a spot below and above."""
    return round(_TALL - _FOOT - 16 - (_TALL - _TOP - _FOOT - 28) * share, 1)


def _scatter_grid() -> str:
    lines = []
    for share in (0, 25, 50, 75, 100):
        y = _height(share / 100)
        lines.append(f'<line class="grid" x1="{_SIDE}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>')
        lines.append(
            f'<text class="tick" x="{_SIDE - 6}" y="{y + 4}" text-anchor="end">{share} %</text>'
        )
    y = _TALL - 6
    lines.append(f'<text class="tick" x="{_SIDE}" y="{y}">seldom changed</text>')
    lines.append(
        f'<text class="tick" x="{_WIDTH - _RIGHT}" y="{y}" text-anchor="end">often changed</text>'
    )
    return "".join(lines)


def stacked_bar(parts: Sequence[tuple[str, str, float]]) -> Markup:
    """A bar of parts, each a colour class, a word and a size."""
    whole = sum(size for _, _, size in parts)
    if not whole:
        return Markup("")
    told = ", ".join(f"{size:g} {word}" for _, word, size in parts if size)
    body, at = [], 0.0
    for kind, _, size in parts:
        width = 100 * size / whole
        body.append(f'<rect class="{kind}" x="{at:.2f}" y="0" width="{width:.2f}" height="8"/>')
        at += width
    return Markup(
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" '
        f'aria-label="{inert(told)}"><title>{inert(told)}</title>{"".join(body)}</svg>'
    )


def _frame(points: Sequence[Point], unit: Unit, ahead: Sequence[Projection]) -> _Frame:
    values = [each.value for each in points]
    values += [bound for each in ahead for bound in (each.low95, each.high95)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = max(0.06 * (high - low), (unit.least - (high - low)) / 2) or 0.05 * abs(high) or 1.0
    low, high = low - room, high + room
    low = low if unit.low is None else max(low, unit.low)
    high = high if unit.high is None else min(high, unit.high)
    return _Frame(low, high, len(points) + len(ahead))


def _grid(frame: _Frame, unit: Unit) -> str:
    lines = []
    for part in range(5):
        value = frame.low + (frame.high - frame.low) * part / 4
        y = frame.y(value)
        lines.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>')
        told = inert(unit.told(value))
        lines.append(
            f'<text class="tick" x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{told}</text>'
        )
    return "".join(lines)


def _bands(frame: _Frame, start: int, ahead: Sequence[Projection]) -> list[str]:
    if not ahead:
        return []
    bands = []
    for level in ("95", "80"):
        above = [(n, getattr(each, f"high{level}")) for n, each in enumerate(ahead)]
        below = [(n, getattr(each, f"low{level}")) for n, each in enumerate(ahead)][::-1]
        points = " ".join(f"{frame.x(start + n)},{frame.y(v)}" for n, v in (*above, *below))
        bands.append(f'<polygon class="band{level}" points="{points}"/>')
    return bands


def _dot(frame: _Frame, column: int, point: Point, unit: Unit) -> str:
    tip = inert(f"{point.label}: {unit.told(point.value)}")
    x, y = frame.x(column), frame.y(point.value)
    dot = f'<circle class="dot" cx="{x}" cy="{y}" r="4"><title>{tip}</title></circle>'
    if point.href is None:
        return dot
    return f'<a href="{inert(point.href)}" aria-label="{tip}">{dot}</a>'


def _ends(frame: _Frame, points: Sequence[Point]) -> str:
    if not points:
        return ""
    y = _HEIGHT - 6
    first = f'<text class="tick" x="{_LEFT}" y="{y}">{inert(points[0].label)}</text>'
    if len(points) == 1:
        return first
    x = frame.x(len(points) - 1)
    last = inert(points[-1].label)
    return f'{first}<text class="tick" x="{x}" y="{y}" text-anchor="end">{last}</text>'


MOST_TILES = 800
"""Modules that are drawn; a picture of more shows nothing."""
_HEAD, _GAP = 16.0, 2.0
_CHARACTER, _WIDE_CHARACTER = 6.6, 7.6


@dataclass(frozen=True, slots=True)
class Tile:
    """A module on the map."""

    module: IndexedModule
    share: float | None
    """Of its branches (or lines) that tests reach; None: not measured."""
    promoted: int


@dataclass(frozen=True, slots=True)
class _Box:
    x: float
    y: float
    width: float
    height: float


def draw_map(tiles: Sequence[Tile], *, is_upright: bool = False) -> Markup:
    """The largest modules, grouped by package; for a screen that is wide, or for one upright."""
    largest = sorted(tiles, key=lambda tile: -tile.module.lines)[:MOST_TILES]
    groups: dict[str, list[Tile]] = defaultdict(list)
    for tile in largest:
        groups[tile.module.name.rpartition(".")[0] or tile.module.name].append(tile)
    sizes = {name: sum(_weight(tile) for tile in inner) for name, inner in groups.items()}
    names = sorted(sizes, key=lambda name: -sizes[name])
    width, height = (380.0, 560.0) if is_upright else (1000.0, 480.0)
    boxes = _laid([sizes[name] for name in names], _Box(0, 0, width, height))
    body = "".join(_group(name, groups[name], box) for name, box in zip(names, boxes, strict=True))
    return Markup(
        f'<svg class="map {"upright" if is_upright else "broad"}" '
        f'viewBox="0 0 {width:g} {height:g}" role="group" '
        f'aria-label="Module map, {len(largest)} modules">{body}</svg>'
    )


def _group(name: str, tiles: list[Tile], box: _Box) -> str:
    tiles = sorted(tiles, key=lambda tile: -tile.module.lines)
    frame = f'<rect class="group" {_place(box)}/>'
    label = _label(name, box, 12)
    inner = _Box(
        box.x + _GAP, box.y + _HEAD, max(0.0, box.width - 2 * _GAP),
        max(0.0, box.height - _HEAD - _GAP),
    )  # fmt: skip
    places = _laid([_weight(tile) for tile in tiles], inner)
    return (
        frame
        + label
        + "".join(_tile(tile, name, place) for tile, place in zip(tiles, places, strict=True))
    )


def _tile(tile: Tile, group: str, box: _Box) -> str:
    module = tile.module
    name = "__init__" if module.name == group else module.name.rpartition(".")[2]
    told = "coverage not measured" if tile.share is None else f"{100 * tile.share:.0f} % covered"
    size = counted(module.lines, "line")
    share = size if tile.share is None else f"{100 * tile.share:.0f} %"
    whole = size if tile.share is None else f"{share} · {size}"
    below = _label(whole, box, 31, "small") or _label(share, box, 31, "small")
    tip = inert(
        f"{module.name}: {module.lines} lines, {told}, {counted(tile.promoted, 'change')} accepted"
    )
    level = "unknown" if tile.share is None else f"level{min(4, int(5 * tile.share))}"
    ring = f'<circle class="ring" cx="{box.x + box.width - 7:.1f}" cy="{box.y + 7:.1f}" r="3"/>'
    return (
        f'<a href="{inert(url("modules", module.name))}" aria-label="{tip}"><title>{tip}</title>'
        f'<rect class="tile {level}" {_place(box)}/>'
        f"{_label(name, box, 15)}{below}"
        f"{ring if tile.promoted and box.width > 14 else ''}</a>"
    )


def _place(box: _Box) -> str:
    return (
        f'x="{box.x:.1f}" y="{box.y:.1f}" width="{max(0.0, box.width - 1):.1f}" '
        f'height="{max(0.0, box.height - 1):.1f}"'
    )


def _label(text: str, box: _Box, down: float, kind: str = "") -> str:
    room = int((box.width - 8) / (_CHARACTER if kind else _WIDE_CHARACTER))
    if room < min(len(text), 6) or box.height < down + 2:  # a beginning that short says nothing
        return ""
    if kind and room < len(text):
        return ""
    short = text if len(text) <= room else f"{text[: room - 1]}…"
    place = f'x="{box.x + 4:.1f}" y="{box.y + down:.1f}"'
    return f'<text class="{kind}" {place}>{inert(short)}</text>'


def _weight(tile: Tile) -> float:
    return max(1.0, float(tile.module.lines))


def _laid(sizes: Sequence[float], box: _Box) -> list[_Box]:
    """Boxes of these sizes, largest first, halved until each stands alone."""
    if len(sizes) <= 1:
        return [box] * len(sizes)
    half, whole, at = 0.0, sum(sizes), 0
    while at < len(sizes) - 1 and (at == 0 or half + sizes[at] / 2 <= whole / 2):
        half, at = half + sizes[at], at + 1
    part = half / whole
    if box.width >= box.height:
        cut = box.width * part
        one = _Box(box.x, box.y, cut, box.height)
        two = _Box(box.x + cut, box.y, box.width - cut, box.height)
    else:
        cut = box.height * part
        one = _Box(box.x, box.y, box.width, cut)
        two = _Box(box.x, box.y + cut, box.width, box.height - cut)
    return [*_laid(sizes[:at], one), *_laid(sizes[at:], two)]


def tiles_of(
    modules: Sequence[IndexedModule],
    covered: Mapping[str, Mapping[str, float | None]],
    fates: Mapping[str, Mapping[str, int]],
) -> list[Tile]:
    """Modules with what is known of them."""
    found = []
    for module in modules:
        shares = covered.get(module.name) or {}
        share = shares.get("branches")
        share = shares.get("lines") if share is None else share
        found.append(Tile(module, share, fates.get(module.name, {}).get("promoted", 0)))
    return found
