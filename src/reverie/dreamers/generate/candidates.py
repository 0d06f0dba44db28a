"""Functions that give every example's result: recipes of the library and expressions, as source."""

import ast
import doctest
import math
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from reverie.dreamers.generate.inside.operations import _MODULES
from reverie.dreamers.generate.spec import WORD, Spec
from reverie.dreamers.generate.tidying import tidied, unparsed
from reverie.syntax.nodes import is_bare_constant, names_in
from reverie.syntax.parsing import fresh_expression, fresh_module
from reverie.syntax.unparsing import unparse

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
_JOINTS = frozenset(
    ("which", "that", "than", "when", "where", "if", "into", "no", "so", "also", "be", "was", "its",
     "their", "this", "how", "but", "there", "then", "of", "in", "to", "with", "the", "it", "on",
     "or", "is", "number", "list", "item", "value", "return", "given")
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
        for node in fresh_module(text).body
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
            tree = fresh_expression(part.source.strip())
            wanted = ast.literal_eval(part.want.strip())
            calls = tree.elts if isinstance(tree, ast.List) else [tree]
            results = wanted if isinstance(tree, ast.List) else [wanted]
            for call, result in zip(calls, results, strict=True):
                if isinstance(call, ast.Call) and unparse(call.func) == name:
                    yield tuple(ast.literal_eval(each) for each in call.args), result
        except (SyntaxError, ValueError, TypeError):
            continue  # shown in another way; our own suite runs it all the same


def stems(text: str) -> Iterable[str]:
    """The words of a text without their endings, the commonest left out."""
    for word in WORD.findall(text.lower()):
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


def speaks_of(words: Iterable[str], recipe_words: frozenset[str]) -> bool:
    """Whether anything that both say stands for something: `which` and `number` are in many."""
    return bool(set(stems(" ".join(words))) & recipe_words - _JOINTS)


@cache
def name_words() -> frozenset[str]:
    """What recipes are called: words that stand for something to do, not for what it is done to."""
    counts = Counter(word for each in recipes() for word in set(stems(each.name.replace("_", " "))))
    return frozenset(word for word, count in counts.items() if count <= _MOST_NAMED) - _THINGS


_INDENT = "    "


def write_expression(spec: Spec, expression: str) -> str:
    """A function that returns an expression of its parameters, or has several lines for it."""
    body = tidied(expression if "\n" in expression else f"return {expression}")
    used = [each for each in _MODULES if re.search(rf"\b{each}\.", body)]
    head = "".join(f"import {each}\n" for each in used)
    return f"{head}\n\n{write_body(spec, body)}".lstrip()


def write_body(spec: Spec, body: str) -> str:
    """A function with a body that is there already."""
    return f"{_signature(spec)}:\n{_docstring(spec)}\n{textwrap.indent(body.strip(), _INDENT)}\n"


def write_recipe(spec: Spec, recipe: Recipe, order: tuple[int, ...]) -> str:
    """A recipe under the wanted name, with the wanted parameters."""
    function = fresh_module(recipe.source).body[0]
    assert isinstance(function, ast.FunctionDef)
    if spec.signature is None:
        return _renamed(spec, recipe, function, {})
    wanted = spec.signature.parameters
    names = {old: wanted[at] for old, at in zip(recipe.parameters, order, strict=True)}
    if _is_clash(function, names, spec.signature.name):
        return _wrapped(spec, recipe, function, names)
    return _renamed(spec, recipe, function, names)


def _renamed(spec: Spec, recipe: Recipe, function: ast.FunctionDef, names: dict[str, str]) -> str:
    """The recipe's own body, with other names for its parameters and itself."""
    name = spec.name or recipe.name
    body = [each for each in function.body if not is_bare_constant(each)]
    head = _needs(recipe, function)
    _Renaming(names | {recipe.name: name}).visit(ast.Module(body, []))
    text = "\n".join(unparsed(each) for each in body)
    signature = _signature(spec) if spec.signature else _own_signature(function, name)
    return f"{head}{signature}:\n{_docstring(spec)}\n{textwrap.indent(text, _INDENT)}\n"


def _wrapped(spec: Spec, recipe: Recipe, function: ast.FunctionDef, names: dict[str, str]) -> str:
    """The recipe as it is, called by the wanted function: its names are taken inside."""
    head = _needs(recipe, function)
    function.name = f"_{recipe.name}"
    function.body = [each for each in function.body if not is_bare_constant(each)]
    _Renaming({recipe.name: function.name}).visit(function)
    call = f"return {function.name}({', '.join(names[each] for each in recipe.parameters)})"
    return f"{head}{unparsed(function)}\n\n\n{write_body(spec, call)}"


def _is_clash(function: ast.FunctionDef, names: dict[str, str], name: str) -> bool:
    """Whether a wanted name is already that of something else in a recipe."""
    used = names_in(function)
    inner = {
        each.arg
        for node in ast.walk(function)
        if isinstance(node, ast.Lambda | ast.FunctionDef) and node is not function
        for each in node.args.args
    }
    others = (used | inner) - set(names) - {function.name}
    return bool(inner & set(names) or others & {*names.values(), name})


def _needs(recipe: Recipe, function: ast.FunctionDef) -> str:
    """The imports and other recipes of its file that a recipe uses."""
    module = fresh_module(recipe_modules()[recipe.module])
    used = names_in(function)
    imports, helpers = [], []
    for node in module.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            kept = [each for each in node.names if (each.asname or each.name) in used]
            if kept:
                node.names = kept
                imports.append(unparse(node))
        elif isinstance(node, ast.FunctionDef) and node.name in used - {function.name}:
            helpers.append(unparsed(node))
    parts = ["\n".join(imports), *helpers]
    return "".join(f"{part}\n\n\n" for part in parts if part)


def _signature(spec: Spec) -> str:
    if spec.signature is not None:
        return spec.signature.line
    return f"def answer({', '.join(spec.parameters)})"


def _own_signature(function: ast.FunctionDef, name: str) -> str:
    function.name = name
    return unparse(function).partition("\n")[0].removesuffix(":")


def _docstring(spec: Spec) -> str:
    said = spec.sentence.replace("\\", "\\\\").replace('"""', "'''")
    end = " " if said.endswith('"') else ""
    return textwrap.indent(f'"""{said}{end}"""', _INDENT)


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node


class Origin(StrEnum):
    """Where the body of a function came from."""

    RECIPE = "recipe"
    SYNTHESIS = "synthesis"
    TEMPLATE = "template"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A function, and what speaks for it."""

    name: str
    source: str
    origin: Origin
    known_as: str = ""
    """The recipe's own name, or the expression."""
    closeness: float = 0.0
    """Of a recipe, to the sentence."""
    cost: int = 0
    """Of an expression."""
    examples: tuple[tuple[tuple[Any, ...], Any], ...] = ()
    """Calls with their results that the library shows for it."""


def from_recipe(spec: Spec, recipe: Recipe, order: tuple[int, ...]) -> Candidate:
    """A recipe under the names that are wanted."""
    shown = tuple(
        (tuple(args[order.index(at)] for at in range(len(order))), result)
        for args, result in recipe.examples
        if len(args) == len(order)
    )
    return Candidate(
        spec.name or recipe.name,
        write_recipe(spec, recipe, order),
        Origin.RECIPE,
        recipe.name,
        closeness(recipe, spec.words),
        examples=shown,
    )


def from_expression(spec: Spec, expression: str, cost: int) -> Candidate:
    """An expression as what a function returns."""
    source = write_expression(spec, expression)
    return Candidate(spec.name or "answer", source, Origin.SYNTHESIS, expression, cost=cost)
