"""How strongly modules are tied: imports, calls and, if asked for, the words they use."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from posixpath import dirname

from reverie.index.graph.imports import ImportGraph
from reverie.index.graph.names import PACKAGE_FILE, ModuleNames
from reverie.index.module_map.words import similar_modules
from reverie.model.code import CodeIndex

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
