"""An evolution as JSON, for people, and its lineage as a picture."""

from html import escape
from typing import Any

import click

from reverie.interfaces.cli.output import printable
from reverie.interfaces.cli.views.improvements import optimisation_document, show_optimisation
from reverie.model.evolution import Evolution, Fate, Individual
from reverie.model.outcome import counted

_COLUMN, _ROW, _EDGE = 150, 22, 40
_COLOURS = {
    Fate.PROVEN: "#1a7f37",
    Fate.ALIVE: "#0969da",
    Fate.HELD: "#9a6700",
    Fate.REFUTED: "#cf222e",
    Fate.DIFFERENT: "#cf222e",
    Fate.FAILED: "#8c959f",
    Fate.SLOWER: "#8c959f",
    Fate.BORN: "#8c959f",
}
_MOST_DRAWN = 120


def evolution_document(found: Evolution) -> dict[str, Any]:
    """The keys that docs/json.md promises: those of `optimise`, and the lineage."""
    original = found.lineage[0].statements
    return {
        **optimisation_document(found.optimisation),
        "generations": found.generations,
        "niches": found.niches,
        "exhausted": found.is_exhausted,
        "resumed": found.resumed,
        "authored": found.authored,
        "lineage": [_member(each, original) for each in found.lineage],
    }


def _member(each: Individual, original: int) -> dict[str, Any]:
    gain = each.gain
    return {
        "id": each.id,
        "parents": list(each.parents),
        "operator": each.operator or None,
        "generation": each.generation,
        "island": each.island,
        "niche": str(each.niche(original)) if gain is not None else None,
        "speedup": None if gain is None else round(gain, 3),
        "fate": str(each.fate),
    }


def show_evolution(found: Evolution) -> None:
    """What was tried and the patch of the best, as `optimise` shows it, then how it came about."""
    show_optimisation(found.optimisation)
    bred = counted(len(found.lineage) - 1, "variant")
    over = "; nothing new was left to try" if found.is_exhausted else ""
    took = f"{counted(found.generations, 'generation')}, {counted(found.niches, 'niche')} taken"
    click.echo(f"\n{bred} in {took}{over}")
    best = found.optimisation.best
    for each in found.ancestry(best.id) if best is not None else ():
        gain = "" if each.gain is None else f"{each.gain:.1f}x"
        click.echo(
            printable(f"  {each.generation:>3}  {gain:>8}  {each.operator or 'the original'}")
        )


def lineage_picture(found: Evolution) -> str:
    """The lineage as SVG: a column for each generation, a line from parent to child."""
    best = found.optimisation.best
    line = {each.id for each in found.ancestry(best.id)} if best is not None else set[str]()
    drawn = _drawn(found, line)
    places = _places(drawn)
    width = _EDGE * 2 + _COLUMN * (1 + max((x for x, _ in places.values()), default=0))
    height = _EDGE * 2 + _ROW * (1 + max((y for _, y in places.values()), default=0))
    body = [
        _edge(places[parent], places[each.id], is_main={parent, each.id} <= line)
        for each in drawn
        for parent in each.parents
        if parent in places
    ]
    body += [_node(each, places[each.id], each.id in line) for each in drawn]
    title = f"Lineage of {found.optimisation.callable.rpartition(':')[2]}"
    hidden = len(found.lineage) - len(drawn)
    note = f"; {hidden} more were dropped" if hidden else ""
    said = escape(f"{title}: {len(found.lineage) - 1} variants{note}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{said}" font-family="sans-serif" font-size="11">'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        f'<text x="10" y="18" font-size="13" fill="#24292f">{said}</text>{"".join(body)}</svg>\n'
    )


def _drawn(found: Evolution, line: set[str]) -> list[Individual]:
    """Everybody, or where they are too many those that came far, with their ancestors."""
    if len(found.lineage) <= _MOST_DRAWN:
        return list(found.lineage)
    fit = sorted(
        (each for each in found.lineage if each.is_fit), key=lambda each: -(each.gain or 0)
    )
    wanted = {found.lineage[0].id} | line
    for each in fit:
        more = {one.id for one in found.ancestry(each.id)}
        if len(wanted | more) > _MOST_DRAWN:
            break
        wanted |= more
    return [each for each in found.lineage if each.id in wanted]


def _places(drawn: list[Individual]) -> dict[str, tuple[int, int]]:
    """Column and row of everybody."""
    columns = {each: at for at, each in enumerate(sorted({one.generation for one in drawn}))}
    rows: dict[int, int] = {}
    places = {}
    for each in drawn:
        column = columns[each.generation]
        rows[column] = rows.get(column, -1) + 1
        places[each.id] = (column, rows[column])
    return places


def _at(place: tuple[int, int]) -> tuple[int, int]:
    return _EDGE + place[0] * _COLUMN, _EDGE + place[1] * _ROW


def _edge(one: tuple[int, int], other: tuple[int, int], *, is_main: bool) -> str:
    (x1, y1), (x2, y2) = _at(one), _at(other)
    colour, wide = ("#1a7f37", 2.5) if is_main else ("#d0d7de", 1)
    middle = (x1 + x2) // 2
    return (
        f'<path d="M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}" fill="none" '
        f'stroke="{colour}" stroke-width="{wide}"/>'
    )


def _node(each: Individual, place: tuple[int, int], is_main: bool) -> str:
    x, y = _at(place)
    gain = "" if each.gain is None or not each.operator else f" {each.gain:.1f}x"
    named = escape((each.operator or "original")[:20])
    told = escape(f"{'+'.join(each.steps) or 'the original'}: {each.fate}{gain}")
    weight = ' font-weight="bold"' if is_main else ""
    return (
        f'<g><title>{told}</title><circle cx="{x}" cy="{y}" r="{6 if is_main else 4}" '
        f'fill="{_COLOURS[each.fate]}"/><text x="{x + 9}" y="{y + 4}" fill="#24292f"{weight}>'
        f"{named}{escape(gain)}</text></g>"
    )
