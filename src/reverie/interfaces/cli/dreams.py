"""Dreams of procedures as documents and tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from reverie.interfaces.cli.output import emit_table, printable
from reverie.model.codec import pick
from reverie.model.procedure import DreamProcedure
from reverie.model.words import counted

_STYLES = {"success": "green", "tested": "cyan", "viable": "green", "archive": "dim"}


def dream_document(dream: DreamProcedure) -> dict[str, Any]:
    """A dream without its sources."""
    return pick(
        dream,
        "id title dream_type dreamer base_procedure repository status tier=tier.number "
        "viability_score novelty_score cross_project_matches effectiveness test_outcome test_error "
        "test_timestamp created_at run_id",
    )


def whole_document(dream: DreamProcedure) -> dict[str, Any]:
    """A dream with its sources and all that is known of it."""
    sources = "entry code base_code import_roots details reasoning evaluator evaluated_at"
    return {**dream_document(dream), **pick(dream, sources)}


def show_dreams(dreams: Sequence[DreamProcedure]) -> None:
    """Dreams as a table, one line each."""
    rows = [
        (
            each.id,
            each.status.value,
            "-" if each.tier is None else each.tier.number,
            _figure(each.viability_score),
            _figure(each.novelty_score),
            "-" if each.test_outcome is None else each.test_outcome.value,
            each.dreamer,
            each.base_procedure or "-",
            each.title,
        )
        for each in dreams
    ]
    columns = ("id", "status", "tier", "viability", "novelty", "test", "dreamer", "base", "what")
    emit_table(columns, rows, _STYLES)


def show_dream(document: dict[str, Any]) -> None:
    """One dream with its source and its tests."""
    shown = ("code", "base_code", "tests", "details")
    for name, value in document.items():
        if name not in shown and value is not None:
            click.echo(f"{name:<22} {printable(str(value))}")
    for name, value in document["details"].items():
        click.echo(f"{name:<22} {printable(str(value))}")
    for test in document["tests"]:
        words = ", ".join(test["compared"]) or "no base to compare with"
        inputs = counted(test["inputs"], "input")
        click.echo(f"test {test['tested_at']}: {test['outcome']}, {inputs}, {words}")
    click.echo("\n" + printable(document["code"], multiline=True))


def show_figures(document: dict[str, Any]) -> None:
    """Plain figures, one on a line; what is absent is a dash."""
    for name, value in document.items():
        if isinstance(value, dict):
            for inner, each in value.items():
                click.echo(f"{name + '.' + str(inner):<34} {_figure(each)}")
        elif not isinstance(value, list):
            click.echo(f"{name:<34} {_figure(value)}")


def _figure(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else printable(str(value))


def show_tests(document: Mapping[str, Any]) -> None:
    """Tests as a table, one line each."""
    columns = ("dream", "outcome", "inputs", "compared", "speed-up", "effective", "what")
    rows = [
        (
            each["dream_id"],
            each["outcome"],
            each["inputs"],
            ", ".join(each["compared"]) or "-",
            short(each["speedup"]),
            short(each["effectiveness"]),
            each["title"],
        )
        for each in document["tested_dreams_details"]
    ]
    emit_table(columns, rows, {"success": "green"})
    click.echo(
        f"{document['dreams_passed']} of {counted(document['tested_dreams'], 'dream')} passed"
    )


def show_report(document: Mapping[str, Any]) -> None:
    """What would help, and what is tightened."""
    passed, tested = document["dreams_passed"], document["total_dreams_tested"]
    click.echo(f"{passed} of {tested} tested dreams passed")
    for each in document["suggested_improvements"]:
        issue = printable(" ".join(each["issue"].split()))[:100]
        click.echo(f"{counted(each['frequency'], 'dream'):>11}  {each['category']}: {issue}")
        click.echo(f"             {each['suggestion']}")
    for each in document["tightenings"]:
        constraint = each["constraint"] or "no constraint"
        what = f"{each['dreamer']} keeps {each['share']:.0%} of its variants, {constraint}"
        click.echo(f"tightening {each['id']}: {what}; lift it with --lift {each['id']}")


def short(value: Any) -> str:
    """A figure in a table; a dash when it is absent."""
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
