"""Figures that commands measure or foresee: benchmarks, profiles and plots of forecasts.

A benchmark is JSON or a table, a forecast is a plot in the terminal or one SVG file. Profiles
come from what is run under a profiler before a repository is optimised.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_table, printable
from reverie.model.codec import pick, plain
from reverie.model.measurements.benchmark import (
    Benchmark,
    Estimate,
    Profile,
    ProfileSource,
    RequiredGain,
    SideFigures,
    SpeedVerdict,
)
from reverie.model.measurements.suite import Proof
from reverie.model.outcome import IsolationTier
from reverie.model.repository.code import CodeIndex

if TYPE_CHECKING:
    from reverie.sandbox.engine import Sandbox

_COLOURS = {
    SpeedVerdict.FASTER: "green",
    SpeedVerdict.SLOWER: "red",
    SpeedVerdict.HOLD: "yellow",
}
_FIGURES = {
    "cpu": "cpu_seconds",
    "wall": "wall_seconds",
    "cold": "cold_seconds",
    "load": "load_seconds",
}


def benchmark_document(
    found: Benchmark, required: RequiredGain, proof: Proof, tier: IsolationTier, seed: int
) -> dict[str, Any]:
    """The keys that docs/json.md promises, after those that name what was compared."""
    speedup = found.judgement.speedup
    judged = pick(
        found.judgement,
        "verdict reason_code reason speedup required pairs pairs_won",
        speedup={f"p{each}": plain(speedup.at(each)) if speedup else None for each in (50, 95, 99)},
        required={f"p{each}": required.at(each) for each in (50, 95, 99)},
    )
    return {
        "seed": seed,
        **judged,
        **pick(found, "times.rounds calls calls_per_sample clock"),
        **{key: _both(found, name) for key, name in _FIGURES.items()},
        "memory": {**_both(found, "peak_bytes"), "ratio": found.memory_ratio},
        "rss": _both(found, "rss_bytes"),
        **pick(found, "distinct_inputs difference growth own_watch=has_watch_of_its_own"),
        "proof": [pick(each, "name required seen") for each in proof.sightings],
        "isolation": tier,
        "seconds": found.seconds,
    }


def show_benchmark(found: Benchmark, required: RequiredGain) -> None:
    """For people: the verdict, the percentiles, what each side costs."""
    judged, speedup = found.judgement, found.judgement.speedup
    if speedup is not None:
        rows = [
            (f"p{each}", f"{at.value:.2f}x", f"{at.low:.2f}x to {at.high:.2f}x", _wanted(gain))
            for each, at, gain in (
                (each, speedup.at(each), required.at(each)) for each in (50, 95, 99)
            )
            if at is not None
        ]
        emit_table(("", "old / new", "95 % interval", "required"), rows)
        click.echo()
    if found.old is not None and found.new is not None:
        emit_table(("", "old", "new"), _side_rows(found, found.old, found.new))
        click.echo()
    if judged.pairs_won is not None:
        click.echo(
            f"{judged.pairs} pairs in {found.times.rounds} rounds, {judged.pairs_won:.0%} won; "
            f"{found.calls} calls each, {found.calls_per_sample} to a sample, {found.clock} time"
        )
    colour = _COLOURS.get(judged.verdict)
    click.echo(f"{click.style(judged.verdict, colour, bold=True)}: {printable(judged.reason)}")


def _side_rows(found: Benchmark, old: SideFigures, new: SideFigures) -> list[tuple[str, str, str]]:
    rows = [
        ("CPU per call", _time(old.cpu_seconds), _time(new.cpu_seconds)),
        ("wall per call", _time(old.wall_seconds), _time(new.wall_seconds)),
        ("first call", _time(old.cold_seconds), _time(new.cold_seconds)),
        ("import", _time(old.load_seconds), _time(new.load_seconds)),
    ]
    if old.peak_bytes is not None and new.peak_bytes is not None:
        rows.append(("memory of a call", f"{old.peak_bytes:,} B", f"{new.peak_bytes:,} B"))
    if found.growth is not None:
        rows.append(("growth", _exponent(found.growth.old), _exponent(found.growth.new)))
    return rows


def _wanted(gain: float | None) -> str:
    return "" if gain is None else f"{1 / (1 - gain):.2f}x"


def _exponent(found: Estimate) -> str:
    return f"n^{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _both(found: Benchmark, name: str) -> dict[str, Any]:
    sides = {"old": found.old, "new": found.new}
    return {side: None if each is None else getattr(each, name) for side, each in sides.items()}


def sources_asked(word: str) -> tuple[ProfileSource, ...]:
    """The sources that `--profile` names."""
    return tuple(ProfileSource) if word == "all" else (ProfileSource(word),)


def profile_sources(
    app: App,
    sandbox: "Sandbox",
    index: CodeIndex,
    sources: Sequence[ProfileSource],
    python: str | None,
    progress: Callable[[str], None],
) -> dict[ProfileSource, Profile]:
    """One profile for each source, in the order asked."""
    found: dict[ProfileSource, Profile] = {}
    for source in sources:
        progress(f"profiling the {source}")
        found[source] = _profile(app, sandbox, index, source, python)
    return found


def _profile(
    app: App, sandbox: "Sandbox", index: CodeIndex, source: ProfileSource, python: str | None
) -> Profile:
    section = app.settings.candidates
    if source is ProfileSource.TESTS:
        from reverie.instruments.profiling import profile_suite

        return profile_suite(sandbox, index, section, python)
    if source is ProfileSource.BENCHMARKS:
        from reverie.instruments.profiling import profile_benchmarks

        return profile_benchmarks(sandbox, index, section, python)
    from reverie.settings import load_settings
    from reverie.workflows.declared import declared_workflows
    from reverie.workflows.sandbox_runner import WorkflowSandboxRunner, profile_workflows

    declared = load_settings(Path(index.repository), app.environ, app.overrides).settings.workflows
    with WorkflowSandboxRunner(repository=index.repository, sandbox=sandbox) as runner:
        return profile_workflows(runner, declared_workflows(declared), index)


def profile_document(profile: Profile, seen: Mapping[ProfileSource, Profile]) -> dict[str, Any]:
    """The profile as JSON values, with what each source came to."""
    sources = [
        {"source": source.value, **pick(each, "seconds problem"), "callables": len(each.hot)}
        for source, each in seen.items()
    ]
    return pick(profile, "seconds problem", sources=sources)


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
