"""What is asked about one changed file: both versions, and which of their functions are watched."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.instruments.equivalence.mutants import Mutant, mutants_reached
from reverie.instruments.equivalence.targets import Version
from reverie.instruments.mutation.mutant_texts import spread_sample
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_module

_MOST_MUTANTS = 60
"""Of each version; which ones, the seed decides."""
_MOST_CONSTANTS = 60


@dataclass(frozen=True, slots=True)
class Front:
    """How a function is called: source of its defaults, and what wraps it."""

    defaults: tuple[str, ...] = ()
    keywords: Mapping[str, str] = field(default_factory=dict)
    decorators: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """As the program inside reads it."""
        return {
            "defaults": list(self.defaults),
            "keywords": dict(self.keywords),
            "decorators": list(self.decorators),
        }


@dataclass(frozen=True, slots=True)
class Replaced:
    """What of a loaded module has to be exchanged for it to be the new version."""

    swapped: tuple[str, ...]
    """Functions of both versions that are not the same, by `__qualname__`."""
    fronts: Mapping[str, Front] = field(default_factory=dict)
    """Those of them that are called otherwise."""
    added: Mapping[str, Front] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    """Source of what the module binds otherwise."""


@dataclass(frozen=True, slots=True)
class FileOrder:
    """One changed file."""

    path: str
    """Within the tree of the tests that are run: the old one."""
    before: str
    after: str
    watched: tuple[str, ...]
    """Functions whose calls are made of both versions, by `__qualname__`."""
    replaced: Replaced
    globals: tuple[str, ...] = ()
    """Data of the module that the functions may change."""

    @property
    def versions(self) -> tuple[Version, Version]:
        """Old and new, as mutants are made of them."""
        return tuple(  # type: ignore[return-value]
            Version(label, "", "", source, self.path)
            for label, source in (("old", self.before), ("new", self.after))
        )

    def mutants(self, seed: int) -> tuple[list[Mutant], list[Mutant]]:
        """Of the changed code of the old version, and of the new one."""
        old, new = self.versions
        names = {each.replace(".<locals>", "") for each in self.watched}
        names |= {each.replace(".<locals>", "") for each in self.replaced.swapped}
        names |= {*self.replaced.added, *self.replaced.removed}
        found = [
            [each for each in mutants_reached(*pair, names) if each.unit is not None]
            for pair in ((old, new), (new, old))
        ]
        one, other = (
            spread_sample(each, _MOST_MUTANTS, lambda mutant: f"{seed} {mutant.name}")
            for each in found
        )
        return one, other

    def document(self, mutants: Sequence[Sequence[Mutant]]) -> dict[str, Any]:
        """As the program inside reads it."""
        told = self.replaced
        names = {each.replace(".<locals>", "") for each in (*told.swapped, *told.added)}
        trees = [parse_module(self.before), parse_module(self.after)]
        old = {
            "source": self.before,
            "swapped": list(told.swapped),
            "fronts": {},
            "added": {},
            "removed": [],
            "statements": [],
            "counted": [*told.swapped, *told.removed],
            "mutants": [_mutant(each) for each in mutants[0]],
        }
        new = {
            "source": self.after,
            "swapped": list(told.swapped),
            "fronts": {name: each.document() for name, each in told.fronts.items()},
            "added": {name: each.document() for name, each in told.added.items()},
            "removed": list(told.removed),
            "statements": list(told.statements),
            "counted": [*told.swapped, *told.added],
            "mutants": [_mutant(each) for each in mutants[1]],
        }
        return {
            "old": old,
            "new": new,
            "watched": list(self.watched),
            "globals": list(self.globals),
            "forgotten": sorted(_private_words(trees[0]) - _private_words(trees[1])),
            "attributes": sorted(_attributes_in(trees, names)),
            "constants": list(_constants_in(trees, names))[:_MOST_CONSTANTS],
        }


def _mutant(mutant: Mutant) -> list[Any]:
    edit, mark = mutant.edit, mutant.mark
    if edit is None:
        raise ValueError("a mutant that is no edit")
    marked = (None, None, None) if mark is None else (mark.start, mark.end, mark.text)
    return [mutant.unit, edit.start, edit.end, edit.text, *marked, *mutant.lines]


def _private_words(tree: ast.Module) -> set[str]:
    """Private attributes that a text names, in whatever way."""
    found = {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute)}
    found |= {
        str(each.value)
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }
    return {each for each in found if each.startswith("_") and each.isidentifier()}


def _definitions(tree: ast.Module, names: set[str]) -> list[ast.AST]:
    found: list[ast.AST] = []

    def walk(node: ast.AST, around: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function | ast.ClassDef):
                if f"{around}{child.name}" in names:
                    found.append(child)
                walk(child, f"{around}{child.name}.")
            else:
                walk(child, around)

    walk(tree, "")
    return found


def _attributes_in(trees: Sequence[ast.Module], names: set[str]) -> set[str]:
    """Attributes that changed functions read of names: of what they are given, among others."""
    return {
        each.attr
        for tree in trees
        for node in _definitions(tree, names)
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute)
        and isinstance(each.value, ast.Name)
        and not each.attr.startswith("__")
    }


def _constants_in(trees: Sequence[ast.Module], names: set[str]) -> dict[Any, None]:
    """Plain values that changed functions name."""
    return dict.fromkeys(
        each.value
        for tree in trees
        for node in _definitions(tree, names)
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and type(each.value) in (str, int, float)
    )
