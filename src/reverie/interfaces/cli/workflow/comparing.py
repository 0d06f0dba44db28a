"""`reverie workflow compare`."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.workflow_comparison import Overfitting, SynergyScores


def compare(app: App, given: Mapping[str, Any]) -> int:
    """Show how alike two workflows are; merge them where that is asked and they are copies."""
    from reverie.bootstrap.workflows import comparator_of, open_shelf

    first, second = given["first"], given["second"]
    with open_shelf(app.loaded) as shelf:
        comparator = comparator_of(shelf)
        scores = comparator.compare(shelf.find(first), shelf.find(second))
        is_duplicate = comparator.is_duplicate(scores)
        is_mergeable = comparator.is_mergeable(scores)
        is_merged = given["merge"] and is_duplicate
        if is_merged:
            comparator.merge_duplicate(first, second)
    document = {
        "a": first,
        "b": second,
        **_document(scores),
        "duplicate": is_duplicate,
        "mergeable": is_mergeable,
        "merged": is_merged,
    }
    emit_json(document) if app.json else _show(document)
    return 1 if given["merge"] and not is_merged else 0


def _document(scores: SynergyScores) -> dict[str, Any]:
    document = asdict(scores)
    for side, found in (("overfit_a", scores.overfit_a), ("overfit_b", scores.overfit_b)):
        document[side] = _overfitting(found)
    return {**document, "entropy_gap": scores.entropy_gap}


def _overfitting(found: Overfitting) -> dict[str, Any]:
    return pick(found, "overfit=is_overfit entropy low_entropy=is_low_entropy repeated")


def _show(document: Mapping[str, Any]) -> None:
    names = ("similarity", "shared_module_ratio", "entropy_a", "entropy_b", "efficiency",
             "modularity", "aggregate")  # fmt: skip
    rows = [(name, "-" if document[name] is None else f"{document[name]:.3f}") for name in names]
    emit_table(("figure", "value"), rows)
    for name, side in ((document["a"], "overfit_a"), (document["b"], "overfit_b")):
        if document[side]["overfit"]:
            click.echo(
                printable(f"{name} leans on too few modules: {document[side]['entropy']:.2f} bits")
            )
    said = "copies of one another" if document["duplicate"] else "not copies of one another"
    click.echo(said + (", merged" if document["merged"] else ""))
