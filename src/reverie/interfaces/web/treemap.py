"""The module map: every module a rectangle as large as its lines, laid by package."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reverie.cycle.report.inert import inert
from reverie.interfaces.web.rendering import url
from reverie.store.browsing.modules import IndexedModule

MOST = 800
"""Modules that are drawn; a picture of more shows nothing."""
_WIDTH, _HEIGHT, _HEAD, _GAP = 1000.0, 480.0, 16.0, 2.0
_CHARACTER = 6.6


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


def draw_map(tiles: Sequence[Tile]) -> Markup:
    """The largest modules, grouped by package."""
    largest = sorted(tiles, key=lambda tile: -tile.module.lines)[:MOST]
    groups: dict[str, list[Tile]] = defaultdict(list)
    for tile in largest:
        groups[tile.module.name.rpartition(".")[0] or tile.module.name].append(tile)
    sizes = {name: sum(_weight(tile) for tile in inner) for name, inner in groups.items()}
    names = sorted(sizes, key=lambda name: -sizes[name])
    boxes = _laid([sizes[name] for name in names], _Box(0, 0, _WIDTH, _HEIGHT))
    body = "".join(_group(name, groups[name], box) for name, box in zip(names, boxes, strict=True))
    return Markup(
        f'<svg class="map" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="group" '
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
        + "".join(_tile(tile, place) for tile, place in zip(tiles, places, strict=True))
    )


def _tile(tile: Tile, box: _Box) -> str:
    module = tile.module
    told = "coverage not measured" if tile.share is None else f"{100 * tile.share:.0f} % covered"
    tip = inert(f"{module.name}: {module.lines} lines, {told}, {tile.promoted} promoted")
    level = "unknown" if tile.share is None else f"level{min(4, int(5 * tile.share))}"
    ring = f'<circle class="ring" cx="{box.x + box.width - 7:.1f}" cy="{box.y + 7:.1f}" r="3"/>'
    return (
        f'<a href="{inert(url("modules", module.name))}" aria-label="{tip}"><title>{tip}</title>'
        f'<rect class="tile {level}" {_place(box)}/>'
        f"{_label(module.name.rpartition('.')[2], box, 14)}"
        f"{ring if tile.promoted and box.width > 14 else ''}</a>"
    )


def _place(box: _Box) -> str:
    return (
        f'x="{box.x:.1f}" y="{box.y:.1f}" width="{max(0.0, box.width - 1):.1f}" '
        f'height="{max(0.0, box.height - 1):.1f}"'
    )


def _label(text: str, box: _Box, down: float) -> str:
    room = int((box.width - 8) / _CHARACTER)
    if room < 3 or box.height < 14:
        return ""
    short = text if len(text) <= room else f"{text[: room - 1]}…"
    return f'<text x="{box.x + 4:.1f}" y="{box.y + down:.1f}">{inert(short)}</text>'


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
