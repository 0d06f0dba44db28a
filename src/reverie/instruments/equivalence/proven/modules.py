"""Two texts of one module: which of its functions and values are proven to be the same.

    proven = prove_modules(before, after)
    proven.functions["Box.get"]      # laws that were used; a name that is not there is not proven
    proven.absorbed                  # functions of one side only, put in place of their calls
    proven.values                    # names of the module whose values are spelled otherwise

Nothing is run, not even imported. What a function calls is taken to be the same on both sides:
whoever asks has to see to the functions that are not proven. Two versions of a callable are proven
where all of their modules is.
"""

import ast
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from types import MappingProxyType

from reverie.instruments.equivalence.proven.asked import asked_of
from reverie.instruments.equivalence.proven.calls import CASTS
from reverie.instruments.equivalence.proven.conventions import DRAWING, INSIDE, typed_parameters
from reverie.instruments.equivalence.proven.drawn import drawn_at_once
from reverie.instruments.equivalence.proven.lockstep import Lockstep
from reverie.instruments.equivalence.proven.nodes import Unproven
from reverie.instruments.equivalence.proven.parts import changed_parts
from reverie.instruments.equivalence.proven.scopes import (
    FunctionNames,
    ModuleFacts,
    Scope,
    front_of,
    is_generator,
    looks_inside,
    occurrences,
    without_words,
)
from reverie.instruments.equivalence.proven.statements import Statements
from reverie.instruments.equivalence.proven.unread import (
    UNREAD,
    UNREAD_ATTRIBUTE,
    without_unread,
    without_unread_attributes,
)
from reverie.instruments.equivalence.targets import Version
from reverie.syntax.nodes import Function, dumped
from reverie.syntax.parsing import NOT_PYTHON, fresh_module, parse_module
from reverie.syntax.unparsing import unparse

_DEEPEST = 6
PARTS = "all that differs is a part that does the same"


@dataclass(frozen=True, slots=True)
class Half:
    """One side of a comparison: its module, and the functions that only it has."""

    facts: ModuleFacts
    inline: dict[str, ast.FunctionDef]
    """Methods by dotted name."""


def laws_for(
    old: Scope,
    new: Scope,
    halves: tuple[Half, Half],
    *,
    is_behaved: bool = False,
    owner: str = "",
    doubted: frozenset[str] = frozenset(),
) -> frozenset[str]:
    """What had to be known to see that two functions do the same; `Unproven` where they may not.

    With `is_behaved` values are taken to do what is usual: that is a convention, not a proof.
    `owner` is the class whose methods they are; what is `doubted` around them is so here.
    """
    laws: set[str] = set()
    conventions: set[str] | None = set() if is_behaved else None
    try:
        _walk(old, new, halves, (None, None), laws, conventions, owner, 0, doubted)
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
    doubted: frozenset[str],
) -> None:
    if depth > _DEEPEST:
        raise Unproven("functions in functions in functions")
    if any(half.facts.looks_inside for half in halves):
        if conventions is None or looks_inside(old) or looks_inside(new):
            raise Unproven("code that may look at how code is written")
        conventions.add(INSIDE)
    if type(old) is not type(new) or is_generator(old) != is_generator(new):
        raise Unproven("another kind of function")
    if conventions is not None:
        old, new = _plainly_drawn(old, new, halves, conventions)
        doubted |= _doubted(old, new, halves)
    builders = [Statements(half.facts, half.inline, conventions, owner, doubted) for half in halves]
    graphs = [
        builder.function(node, outer, {} if conventions is None else typed_parameters(old, new))
        for builder, node, outer in zip(builders, (old, new), around, strict=True)
    ]

    def alike(mine, other) -> bool:  # type: ignore[no-untyped-def]
        if _front(mine.node) != _front(other.node):
            return False
        around = (mine.names, other.names)
        _walk(mine.node, other.node, halves, around, laws, conventions, owner, depth + 1, doubted)
        return True

    Lockstep(alike, conventions).walk(*graphs)
    first, second = (builder.laws for builder in builders)
    laws |= first ^ second


def _plainly_drawn(
    old: Scope, new: Scope, halves: tuple[Half, Half], conventions: set[str]
) -> tuple[Scope, Scope]:
    """Both with one spelling for what is drawn at once."""
    first, second = drawn_at_once(old, halves[0].facts), drawn_at_once(new, halves[1].facts)
    if ast.dump(first) != ast.dump(old) or ast.dump(second) != ast.dump(new):
        conventions.add(DRAWING)
    return first, second


