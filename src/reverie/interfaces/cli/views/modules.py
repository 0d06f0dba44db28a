"""Modules of a repository as commands show them: coverage and past, orphans, the module map.

Orphans and the map are JSON, or files that a person can compare; `reverie index` adds the map or
its picture when asked.
"""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from reverie.bootstrap import measure_signals
from reverie.errors import GitFailed, UsageError
from reverie.index.coverage import find_report, read_report
from reverie.index.graph import ImportGraph, ModuleNames, cycles, layers, reverse_reach
from reverie.index.module_map import map_modules
from reverie.index.orphans import classify
from reverie.index.ranking import FoundCoverage, Measured
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.indexes import opened_index
from reverie.interfaces.cli.output import emit_table, printable
from reverie.interfaces.cli.progress import count_bar
from reverie.model.codec import Malformed, plain, read
from reverie.model.repository.code import CodeIndex
from reverie.model.repository.standing import (
    CLASSIFICATIONS_FILE,
    MAP_FILE,
    ORPHANS_FILE,
    ModuleMap,
    ModuleStanding,
)

_NO_COVERAGE = "no coverage report: what the tests run is not known"


@dataclass(frozen=True, slots=True)
class CoverageSearch:
    """The coverage that was found, and what went wrong with it."""

    found: FoundCoverage | None
    notes: tuple[str, ...] = ()


def find_coverage(repository: Path) -> CoverageSearch:
    """The coverage report that lies in a repository. Nobody asked for it: a bad one is said."""
    path = find_report(repository)
    if path is None:
        return CoverageSearch(None)
    try:
        return CoverageSearch(FoundCoverage(read_report(path), path.name))
    except UsageError as error:
        return CoverageSearch(None, (f"passed over: {error}",))


def measured(app: App, index: CodeIndex) -> Measured:
    """The signals of every module, and notes on what is not known."""
    search = find_coverage(app.loaded.repository)
    absent = (_NO_COVERAGE,) if search.found is None else ()
    try:
        found = measure_signals(index, search.found, app.settings.candidates)
    except GitFailed as error:  # a broken past is no reason to be silent about the present
        found = Measured(notes=(f"git age is not known: {error}",))
    return replace(found, notes=(*found.notes, *search.notes, *absent))


_INTEGRATED = "integrated"
_LARGEST_MAP = 64 << 20


def write_orphans(folder: Path, standings: Sequence[ModuleStanding]) -> None:
    """The two files about orphans, by path: files of one name stay apart."""
    write_json(folder / ORPHANS_FILE, sorted(each.path for each in standings if each.orphan))
    by_path = {each.path: plain(each) for each in standings}
    write_json(folder / CLASSIFICATIONS_FILE, by_path)


def write_map(folder: Path, module_map: ModuleMap) -> None:
    """The file of the module map; what was integrated before stays in it."""
    kept = _read(folder / MAP_FILE).get(_INTEGRATED)
    integrated = {} if kept is None else {_INTEGRATED: kept}
    write_json(folder / MAP_FILE, {**plain(module_map), **integrated})


def read_map(folder: Path) -> ModuleMap | None:
    """The map that was written last; None when there is none that can be read."""
    with suppress(Malformed):
        return replace(read(ModuleMap, _read(folder / MAP_FILE), loose=True), modularity=None)
    return None


def _read(path: Path) -> Mapping[str, Any]:
    """A JSON object in a file; an empty one where there is none that can be read."""
    with suppress(OSError, ValueError, RecursionError):
        if path.stat().st_size <= _LARGEST_MAP:
            found = json.loads(path.read_text("utf-8"))
            return found if isinstance(found, dict) else {}
    return {}


def write_json(path: Path, document: object) -> None:
    """Write a file whole or not at all: keys sorted, one value per line."""
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    write_text(path, text)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


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
