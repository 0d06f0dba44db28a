"""The recipes, read as text: what each is called, takes, does, and how people speak of it."""

import ast
import doctest
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_WORD = re.compile(r"[a-z]+")
_COMMON = frozenset(
    ("a", "an", "and", "are", "as", "at", "by", "each", "for", "from", "give", "gives", "has")
)
_MOST_NAMED = 12
_THINGS = frozenset(
    ("text", "list", "number", "item", "value", "word", "letter", "character", "string", "key",
     "integer", "digit", "mapping", "dict", "dictionary", "line", "name", "return", "given",
     "two", "one", "keep", "non", "up", "only", "first", "is", "of", "in", "to", "with", "the",
     "it", "on", "all", "or", "not")
)  # fmt: skip
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "es", "ed", "s", "ly")


@dataclass(frozen=True, slots=True)
class Recipe:
    """One verified procedure."""

    module: str
    name: str
    parameters: tuple[str, ...]
    source: str
    """The function, as it stands in its file."""
    summary: str
    words: frozenset[str]
    examples: tuple[tuple[tuple[Any, ...], Any], ...]
    """The calls that its docstring shows, with their results."""


@cache
def recipe_modules() -> dict[str, str]:
    """The files of the library, by name."""
    folder = files("reverie.dreamers.generate.recipes")
    return {
        each.name: each.read_text("utf-8")
        for each in sorted(folder.iterdir(), key=lambda each: each.name)
        if each.name.endswith(".py") and each.name != "__init__.py"
    }


@cache
def recipes() -> tuple[Recipe, ...]:
    """Every recipe of the library."""
    return tuple(
        _read(module, node, text)
        for module, text in recipe_modules().items()
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    )


def _read(module: str, node: ast.FunctionDef, text: str) -> Recipe:
    docstring = ast.get_docstring(node) or ""
    said = docstring.partition(">>>")[0]
    words = frozenset(stems(f"{node.name.replace('_', ' ')} {said}"))
    source = ast.get_source_segment(text, node) or ""
    return Recipe(
        module,
        node.name,
        tuple(each.arg for each in node.args.args),
        source,
        said.split("\n")[0],
        words,
        tuple(_examples(node.name, docstring)),
    )


def _examples(name: str, docstring: str) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The plain ones; also those that several calls of a list show at once."""
    for part in doctest.DocTestParser().get_examples(docstring):
        try:
            tree = ast.parse(part.source.strip(), mode="eval").body
            wanted = ast.literal_eval(part.want.strip())
            calls = tree.elts if isinstance(tree, ast.List) else [tree]
            results = wanted if isinstance(tree, ast.List) else [wanted]
            for call, result in zip(calls, results, strict=True):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == name:
                    yield tuple(ast.literal_eval(each) for each in call.args), result
        except (SyntaxError, ValueError, TypeError):
            continue  # shown in another way; our own suite runs it all the same


def stems(text: str) -> Iterable[str]:
    """The words of a text without their endings, the commonest left out."""
    for word in _WORD.findall(text.lower()):
        if word in _COMMON:
            continue
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                word = word.removesuffix(ending)
                break
        yield word


@cache
def _weights() -> dict[str, float]:
    counts = Counter(word for recipe in recipes() for word in recipe.words)
    return {word: math.log(len(recipes()) / count) for word, count in counts.items()}


def closeness(recipe: Recipe, words: Iterable[str]) -> float:
    """How much of what a sentence says a recipe speaks of, rare words counting more; 0 to 1."""
    said = set(stems(" ".join(words)))
    weights = _weights()
    rare = math.log(len(recipes()))
    whole = sum(weights.get(word, rare) for word in said)
    shared = sum(weights[word] for word in said if word in recipe.words)
    return shared / whole if whole else 0.0


@cache
def name_words() -> frozenset[str]:
    """What recipes are called: words that stand for something to do, not for what it is done to."""
    counts = Counter(word for each in recipes() for word in set(stems(each.name.replace("_", " "))))
    return frozenset(word for word, count in counts.items() if count <= _MOST_NAMED) - _THINGS