def _doubted(old: Scope, new: Scope, halves: tuple[Half, Half]) -> frozenset[str]:
    """What either version has doubts about, or a function that is put in place of its call."""
    nodes = [old, new, *(each for half in halves for each in half.inline.values())]
    return frozenset(each for node in nodes for each in asked_of(node))


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


MOST_BYTES = 400_000
_Named = dict[str, list[Function]]


@dataclass(frozen=True, slots=True)
class Proven:
    """What is the same for sure."""

    functions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Of those that are spelled otherwise; with the laws that were used."""
    absorbed: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()


def prove_modules(
    before: str,
    after: str,
    *,
    is_behaved: bool = False,
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> Proven:
    """Of two texts; nothing where one of them is not Python or is too large.

    With `is_behaved` values are taken to do what is usual: see `conventions`. Names that are
    imported from elsewhere may have been `renamed` there, old by new.
    """
    if max(len(before), len(after)) > MOST_BYTES:
        return Proven()
    try:
        trees = fresh_module(before), fresh_module(after)
    except NOT_PYTHON:
        return Proven()
    written = [dict(occurrences(tree)) for tree in trees]
    known = _known_renames(*trees, renamed)
    assumed: set[str] = set()
    if is_behaved:
        trees = _renamed(*trees, known)
        read = without_unread_attributes(*trees)
        assumed |= {UNREAD_ATTRIBUTE} if read != trees else set()
        trees = without_unread(*read)
    old, new = (dict(occurrences(tree)) for tree in trees)
    facts = [ModuleFacts.read(tree) for tree in trees]
    halves = (
        Half(facts[0], _only(facts[0], facts[1]) | _methods(old, new)),
        Half(facts[1], _only(facts[1], facts[0]) | _methods(new, old)),
    )
    found = {}
    for name in old.keys() & new.keys():
        if dumped(written[0][name]) == dumped(written[1][name]):
            continue
        laws = _proven_function(name, old[name], new[name], halves, is_behaved)
        if laws is not None:
            found[name] = tuple(sorted({*laws, *assumed}))
    values = {*_proven_values(*trees, halves, is_behaved)}
    if is_behaved:
        values |= _imported_again(*facts) | _imported_again(*facts[::-1])
        values |= {*known, *known.values()}
    values |= _imported_for(facts, trees[0], found) | _imported_for(facts[::-1], trees[1], found)
    absorbed = _absorbed(halves[0], trees[0], found) | _absorbed(halves[1], trees[1], found)
    return Proven(found, absorbed, frozenset(values))


def renamed_functions(before: str, after: str) -> dict[str, str]:
    """Functions of a module that are the same under another name: old by new."""
    trees = parse_module(before), parse_module(after)
    old, new = (
        {node.name: node for node in tree.body if isinstance(node, Function)} for tree in trees
    )
    gone = {_nameless(node): name for name, node in old.items() if name not in new}
    found = {name: _nameless(node) for name, node in new.items() if name not in old}
    return {name: gone[text] for name, text in found.items() if text in gone}


def _nameless(node: Function) -> str:
    made = deepcopy(node)
    for each in ast.walk(made):
        if isinstance(each, ast.Name) and each.id == node.name:
            each.id = ""
    made.name = ""
    return ast.dump(made)


def _known_renames(old: ast.Module, new: ast.Module, renamed: Mapping[str, str]) -> dict[str, str]:
    """Renamed names that both import from one place, and that mean nothing else to either."""
    facts = ModuleFacts.read(old), ModuleFacts.read(new)
    places = _places(old), _places(new)
    return {
        name: known
        for name, known in renamed.items()
        if name in facts[1].constant and known in facts[0].constant
        if name not in facts[0].bound and known not in facts[1].bound
        if name in places[1] and places[1][name] == places[0].get(known)
    }


def _places(tree: ast.Module) -> dict[str, tuple[str | None, int]]:
    """Where names are imported from under which they are known there."""
    return {
        alias.name: (node.module, node.level)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname is None
    }


def _renamed(
    old: ast.Module, new: ast.Module, wanted: Mapping[str, str]
) -> tuple[ast.Module, ast.Module]:
    """The new module with the old names of what it imports."""
    if not wanted:
        return old, new
    made = deepcopy(new)
    for node in ast.walk(made):
        match node:
            case ast.Name(id=name) if name in wanted:
                node.id = wanted[name]
            case ast.alias(name=name, asname=None) if name in wanted:
                node.name = wanted[name]
    return old, made


def _imported_again(mine: ModuleFacts, other: ModuleFacts) -> set[str]:
    """Modules that only one side imports for all of it; the other does so where it needs them."""
    return {each for each in mine.imports if each not in other.bound and each in mine.constant}


def _imported_for(
    facts: list[ModuleFacts], tree: ast.Module, found: Mapping[str, tuple[str, ...]]
) -> set[str]:
    """Names for type checkers that one side imports, and only what is proven mentions."""
    mine, other = facts
    wanted = {n for n, place in mine.origins.items() if place in CASTS and n not in other.bound}
    names = dict(occurrences(tree))
    inside = {id(e) for name in found for node in names.get(name, ()) for e in ast.walk(node)}
    return wanted - {
        each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and id(each) not in inside
    }


def _methods(mine: _Named, other: _Named) -> dict[str, ast.FunctionDef]:
    """Plain and static methods that only one side has."""
    return {
        name: node
        for name, (node, *more) in mine.items()
        if "." in name and name not in other and not more and isinstance(node, ast.FunctionDef)
        if [unparse(each) for each in node.decorator_list] in ([], ["staticmethod"])
    }


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
    laws: set[str] = {UNREAD} if dumped(old) == dumped(new) else set()
    for mine, other in zip(old, new, strict=True):
        if ast.dump(mine) == ast.dump(other):
            continue
        if front_of(mine) != front_of(other):
            return None
        pair = without_words(mine), without_words(other)
        owner = name.rpartition(".")[0]
        try:
            laws |= laws_for(*pair, halves, is_behaved=is_behaved, owner=owner)
        except Unproven:
            shown = _laws_of_parts(*pair, halves, owner) if is_behaved else None
            if shown is None:
                return None
            laws |= shown
    return tuple(sorted(laws))


def _laws_of_parts(
    old: Function, new: Function, halves: tuple[Half, Half], owner: str
) -> frozenset[str] | None:
    """What shows that the changed parts alone do the same; None where they may not."""
    drawn = drawn_at_once(old, halves[0].facts), drawn_at_once(new, halves[1].facts)
    is_drawn = any(ast.dump(a) != ast.dump(b) for a, b in zip(drawn, (old, new), strict=True))
    laws = {PARTS, DRAWING} if is_drawn else {PARTS}
    if ast.dump(drawn[0]) == ast.dump(drawn[1]):
        return frozenset(laws)
    parts = changed_parts(*drawn)
    if parts is None:
        return None
    try:
        for pair in parts:
            doubted = asked_of(old) | asked_of(new)
            laws |= laws_for(*pair, halves, is_behaved=True, owner=owner, doubted=doubted)
    except Unproven:
        return None
    return frozenset(laws)


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
    last = {each: each.rpartition(".")[2] for each in half.inline}
    return frozenset(n for n, word in last.items() if word not in named and not _is_special(word))


def _is_special(name: str) -> bool:
    """Whether Python calls it without anybody naming it."""
    return name.startswith("__") and name.endswith("__")


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


def laws_of_versions(old: Version, new: Version) -> tuple[str, ...] | None:
    """The laws that show that both do the same; None where nothing is shown.

    Both have to find the same relatives, and nothing else in their modules may differ. Of one text
    there is nothing to prove: whoever holds it against itself wants to know how steady it is.
    """
    if old.source == new.source:
        return None
    if old.qualname != new.qualname or old.roots != new.roots or old.module != new.module:
        return None
    proven = prove_modules(old.source, new.source)
    try:
        first, second = (
            list(_outline(fresh_module(each.source), proven, "")) for each in (old, new)
        )
    except NOT_PYTHON:
        return None
    if first != second:
        return None
    return tuple(sorted({law for laws in proven.functions.values() for law in laws}))


def _outline(tree: ast.AST, proven: Proven, prefix: str) -> Iterator[str]:
    """A module with names in place of what is proven; functions of one side are left out."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if prefix + name in proven.functions:
                    yield f"def {prefix}{name}"
                elif prefix or name not in proven.absorbed:
                    yield ast.dump(node)
            case ast.ClassDef(name=name):
                shell = [*node.bases, *node.keywords, *node.decorator_list]
                yield f"class {prefix}{name} {[ast.dump(each) for each in shell]}"
                inside = ast.Module(body=node.body, type_ignores=[])
                yield from _outline(inside, proven, f"{prefix}{name}.")
                yield f"end of {prefix}{name}"
            case ast.Assign(targets=[ast.Name(id=name)]) if not prefix and name in proven.values:
                yield f"value of {name}"
            case _:
                yield ast.dump(node)
