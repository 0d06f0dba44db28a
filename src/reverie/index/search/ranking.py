"""Questions and the order of their answers: rare words, words of the name, whole answers first.

Words of names and docstrings are cut so that `parseDates` meets `date parser`. The shape of a
signature is its types in one normal form; two shapes are near or far.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from reverie.errors import UsageError
from reverie.model.repository.symbol import FoundSymbol

_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_TEXT = re.compile(r"[^\W_]\w+")
_STOP_WORDS = frozenset(
    """
    a an and are as at be been but by can do does for from has have if in into is it its may
    more no not of on one only or other should so some such than that the their them then
    there these they this to two used uses using was we were what when where which while will
    with you your
    """.split()  # noqa: SIM905 - a list would take a page
)
_SUFFIXES = ("ations", "ation", "ising", "izing", "ings", "ing", "ies", "ers", "ied", "es", "ed")
_LAST = ("er", "or", "e", "s", "y")
_SHORTEST_STEM = 3
_MOST_WORDS = 120


def words_of_name(name: str) -> list[str]:
    """The parts of an identifier, in lower case: `parseURLList` is `parse url list`."""
    return [part.lower() for part in _PARTS.findall(name)]


def words_of_text(text: str) -> list[str]:
    """The words of a docstring or a question that say something, each once."""
    found: dict[str, None] = {}
    for match in _TEXT.findall(text):
        for word in words_of_name(match):
            if word not in _STOP_WORDS and len(word) > 1:
                found[word] = None
        if len(found) >= _MOST_WORDS:
            break
    return list(found)


def stem(word: str) -> str:
    """What a word has in common with its other forms: a start of all of them."""
    for suffix in (*_SUFFIXES, *_LAST):
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word.removesuffix(suffix)
    return word


def question_words(question: str) -> list[str]:
    """The words to look for; all of them when nothing but small words is left."""
    return words_of_text(question) or words_of_name(question)


def joined(words: Iterable[str]) -> str:
    """Words as they are stored."""
    return " ".join(words)


ANY = "_"
ALIASES = {
    "List": "list",
    "Dict": "dict",
    "Set": "set",
    "FrozenSet": "frozenset",
    "Tuple": "tuple",
    "Type": "type",
    "Text": "str",
    "Any": ANY,
}
_QUESTION = r"(?P<words>[^(]*)\((?P<parameters>.*)\)\s*(?:->\s*(?P<result>.+))?"


class Shape(NamedTuple):
    """Types of the parameters and of the result; `_` where nothing is said."""

    parameters: tuple[str, ...]
    result: str

    @property
    def text(self) -> str:
        """As it is stored: `list[int];str->int`."""
        return f"{';'.join(self.parameters)}->{self.result}"


def read_shape(text: str) -> Shape:
    """The reverse of `Shape.text`."""
    parameters, _, result = text.rpartition("->")
    return Shape(tuple(parameters.split(";")) if parameters else (), result)


def question_shape(question: str) -> tuple[str, Shape | None]:
    """The words of a question and the shape it asks for, if it has one."""
    match = re.fullmatch(_QUESTION, question.strip(), re.DOTALL) if "(" in question else None
    if match is None:
        return question, None
    types = tuple(type_of(each) for each in _split(match["parameters"]))
    return match["words"], Shape(types, type_of(match["result"]))


def type_of(text: str | None) -> str:
    """A type of a question in normal form; what is only a name is read without a parser."""
    if text is None:
        return ANY
    if text.isascii() and text.isidentifier():
        return ALIASES.get(text, text)
    from reverie.index.search.symbols import normal_type

    return normal_type(text)


def likeness(asked: Shape, given: Shape) -> float:
    """How well a signature answers a question, from 0 to 1."""
    if len(asked.parameters) != len(given.parameters):
        return 0.0
    in_order = _likeness_in_order(asked.parameters, given.parameters)
    if sorted(asked.parameters) == sorted(given.parameters):
        in_order = max(in_order, 0.9)
    result = _likeness_of_types(asked.result, given.result)
    if not in_order or not result:
        return 0.0
    return (in_order * len(asked.parameters) + result) / (len(asked.parameters) + 1)


def _likeness_in_order(asked: tuple[str, ...], given: tuple[str, ...]) -> float:
    if not asked:
        return 1.0
    each = [_likeness_of_types(one, other) for one, other in zip(asked, given, strict=True)]
    return sum(each) / len(each) if all(each) else 0.0


def _likeness_of_types(asked: str, given: str) -> float:
    if asked in (given, ANY):
        return 1.0
    if given == ANY:
        return 0.3
    if _base(asked) == _base(given):
        return 0.7
    asked_kinds, given_kinds = set(asked.split("|")), set(given.split("|"))
    return 0.6 if asked_kinds & given_kinds else 0.0


def _base(text: str) -> str:
    return text.partition("[")[0].rpartition(".")[2]


def _split(parameters: str) -> list[str]:
    """Types between commas that stand outside of brackets; names before a colon are dropped."""
    found, depth, start = [], 0, 0
    for index, char in enumerate(parameters):
        depth += (char in "[(") - (char in "])")
        if char == "," and depth == 0:
            found.append(parameters[start:index])
            start = index + 1
    found.append(parameters[start:])
    return [each.rpartition(":")[2].strip() for each in found if each.strip()]


class Question(NamedTuple):
    """A question as it is looked up."""

    words: tuple[str, ...]
    shape: Shape | None

    @property
    def stems(self) -> tuple[str, ...]:
        """What a symbol has to contain one of."""
        return tuple(stem(word) for word in self.words)


def read_question(text: str) -> Question:
    """Words, `(types) -> type`, or both; `UsageError` when there is neither."""
    if text.count("(") != text.count(")"):
        raise UsageError(f'types are asked for as in "(str, _) -> bool", not {text!r:.80}')
    said, shape = question_shape(text)
    words = tuple(question_words(said))
    if not words and shape is None:
        raise UsageError(f"nothing to search for in {text!r}: give a name, words or a signature")
    return Question(words, shape)


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
