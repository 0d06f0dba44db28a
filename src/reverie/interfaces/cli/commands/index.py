"""`reverie index`: read a repository and remember what is in it."""

import time
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import click

from reverie.index import Refreshed
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.indexes import opened_index, refresh_shown
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.repository.code import Class, CodeIndex, Function, Import, ImportKind, Module

_ERRORS_SHOWN = 20
_EXAMPLE = """
reverie index path/to/repository --json
reverie index --map --html map.html
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--map", "wants_map", is_flag=True, help="Show which modules belong together.")
@click.option(
    "--html",
    type=NewFile(),
    metavar="FILE",
    help="Draw the module map there: one self-contained page.",
)
@setting_option("map.algorithm", also=("--module-algorithm",))
@setting_option("map.threshold", also=("--module-threshold",))
@setting_option("map.semantic", also=("--module-semantic",))
@setting_option("journal.url")
@click.pass_obj
def command(app: App, wants_map: bool, html: str | None) -> None:
    """Read a repository: modules, functions, classes, imports, calls, public names.

    Nothing of it is imported or run. The index is remembered in the journal (.reverie, which git
    ignores), and the next time only what changed is read. A file that does not parse is listed
    with its error and the rest goes on.
    """
    started = time.perf_counter()
    with opened_index(app, keeps=True) as index:
        refreshed = refresh_shown(index)
        loaded = index.load() if app.json or wants_map or html is not None else None
    additions = _mapped(app, loaded, wants_map, html)
    if app.json and loaded is not None:
        document = {**index_document(loaded, refreshed), **additions}
        emit_json({**document, "seconds": _since(started)}, on_one_line=True)
    elif not additions:
        _show(app, refreshed, _since(started))


def _mapped(app: App, index: CodeIndex | None, wants_map: bool, html: str | None) -> dict[str, Any]:
    """Show the map, draw its picture, or both; what of it belongs into the JSON document."""
    if index is None or not (wants_map or html is not None):
        return {}
    from reverie.interfaces.cli.views import modules as module_maps

    module_map = module_maps.draw_up_map(app, index)
    if html is not None:
        module_maps.write_picture(app, index, module_map, html)
    if not wants_map:
        return {}
    if not app.json:
        module_maps.show_map(index, module_map)
    return module_maps.map_additions(index, module_map)


def index_document(index: CodeIndex, refreshed: Refreshed) -> dict[str, Any]:
    """The index as `--json` prints it, without the time it took."""
    return {
        "repository": index.repository,
        "modules": [_module(each) for each in index.modules],
        "edges": _sorted_edges(index.edges),
        "type_checking_edges": _sorted_edges(index.type_checking_edges),
        **pick(refreshed, "totals read unchanged removed notes"),
    }


def _show(app: App, refreshed: Refreshed, seconds: float) -> None:
    """The totals, then what could not be read."""
    totals = asdict(refreshed.totals)
    tiers = totals.pop("tiers")
    rows = [(name.replace("_", " "), f"{count:,}") for name, count in totals.items()]
    rows += [(f"tier {tier}", f"{count:,}") for tier, count in tiers.items()]
    emit_table(("what", "count"), rows)
    click.echo(
        f"{refreshed.read:,} read, {refreshed.unchanged:,} unchanged, "
        f"{refreshed.removed:,} removed in {seconds:.2f} s"
    )
    for path, error in list(refreshed.errors.items())[:_ERRORS_SHOWN]:
        click.echo(printable(f"{path}: {error}"))
    hidden = len(refreshed.errors) - _ERRORS_SHOWN
    if hidden > 0:
        click.echo(f"… and {hidden:,} more")
    for note in refreshed.notes:
        click.echo(printable(f"note: {note}"), err=True)
    if app.loaded.journal_url is None:
        click.echo("note: not remembered; run `reverie init` to keep the index", err=True)


def _since(started: float) -> float:
    return round(time.perf_counter() - started, 3)


def _module(module: Module) -> dict[str, Any]:
    """One module."""
    checked_only, running = _internal(module.imports)
    return pick(
        module,
        "name path loc functions classes imports type_checking_imports import_sites calls literals "
        "exports mentions docstring is_package is_test has_main_block tier distribution root "
        "content_hash error",
        functions=[_function(each) for each in module.functions],
        classes=[_class(each) for each in module.classes],
        imports=running,
        type_checking_imports=checked_only,
        import_sites=[pick(each, "module name line kind is_internal") for each in module.imports],
        calls=[pick(each, "callee caller line literals in_doctest") for each in module.calls],
    )


def _function(function: Function) -> dict[str, Any]:
    """A function or a method."""
    return pick(
        function,
        "name qualname signature line end_line complexity cognitive loc parameters returns "
        "decorators is_async is_generator docstring",
        parameters=[pick(each, "name kind annotation default") for each in function.parameters],
    )


def _class(each: Class) -> dict[str, Any]:
    """A class with its methods."""
    return pick(
        each,
        "name qualname line end_line bases decorators docstring",
        methods=[_function(method) for method in each.methods],
    )


def _sorted_edges(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Edges in an order that is the same every time."""
    return [list(edge) for edge in sorted(edges)]


def _internal(imports: Iterable[Import]) -> tuple[list[str], list[str]]:
    """Internal modules that only a type checker imports, and those that running code does."""
    running: set[str] = set()
    checking: set[str] = set()
    for each in imports:
        if each.is_internal:
            is_checking = each.kind is ImportKind.TYPE_CHECKING
            (checking if is_checking else running).add(each.module)
    return sorted(checking - running), sorted(running)
