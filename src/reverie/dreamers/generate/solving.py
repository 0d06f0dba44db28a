"""From a specification to a function: plain expressions, recipes, then a longer search."""

import re
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reverie.dreamers.generate.library import Recipe, closeness, recipe_modules, recipes
from reverie.dreamers.generate.spec import Spec
from reverie.dreamers.generate.writing import write_expression, write_recipe
from reverie.model.execution import Call, Limits, Request
from reverie.sandbox.engine import Sandbox

_PARTS = ("values.py", "trying.py", "operations.py", "search.py")
_PLAIN_COST, _PLAIN_SECONDS = 2, 4.0
_DEEP_COST = 5
_LEAST_EXAMPLES = 3
_CLOSE = 0.12
_CLOSE_WITHOUT_EXAMPLES = 0.55
_CONSTANTS: tuple[Any, ...] = (0, 1, 2, 10, "", " ", ",", "-")
_QUOTED = re.compile(r"'([^']{1,6})'|\"([^\"]{1,6})\"")


@dataclass(frozen=True, slots=True)
class Solution:
    """A function that gives every example's result, and where it came from."""

    source: str
    origin: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was written."""

    reason: str


def solve(sandbox: Sandbox, spec: Spec, seconds: float) -> Solution | Refusal:
    """A function for a specification, or an honest no."""
    deadline = time.monotonic() + seconds
    if not spec.examples:
        return _by_words(spec)
    if len(spec.examples) >= _LEAST_EXAMPLES:
        plain = _searched(sandbox, spec, _PLAIN_COST, min(_PLAIN_SECONDS, seconds / 3))
        if plain is not None:
            return Solution(write_expression(spec, plain), "synthesis")
    fitting = _fitting_recipes(sandbox, spec)
    if fitting:
        best, order = max(fitting, key=lambda each: closeness(each[0], spec.words))
        if closeness(best, spec.words) >= _CLOSE:
            return Solution(write_recipe(spec, best, order), "recipe")
    left = deadline - time.monotonic()
    if len(spec.examples) >= _LEAST_EXAMPLES and left > 1.0:
        deep = _searched(sandbox, spec, _DEEP_COST, left)
        if deep is not None:
            return Solution(write_expression(spec, deep), "synthesis")
    if fitting:
        names = ", ".join(each.name for each, _ in fitting[:3])
        return Refusal(
            f"{names} would give these results, but the sentence speaks of something else"
        )
    return Refusal("no recipe fits and no expression was found that the sentence speaks of")


def _by_words(spec: Spec) -> Solution | Refusal:
    """Without examples only a recipe that the sentence clearly names will do."""
    ranked = sorted(recipes(), key=lambda each: -closeness(each, spec.words))
    best = ranked[0]
    if closeness(best, spec.words) < _CLOSE_WITHOUT_EXAMPLES:
        return Refusal("no recipe is clearly meant; add examples")
    if spec.parameters and len(spec.parameters) != len(best.parameters):
        return Refusal(f"{best.name} is meant, but it takes {len(best.parameters)} arguments")
    return Solution(write_recipe(spec, best, tuple(range(len(best.parameters)))), "recipe")


def _fitting_recipes(sandbox: Sandbox, spec: Spec) -> list[tuple[Recipe, tuple[int, ...]]]:
    asked = [[each.module, each.name, len(each.parameters)] for each in recipes()]
    examples = [each.document() for each in spec.examples]
    params = {"modules": recipe_modules(), "recipes": asked, "examples": examples}
    found = _run(sandbox, "_try_recipes", params, 60.0)
    every = recipes()
    return [
        (every[each["number"]], tuple(each["order"]))
        for each in found or []
        if 0 <= each["number"] < len(every)
    ]


def _searched(sandbox: Sandbox, spec: Spec, most_cost: int, seconds: float) -> str | None:
    """An expression that the examples lead to and the sentence has words for; None without."""
    quoted = [one or two for one, two in _QUOTED.findall(spec.sentence)]
    vowels = ["aeiou"] if any(word.startswith("vowel") for word in spec.words) else []
    params = {
        "parameters": list(spec.parameters or _parameter_names(spec)),
        "examples": [each.document() for each in spec.examples],
        "constants": list(dict.fromkeys([*_CONSTANTS, *quoted, *vowels])),
        "words": list(spec.words),
        "most_cost": most_cost,
        "seconds": seconds,
    }
    found = _run(sandbox, "_search", params, 2 * seconds + 20.0)
    for each in (found or {}).get("solutions", []):
        if each["strange"] == 0:
            return str(each["source"])
    return None


def _parameter_names(spec: Spec) -> list[str]:
    return [f"value_{number}" for number in range(len(spec.examples[0].args))]


def _run(sandbox: Sandbox, entry: str, params: dict[str, Any], wall_seconds: float) -> Any:
    """What the program claims; None when it did not get through."""
    execution = sandbox.run(
        Request(Call(_program(), entry, params), Limits(wall_seconds=wall_seconds))
    )
    return execution.output if execution.succeeded else None


@cache
def _program() -> str:
    folder = Path(__file__).parent / "inside"
    return "\n\n".join((folder / part).read_text("utf-8") for part in _PARTS)
