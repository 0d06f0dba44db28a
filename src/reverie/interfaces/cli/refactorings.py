"""Refactorings as JSON, and for people."""

from typing import Any

import click

from reverie.interfaces.cli.output import emit_table, printable
from reverie.model.codec import pick
from reverie.model.refactoring import Refactored, RefactoringTried
from reverie.model.ruling import Answer


def refactoring_document(found: Refactored) -> dict[str, Any]:
    """The keys that docs/json.md promises."""
    return pick(
        found,
        "callable=target dreams best=best.id source=best.source imagined has_suite note seconds",
        dreams=[_trial(each) for each in found.trials],
    )


def _trial(trial: RefactoringTried) -> dict[str, Any]:
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
        emit_table(("dream", "pattern", "verdict", "why"), [_row(each) for each in found.trials])
    passed = [each for each in found.trials if each.is_promoted]
    if not passed:
        click.echo(printable(found.note or "nothing proven"))
    for each in passed:
        click.echo(f"\n{printable(each.title)}\n{printable(each.patch, multiline=True)}", nl=False)


def _row(trial: RefactoringTried) -> tuple[str, ...]:
    answers = list(Answer)
    worst = max(trial.judgement.rulings, key=lambda each: answers.index(each.verdict))
    why = "" if worst.verdict is Answer.PASS else printable(worst.reason)
    return trial.id[:8], trial.pattern, str(trial.judgement.verdict), why or printable(trial.title)
