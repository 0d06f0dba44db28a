"""Questions of `where` clauses by name, and those that many rewrites ask.

A question is handed the place that was found and what its holes stand for. `let` takes the text
that it answers, and `at` the statement. Whatever is not known for sure is answered with no.
"""

import ast
import builtins

from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.pairs import Found
from reverie.dreamers.rewriting.repeats import (
    is_bound_elsewhere,
    kind_inside,
    looked_for,
    steady_repeats,
)
from reverie.syntax.filling import kept_lines
from reverie.syntax.matching import Bound, shown
from reverie.syntax.nodes import names_in
from reverie.syntax.rewrite_files import Question
from reverie.syntax.unparsing import unparse

QUESTIONS: dict[str, Question] = {}
_QUALITIES = {
    "hashable": "is_hashable",
    "exact": "is_exact",
    "ordered": "is_ordered",
    "whole": "is_whole_number",
}


def question(ask: Question) -> Question:
    """Make a function one of the questions, by its name."""
    QUESTIONS[getattr(ask, "__name__", "")] = ask
    return ask


def nodes_of(bound: Bound) -> list[ast.AST]:
    """What a hole stands for as nodes: none of words."""
    if isinstance(bound, tuple):
        return list(bound)
    return [bound] if isinstance(bound, ast.AST) else []


def kind_of(found: Found, node: Bound) -> Kind | None:
    """The kind of what a hole stands for, where comprehensions bind names of their own."""
    return kind_inside(found.scene, node) if isinstance(node, ast.expr) else None


def has_quality(kind: Kind | None, quality: str) -> bool:
    """Whether a kind is known to be of a type, or to have a quality."""
    if kind is None:
        return False
    named = _QUALITIES.get(quality)
    return kind.name == quality if named is None else bool(getattr(kind, named))


# Shapes


@question
def name(found: Found, *parts: Bound) -> bool:
    """Whether all are plain names."""
    return all(isinstance(each, ast.Name) for each in parts)


@question
def plain(found: Found, *parts: Bound) -> bool:
    """Whether all are names or constants."""
    return all(isinstance(each, ast.Name | ast.Constant) for each in parts)


@question
def constant(found: Found, *parts: Bound) -> bool:
    """Whether all are constants."""
    return all(isinstance(each, ast.Constant) for part in parts for each in nodes_of(part))


@question
def different(found: Found, *parts: Bound) -> bool:
    """Whether no two say the same."""
    return len({shown(each) for each in parts}) == len(parts)


@question
def at_least(found: Found, part: Bound, number: int) -> bool:
    """Whether a hole for several holds so many, or a constant is so large."""
    if isinstance(part, ast.Constant):
        return isinstance(part.value, int) and part.value >= number
    return isinstance(part, tuple) and len(part) >= number


@question
def starred(found: Found, *parts: Bound) -> bool:
    """Whether one of them is a `*` of several."""
    return any(isinstance(each, ast.Starred) for part in parts for each in nodes_of(part))


@question
def mentions(found: Found, part: Bound, *names: Bound) -> bool:
    """Whether one of the names stands in a part."""
    wanted = {each for bound in names for node in nodes_of(bound) for each in names_in(node)}
    return any(wanted & names_in(node) for node in nodes_of(part))


@question
def list_comprehension(found: Found, part: Bound) -> bool:
    """Whether a list is made by a comprehension."""
    return isinstance(part, ast.ListComp)


@question
def slice_of_name(found: Found, part: Bound) -> bool:
    """Whether a slice of a name is taken."""
    match part:
        case ast.Subscript(value=ast.Name(), slice=ast.Slice()):
            return True
    return False


@question
def inside_brackets(found: Found, part: Bound) -> str | None:
    """The text of a list or a tuple without its brackets."""
    return kept_lines(found.scene.source.of(part)[1:-1]) if isinstance(part, ast.AST) else None


# Kinds of values


@question
def kind(found: Found, part: Bound, *types: str) -> bool:
    """Whether it surely is of one of some types."""
    known = kind_of(found, part)
    return known is not None and known.name in types


@question
def surely(found: Found, part: Bound, quality: str) -> bool:
    """Whether it surely is `hashable`, `exact` (a key equals itself), `ordered` or `whole`."""
    return has_quality(kind_of(found, part), quality)


