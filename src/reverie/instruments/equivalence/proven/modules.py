"""Two texts of one module: which of its functions and values are proven to be the same.

    proven = prove_modules(before, after)
    proven.functions["Box.get"]      # laws that were used; a name that is not there is not proven
    proven.absorbed                  # functions of one side only, put in place of their calls
    proven.values                    # names of the module whose values are spelled otherwise

Nothing is run, not even imported. What a function calls is taken to be the same on both sides:
whoever asks has to see to the functions that are not proven.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from reverie.instruments.equivalence.proven.fronts import UNREAD, without_unread
from reverie.instruments.equivalence.proven.functions import Half, laws_for
from reverie.instruments.equivalence.proven.nodes import Unproven
from reverie.instruments.equivalence.proven.scopes import Function, ModuleFacts
from reverie.instruments.equivalence.proven.spelling import (
    front_of,
    occurrences,
    without_words,
)

MOST_BYTES = 400_000
_Named = dict[str, list[Function]]


@dataclass(frozen=True, slots=True)
class Proven:
    """What is the same for sure."""

    functions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Of those that are spelled otherwise; with the laws that were used."""
    absorbed: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()


def prove_modules(before: str, after: str, *, is_behaved: bool = False) -> Proven:
    """Of two texts; nothing where one of them is not Python or is too large.

    With `is_behaved` values are taken to do what is usual: see `conventions`.
    """
    if max(len(before), len(after)) > MOST_BYTES:
        return Proven()
    try:
        trees = ast.parse(before), ast.parse(after)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Proven()
    written = [dict(occurrences(tree)) for tree in trees]
    if is_behaved:
        trees = without_unread(*trees)
    old, new = (dict(occurrences(tree)) for tree in trees)
    facts = [ModuleFacts.read(tree) for tree in trees]
    halves = (
        Half(facts[0], _only(facts[0], facts[1]) | _methods(old, new)),
        Half(facts[1], _only(facts[1], facts[0]) | _methods(new, old)),
    )
    found = {}
    for name in old.keys() & new.keys():
        if _dumped(written[0][name]) == _dumped(written[1][name]):
            continue
        laws = _proven_function(name, old[name], new[name], halves, is_behaved)
        if laws is not None:
            found[name] = laws
    values = {*_proven_values(*trees, halves, is_behaved)}
    if is_behaved:
        values |= _imported_again(*facts) | _imported_again(*facts[::-1])
    absorbed = _absorbed(halves[0], trees[0], found) | _absorbed(halves[1], trees[1], found)
    return Proven(found, absorbed, frozenset(values))


def _imported_again(mine: ModuleFacts, other: ModuleFacts) -> set[str]:
    """Modules that only one side imports for all of it; the other does so where it needs them."""
    return {each for each in mine.imports if each not in other.bound and each in mine.constant}


def _methods(mine: _Named, other: _Named) -> dict[str, ast.FunctionDef]:
    """Plain and static methods that only one side has."""
    return {
        name: node
        for name, (node, *more) in mine.items()
        if "." in name and name not in other and not more and isinstance(node, ast.FunctionDef)
        if [ast.unparse(each) for each in node.decorator_list] in ([], ["staticmethod"])
    }


def _dumped(nodes: list[Function]) -> list[str]:
    return [ast.dump(each) for each in nodes]


def _only(mine: ModuleFacts, other: ModuleFacts) -> dict[str, ast.FunctionDef]:
    return {
        name: node
        for name, node in mine.functions.items()
        if name not in other.bound and not other.is_builtin(name)
    }


def _proven_function(
    name: str,
    old: list[Function],
    new: list[Function],
    halves: tuple[Half, Half],
    is_behaved: bool,
) -> tuple[str, ...] | None:
    """Laws where every function of one name is the same."""
    if len(old) != len(new):
        return None
    laws: set[str] = {UNREAD} if _dumped(old) == _dumped(new) else set()
    for mine, other in zip(old, new, strict=True):
        if ast.dump(mine) == ast.dump(other):
            continue
        if front_of(mine) != front_of(other):
            return None
        try:
            pair = without_words(mine), without_words(other)
            owner = name.rpartition(".")[0]
            laws |= laws_for(*pair, halves, is_behaved=is_behaved, owner=owner)
        except Unproven:
            return None
    return tuple(sorted(laws))


def _absorbed(half: Half, tree: ast.Module, found: dict[str, tuple[str, ...]]) -> frozenset[str]:
    """Functions of one side whose every mention is in a function that is proven."""
    names = dict(occurrences(tree))
    inside = [node for name in found for node in names.get(name, [])]
    inside += list(half.inline.values())
    seen = {id(each) for node in inside for each in ast.walk(node)}
    outside = {
        word
        for node in ast.walk(tree)
        if id(node) not in seen
        for word in (getattr(node, "id", None), getattr(node, "attr", None))
        if word is not None
    }
    strings = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    named = outside | strings
    return frozenset(each for each in half.inline if each.rpartition(".")[2] not in named)


def _proven_values(
    old: ast.Module, new: ast.Module, halves: tuple[Half, Half], is_behaved: bool
) -> Iterator[str]:
    """Names bound once on both sides, by values that are the same."""
    before = dict(_values(old, halves[0].facts))
    for name, value in _values(new, halves[1].facts):
        known = before.get(name)
        if known is None or ast.dump(known) == ast.dump(value):
            continue
        try:
            laws_for(_thunk(known), _thunk(value), halves, is_behaved=is_behaved)
        except Unproven:
            continue
        yield name


def _values(tree: ast.Module, facts: ModuleFacts) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in facts.stable:
                yield name, value


def _thunk(value: ast.expr) -> ast.Lambda:
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(args=none, body=value)
