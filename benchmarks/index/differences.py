"""Edges that grimp and Reverie do not share, each with the reason that was found by hand."""

from collections.abc import Iterable
from typing import Any

Edge = tuple[str, str]


def explain(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """The differences by reason; what has no reason is listed edge by edge."""
    mine = {tuple(edge) for edge in ours["edges"]}
    grimp = {tuple(edge) for edge in theirs["edges"]}
    modules = set(theirs["modules"])
    lines = [f"  edges: {len(mine)} ours, {len(grimp)} grimp's, {len(mine & grimp)} shared"]
    unseen = {edge for edge in mine - grimp if not {*edge} <= modules}
    importers = sorted({edge[0] for edge in unseen} - modules)
    if unseen:
        lines.append(
            f"    {len(unseen)} only ours, of {len(importers)} files that lie in folders without "
            f"__init__.py, which grimp does not look into: {_some(importers)}"
        )
    selves = {edge for edge in grimp - mine if edge[0] == edge[1]}
    if selves:
        names = sorted(edge[0] for edge in selves)
        lines.append(
            f"    {len(selves)} only grimp's, of modules that import themselves: {_some(names)}"
        )
    lines += _listed("only ours", (mine - grimp) - unseen)
    lines += _listed("only grimp's", (grimp - mine) - selves)
    return "\n".join(lines)


def _listed(whose: str, edges: Iterable[Edge]) -> list[str]:
    return [f"    {whose}, unexplained: {edge[0]} -> {edge[1]}" for edge in sorted(edges)]


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:4]) + (f" and {len(listed) - 4} more" if len(listed) > 4 else "")
