"""Results of the commands that write code (enrich, optimise, refactor), as JSON and for people."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from reverie.interfaces.cli.output import emit_table, printable
from reverie.model.codec import pick
from reverie.model.measurements.attempts import (
    Optimisation,
    OptimisationTrial,
    Refactored,
    RefactoringTried,
)
from reverie.model.outcome import counted
from reverie.model.ruling import Answer, Judgement


def show_enriched(documents: Sequence[Mapping[str, Any]]) -> None:
    """A row per module, then what a person should look at."""
    columns = ("module", "tests", "lines", "branches", "mutants noticed", "seconds", "file")
    rows = [
        (
            each["module"],
            each["tests"],
            _change(each["line_coverage"]),
            _change(each["branch_coverage"]),
            _change(each["mutation"]),
            f"{each['seconds']:.1f}",
            each["file"] or "nothing worth keeping",
        )
        for each in documents
    ]
    emit_table(columns, rows)
    for each in documents:
        for finding in each["findings"]:
            said = f"look at  {each['module']}.{finding['function']}: {finding['why']}"
            click.echo(printable(f"\n{said}\n         {finding['repro']}", multiline=True))
        if weakest := each["keepability"][:1]:
            (test,) = weakest
            said = f"{each['module']}: least likely kept is {test['test']}, {test['score']:.0%}"
            click.echo(printable(said))
        for note in each["notes"]:
            click.echo(printable(f"note  {note}"), err=True)


def _change(shares: Mapping[str, float | None]) -> str:
    return f"{_percent(shares['before'])} -> {_percent(shares['after'])}"


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.0f} %"


def optimisation_document(found: Optimisation) -> dict[str, Any]:
    """The keys that docs/json.md promises."""
    trials = [_optimisation_trial(each) for each in found.trials]
    names = "callable dreams best=best.id source=best.source imagined note seconds"
    return pick(found, names, dreams=trials)


def _optimisation_trial(trial: OptimisationTrial) -> dict[str, Any]:
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
        rows = [_optimisation_row(each) for each in found.trials]
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
    _, pattern, _, speed, grown, why = _optimisation_row(trial)
    return found.callable, pattern, speed, grown, why


def _optimisation_row(trial: OptimisationTrial) -> tuple[str, ...]:
    speed, growth = _speedup(trial)["p50"], _growth(trial)
    grown = "" if growth["after"] is None else f"{growth['before']:.1f} → {growth['after']:.1f}"
    return (
        trial.id[:8],
        trial.pattern,
        str(trial.judgement.verdict),
        "" if speed is None else f"{speed:.1f}x",
        grown,
        _why(trial.judgement),
    )


def _why(judgement: Judgement) -> str:
    """What stands in the way of a change; of one that passed, how much it passed."""
    answers = list(Answer)
    worst = max(judgement.rulings, key=lambda each: answers.index(each.verdict))
    if worst.verdict is Answer.PASS:
        return f"{len(judgement.rulings)} of {counted(len(judgement.rulings), 'check')} passed"
    return printable(worst.reason)


def refactoring_document(found: Refactored) -> dict[str, Any]:
    """The keys that docs/json.md promises."""
    return pick(
        found,
        "callable=target dreams best=best.id source=best.source imagined has_suite note seconds",
        dreams=[_refactoring_trial(each) for each in found.trials],
    )


def _refactoring_trial(trial: RefactoringTried) -> dict[str, Any]:
    nesting, nodes = trial.gain
    return pick(
        trial,
        "id pattern title path judgement.verdict gain equivalence judgement.rulings "
        "judgement.needs patch",
        gain={"nesting": nesting, "nodes": nodes},
    )


def show_refactorings(found: Refactored) -> None:
    """A table of what was tried, and the patches of what is proven."""
    if found.trials:
        emit_table(
            ("dream", "pattern", "verdict", "why"),
            [_refactoring_row(each) for each in found.trials],
        )
    passed = [each for each in found.trials if each.is_promoted]
    if not passed:
        click.echo(printable(found.note or "nothing proven"))
    for each in passed:
        click.echo(f"\n{printable(each.title)}\n{printable(each.patch, multiline=True)}", nl=False)


def _refactoring_row(trial: RefactoringTried) -> tuple[str, ...]:
    why = printable(trial.title) if trial.is_promoted else _why(trial.judgement)
    return trial.id[:8], trial.pattern, str(trial.judgement.verdict), why
