"""Graphs as mappings, and best or countable choices: coins, knapsacks, stairs, queens."""

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


def knapsack(weights: list[int], values: list[int], capacity: int) -> int:
    """The best total value of items, each at most once, that fit a capacity.

    Also: 0/1 knapsack.

    >>> knapsack([1, 3, 4], [15, 20, 30], 4)
    35
    """
    best = [0] * (capacity + 1)
    for weight, value in zip(weights, values, strict=True):
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    return best[capacity]


def fewest_coins(coins: list[int], amount: int) -> int:
    """The fewest coins that add up to an amount; -1 when impossible.

    Also: coin change minimum.

    >>> [fewest_coins([1, 2, 5], 11), fewest_coins([2], 3)]
    [3, -1]
    """
    most = amount + 1
    best = [0] + [most] * amount
    for total in range(1, amount + 1):
        for coin in coins:
            if coin <= total:
                best[total] = min(best[total], best[total - coin] + 1)
    return best[amount] if best[amount] < most else -1


def count_change(coins: list[int], amount: int) -> int:
    """In how many ways coins add up to an amount, order ignored.

    Also: coin change combinations.

    >>> count_change([1, 2, 5], 5)
    4
    """
    ways = [1] + [0] * amount
    for coin in coins:
        for total in range(coin, amount + 1):
            ways[total] += ways[total - coin]
    return ways[amount]


def make_change(amount: int, coins: list[int]) -> list[int]:
    """The coins, largest first, that a greedy cashier hands out for an amount.

    Also: greedy change.

    >>> make_change(63, [25, 10, 5, 1])
    [25, 25, 10, 1, 1, 1]
    """
    given = []
    for coin in sorted(coins, reverse=True):
        while amount >= coin:
            given.append(coin)
            amount -= coin
    return given


def climb_stairs(steps: int) -> int:
    """In how many ways a staircase can be climbed by one or two steps.

    Also: climbing stairs.

    >>> climb_stairs(4)
    5
    """
    current, following = 1, 1
    for _ in range(steps):
        current, following = following, current + following
    return current


def best_non_adjacent_sum(numbers: list[int]) -> int:
    """The largest sum of numbers of which no two are neighbours; at least 0.

    Also: house robber.

    >>> best_non_adjacent_sum([2, 7, 9, 3, 1])
    12
    """
    taken, skipped = 0, 0
    for number in numbers:
        taken, skipped = skipped + number, max(skipped, taken)
    return max(taken, skipped)


def can_partition(numbers: list[int]) -> bool:
    """Whether numbers can be split into two groups of equal sum.

    Also: partition equal subset sum.

    >>> [can_partition([1, 5, 11, 5]), can_partition([1, 2, 5])]
    [True, False]
    """
    sums = {0}
    for number in numbers:
        sums |= {total + number for total in sums}
    return sum(numbers) % 2 == 0 and sum(numbers) // 2 in sums


def subset_with_sum(numbers: list[int], target: int) -> bool:
    """Whether some of the numbers add up to a target.

    Also: subset sum.

    >>> [subset_with_sum([3, 34, 4, 12], 7), subset_with_sum([3, 4], 5)]
    [True, False]
    """
    sums = {0}
    for number in numbers:
        sums |= {total + number for total in sums}
    return target in sums


def tower_of_hanoi(discs: int) -> int:
    """The fewest moves of the Tower of Hanoi with a number of discs.

    Also: hanoi moves.

    >>> tower_of_hanoi(3)
    7
    """
    return (1 << discs) - 1


def queens(size: int) -> int:
    """In how many ways so many queens fit on a board without threat.

    Also: n queens.

    >>> [queens(4), queens(6)]
    [2, 4]
    """

    def place(row: int, columns: frozenset[int], up: frozenset[int], down: frozenset[int]) -> int:
        if row == size:
            return 1
        free = (
            c for c in range(size) if c not in columns and row + c not in up and row - c not in down
        )
        return sum(place(row + 1, columns | {c}, up | {row + c}, down | {row - c}) for c in free)

    return place(0, frozenset(), frozenset(), frozenset())


def generate_brackets(pairs: int) -> list[str]:
    """All balanced texts of a number of bracket pairs, sorted.

    Also: generate parentheses.

    >>> generate_brackets(2)
    ['(())', '()()']
    """
    if pairs == 0:
        return [""]
    return sorted(
        f"({inner}){rest}"
        for size in range(pairs)
        for inner in generate_brackets(size)
        for rest in generate_brackets(pairs - 1 - size)
    )


def word_break(text: str, words: list[str]) -> bool:
    """Whether a text can be cut into words of a list.

    Also: word break, segmentation.

    >>> [word_break("leetcode", ["leet", "code"]), word_break("cats", ["cat"])]
    [True, False]
    """
    reachable = [True] + [False] * len(text)
    for end in range(1, len(text) + 1):
        reachable[end] = any(
            reachable[end - len(word)] and text[:end].endswith(word)
            for word in words
            if 0 < len(word) <= end
        )
    return reachable[-1]
