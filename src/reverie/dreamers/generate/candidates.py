"""Functions that give every example's result: the wanted name over an expression or a recipe."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reverie.dreamers.generate.library import Recipe, closeness
from reverie.dreamers.generate.spec import Spec
from reverie.dreamers.generate.writing import write_expression, write_recipe


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
