"""A forecast as a plot: in the terminal, and as one SVG file."""

from collections.abc import Sequence
from typing import Any

_ROWS, _MOST_COLUMNS = 12, 60
_WIDTH, _HEIGHT, _EDGE = 640, 280, 44


def terminal_plot(history: Sequence[float], projections: Sequence[dict[str, Any]]) -> list[str]:
    """Lines: history as `o`, what is expected as `*`, the 80 % interval as `|`, the 95 % as `:`."""
    past = list(history)[-_MOST_COLUMNS:]
    bounds = [*past, *(each[name] for each in projections for name in ("low95", "high95"))]
    low, high = float(min(bounds)), float(max(bounds))
    step = (high - low) / (_ROWS - 1) or 1.0
    grid = [[" "] * (len(past) + len(projections)) for _ in range(_ROWS)]

    def row(value: float) -> int:
        return _ROWS - 1 - round((value - low) / step)

    for column, value in enumerate(past):
        grid[row(value)][column] = "o"
    for column, each in enumerate(projections, len(past)):
        for mark, bottom, top in ((":", "low95", "high95"), ("|", "low80", "high80")):
            for place in range(row(each[top]), row(each[bottom]) + 1):
                grid[place][column] = mark
        grid[row(each["value"])][column] = "*"
    return [f"{high - at * step:10.1f} {''.join(line)}".rstrip() for at, line in enumerate(grid)]


def svg_plot(title: str, history: Sequence[float], projections: Sequence[dict[str, Any]]) -> str:
    """One picture without script; the title is the caller's to make harmless."""
    count = len(history) + len(projections)
    bounds = [*history, *(each[name] for each in projections for name in ("low95", "high95"))]
    low, high = min(bounds), max(bounds)
    span = (high - low) or 1.0

    def at(column: int, value: float) -> str:
        x = _EDGE + (_WIDTH - 2 * _EDGE) * column / max(1, count - 1)
        y = _HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * (value - low) / span
        return f"{x:.1f},{y:.1f}"

    start = len(history)
    bands = "".join(
        f'<polygon fill="#3b7dd8" fill-opacity="{shade}" points="'
        + " ".join(
            [at(start + n, each[f"high{level}"]) for n, each in enumerate(projections)]
            + [at(start + n, each[f"low{level}"]) for n, each in enumerate(projections)][::-1]
        )
        + '"/>'
        for level, shade in ((95, 0.15), (80, 0.25))
    )
    past = " ".join(at(n, value) for n, value in enumerate(history))
    ahead = " ".join(at(start + n, each["value"]) for n, each in enumerate(projections))
    labels = "".join(
        f'<text x="4" y="{at(0, value).partition(",")[2]}" font-size="11">{value:.1f}</text>'
        for value in (low, high)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif"><title>{title}</title>'
        f'<text x="{_EDGE}" y="20" font-size="14">{title}</text>{bands}'
        f'<polyline fill="none" stroke="#333" stroke-width="2" points="{past}"/>'
        f'<polyline fill="none" stroke="#3b7dd8" stroke-width="2" points="{ahead}"/>'
        f"{labels}</svg>\n"
    )
