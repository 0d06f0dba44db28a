"""What `reverie index` adds when it is asked for the module map or for its picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from reverie.index.graph import ImportGraph, ModuleNames, cycles, layers, reverse_reach
from reverie.index.module_map import map_modules
from reverie.index.orphans import classify
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.indexes import opened_index
from reverie.interfaces.cli.measures import measured
from reverie.interfaces.cli.output import emit_table, printable
from reverie.interfaces.cli.progress import count_bar
from reverie.interfaces.cli.standing_documents import read_map, write_map, write_text
from reverie.model.code import CodeIndex
from reverie.model.codec import plain
from reverie.model.standing import ModuleMap

_CYCLES_SHOWN = 5


def draw_up_map(app: App, index: CodeIndex) -> ModuleMap:
    """The map; in an initialised repository its groups keep their ids, and it is written down."""
    folder = app.loaded.data_dir
    before = read_map(folder) if app.loaded.is_initialised else None
    module_map = map_modules(index, app.settings.map, before)
    if app.loaded.is_initialised:
        write_map(folder, module_map)
    return module_map


def write_picture(app: App, index: CodeIndex, module_map: ModuleMap, file: str) -> None:
    """The picture as one page."""
    from reverie.index.picture import compose_scene, render_page

    with opened_index(app) as remembered, count_bar("looking for uses") as show:
        evidence = remembered.evidence(index, show)
    signals = measured(app, index).signals
    standings = classify(index, evidence, app.settings.orphans, signals)
    scene = compose_scene(index, module_map, standings, signals, app.loaded.repository.name)
    write_text(Path(file), render_page(scene))


def graph_document(index: CodeIndex) -> dict[str, Any]:
    """Cycles, and how high and how far-reaching each module is."""
    names = ModuleNames(index.modules)
    imports = ImportGraph.of(index, names, type_checking=False).imports
    height, reach = layers(imports), reverse_reach(imports)
    shown = {path: module.name for path, module in names.by_path.items()}
    return {
        "cycles": [[shown[path] for path in members] for members in cycles(imports)],
        "modules": {shown[path]: {"layer": height[path], "reach": reach[path]} for path in imports},
    }


def map_additions(index: CodeIndex, module_map: ModuleMap) -> dict[str, Any]:
    """What `--map` adds to the JSON document."""
    return {"map": plain(module_map), "graph": graph_document(index)}


def show_map(index: CodeIndex, module_map: ModuleMap) -> None:
    """The groups, then the largest cycles."""
    lines = {module.path: module.loc for module in index.modules}
    rows = [
        (group.id, len(group.members), f"{sum(lines[path] for path in group.members):,}")
        for group in module_map.groups
    ]
    emit_table(("group", "modules", "lines"), rows)
    quality = "none" if module_map.modularity is None else f"{module_map.modularity:.2f}"
    click.echo(f"{len(rows)} groups by {module_map.algorithm}, modularity {quality}")
    _show_cycles(graph_document(index)["cycles"])


def _show_cycles(found: Sequence[Sequence[str]]) -> None:
    for members in found[:_CYCLES_SHOWN]:
        names = ", ".join(members[:_CYCLES_SHOWN]) + (" …" if len(members) > _CYCLES_SHOWN else "")
        click.echo(printable(f"cycle of {len(members)}: {names}"))
    if len(found) > _CYCLES_SHOWN:
        click.echo(f"… and {len(found) - _CYCLES_SHOWN} more cycles")
