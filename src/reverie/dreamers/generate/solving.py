"""From a specification to a function: expressions, recipes, a longer search, another author."""

import ast
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from reverie.dreamers.generate.candidates import (
    Candidate,
    Origin,
    closeness,
    from_expression,
    from_recipe,
    recipe_modules,
    recipes,
    write_body,
)
from reverie.dreamers.generate.choosing import choose
from reverie.dreamers.generate.program import ask
from reverie.dreamers.generate.spec import Spec
from reverie.errors import ModelFailed, Refused
from reverie.model.codec import plain
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.safety import check_source
from reverie.syntax.parsing import parse_module

Author = Callable[[Spec, str], str]
"""Writes a module with a function of that name; `ModelFailed` or `Refused` when it does not."""
_MOST_RECITED = 2
_SMALL = 10


def by_author(sandbox: Sandbox, spec: Spec, author: Author) -> Candidate | str:
    """What an author wrote, if it is to be shown; otherwise the objection to it."""
    name = spec.name or "answer"
    try:
        source = author(spec, name)
    except (ModelFailed, Refused) as error:
        return f"the model: {error}"
    checked = check_source(source)
    if not checked.passed:
        return f"the model's code breaks the safety rule {checked.findings[0].rule}"
    if recited(source, (value for each in spec.examples for value in each.args)) >= _MOST_RECITED:
        return "the model's code recites the examples"
    objection = fails_examples(sandbox, spec, source)
    if objection is not None:
        return f"the model's code {objection}"
    return Candidate(name, source, Origin.MODEL)


def fails_examples(sandbox: Sandbox, spec: Spec, source: str) -> str | None:
    """What is wrong with a source by the examples; None when nothing is."""
    examples = plain(spec.examples)
    params = {"source": source, "name": spec.name or "answer", "examples": examples}
    execution = ask(sandbox, "_try_source", params, 10.0 + 2.0 * len(examples))
    if not execution.succeeded:
        return f"does not run: {execution.error or execution.outcome}"
    return None if execution.output is None else f"fails an example: {execution.output}"


def recited(source: str, values: Iterable[Any]) -> int:
    """How many telling values of the examples stand in a source as they are."""
    telling = {repr(value) for value in values if _is_telling(value)}
    found: set[str] = set()
    for node in ast.walk(parse_module(source)):
        try:
            found.add(repr(ast.literal_eval(node)) if isinstance(node, ast.expr) else "")
        except (ValueError, TypeError, MemoryError, RecursionError):
            continue
    return len(telling & found)


def _is_telling(value: Any) -> bool:
    """Whether nobody would write just this by chance."""
    if isinstance(value, str):
        return len(value) > 3
    if isinstance(value, int | float):
        return abs(value) > _SMALL
    return isinstance(value, list | dict) and len(value) > 1


