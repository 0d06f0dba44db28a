"""Modules that use the same words in their names and docstrings. No model: tf-idf and cosine."""

import math
import re
from collections import Counter, defaultdict

from reverie.model.code import CodeIndex, Module

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
