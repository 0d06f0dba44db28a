"""Cycles, layers and reach of a directed graph, given as node -> successors."""

from collections.abc import Hashable, Mapping, Set
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def strongly_connected(graph: Mapping[N, Set[N]]) -> list[tuple[N, ...]]:
    """Kosaraju's components, each after every component that it points to."""
    backwards: dict[N, list[N]] = {node: [] for node in graph}
    for node, successors in graph.items():
        for successor in successors:
            backwards[successor].append(node)
    taken: set[N] = set()
    components = []
    for node in reversed(_finished_order(graph)):
        if node not in taken:
            members = _collect(node, backwards, taken)
            components.append(tuple(members))
    return components[::-1]


def _finished_order(graph: Mapping[N, Set[N]]) -> list[N]:
    """Nodes in the order in which a depth-first walk leaves them."""
    seen: set[N] = set()
    finished: list[N] = []
    for start in graph:
        stack = [(start, False)]
        while stack:
            node, is_done = stack.pop()
            if is_done:
                finished.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack += [(each, False) for each in graph[node] if each not in seen]
    return finished


def _collect(start: N, graph: Mapping[N, list[N]], taken: set[N]) -> list[N]:
    """Everything reached from `start` that was not taken before, which it is now."""
    taken.add(start)
    members, stack = [start], [start]
    while stack:
        for each in graph[stack.pop()]:
            if each not in taken:
                taken.add(each)
                members.append(each)
                stack.append(each)
    return members


def cycles(graph: Mapping[str, Set[str]]) -> tuple[tuple[str, ...], ...]:
    """The groups of modules that import one another in a circle, largest first."""
    found = [tuple(sorted(each)) for each in strongly_connected(graph) if len(each) > 1]
    return tuple(sorted(found, key=lambda members: (-len(members), members)))


def layers(graph: Mapping[N, Set[N]]) -> dict[N, int]:
    """How far each node stands above the ground: 0 imports nothing; a cycle is one layer."""
    layer: dict[N, int] = {}
    for members in strongly_connected(graph):
        inside = set(members)
        below = [layer[each] for node in members for each in graph[node] if each not in inside]
        layer.update(dict.fromkeys(members, max(below, default=-1) + 1))
    return layer


def reverse_reach(graph: Mapping[N, Set[N]]) -> dict[N, float | None]:
    """The share of the other nodes that lead here, directly or not; None for a lonely graph."""
    components = strongly_connected(graph)
    number = {node: index for index, members in enumerate(components) for node in members}
    leading = [0] * len(components)  # a bit for each component that leads to this one
    for index in reversed(range(len(components))):
        for successor in {number[each] for node in components[index] for each in graph[node]}:
            if successor != index:
                leading[successor] |= leading[index] | 1 << index
    others = len(graph) - 1
    if others < 1:
        return dict.fromkeys(graph)
    sizes = [len(members) for members in components]
    counts = [
        size - 1 + sum(sizes[bit] for bit in _bits(mask))
        for size, mask in zip(sizes, leading, strict=True)
    ]
    return {node: counts[index] / others for node, index in number.items()}


def _bits(mask: int) -> list[int]:
    text = bin(mask)[:1:-1]
    return [index for index, bit in enumerate(text) if bit == "1"]
