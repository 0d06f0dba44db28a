"""Plots as inline SVG: no script, colours from the page's own style."""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.cycle.report.inert import inert

_ROW, _TOP, _LEFT, _WIDTH, _RIGHT = 26, 30, 150, 250, 60
_TICKS = (0, 25, 50, 75, 100)
_NAME_CHARACTERS = 21


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """One row: shares from 0 to 1; None: not measured."""

    name: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Spent:
    """One row: seconds of dreaming and of trying."""

    name: str
    dreaming: float
    trying: float


def before_after_plot(title: str, rows: Sequence[BeforeAfter]) -> str:
    """A dot before, a dot after, and the way between; nothing where nothing was measured."""
    shown = [row for row in rows if row.after is not None]
    if not shown:
        return ""
    height = _TOP + _ROW * len(shown) + 12
    body = "".join(_dumbbell(row, _TOP + _ROW * n + _ROW / 2) for n, row in enumerate(shown))
    return _figure(title, height, _grid(height) + body)


def spent_plot(title: str, rows: Sequence[Spent]) -> str:
    """A bar per module, dreaming and trying one after the other."""
    most = max((row.dreaming + row.trying for row in rows), default=0.0)
    if most <= 0:
        return ""
    height = 14 + _ROW * len(rows)
    body = "".join(_bar(row, most, 8 + _ROW * n) for n, row in enumerate(rows))
    return _figure(title, height, body)


def _figure(title: str, height: float, body: str) -> str:
    width = _LEFT + _WIDTH + _RIGHT
    return (
        f'<figure><figcaption>{inert(title)}</figcaption><svg viewBox="0 0 {width} {height:g}" '
        f'role="img" aria-label="{inert(title)}">{body}</svg></figure>'
    )


def _grid(height: float) -> str:
    lines = []
    for tick in _TICKS:
        x = _x(tick / 100)
        lines.append(f'<line class="grid" x1="{x:g}" x2="{x:g}" y1="22" y2="{height - 6:g}"/>')
        lines.append(f'<text class="tick" x="{x:g}" y="14" text-anchor="middle">{tick} %</text>')
    return "".join(lines)


def _dumbbell(row: BeforeAfter, y: float) -> str:
    parts = [_name(row.name, y + 4)]
    after = _x(row.after or 0.0)
    if row.before is not None:
        before = _x(row.before)
        parts.append(f'<line class="way" x1="{before:g}" x2="{after:g}" y1="{y:g}" y2="{y:g}"/>')
        parts.append(f'<circle class="before" cx="{before:g}" cy="{y:g}" r="4.5"/>')
    parts.append(f'<circle class="after" cx="{after:g}" cy="{y:g}" r="5.5"/>')
    gained = "" if row.before is None else f"{100 * ((row.after or 0) - row.before):+.0f}"
    x = _LEFT + _WIDTH + 14
    parts.append(f'<text class="gain" x="{x}" y="{y + 4:g}">{gained}</text>')
    told = "not measured" if row.before is None else f"{100 * row.before:.1f} %"
    tip = f"{row.name}: {told} before, {100 * (row.after or 0):.1f} % after"
    return f"<g><title>{inert(tip)}</title>{''.join(parts)}</g>"


def _bar(row: Spent, most: float, y: float) -> str:
    dreaming, trying = (_WIDTH * seconds / most for seconds in (row.dreaming, row.trying))
    total = row.dreaming + row.trying
    x = _LEFT + dreaming + trying + 8
    tip = f"{row.name}: {row.dreaming:.1f} s dreaming, {row.trying:.1f} s trying"
    return (
        f"<g><title>{inert(tip)}</title>{_name(row.name, y + 12)}"
        f'<rect class="dreaming" x="{_LEFT}" y="{y:g}" width="{dreaming:.1f}" height="14"/>'
        f'<rect class="trying" x="{_LEFT + dreaming:.1f}" y="{y:g}" width="{trying:.1f}" '
        f'height="14"/><text class="gain" x="{x:.1f}" y="{y + 12:g}">{total:.1f} s</text></g>'
    )


def _name(name: str, y: float) -> str:
    short = name if len(name) <= _NAME_CHARACTERS else f"…{name[1 - _NAME_CHARACTERS :]}"
    return f'<text class="row" x="{_LEFT - 14}" y="{y:g}" text-anchor="end">{inert(short)}</text>'


def _x(share: float) -> float:
    return round(_LEFT + _WIDTH * min(max(share, 0.0), 1.0), 1)
