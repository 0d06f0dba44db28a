"""How alike two ordered lists of steps are: in their order, and as graphs."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from reverie.model.workflow_comparison import Overfitting

Matrix = list[list[float]]

LEAST_BITS = 1.0
MOST_OF_A_MODULE = 3
_HEAT_SECONDS = 1.0
"""How long heat spreads over a step graph: about as far as a step's neighbours."""
_HALVINGS = 6
_TERMS = 8


def sequence_likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """Longest common subsequence over the mean length: 1 for the same order, 0 for nothing."""
    if not first or not second:
        return 1.0 if first == second else 0.0
    lengths = [0] * (len(second) + 1)
    for here in first:
        before = 0
        for at, there in enumerate(second, 1):
            above = lengths[at]
            lengths[at] = before + 1 if here == there else max(above, lengths[at - 1])
            before = above
    return 2 * lengths[-1] / (len(first) + len(second))


def graph_likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """Cosine of the spectral embeddings of two step graphs.

    The embedding is the heat kernel of the graph's Laplacian over the steps of both: how much of
    what starts at one step is found at each other one. Graphs without a common step are at 0.
    """
    names = sorted({*first, *second})
    one, other = (_heat(_laplacian(each, names), each, names) for each in (first, second))
    dot = sum(a * b for left, right in zip(one, other, strict=True)
              for a, b in zip(left, right, strict=True))  # fmt: skip
    norms = [
        math.sqrt(sum(value * value for row in each for value in row)) for each in (one, other)
    ]
    return dot / (norms[0] * norms[1]) if all(norms) else 0.0


def step_graph(*flows: Sequence[str]) -> Mapping[str, Mapping[str, float]]:
    """Steps tied to the steps before and after them, over all flows."""
    ties: dict[str, dict[str, float]] = {name: {} for flow in flows for name in flow}
    for flow in flows:
        for one, other in pairwise(flow):
            if one != other:
                ties[one][other] = ties[one].get(other, 0.0) + 1.0
                ties[other][one] = ties[one][other]
    return ties


def entropy_bits(names: Sequence[str]) -> float:
    """Shannon entropy of how often each name comes up."""
    counts = Counter(names)
    total = len(names)
    return sum(-n / total * math.log2(n / total) for n in counts.values()) if total else 0.0


def jaccard(first: Sequence[str], second: Sequence[str]) -> float:
    """Share of the names that both have."""
    either = {*first, *second}
    return len({*first} & {*second}) / len(either) if either else 1.0


def overfitting(modules: Sequence[str]) -> Overfitting:
    """Whether steps lean on less than one bit of modules, or on one more than three times."""
    bits = entropy_bits(modules)
    counts = Counter(modules)
    repeated = tuple(sorted(name for name, n in counts.items() if n > MOST_OF_A_MODULE))
    return Overfitting(bits, bits < LEAST_BITS, repeated)


def _laplacian(flow: Sequence[str], names: Sequence[str]) -> Matrix:
    ties = step_graph(flow)
    rows = []
    for name in names:
        others = ties.get(name, {})
        degree = sum(others.values())
        rows.append([degree if each == name else -others.get(each, 0.0) for each in names])
    return rows


def _heat(laplacian: Matrix, flow: Sequence[str], names: Sequence[str]) -> Matrix:
    """exp(-t L), by a Taylor series of a small step that is squared again; 0 for absent steps."""
    size = len(names)
    step = [[-_HEAT_SECONDS * value / 2**_HALVINGS for value in row] for row in laplacian]
    identity = [[float(row == column) for column in range(size)] for row in range(size)]
    total, term = identity, identity
    for power in range(1, _TERMS + 1):
        term = [[value / power for value in row] for row in _product(term, step)]
        total = [
            [a + b for a, b in zip(*rows, strict=True)] for rows in zip(total, term, strict=True)
        ]
    for _ in range(_HALVINGS):
        total = _product(total, total)
    there = [name in set(flow) for name in names]
    return [[v if there[r] and there[c] else 0.0 for c, v in enumerate(row)]
            for r, row in enumerate(total)]  # fmt: skip


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left
    ]
