"""Which modules belong together: the groups of the import and call graph, with names that stay.

Ties are imports, calls and, if asked for, the words that modules use (tf-idf and cosine, no
model). Nothing is random: the same graph gives the same groups.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from posixpath import dirname

from reverie.index.graph import PACKAGE_FILE, ImportGraph, ModuleNames, strongly_connected
from reverie.model.repository.code import CodeIndex, Module
from reverie.model.repository.standing import Group, ModuleMap
from reverie.model.sections import MapAlgorithm, MapSection

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]{2,}")
_LEAST_COSINE = 0.25
_MOST_NEIGHBOURS = 3
_COMMON_SHARE = 0.1
"""A word in more modules than this share (and than a handful) says nothing."""
_HANDFUL = 8


def similar_modules(index: CodeIndex) -> dict[tuple[str, str], float]:
    """Pairs of paths with the cosine of their words: for each module its nearest few."""
    vectors = _vectors({module.path: _words(module) for module in index.modules})
    holders: dict[str, list[str]] = defaultdict(list)
    for path, vector in vectors.items():
        for word in vector:
            holders[word].append(path)
    found: dict[tuple[str, str], float] = {}
    for path, vector in vectors.items():
        scores: Counter[str] = Counter()
        for word, weight in vector.items():
            for other in holders[word]:
                if other != path:
                    scores[other] += weight * vectors[other][word]  # type: ignore[assignment]
        nearest = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:_MOST_NEIGHBOURS]
        for other, cosine in nearest:
            if cosine >= _LEAST_COSINE:
                found[min(path, other), max(path, other)] = round(float(cosine), 6)
    return found


def _words(module: Module) -> Counter[str]:
    texts = [module.name.rpartition(".")[2], module.docstring or ""]
    for each in module.functions:
        texts += [each.name, each.docstring or ""]
    for owner in module.classes:
        texts += [owner.name, owner.docstring or "", *(each.name for each in owner.methods)]
    return Counter(word.lower() for text in texts for word in _WORD.findall(text))


def _vectors(words: dict[str, Counter[str]]) -> dict[str, dict[str, float]]:
    """Weights of unit length; words that nearly every module has are left out."""
    spread = Counter(word for counts in words.values() for word in counts)
    most = max(_HANDFUL, _COMMON_SHARE * len(words))
    vectors = {}
    for path, counts in sorted(words.items()):
        vector = {
            word: (1 + math.log(count)) * math.log(len(words) / spread[word])
            for word, count in counts.items()
            if 1 < spread[word] <= most
        }
        length = math.sqrt(sum(weight * weight for weight in vector.values()))
        vectors[path] = {word: weight / length for word, weight in vector.items()} if length else {}
    return vectors


Ties = Mapping[str, Mapping[str, float]]
"""Weights between paths, the same both ways."""

_PACKAGE_TIE = 0.05
"""What ties a module and its package when nothing else ties it to anything."""


def ties_of(index: CodeIndex, names: ModuleNames, threshold: float, *, semantic: bool) -> Ties:
    """The ties of an index, the strongest 1; those below the threshold are left out."""
    weights: dict[tuple[str, str], float] = defaultdict(float)
    graph = ImportGraph.of(index, names)
    for path, targets in graph.imports.items():
        for target in targets:
            weights[_pair(path, target)] += 1
    for pair, count in _calls(index, names).items():
        weights[pair] += math.log1p(count)
    if semantic:
        for (left, right), cosine in similar_modules(index).items():
            weights[_pair(left, right)] += cosine
    strongest = max(weights.values(), default=1.0)
    kept = {pair: weight / strongest for pair, weight in weights.items()}
    kept = {pair: weight for pair, weight in kept.items() if weight >= threshold}
    tied = {path for pair in kept for path in pair}
    for path in names.by_path.keys() - tied:
        inside = names.in_folder(dirname(path), deep=False) if path.endswith(PACKAGE_FILE) else ()
        for other in (*names.parents(path)[:1], *inside):
            if other != path:
                kept[_pair(path, other)] = _PACKAGE_TIE
    return _both_ways(kept, names)


def _calls(index: CodeIndex, names: ModuleNames) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for module in index.modules:
        for call in module.calls:
            target = names.named(call.callee.partition(":")[0], module.path)
            if target is not None and target != module.path:
                counts[_pair(module.path, target)] += 1
    return counts


def _pair(left: str, right: str) -> tuple[str, str]:
    return (left, right) if left < right else (right, left)


def _both_ways(weights: Mapping[tuple[str, str], float], names: ModuleNames) -> Ties:
    ties: dict[str, dict[str, float]] = {path: {} for path in sorted(names.by_path)}
    for (left, right), weight in sorted(weights.items()):
        ties[left][right] = weight
        ties[right][left] = weight
    return ties


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


_SAME_GROUP = 0.5
"""Share of common members from which a group is the one it was before."""
_MAJORITY = 0.6
_MOST_OF_A_PACKAGE = 3
"""A group is called by a package that is at most so many times its size."""


def map_modules(
    index: CodeIndex, section: MapSection, before: ModuleMap | None = None
) -> ModuleMap:
    """The map of an index. Groups of the map `before` that are still there keep their ids."""
    names = ModuleNames(index.modules)
    ties = ties_of(index, names, section.threshold, semantic=section.semantic)
    parts = sorted(part(ties, section.algorithm), key=lambda each: (-len(each), sorted(each)))
    kept = _kept_ids(parts, () if before is None else before.groups)
    labels = {members: _label(members, names, ties) for members in parts}
    taken = set(kept.values())
    groups = []
    for members in parts:
        group_id = kept.get(members) or _free(labels[members], taken)
        taken.add(group_id)
        groups.append(Group(group_id, labels[members], tuple(sorted(members))))
    score = modularity(ties, parts)
    return ModuleMap(
        algorithm=section.algorithm.value,
        threshold=section.threshold,
        semantic=section.semantic,
        modularity=None if score is None else round(score, 4),
        groups=tuple(groups),
    )


def _kept_ids(
    parts: Sequence[frozenset[str]], before: Iterable[Group]
) -> dict[frozenset[str], str]:
    """Ids of earlier groups for the parts that share most with them, each given once."""
    known = [(group.id, frozenset(group.members)) for group in before]
    pairs = [
        (len(members & old) / len(members | old), group_id, members)
        for members in parts
        for group_id, old in known
        if members & old
    ]
    kept: dict[frozenset[str], str] = {}
    given: set[str] = set()
    for share, group_id, members in sorted(pairs, key=lambda each: (-each[0], each[1])):
        if share >= _SAME_GROUP and members not in kept and group_id not in given:
            kept[members] = group_id
            given.add(group_id)
    return kept


def _label(members: frozenset[str], names: ModuleNames, ties: Ties) -> str:
    """The package that most members are in; of a mixed group, its best tied member."""
    packages: Counter[str] = Counter()
    for path in members:
        parts = names.by_path[path].name.split(".")
        packages.update(".".join(parts[:length]) for length in range(1, len(parts) + 1))
    common = [name for name, count in packages.items() if count >= _MAJORITY * len(members)]
    label = max(common, key=lambda name: (name.count("."), packages[name], name), default="")
    if label and len(names.below(label)) < _MOST_OF_A_PACKAGE * len(members):
        return label
    anchor = max(sorted(members), key=lambda path: _inner_weight(path, members, ties))
    return names.by_path[anchor].name


def _inner_weight(
    path: str, members: frozenset[str], ties: Mapping[str, Mapping[str, float]]
) -> float:
    return sum(weight for other, weight in ties[path].items() if other in members)


def _free(label: str, taken: set[str]) -> str:
    candidate, number = label, 1
    while candidate in taken:
        number += 1
        candidate = f"{label}~{number}"
    return candidate
