"""Graphs as mappings: orders, ways and parts."""

import heapq
from collections import deque


def topological_order(depends: dict[str, list[str]]) -> list[str]:
    """Tasks ordered so that each comes after those it depends on; empty when there is a cycle.

    Also: topological sort, always the alphabetically first ready task, build order.

    >>> [topological_order({"b": ["a"], "c": ["b"]}), topological_order({"a": ["a"]})]
    [['a', 'b', 'c'], []]
    """
    waiting = {task: set(needs) for task, needs in depends.items()}
    for needs in depends.values():
        for task in needs:
            waiting.setdefault(task, set())
    order: list[str] = []
    while waiting:
        ready = min((task for task, needs in waiting.items() if not needs), default=None)
        if ready is None:
            return []
        order.append(ready)
        del waiting[ready]
        for left in waiting.values():
            left.discard(ready)
    return order


def has_cycle(links: dict[str, list[str]]) -> bool:
    """Whether a directed graph has a cycle.

    Also: detect circular dependencies.

    >>> [has_cycle({"a": ["b"], "b": ["a"]}), has_cycle({"a": ["b"]})]
    [True, False]
    """
    done: set[str] = set()
    under_way: set[str] = set()

    def visit(node: str) -> bool:
        if node in under_way:
            return True
        if node in done:
            return False
        under_way.add(node)
        found = any(visit(other) for other in links.get(node, []))
        under_way.discard(node)
        done.add(node)
        return found

    return any(visit(node) for node in links)


def breadth_first(links: dict[str, list[str]], start: str) -> list[str]:
    """The nodes reachable from a start in breadth-first order.

    Also: bfs traversal.

    >>> breadth_first({"a": ["b", "c"], "b": ["d"]}, "a")
    ['a', 'b', 'c', 'd']
    """
    order, waiting, seen = [], deque([start]), {start}
    while waiting:
        node = waiting.popleft()
        order.append(node)
        for other in links.get(node, []):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return order


def depth_first(links: dict[str, list[str]], start: str) -> list[str]:
    """The nodes reachable from a start in depth-first order.

    Also: dfs preorder traversal.

    >>> depth_first({"a": ["b", "c"], "b": ["d"]}, "a")
    ['a', 'b', 'd', 'c']
    """
    order: list[str] = []
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            order.append(node)
            waiting.extend(reversed(links.get(node, [])))
    return order


def shortest_path_length(links: dict[str, list[str]], start: str, goal: str) -> int:
    """The fewest steps from a node to another; -1 when there is no way.

    Also: unweighted shortest path, degrees of separation.

    >>> shortest_path_length({"a": ["b"], "b": ["c"]}, "a", "c")
    2
    """
    waiting, seen = deque([(start, 0)]), {start}
    while waiting:
        node, steps = waiting.popleft()
        if node == goal:
            return steps
        for other in links.get(node, []):
            if other not in seen:
                seen.add(other)
                waiting.append((other, steps + 1))
    return -1


def cheapest_distances(links: dict[str, dict[str, int]], start: str) -> dict[str, int]:
    """The cheapest distance from a start to every reachable node.

    Also: Dijkstra.

    >>> cheapest_distances({"a": {"b": 4, "c": 1}, "c": {"b": 2}}, "a")
    {'a': 0, 'c': 1, 'b': 3}
    """
    found: dict[str, int] = {}
    waiting = [(0, start)]
    while waiting:
        distance, node = heapq.heappop(waiting)
        if node not in found:
            found[node] = distance
            for other, cost in links.get(node, {}).items():
                heapq.heappush(waiting, (distance + cost, other))
    return found


def connected_components(links: dict[str, list[str]]) -> int:
    """How many connected components an undirected graph has.

    Also: number of groups, friend circles.

    >>> connected_components({"a": ["b"], "b": ["a"], "c": []})
    2
    """
    left = set(links)
    count = 0
    while left:
        count += 1
        waiting = [left.pop()]
        while waiting:
            for other in links.get(waiting.pop(), []):
                if other in left:
                    left.remove(other)
                    waiting.append(other)
    return count
