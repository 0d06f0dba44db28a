"""How many of those so far are smaller, counted one by one."""

from collections.abc import Iterator

from reverie.dreamers.optimise.patterns.membership import made_as_list, only_grows
from reverie.dreamers.rewriting.counts import Count, counts_of
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


def growing_rank(scene: Scene) -> Iterator[Edits]:
    """A list in order grows beside the one whose values are counted."""
    by_list: dict[str, list[Count]] = {}
    for count in counts_of(scene):
        by_list.setdefault(count.things, []).append(count)
    for name, counts in by_list.items():
        made, appends = made_as_list(scene, name), scene.method_calls(name, "append")
        if made is None or not any(map(scene.loops_around, appends)):
            continue
        if not only_grows(scene, name):
            continue
        ordered, source = scene.fresh(f"{name}_ordered"), scene.source
        start = source.of(made.value) if made.value is not None else "[]"
        first = f"{ordered} = []" if start == "[]" else f"{ordered} = sorted({start})"
        edits = [source.after(made, first)]
        for call in appends:
            line = f"insort({ordered}, {source.of(call.args[0])})"
            edits.append(source.after(scene.statement_of(call), line))
        edits += [source.replaced(each.node, each.among(ordered)) for each in counts]
        which = {("bisect", each.which) for each in counts}
        yield Edits(tuple(edits), frozenset({("bisect", "insort"), *which}))
