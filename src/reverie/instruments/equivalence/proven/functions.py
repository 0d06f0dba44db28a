"""Two functions: do they take the same steps?"""

import ast
from dataclasses import dataclass

from reverie.instruments.equivalence.proven.conventions import INSIDE, typed_parameters
from reverie.instruments.equivalence.proven.lockstep import Lockstep
from reverie.instruments.equivalence.proven.nodes import Unproven
from reverie.instruments.equivalence.proven.scopes import (
    FunctionNames,
    ModuleFacts,
    Scope,
    is_generator,
    looks_inside,
)
from reverie.instruments.equivalence.proven.statements import Statements

_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Half:
    """One side of a comparison: its module, and the functions that only it has."""

    facts: ModuleFacts
    inline: dict[str, ast.FunctionDef]
    """Methods by dotted name."""


def laws_for(
    old: Scope, new: Scope, halves: tuple[Half, Half], *, is_behaved: bool = False, owner: str = ""
) -> frozenset[str]:
    """What had to be known to see that two functions do the same; `Unproven` where they may not.

    With `is_behaved` values are taken to do what is usual: that is a convention, not a proof.
    `owner` is the class whose methods they are.
    """
    laws: set[str] = set()
    conventions: set[str] | None = set() if is_behaved else None
    try:
        _walk(old, new, halves, (None, None), laws, conventions, owner, 0)
    except (RecursionError, MemoryError, ValueError, OverflowError) as error:
        raise Unproven(str(error)) from error
    return frozenset(laws | (conventions or set()))


def _walk(
    old: Scope,
    new: Scope,
    halves: tuple[Half, Half],
    around: tuple[FunctionNames | None, FunctionNames | None],
    laws: set[str],
    conventions: set[str] | None,
    owner: str,
    depth: int,
) -> None:
    if depth > _DEEPEST:
        raise Unproven("functions in functions in functions")
    if any(half.facts.looks_inside for half in halves):
        if conventions is None or looks_inside(old) or looks_inside(new):
            raise Unproven("code that may look at how code is written")
        conventions.add(INSIDE)
    if type(old) is not type(new) or is_generator(old) != is_generator(new):
        raise Unproven("another kind of function")
    builders = [Statements(half.facts, half.inline, conventions, owner) for half in halves]
    graphs = [
        builder.function(node, outer, {} if conventions is None else typed_parameters(old, new))
        for builder, node, outer in zip(builders, (old, new), around, strict=True)
    ]

    def alike(mine, other) -> bool:  # type: ignore[no-untyped-def]
        if _front(mine.node) != _front(other.node):
            return False
        around = (mine.names, other.names)
        _walk(mine.node, other.node, halves, around, laws, conventions, owner, depth + 1)
        return True

    Lockstep(alike, conventions).walk(*graphs)
    first, second = (builder.laws for builder in builders)
    laws |= first ^ second


def _front(node: Scope) -> tuple[str, ...]:
    """How a function inside of another is called, and what it is called."""
    if isinstance(node, ast.GeneratorExp):
        return ("generator", *(str(each.is_async) for each in node.generators))
    given = node.args
    names = [
        [each.arg for each in part] for part in (given.posonlyargs, given.args, given.kwonlyargs)
    ]
    stars = [each and each.arg for each in (given.vararg, given.kwarg)]
    kinds = [each is None for each in given.kw_defaults]
    notes = [getattr(node, "returns", None), *(each.annotation for each in _parameters(given))]
    words = None if isinstance(node, ast.Lambda) else ast.get_docstring(node, clean=False)
    return (
        type(node).__name__,
        getattr(node, "name", ""),
        *(str(each) for each in (names, stars, kinds, len(given.defaults), words)),
        *("" if each is None else ast.dump(each) for each in notes),
    )


def _parameters(given: ast.arguments) -> list[ast.arg]:
    stars = [each for each in (given.vararg, given.kwarg) if each is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]
