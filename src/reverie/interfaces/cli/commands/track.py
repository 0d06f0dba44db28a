"""`reverie track`: what a callable costs, commit by commit, and since when it is slower."""

from pathlib import Path
from typing import Any

import click

from reverie.bootstrap import open_index, open_sandbox
from reverie.cycle.tracking import TrackedCallable, track_callable
from reverie.errors import UsageError
from reverie.instruments.benchmark.target import named_target
from reverie.instruments.self_check import Proofs
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.interfaces.cli.progress import step_bar
from reverie.model.codec import pick, plain
from reverie.model.measurements.benchmark import CallableMeasure, Regression, SpeedVerdict, Tracked
from reverie.promotion.git import Git

_EXAMPLE = """
reverie track src/shop/orders.py:totals
reverie track src/shop/orders.py:totals --since v1.4
"""
_MOST_STEPS = 12
_SHOWN = 10


@click.command(cls=Command, example=_EXAMPLE, paths=("target",))
@click.argument("target", metavar="FILE:callable")
@click.option("--since", metavar="REV", help="Compare with it; otherwise with the last look.")
@click.option(
    "--inputs", metavar="FILE:callable", help="make_input(n, seed) that returns (args, kwargs)."
)
@click.option("--n", default=300, show_default=True, type=click.IntRange(1, 10**7), help="Size.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 1 << 32), help="Seed.")
@setting_option("sandbox.tier")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Measure a callable as it is committed, and say whether it got slower and by which commit.

    Time, memory, complexity and size are kept in the journal. Compared with an earlier commit by
    the paired benchmark; if it is slower there, the commits between are halved until the first
    slower one is found. The exit code is 1 when it is slower.
    """
    from reverie.store.cycles.measures import (
        load_measures,
        load_regressions,
        record_measure,
        record_regression,
    )

    chosen = _chosen(app, given)
    repository = chosen.repository
    with writable_journal(app, "measures are kept") as journal:
        before = load_measures(journal, repository, chosen.name)
        last = next((each.commit for each in reversed(before) if each.cpu_seconds), None)
        found = _track(app, chosen, given["since"] or last)
        record_measure(journal, repository, found.measure)
        if found.regression is not None:
            record_regression(journal, repository, found.regression)
        regressions = load_regressions(journal, repository, chosen.name)
    history = (*before, found.measure)
    if app.json:
        emit_json(_document(found, history, regressions))
    else:
        _show(found, history)
    slower = found.benchmark and found.benchmark.judgement.verdict is SpeedVerdict.SLOWER
    return 1 if slower else 0


def _chosen(app: App, given: dict[str, Any]) -> TrackedCallable:
    target, repository = named_target(given["target"]), app.loaded.repository.resolve()
    file = Path(target.file).resolve()
    if not file.is_relative_to(repository):
        raise UsageError(f"{given['target']!r} is not in the repository {str(repository)!r}")
    maker = None if given["inputs"] is None else named_target(given["inputs"])
    path = file.relative_to(repository).as_posix()
    git = Git.find(repository)
    if git is not None and given["since"] is not None:
        git.resolve(given["since"])
    return TrackedCallable(repository, path, target.attribute, maker, given["n"], given["seed"])


def _track(app: App, chosen: TrackedCallable, since: str | None) -> Tracked:
    where = (chosen.repository, app.settings.index, app.settings.safety, None)
    with open_index(*where) as reader:
        reader.refresh()
        index = reader.load()
    with open_sandbox(app.settings.sandbox, app.recording_url()) as sandbox:
        Proofs(sandbox).require("benchmark")
        with step_bar(_MOST_STEPS) as progress:
            return track_callable(sandbox, chosen, index, since, progress)


def _document(
    found: Tracked, history: tuple[CallableMeasure, ...], regressions: tuple[Regression, ...]
) -> dict[str, Any]:
    return pick(
        found,
        "measure.callable measure compared_with verdict=benchmark.judgement.verdict "
        "reason=benchmark.judgement.reason regression history regressions note",
        history=plain(history),
        regressions=plain(regressions),
    )


def _show(found: Tracked, history: tuple[CallableMeasure, ...]) -> None:
    rows = [
        (
            f"{each.measured_at:%Y-%m-%d %H:%M}",
            (each.commit or "-")[:8],
            "-" if each.cpu_seconds is None else f"{each.cpu_seconds * 1e6:.1f} µs",
            "-" if each.peak_bytes is None else f"{each.peak_bytes / 1024:.0f} KiB",
            str(each.complexity),
            str(each.lines),
        )
        for each in history[-_SHOWN:]
    ]
    emit_table(("measured", "commit", "time", "memory", "complexity", "lines"), rows)
    if found.benchmark is not None:
        judged, base = found.benchmark.judgement, (found.compared_with or "")[:8]
        click.echo(printable(f"against {base}: {judged.verdict}: {judged.reason}"))
    if found.regression is not None:
        click.echo(printable(_told(found.regression)))
    if found.note is not None:
        click.echo(printable(f"note: {found.note}"))


def _told(found: Regression) -> str:
    by = f"{found.slowdown.value:.2f}x the time"
    if found.commit is not None:
        return f"slower since {found.commit[:8]} ({found.subject}): {by}"
    few = ", ".join(each[:8] for each in found.between[:5])
    return f"slower since one of {len(found.between)} commits ({few}): {by}"