_PLAIN_COST, _PLAIN_SECONDS = 2, 3.0
_DEEP_COST = 5
_START_SECONDS = 2.0
_LEAST_EXAMPLES = 3
_CLOSE_WITHOUT_EXAMPLES = 0.55
_ASKING = frozenset(
    ("create", "make", "write", "build", "implement", "function", "method", "that", "which",
     "please", "checker", "checks", "check", "compute", "computes", "calculator", "returns",
     "return", "whether", "if", "me", "i", "need", "want", "program", "the", "of", "is")
)  # fmt: skip
"""Words that ask, and say nothing of what for."""
_CONSTANTS: tuple[Any, ...] = (0, 1, 2, 10, "", " ", ",", "-")
_NAMED: dict[str, Any] = {
    "dash": "-", "hyphen": "-", "underscore": "_", "comma": ",", "space": " ", "dot": ".",
    "period": ".", "slash": "/", "colon": ":", "semicolon": ";", "exclamation": "!",
    "question": "?", "line": "\n", "newline": "\n", "percent": 100, "star": "*", "asterisk": "*",
    "plus": "+", "hash": "#", "three": 3, "triple": 3, "cube": 3, "hundred": 100, "vowel": "aeiou",
    "consonant": "aeiou", "ten": 10, "dozen": 12, "minute": 60, "hour": 60, "four": 4, "five": 5,
    "third": 2, "fourth": 3, "thousand": 1000,
}  # fmt: skip
_QUOTED = re.compile(r"'([^']{1,12})'|\"([^\"]{1,12})\"")
_NUMBER = re.compile(r"(?<![\w.])\d{1,6}(?![\w.])")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was written."""

    reason: str


def solve(
    sandbox: Sandbox, spec: Spec, seconds: float, author: Author | None = None
) -> Candidate | Refusal:
    """A function for a specification, or an honest no; an author is asked when all else fails."""
    if spec.body is not None:
        return _given(sandbox, spec, spec.body)
    found = _without_author(sandbox, spec, seconds)
    if isinstance(found, Candidate) or author is None:
        return found
    if len(spec.examples) < _LEAST_EXAMPLES:
        few = f"a model is asked only with {_LEAST_EXAMPLES} examples to hold it to"
        return Refusal(f"{found.reason}; {few}")
    written = by_author(sandbox, spec, author)
    return written if isinstance(written, Candidate) else Refusal(f"{found.reason}; {written}")


def _without_author(sandbox: Sandbox, spec: Spec, seconds: float) -> Candidate | Refusal:
    if not spec.examples:
        return _by_words(spec)
    deadline = time.monotonic() + seconds
    has_enough = len(spec.examples) >= _LEAST_EXAMPLES
    plain = _searched(sandbox, spec, _PLAIN_COST, _PLAIN_SECONDS, seconds / 2) if has_enough else []
    fitting = _fitting_recipes(sandbox, spec, max(1.0, deadline - time.monotonic()))
    chosen = choose(sandbox, spec, plain, fitting)
    left = deadline - time.monotonic() - _START_SECONDS
    if chosen is None and has_enough and left > 0:
        deep = _searched(sandbox, spec, _DEEP_COST, left, left)
        chosen = choose(sandbox, spec, deep, [])
    return chosen or _refused(spec, fitting)


def _refused(spec: Spec, fitting: list[Candidate]) -> Refusal:
    if fitting:
        names = ", ".join(each.known_as for each in fitting[:3])
        return Refusal(
            f"{names} would give these results, but the sentence speaks of something else"
        )
    if len(spec.examples) < _LEAST_EXAMPLES:
        return Refusal(f"no recipe fits; a search needs at least {_LEAST_EXAMPLES} examples")
    return Refusal("no recipe fits and no expression was found that the sentence speaks of")


def _given(sandbox: Sandbox, spec: Spec, body: str) -> Candidate | Refusal:
    """The body that came with the specification, if it keeps to the examples."""
    source = write_body(spec, body)
    objection = fails_examples(sandbox, spec, source)
    if objection is not None:
        return Refusal(f"the given body {objection}")
    return Candidate(spec.name or "answer", source, Origin.TEMPLATE)


def _by_words(spec: Spec) -> Candidate | Refusal:
    """Without examples only a recipe that the sentence clearly names will do."""
    words = [each for each in spec.words if each not in _ASKING]
    best = max(recipes(), key=lambda each: closeness(each, words))
    if closeness(best, words) < _CLOSE_WITHOUT_EXAMPLES:
        return Refusal("no recipe is clearly meant; add examples")
    if spec.signature is not None and len(spec.parameters) != len(best.parameters):
        return Refusal(f"{best.name} is meant, but it takes {len(best.parameters)} arguments")
    return from_recipe(spec, best, tuple(range(len(best.parameters))))


def _fitting_recipes(sandbox: Sandbox, spec: Spec, seconds: float) -> list[Candidate]:
    """The recipes that give every example's result, the one most spoken of first."""
    every = recipes()
    params = {
        "modules": recipe_modules(),
        "recipes": [[each.module, each.name, len(each.parameters)] for each in every],
        "examples": plain(spec.examples),
    }
    execution = ask(sandbox, "_try_recipes", params, seconds)
    found = [
        from_recipe(spec, every[each["number"]], tuple(each["order"]))
        for each in (execution.output if execution.succeeded else ())
        if 0 <= each["number"] < len(every)
    ]
    return sorted(found, key=lambda each: -each.closeness)


def _searched(
    sandbox: Sandbox, spec: Spec, most_cost: int, cpu_seconds: float, wall_seconds: float
) -> list[Candidate]:
    """Expressions that the examples lead to and the sentence has words for, cheapest first."""
    params = {
        "parameters": list(spec.parameters),
        "examples": plain(spec.examples),
        "constants": constants_for(spec),
        "words": list(spec.words),
        "most_cost": most_cost,
        "seconds": [cpu_seconds, wall_seconds],
    }
    execution = ask(sandbox, "_search", params, wall_seconds + _START_SECONDS)
    return [
        from_expression(spec, str(each["source"]), int(each["cost"]))
        for each in (execution.output["solutions"] if execution.succeeded else ())
        if each["strange"] == 0
    ]


def constants_for(spec: Spec) -> list[Any]:
    """What a search may build with: usual values, and those that the sentence names."""
    quoted = [one or two for one, two in _QUOTED.findall(spec.sentence)]
    numbers = [int(each) for each in _NUMBER.findall(spec.sentence)]
    named = [_NAMED[stem] for word in spec.words for stem in (word, word[:-1]) if stem in _NAMED]
    return list(dict.fromkeys([*_CONSTANTS, *quoted, *numbers, *named]))
