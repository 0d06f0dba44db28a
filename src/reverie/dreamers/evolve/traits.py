"""What tells variants apart: their shape, the means that they use, how long they are."""

import ast
import hashlib
import math
from collections.abc import Iterable, Mapping

from reverie.dreamers.optimise.variants import reached_functions
from reverie.syntax.parsing import parse_module

_MEANS = {
    "set": "set", "frozenset": "set", "dict": "dict", "defaultdict": "dict", "Counter": "dict",
    "setdefault": "dict", "deque": "deque", "popleft": "deque", "heappush": "heap",
    "heappop": "heap", "heapify": "heap", "sorted": "sorting", "sort": "sorting",
    "bisect_left": "bisection", "bisect_right": "bisection", "insort": "bisection",
    "accumulate": "sums", "cache": "memory", "lru_cache": "memory", "join": "joined",
    "compile": "compiled", "sum": "sums", "any": "search", "all": "search",
}  # fmt: skip
_NEAR = 0.10
"""Gains whose logarithms differ by less at every size are the same behaviour."""


def identity_of(source: str) -> str:
    """What a variant is known by, as trials know it."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def shape_of(source: str) -> str:
    """The tree without layout and comments: texts of one shape are one variant."""
    return hashlib.sha256(ast.dump(parse_module(source)).encode()).hexdigest()[:16]


def approach_of(source: str, entry: str) -> str:
    """The means that a callable and what it calls use, and how deep its loops are nested."""
    found, depth = set[str](), 0
    for function in reached_functions(parse_module(source), entry).values():
        found |= {_MEANS[name] for name in _called(function) if name in _MEANS}
        for node in ast.walk(function):
            if isinstance(node, ast.Set | ast.SetComp):
                found.add("set")
            elif isinstance(node, ast.Dict | ast.DictComp):
                found.add("dict")
        depth = max(depth, _depth(function))
    return "+".join([*sorted(found), f"loops{depth}"])


def statements_of(source: str, entry: str) -> int:
    """How many statements and comprehensions a callable and what it calls are made of."""
    functions = reached_functions(parse_module(source), entry).values()
    return sum(
        isinstance(node, ast.stmt | ast.comprehension)
        for function in functions
        for node in ast.walk(function)
    )


def is_like(one: Mapping[int, float], other: Mapping[int, float]) -> bool:
    """Whether two variants gain the same at all sizes that both were timed at."""
    common = one.keys() & other.keys()
    return bool(common) and all(
        abs(math.log(max(one[each], 1e-9) / max(other[each], 1e-9))) < _NEAR for each in common
    )


def _called(function: ast.AST) -> Iterable[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "id", getattr(node.func, "attr", ""))
    for decorator in getattr(function, "decorator_list", ()):
        yield getattr(decorator, "id", getattr(decorator, "attr", ""))


def _depth(node: ast.AST) -> int:
    inner = max((_depth(child) for child in ast.iter_child_nodes(node)), default=0)
    return inner + isinstance(node, ast.For | ast.While | ast.comprehension)
