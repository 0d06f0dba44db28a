"""The order of the answers: rare words, words of the name and whole answers first."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from reverie.index.search.shapes import Shape, likeness, read_shape
from reverie.index.search.words import stem
from reverie.model.symbol import FoundSymbol

_EXACT_NAME, _NAME, _NAME_STEM, _NAME_PART, _SAID, _SAID_STEM = 4, 3, 2.4, 1.2, 1, 0.7
_PRIVATE, _TEST = 0.8, 0.5


class Hit(NamedTuple):
    """An answer with its score; only the order of scores means anything."""

    found: FoundSymbol
    score: float


class Candidates(NamedTuple):
    """What may answer a question: most of it is passed over by its words alone."""

    words: Sequence[str]
    """Of each symbol, as `SymbolRecord` has them."""
    read: Callable[[int], FoundSymbol]
    """The symbol at a position of `words`."""


def rank(
    found: Candidates,
    words: Sequence[str],
    shape: Shape | None,
    is_test: Callable[[str], bool],
    most: int,
) -> list[Hit]:
    """The best answers to a question, best first; what answers no part of it is left out.

    Most symbols answer one word of several. Whole groups of them are passed over once there are
    enough answers that none of the group can beat.
    """
    stems = [stem(word) for word in words]
    groups = _groups(found, stems)
    weights = _weights(groups, len(found.words))
    hits: list[Hit] = []
    for mask, group in sorted(groups.items(), key=lambda each: -_bound(each[0], weights)):
        if shape is None and len(hits) >= most and hits[most - 1].score > _bound(mask, weights):
            break
        symbols = map(found.read, group)
        hits += _score_group(symbols, _Asked(words, stems, weights, mask), shape, is_test)
        hits.sort(key=lambda hit: (-hit.score, hit.found.path, hit.found.symbol.line))
    return hits[:most]


class _Asked(NamedTuple):
    words: Sequence[str]
    stems: Sequence[str]
    weights: Sequence[float]
    mask: tuple[bool, ...]


_Mask = tuple[bool, ...]
"""Which of the stems a symbol has anywhere among its words."""


def _groups(found: Candidates, stems: Sequence[str]) -> dict[_Mask, list[int]]:
    groups: dict[_Mask, list[int]] = {}
    for at, text in enumerate(found.words):
        groups.setdefault(tuple([word_stem in text for word_stem in stems]), []).append(at)
    return groups


def _weights(groups: Mapping[_Mask, Sequence[int]], total: int) -> list[float]:
    """How much each word says: the fewer symbols it finds, the more."""
    counts = [0] * len(next(iter(groups), ()))
    for mask, group in groups.items():
        counts = [count + len(group) * has for count, has in zip(counts, mask, strict=True)]
    return [math.log(1 + (total + 1) / (1 + count)) for count in counts]


def _bound(mask: _Mask, weights: Sequence[float]) -> float:
    """What no symbol of a group scores more than."""
    if not mask:
        return 0.0
    score = _NAME * sum(weight for weight, has in zip(weights, mask, strict=True) if has)
    share = sum(mask) / len(mask)
    return score * share * share * (_EXACT_NAME if all(mask) else 1)


def _score_group(
    group: Iterable[FoundSymbol],
    asked: _Asked,
    shape: Shape | None,
    is_test: Callable[[str], bool],
) -> Iterator[Hit]:
    for each in group:
        score = _score_words(each, asked)
        if shape is not None:
            score = _score_shape(each, shape) * (1 + score) if score or not asked.words else 0.0
        if score > 0:
            yield Hit(each, score * _standing(each, is_test))


def _score_words(each: FoundSymbol, asked: _Asked) -> float:
    words = asked.words
    if not words:
        return 0.0
    own, around, said = each.symbol.words.split("|", 2)
    name_words, context = own.split(" "), f" {around} {said} "
    score, matched = 0.0, 0
    for word, word_stem, weight, has in zip(words, *asked[1:], strict=True):
        part = _match(word, word_stem, name_words, context) if has else 0.0
        score += part * weight
        matched += part > 0
    if name_words[0].replace("_", "") == "".join(words):
        score *= _EXACT_NAME
    share = matched / len(words)
    return score * share * share / (1 + 0.05 * len(name_words))


def _match(word: str, word_stem: str, name_words: list[str], context: str) -> float:
    """How well a word meets a name, what is around it, or what is said of it."""
    if word in name_words:
        return _NAME
    for each in name_words[1:]:
        if each.startswith(word_stem):
            return _NAME_STEM
    if word_stem in name_words[0]:
        return _NAME_PART
    if f" {word} " in context:
        return _SAID
    return _SAID_STEM if f" {word_stem}" in context else 0.0


def _score_shape(each: FoundSymbol, shape: Shape) -> float:
    return likeness(shape, read_shape(each.symbol.shape)) if each.symbol.shape else 0.0


def _standing(each: FoundSymbol, is_test: Callable[[str], bool]) -> float:
    """Tests and private names answer a question, but seldom best."""
    standing = _TEST if is_test(each.path) else 1.0
    name = each.symbol.qualname.rpartition(".")[2]
    return standing * (_PRIVATE if name.startswith("_") else 1.0)
