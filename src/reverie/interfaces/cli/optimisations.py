"""An optimisation as JSON, and for people."""

from collections.abc import Sequence
from typing import Any

import click

from reverie.interfaces.cli.output import emit_table, printable
from reverie.model.codec import pick
from reverie.model.optimisation import Optimisation, OptimisationTrial
from reverie.model.ruling import Answer
from reverie.model.words import counted


def optimisation_document(found: Optimisation) -> dict[str, Any]:
    """The keys that docs/json.md promises."""
    trials = [_trial(each) for each in found.trials]
    names = "callable dreams best=best.id source=best.source imagined note seconds"
    return pick(found, names, dreams=trials)


def _trial(trial: OptimisationTrial) -> dict[str, Any]:
    return pick(
        trial,
        "id pattern judgement.verdict speedup growth equivalence judgement.rulings judgement.needs "
        "patch",
        speedup=_speedup(trial),
        growth=pick(trial, "before=benchmark.growth.old.value after=benchmark.growth.new.value"),
    )


def _speedup(trial: OptimisationTrial) -> dict[str, float | None]:
    found = trial.benchmark.judgement.speedup if trial.benchmark else None
    estimates = {each: found.at(each) if found else None for each in (50, 95, 99)}
    return {f"p{each}": value.value if value else None for each, value in estimates.items()}


def _growth(trial: OptimisationTrial) -> dict[str, float | None]:
    found = trial.benchmark.growth if trial.benchmark else None
    return {
        "before": found.old.value if found else None,
        "after": found.new.value if found else None,
    }


def show_optimisation(found: Optimisation) -> None:
    """A table of what was tried, and the patch of the best."""
    if found.trials:
        rows = [_row(each) for each in found.trials]
        emit_table(("dream", "pattern", "verdict", "p50", "growth", "why"), rows)
    best = found.best
    if best is None:
        click.echo(printable(found.note or "nothing proven"))
        return
    click.echo(printable(best.patch, multiline=True))


def show_optimisations(found: Sequence[Optimisation], spots: int) -> None:
    """A line for each callable that was tried, and the patches that are proven."""
    rows = [_line(each) for each in found]
    emit_table(("callable", "pattern", "p50", "growth", "why"), rows)
    click.echo(f"\n{len(found)} tried of {counted(spots, 'callable')} in which a rewrite fits")
    for each in found:
        if each.best is not None:
            click.echo(printable(each.best.patch, multiline=True))


def _line(found: Optimisation) -> tuple[str, ...]:
    trial = found.best or (found.trials[0] if found.trials else None)
    if trial is None:
        return found.callable, "-", "", "", printable(found.note or "")
    _, pattern, _, speed, grown, why = _row(trial)
    return found.callable, pattern, speed, grown, why


def _row(trial: OptimisationTrial) -> tuple[str, ...]:
    speed, growth = _speedup(trial)["p50"], _growth(trial)
    grown = "" if growth["after"] is None else f"{growth['before']:.1f} → {growth['after']:.1f}"
    answers = list(Answer)
    worst = max(trial.judgement.rulings, key=lambda each: answers.index(each.verdict))
    return (
        trial.id[:8],
        trial.pattern,
        str(trial.judgement.verdict),
        "" if speed is None else f"{speed:.1f}x",
        grown,
        printable(worst.reason),
    )
