"""Follows orphans through their imports: which module pulled which into the list, and how deep."""

from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass

from reverie.index.graph.components import strongly_connected


@dataclass(frozen=True, slots=True)
class Chains:
    """The unreached modules as chains: heads that nothing uses, and what only they lead to."""

    heads: frozenset[str]
    depths: Mapping[str, int]
    """Imports from the nearest head that is followed; a module beyond the limits is not here."""


def unused_heads(unreached: Set[str], imports: Mapping[str, Set[str]]) -> frozenset[str]:
    """Modules that nothing uses, and circles that nothing outside of them uses."""
    graph = {path: imports[path] & unreached for path in unreached}
    components = strongly_connected({path: graph[path] for path in sorted(graph)})
    number = {path: at for at, members in enumerate(components) for path in members}
    used = {
        number[target]
        for path, targets in graph.items()
        for target in targets
        if number[target] != number[path]
    }
    return frozenset(path for path, at in number.items() if at not in used)


def follow(
    heads: Collection[str],
    followed: Iterable[str],
    imports: Mapping[str, Set[str]],
    unreached: Set[str],
    max_depth: int,
) -> Chains:
    """Walk from the heads; only from those in `followed` further than themselves."""
    depths = dict.fromkeys(sorted(heads), 0)
    waiting = [path for path in sorted(followed) if path in depths]
    for depth in range(1, max_depth + 1):
        found = sorted({each for path in waiting for each in imports[path] & unreached})
        waiting = [path for path in found if path not in depths]
        if not waiting:
            break
        depths.update(dict.fromkeys(waiting, depth))
    return Chains(frozenset(heads), depths)


def islands(unreached: Set[str], imports: Mapping[str, Set[str]]) -> dict[str, frozenset[str]]:
    """Unreached modules tied to nothing that is reached, each with the group it is tied to."""
    ties: dict[str, set[str]] = {path: set() for path in imports}
    for path, targets in imports.items():
        for target in targets:
            ties[path].add(target)
            ties[target].add(path)
    found: dict[str, frozenset[str]] = {}
    for members in strongly_connected(ties):
        if unreached >= set(members):
            found.update(dict.fromkeys(members, frozenset(members)))
    return found
