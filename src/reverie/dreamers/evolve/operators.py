"""What makes children of variants: rewrites, refactorings, guesses, and grafts of two parents.

A guess is a rewrite whose precondition nobody has shown. It may be wrong: the race and then the
trial say so, and nothing here is believed.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from reverie.dreamers.optimise.patterns import catalogue, own_rewrites
from reverie.dreamers.optimise.variants import reached_functions
from reverie.dreamers.refactor.patterns import catalogue as refactorings
from reverie.dreamers.refactor.refactoring import Elsewhere, Place
from reverie.dreamers.rewriting.catalogue import own_entries
from reverie.dreamers.rewriting.pairs import propose_pairs
from reverie.dreamers.rewriting.questions import QUESTIONS
from reverie.dreamers.rewriting.questions.general import kind_of
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits, Source
from reverie.syntax.rewrite_files import Entry

GUESS = "guess:"
"""Begins the name of an operator whose precondition is not shown."""
GRAFT = "graft"
_CLEARER = frozenset({"comprehension", "direct_loop", "table", "exit_first"})
"""Refactorings that may also be faster, or let a rewrite see what it looks for."""
_ABOUT_TYPES = frozenset({"kind", "surely", "items", "list_like", "dictionary", "held"})
_MOST_OF_ONE = 4
"""Places at which one operator is tried in one parent."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change to a variant."""

    operator: str
    source: str

    @property
    def is_guess(self) -> bool:
        """Whether nobody has shown that it does the same."""
        return self.operator.startswith(GUESS)


def mutations(text: str, entry: str, *, with_guesses: bool) -> Iterator[Mutation]:
    """Every change of one step to a callable and what it calls; what is safe first."""
    source = Source(text)
    functions = reached_functions(source.tree, entry)
    for name, propose in _operators(with_guesses):
        places = 0
        for qualname, function in functions.items():
            place = Place(source, function, qualname, Elsewhere())
            for edits in _proposed(propose, place):
                new = source.applied(edits)
                if new is None or new == text:
                    continue
                places += 1
                yield Mutation(name, new)
                if places >= _MOST_OF_ONE:
                    break


def graft(text: str, entry: str, steps: tuple[str, ...]) -> Mutation | None:
    """The steps of another variant made to this one, as far as they fit; None where none does."""
    taken = 0
    for step in steps:
        found = mutations(text, entry, with_guesses=step.startswith(GUESS))
        fitting = next((each.source for each in found if each.operator == step), None)
        if fitting is not None:
            text, taken = fitting, taken + 1
    return Mutation(GRAFT, text) if taken else None


def with_function(text: str, answer: str, entry: str) -> str | None:
    """A module with functions of an answer in the place of its own, and what else it brings.

    None where the answer has no such function, or is no Python.
    """
    try:
        source, given = Source(text), Source(answer)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    own = {each.name: each for each in source.tree.body if isinstance(each, _NAMED)}
    brought = {each.name: each for each in given.tree.body if isinstance(each, _NAMED)}
    if entry.partition(".")[0] not in brought:
        return None
    edits, new = [], []
    for name, node in brought.items():
        if name in own:
            edits.append(source.replaced(own[name], given.of(node)))
        else:
            new.append(given.of(node))
    first = next(each for each in source.tree.body if isinstance(each, _NAMED))
    others = [
        given.of(each)
        for each in given.tree.body
        if isinstance(each, ast.Import | ast.ImportFrom | ast.Assign) and given.of(each) not in text
    ]
    if others or new:
        edits.append(source.before(first, *"\n\n\n".join([*others, *new, ""]).split("\n")))
    return source.applied(Edits(tuple(edits)))


_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Propose = Callable[[Any], Iterator[Edits]]


@cache
def _operators(with_guesses: bool) -> tuple[tuple[str, Propose], ...]:
    safe = [(each.name, each.propose) for each in sorted(catalogue(), key=lambda e: e.is_minor)]
    clearer = [(each.name, each.propose) for each in refactorings() if each.name in _CLEARER]
    if not with_guesses:
        return (*safe, *clearer)
    own = [each for each in own_rewrites() if each.pairs]
    guesses = own_entries("reverie.dreamers.evolve", "guesses")
    relaxed = [
        (f"{GUESS}{each.name}", partial(_propose, each, questions))
        for entries, questions in ((own, _relaxed()), (guesses, dict(QUESTIONS)))
        for each in entries
    ]
    return (*safe, *clearer, *relaxed)


def _propose(entry: Entry, questions: Mapping[str, Any], scene: Scene) -> Iterator[Edits]:
    return propose_pairs(entry.pairs, questions, scene)


@cache
def _relaxed() -> dict[str, Any]:
    """The questions, but where nothing is known of a type the best is hoped."""
    hoped = {name: partial(_hoped, QUESTIONS[name]) for name in _ABOUT_TYPES if name in QUESTIONS}
    return {**QUESTIONS, **hoped}


def _hoped(ask: Any, found: Any, part: Any, *rest: Any) -> bool:
    known = kind_of(found, part)
    is_open = known is None or (ask is QUESTIONS["items"] and known.item is None)
    return is_open or bool(ask(found, part, *rest))


def _proposed(propose: Propose, place: Place) -> Iterator[Edits]:
    """What an operator proposes; where it was not made for such a place, nothing."""
    try:
        yield from propose(place)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        # With relaxed questions a rewrite may meet what its own would have kept from it.
        return
