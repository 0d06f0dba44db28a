"""A benchmark as JSON, and as a table for people."""

from typing import Any

import click

from reverie.interfaces.cli.output import emit_table, printable
from reverie.model.benchmark import Benchmark, Estimate, RequiredGain, SideFigures, SpeedVerdict
from reverie.model.codec import pick, plain
from reverie.model.outcome import IsolationTier
from reverie.model.proof import Proof

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