@question
def maybe(found: Found, part: Bound, quality: str) -> bool:
    """Whether nothing is known that speaks against it."""
    known = kind_of(found, part)
    return known is None or has_quality(known, quality)


@question
def list_like(found: Found, part: Bound) -> bool:
    """Whether it surely is a list, or may be used like one."""
    known = kind_of(found, part)
    return known is not None and known.is_list


@question
def items(found: Found, part: Bound, quality: str) -> bool:
    """Whether what it holds surely is of a type, or has a quality."""
    known = kind_of(found, part)
    return known is not None and has_quality(known.item, quality)


# Names and what happens to them


@question
def only_here(found: Found, *parts: Bound) -> bool:
    """Whether the names of targets stand nowhere but in what was found."""
    scene = found.scene
    return all(
        len(scene.names(each)) == sum(len(scene.names(each, node)) for node in found.nodes)
        for part in parts
        for node in nodes_of(part)
        for each in names_in(node)
    )


@question
def used_later(found: Found, *parts: Bound) -> bool:
    """Whether names of targets stand behind what was found."""
    end = getattr(found.nodes[-1], "end_lineno", None) or 0
    named = {each for part in parts for node in nodes_of(part) for each in names_in(node)}
    return any(each.lineno > end for name in named for each in found.scene.names(name))


@question
def bound_once(found: Found, part: Bound) -> bool:
    """Whether one statement only binds a name."""
    return isinstance(part, ast.Name) and len(found.scene.bindings(part.id)) == 1


@question
def parameter(found: Found, part: Bound) -> bool:
    """Whether a name is handed to the function."""
    return isinstance(part, ast.Name) and part.id in found.scene.parameters


@question
def builtin(found: Found, called: str) -> bool:
    """Whether a name means what Python means by it."""
    scene = found.scene
    is_other = called in scene.functions or called in scene.imported or scene.bindings(called)
    return hasattr(builtins, called) and not is_other


@question
def pure(found: Found, *parts: Bound) -> bool:
    """Whether they only compute."""
    return all(
        found.scene.is_pure_node(each, frozenset())
        for part in parts
        for node in nodes_of(part)
        for each in ast.walk(node)
    )


# Around what was found


@question
def left_over(found: Found, mark: str) -> bool:
    """Whether it is what is left for values that a table of that name does not answer."""
    parent = found.scene.parents[found.nodes[0]]
    return isinstance(parent, ast.If | ast.IfExp) and mark in unparse(parent.test)


@question
def under(found: Found, *types: str) -> bool:
    """Whether the node around it is of one of some types: `IfExp`, `Return`, …"""
    return type(found.scene.parents[found.nodes[0]]).__name__ in types


@question
def given_as(found: Found, keyword: str) -> bool:
    """Whether it is handed to a call by that name."""
    parent = found.scene.parents[found.nodes[0]]
    return isinstance(parent, ast.keyword) and parent.arg == keyword


@question
def in_loop(found: Found) -> bool:
    """Whether a loop repeats it."""
    return bool(found.scene.loops_around(found.nodes[0]))


# Places for new lines


@question
def before_repeats(found: Found, *names: Bound) -> ast.stmt | None:
    """In front of the loops and comprehensions around it that leave some objects alone."""
    known = [each.id for each in names if isinstance(each, ast.Name)]
    steady = steady_repeats(found.scene, found.nodes[0], *known)
    return found.scene.statement_of(steady[-1]) if steady and len(known) == len(names) else None


@question
def statement(found: Found) -> ast.stmt:
    """In front of the statement itself."""
    return found.first


# What is worked out


@question
def wanted(found: Found, test: Bound, target: Bound, things: Bound) -> str | None:
    """The `x` for which `x in things` says what a test of each item finds."""
    if not all(isinstance(each, ast.expr) for each in (test, target, things)):
        return None
    text = looked_for(found.scene, test, target, things)  # type: ignore[arg-type]
    return None if text is None else kept_lines(text)


@question
def bound_elsewhere(found: Found, target: Bound) -> bool:
    """Whether names of a target stand outside of the last statement that was found."""
    return isinstance(target, ast.expr) and is_bound_elsewhere(found.scene, target, found.nodes[-1])
