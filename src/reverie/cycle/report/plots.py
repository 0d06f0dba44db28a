"""Plots as inline SVG: no script, colours from the page's own style.

Of a cycle: before and after, and the time spent. Of one change: its evidence drawn small, a speed
with its interval, and its checks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.cycle.report.inert import inert

_ROW, _TOP, _LEFT, _WIDTH, _RIGHT = 26, 30, 146, 190, 84
_TICKS = (0, 25, 50, 75, 100)
_NAME_CHARACTERS = 17
_LONG_SECONDS = 3600
_FLAME_LEFT, _FLAME_WIDTH, _CHARACTER_WIDTH = 4, 412, 7.0


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """One row: shares from 0 to 1; None: not measured."""

    name: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Spent:
    """One row: seconds of writing and of proving."""

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
    """A bar per module, writing and proving one after the other."""
    most = max((row.dreaming + row.trying for row in rows), default=0.0)
    if most <= 0:
        return ""
    height = 14 + _ROW * len(rows)
    body = "".join(_bar(row, most, 8 + _ROW * n) for n, row in enumerate(rows))
    return _figure(title, height, body)


def flame_graph(title: str, profile: "Document") -> str:
    """A box for every span, as wide as it took long, below what it is a part of."""
    if profile["seconds"] <= 0:
        return ""
    boxes = list(_boxes(profile, 0, _FLAME_LEFT, _FLAME_WIDTH))
    height = 8 + _ROW * (1 + max(depth for depth, _ in boxes))
    return _figure(title, height, "".join(box for _, box in boxes))


def _boxes(span: "Document", depth: int, x: float, width: float) -> Iterator[tuple[int, str]]:
    kind = "trying" if span["name"] == "proving" else "dreaming"
    y, name = 4 + _ROW * depth, str(span["name"])
    tip = inert(f"{name}: {duration(span['seconds'])}")
    room = int(width / _CHARACTER_WIDTH)
    shown = name if len(name) <= room else f"{name[: max(0, room - 1)]}…" if room > 2 else ""
    text = f'<text class="row" x="{x + 4:.1f}" y="{y + 15}">{inert(shown)}</text>' if shown else ""
    box = (
        f'<rect class="{kind}" fill-opacity="0.35" stroke="currentColor" stroke-opacity="0.3" '
        f'x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_ROW - 4}"/>'
    )
    yield depth, f"<g><title>{tip}</title>{box}{text}</g>"
    for part in span["parts"]:
        share = width * part["seconds"] / span["seconds"]
        if share >= 1:
            yield from _boxes(part, depth + 1, x, share)
        x += share


def duration(seconds: float) -> str:
    """A length of time as people say it."""
    if seconds < 10 and round(seconds, 1) % 1:
        return f"{seconds:.1f} s"
    whole, units = round(seconds), ("min", "s")
    if whole < 60:
        return f"{whole} s"
    if whole >= _LONG_SECONDS:
        whole, units = round(seconds / 60), ("h", "min")
    big, small = divmod(whole, 60)
    return f"{big} {units[0]}" + (f" {small} {units[1]}" if small else "")


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
    was = "" if row.before is None else f"{100 * row.before:.0f} → "
    gained = f"{was}{100 * (row.after or 0):.0f} %"
    x = _LEFT + _WIDTH + 14
    parts.append(f'<text class="gain" x="{x}" y="{y + 4:g}">{gained}</text>')
    told = "not measured" if row.before is None else f"{100 * row.before:.1f} %"
    tip = f"{row.name}: {told} before, {100 * (row.after or 0):.1f} % after"
    return f"<g><title>{inert(tip)}</title>{''.join(parts)}</g>"


def _bar(row: Spent, most: float, y: float) -> str:
    dreaming, trying = (_WIDTH * seconds / most for seconds in (row.dreaming, row.trying))
    total = duration(row.dreaming + row.trying)
    x = _LEFT + dreaming + trying + 8
    tip = f"{row.name}: {row.dreaming:.1f} s writing, {row.trying:.1f} s proving"
    return (
        f"<g><title>{inert(tip)}</title>{_name(row.name, y + 12)}"
        f'<rect class="dreaming" x="{_LEFT}" y="{y:g}" width="{dreaming:.1f}" height="14"/>'
        f'<rect class="trying" x="{_LEFT + dreaming:.1f}" y="{y:g}" width="{trying:.1f}" '
        f'height="14"/><text class="gain" x="{x:.1f}" y="{y + 12:g}">{total}</text></g>'
    )


def _name(name: str, y: float) -> str:
    short = name if len(name) <= _NAME_CHARACTERS else f"…{name[1 - _NAME_CHARACTERS :]}"
    return f'<text class="row" x="{_LEFT - 14}" y="{y:g}" text-anchor="end">{inert(short)}</text>'


def _x(share: float) -> float:
    return round(_LEFT + _WIDTH * min(max(share, 0.0), 1.0), 1)


Document = Mapping[str, Any]
_SMALL_WIDTH, _SMALL_LEFT, _LONG = 300, 52, 176
_CHIPS = {"pass": "good", "fail": "bad", "hold": "hold"}
_WORDS = {"pass": "passed", "fail": "failed", "hold": "not proven"}


def evidence_plots(measures: Mapping[str, float], branches: BeforeAfter | None) -> str:
    """Branches, planted faults and speed, as far as they were measured; else nothing."""
    drawn = "".join(_plots(measures, branches))
    return f'<div class="evidence">{drawn}</div>' if drawn else ""


def _plots(measures: Mapping[str, float], branches: BeforeAfter | None) -> Iterator[str]:
    if branches is not None and branches.after is not None and branches.after != branches.before:
        yield _shares("Branches that tests run", branches.before, branches.after)
    judged = measures.get("mutants.judged")
    before, after = measures.get("mutants.score.before"), measures.get("mutants.score.after")
    if judged and after is not None and after != before:
        yield _shares(f"Planted faults that tests notice, of {judged:g}", before, after)
    if measures.get("speed.p50"):
        yield _speed(measures)


def _shares(title: str, before: float | None, after: float) -> str:
    rows = ([] if before is None else [("before", "was", before)]) + [("after", "is", after)]
    body = "".join(_share(n, *row) for n, row in enumerate(rows))
    told = ", ".join(f"{word} {100 * share:.0f} %" for word, _, share in rows)
    return _small_figure(title, told, 24 * len(rows) + 4, body, is_plain=True)


def _share(row: int, word: str, kind: str, share: float) -> str:
    y = 4 + 24 * row
    width = max(1.0, _LONG * min(max(share, 0.0), 1.0))
    told = f"{100 * share:.3g} %" if share < 0.01 else f"{100 * share:.0f} %"
    bar = f'width="{width:.1f}" height="15" rx="{min(3.0, width / 2):.1f}"'
    return (
        f'<text class="tick" x="0" y="{y + 12}">{word}</text>'
        f'<rect class="track" x="{_SMALL_LEFT}" y="{y}" width="{_LONG}" height="15" rx="3"/>'
        f'<rect class="{kind}" x="{_SMALL_LEFT}" y="{y}" {bar}/>'
        f'<text x="{_SMALL_LEFT + _LONG + 10}" y="{y + 12}">{told}</text>'
    )


_LEAST_WHISKER = 6.0


def _speed(measures: Mapping[str, float]) -> str:
    """The typical time of a call, before as the whole bar; the interval as a whisker."""
    low = measures["speed.p50"]
    value, high = measures.get("speed.p50.value"), measures.get("speed.p50.high")
    times = value or low
    told = f"at least {low:.3g} times as fast"
    whisker = ""
    if value is not None and high is not None:
        told = f"{value:.3g} times as fast (95 % interval: {low:.3g} to {high:.3g})"
        ends = [round(_SMALL_LEFT + _LONG / max(each, 0.01), 1) for each in (high, low)]
        whisker = "".join(
            f'<line class="range" x1="{one}" x2="{two}" y1="{top}" y2="{foot}"/>'
            for one, two, top, foot in (
                (*ends, 35.5, 35.5),
                (ends[0], ends[0], 31, 40),
                (ends[1], ends[1], 31, 40),
            )
        )
        if ends[1] - ends[0] < _LEAST_WHISKER:  # it would be a blot on the end of the bar
            whisker = ""
    both = _share(0, "before", "was", 1.0) + _share(1, "after", "is", 1 / times)
    return _small_figure("Typical time of a call", told, 52, both + whisker)


def _small_figure(title: str, told: str, height: int, body: str, *, is_plain: bool = False) -> str:
    """A drawing, and below it what it says, unless it has that in numbers."""
    below = "" if is_plain else f'<p class="legend">{inert(told)}</p>'
    return (
        f"<figure><figcaption>{inert(title)}</figcaption>"
        f'<svg viewBox="0 0 {_SMALL_WIDTH} {height}" role="img" '
        f'aria-label="{inert(title)}: {inert(told)}">{body}</svg>{below}</figure>'
    )


_COLUMNS = {"measured": "measured", "required": "limit"}


def checks_summary(rulings: Sequence[Document]) -> str:
    """How many checks passed, in words."""
    passed = sum(each["verdict"] == "pass" for each in rulings)
    return f"{passed} of {len(rulings)} checks passed"


def checks_table(rulings: Sequence[Document]) -> str:
    """Every check with what it says, what did not pass first; no column that nobody fills."""
    rows = sorted(rulings, key=lambda each: each["verdict"] == "pass")
    # What passed says its figures in words.
    open_ones = [each for each in rows if each["verdict"] != "pass"]
    columns = [name for name in _COLUMNS if any(each[name] is not None for each in open_ones)]
    head = "".join(f'<th class="n">{_COLUMNS[name]}</th>' for name in columns)
    body = "".join(_check(each, columns) for each in rows)
    return (
        '<div class="scroll"><table class="checks"><thead><tr><th>check</th><th>result</th>'
        f"{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _check(ruling: Document, columns: Sequence[str]) -> str:
    verdict = str(ruling["verdict"])
    code = "" if verdict == "pass" else f' title="{inert(ruling["reason_code"])}"'
    cells = "".join(
        f'<td class="n" data-label="{_COLUMNS[name]}">{_cell(ruling[name])}</td>'
        for name in columns
    )
    word = inert(_WORDS.get(verdict, verdict))
    return (
        f"<tr><td{code}>{inert(ruling['reason'])}</td>"
        f'<td><span class="chip {_CHIPS.get(verdict, "")}">{word}</span></td>{cells}</tr>'
    )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else inert(value, 400)
