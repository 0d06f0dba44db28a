"""Plots as inline SVG: drawn here, coloured by the page's style, read without a script."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reverie.cycle.report.inert import inert
from reverie.model.foresight import Projection

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _FOOT = 640, 220, 56, 14, 14, 26
_SPARK_WIDTH, _SPARK_HEIGHT = 120, 28


@dataclass(frozen=True, slots=True)
class Point:
    """One cycle on a plot."""

    label: str
    value: float
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """How values are told, and bounds that they cannot leave."""

    scale: float = 1.0
    name: str = ""
    low: float | None = None
    high: float | None = None

    def told(self, value: float) -> str:
        """A value with its unit."""
        return f"{self.scale * value:.4g}{self.name}"


SHARES = Unit(100.0, " %", 0.0, 1.0)
MINUTES = Unit(1.0, " min")


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
    unit: Unit = MINUTES,
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
    return Markup(
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{inert(title)}: {len(points)} cycles{inert(last)}">{"".join(body)}</svg>'
    )


def spark(values: Sequence[float]) -> Markup:
    """A line without anything around it."""
    if len(values) < 2:
        return Markup("")
    low, high = min(values), max(values)
    reach = (high - low) or 1.0
    points = " ".join(
        f"{_SPARK_WIDTH * n / (len(values) - 1):.1f},"
        f"{_SPARK_HEIGHT - 3 - (_SPARK_HEIGHT - 6) * (value - low) / reach:.1f}"
        for n, value in enumerate(values)
    )
    return Markup(
        f'<svg class="spark" viewBox="0 0 {_SPARK_WIDTH} {_SPARK_HEIGHT}" aria-hidden="true">'
        f'<polyline class="line" points="{points}"/></svg>'
    )


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
    room = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
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
