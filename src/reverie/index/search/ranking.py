"""The order of the answers: rare words, words of the name and whole answers first."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reverie.index.search.shapes import Shape, likeness, read_shape
from reverie.index.search.words import stem
from reverie.model.indexed import FoundSymbol

_EXACT_NAME, _NAME, _NAME_STEM, _NAME_PART, _AROUND, _SAID, _SAID_STEM = 4, 3, 2.4, 1.2, 1, 1, 0.7
_PRIVATE, _TEST = 0.8, 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """An answer with its score; only the order of scores means anything."""

    found: FoundSymbol
    score: float


def rank(
    found: Sequence[FoundSymbol],
    words: Sequence[str],
    shape: Shape | None,
    is_test: Callable[[str], bool],
) -> list[Hit]:
    """The answers to a question, best first; what answers no part of it is left out."""
    stems = [stem(word) for word in words]
    weights = _weights(found, stems)
    hits = []
    for each in found:
        score = _score_words(each, words, stems, weights)
        if shape is not None:
            score = _score_shape(each, shape) * (1 + score) if score or not words else 0.0
        if score > 0:
            hits.append(Hit(each, score * _standing(each, is_test)))
    return sorted(hits, key=lambda hit: (-hit.score, hit.found.path, hit.found.symbol.line))


def _weights(found: Iterable[FoundSymbol], stems: Sequence[str]) -> list[float]:
    """How much each word says: the fewer symbols it finds, the more."""
    texts = [each.symbol.words for each in found]
    total = len(texts) + 1
    return [
        math.log(1 + total / (1 + sum(word_stem in text for text in texts))) for word_stem in stems
    ]


def _score_words(
    each: FoundSymbol, words: Sequence[str], stems: Sequence[str], weights: Sequence[float]
) -> float:
    if not words:
        return 0.0
    own, around, said = each.symbol.words.split("|", 2)
    name_words, said_words = own.split(" "), f" {said} "
    name = name_words[0].replace("_", "")
    score, matched = 0.0, 0
    for word, word_stem, weight in zip(words, stems, weights, strict=True):
        if word_stem not in each.symbol.words:
            continue
        part = _match(word, word_stem, name_words, f" {around} ", said_words)
        score += part * weight
        matched += part > 0
    if "".join(words) == name:
        score *= _EXACT_NAME
    share = matched / len(words)
    length = 1 + 0.05 * len(name_words)
    return score * share * share / length


def _match(word: str, word_stem: str, name_words: list[str], around: str, said: str) -> float:
    if word in name_words:
        return _NAME
    if any(each.startswith(word_stem) for each in name_words[1:]):
        return _NAME_STEM
    best = 0.0
    if word_stem in name_words[0]:
        best = _NAME_PART
    if f" {word} " in said or f" {word} " in around:
        best = max(best, _SAID, _AROUND)
    elif f" {word_stem}" in said or f" {word_stem}" in around:
        best = max(best, _SAID_STEM)
    return best


def _score_shape(each: FoundSymbol, shape: Shape) -> float:
    return likeness(shape, read_shape(each.symbol.shape)) if each.symbol.shape else 0.0


def _standing(each: FoundSymbol, is_test: Callable[[str], bool]) -> float:
    """Tests and private names answer a question, but seldom best."""
    standing = _TEST if is_test(each.path) else 1.0
    name = each.symbol.qualname.rpartition(".")[2]
    return standing * (_PRIVATE if name.startswith("_") else 1.0)
