"""Parts a weighted graph into communities. Nothing random: the same graph, the same parts."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from reverie.index.graph.components import strongly_connected
from reverie.index.module_map.ties import Ties
from reverie.model.sections import MapAlgorithm

Parts = list[frozenset[str]]

_MOST_ROUNDS = 50
_LEAST_GAIN = 1e-9


def part(ties: Ties, algorithm: MapAlgorithm) -> Parts:
    """The communities of a graph, each with its nodes."""
    algorithms: Mapping[MapAlgorithm, Callable[[Ties], Parts]] = {
        MapAlgorithm.LOUVAIN: louvain,
        MapAlgorithm.LABEL: label_propagation,
        MapAlgorithm.COMPONENTS: components,
    }
    return algorithms[algorithm](ties)


def components(ties: Ties) -> Parts:
    """Whatever is tied at all, however far around."""
    graph = {node: frozenset(others) for node, others in ties.items()}
    return [frozenset(members) for members in strongly_connected(graph)]


def label_propagation(ties: Ties) -> Parts:
    """Every node takes the label that most of its ties have, until none changes."""
    labels = {node: node for node in ties}
    for _ in range(_MOST_ROUNDS):
        changed = False
        for node in sorted(ties):
            weights: dict[str, float] = defaultdict(float)
            for other, weight in ties[node].items():
                weights[labels[other]] += weight
            best = max(weights.items(), key=lambda item: (item[1], item[0]), default=None)
            if best is not None and best[1] > weights.get(labels[node], 0.0):
                labels[node], changed = best[0], True
        if not changed:
            break
    return _parts(labels)


def louvain(ties: Ties) -> Parts:
    """Blondel and others (2008): move nodes while modularity grows, merge, and again."""
    level: dict[str, dict[str, float]] = {node: dict(others) for node, others in ties.items()}
    members = {node: frozenset({node}) for node in ties}
    while True:
        community = _moved(level)
        if len(set(community.values())) == len(level):
            return list(members.values())
        level, members = _merged(level, members, community)


def modularity(ties: Ties, parts: Iterable[frozenset[str]]) -> float | None:
    """Newman's modularity of a partition; None for a graph without ties."""
    degree = {node: sum(others.values()) for node, others in ties.items()}
    total = sum(degree.values())
    if not total:
        return None
    value = 0.0
    for members in parts:
        inside = sum(
            weight for node in members for other, weight in ties[node].items() if other in members
        )
        value += inside / total - (sum(degree[node] for node in members) / total) ** 2
    return value


def _moved(level: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    community = {node: node for node in level}
    degree = {node: sum(others.values()) for node, others in level.items()}
    sums = Counter(degree)
    total = sum(degree.values())
    for _ in range(_MOST_ROUNDS):
        changed = False
        for node in sorted(level):
            old = community[node]
            sums[old] -= degree[node]  # type: ignore[assignment]
            new = _best_community(node, level[node], community, sums, degree[node] / (total or 1))
            sums[new] += degree[node]  # type: ignore[assignment]
            community[node] = new
            changed |= new != old
        if not changed:
            break
    return community


def _best_community(
    node: str,
    others: Mapping[str, float],
    community: Mapping[str, str],
    sums: Mapping[str, float],
    share: float,
) -> str:
    """The community with the largest gain; the own one when none is larger."""
    weights: dict[str, float] = defaultdict(float)
    for other, weight in others.items():
        if other != node:
            weights[community[other]] += weight
    own = community[node]
    best, best_gain = own, weights.get(own, 0.0) - sums[own] * share
    for name in sorted(weights):
        gain = weights[name] - sums[name] * share
        if gain > best_gain + _LEAST_GAIN:
            best, best_gain = name, gain
    return best


def _merged(
    level: Mapping[str, Mapping[str, float]],
    members: Mapping[str, frozenset[str]],
    community: Mapping[str, str],
) -> tuple[dict[str, dict[str, float]], dict[str, frozenset[str]]]:
    merged: dict[str, dict[str, float]] = {name: {} for name in sorted(set(community.values()))}
    joined: dict[str, frozenset[str]] = dict.fromkeys(merged, frozenset())
    for node, others in level.items():
        mine = merged[community[node]]
        joined[community[node]] |= members[node]
        for other, weight in others.items():
            mine[community[other]] = mine.get(community[other], 0.0) + weight
    return merged, joined


def _parts(labels: Mapping[str, str]) -> Parts:
    found: dict[str, set[str]] = defaultdict(set)
    for node, label in labels.items():
        found[label].add(node)
    return [frozenset(members) for _, members in sorted(found.items())]
