"""Who depends on whom in a repository, and how much of a change got through, as measured."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from reverie.model.code import CodeIndex
from reverie.model.worth import RoiRow
from reverie.scoring.impact import WorkflowGraph, transmission


def impact_graph(index: CodeIndex, rows: Iterable[RoiRow]) -> WorkflowGraph:
    """The imports of an index, each with what the cycles that tried both ends have shown."""
    worths = worths_by_cycle(rows)
    graph = WorkflowGraph()
    for importer, imported in index.edges:
        one, other = worths.get(imported, {}), worths.get(importer, {})
        shared = [cycle for cycle in one if cycle in other]
        through = transmission([one[each] for each in shared], [other[each] for each in shared])
        graph.add_dependency(importer, imported, through)
    return graph


def worths_by_cycle(rows: Iterable[RoiRow]) -> Mapping[str, Mapping[str, float]]:
    """By module, the minutes of its tried dreams in each cycle, oldest first."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.minutes is not None and "module" in row.groups:
            cycles = found[row.groups["module"]]
            cycles[row.cycle_id] = cycles.get(row.cycle_id, 0.0) + row.minutes
    return found
