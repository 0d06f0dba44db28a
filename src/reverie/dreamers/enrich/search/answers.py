"""Scenarios as the sandbox claims them, read with suspicion, and the names their lines need.

The code under test shares the interpreter with the search: every source is parsed again here and
may only use names that exist, and no text becomes part of a test unless it did so.
"""

import ast
import builtins
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.model.call import Expression, Scenario, Seen, Step, StepForm
from reverie.syntax.nodes import Function, stored_names
from reverie.syntax.parsing import NOT_PYTHON, parse_module

BUILTINS = frozenset(dir(builtins))
_REFUSED = frozenset(
    {"__import__", "eval", "exec", "compile", "open", "input", "breakpoint", "exit", "quit",
     "globals", "locals", "vars", "help", "__build_class__", "__loader__", "__spec__"}
)  # fmt: skip
"""No line of a test needs them, and code under test may claim any line."""
_LINES = (ast.Expr, ast.Assign, ast.AugAssign, ast.Delete)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that lines may use."""

    own: frozenset[str]
    """Defined at the top level of the module under test."""
    helpers: frozenset[str] = frozenset()
    """Imported there from its own package: other classes that it works with."""
    modules: frozenset[str] = frozenset()
    """Dotted names that lines may import."""
    definitions: Mapping[str, str] = field(default_factory=dict)

    def expression(self, source: str, bound: Iterable[str] = ()) -> Expression | None:
        """A line with its needs; None when it needs what nobody has, or is no Python."""
        try:
            tree = parse_module(source)
        except NOT_PYTHON:
            return None
        if len(tree.body) != 1 or not isinstance(tree.body[0], _LINES):
            return None
        known = frozenset(bound)
        modules: set[str] = set()
        names: set[str] = set()
        definitions: list[str] = []
        local = _bound_inside(tree)
        for name, dotted in _free_names(tree):
            if name in known or name in local:
                continue
            if name in self.definitions:
                definitions.append(self.definitions[name])
                inner = self.expression_of_definition(self.definitions[name])
                names |= inner
            elif name in self.own or name in self.helpers:
                names.add(name)
            elif (module := self._module(dotted)) is not None:
                modules.add(module)
            elif name not in BUILTINS or name in _REFUSED:
                return None
        needed = tuple(dict.fromkeys(definitions))
        return Expression(source, frozenset(modules), frozenset(names), needed)

    def expression_of_definition(self, text: str) -> set[str]:
        """The module's own names that a stand-in needs."""
        found = {name for name, _ in _free_names(parse_module(text))}
        return found & (self.own | self.helpers)

    def can_define(self, text: str) -> bool:
        """Whether a stand-in needs nothing but what lines may use.

        One of a class of another module does: `class SinkStandIn(shop.sinks.Sink)`.
        """
        tree = parse_module(text)
        known = self.own | self.helpers | BUILTINS | _bound_inside(tree)
        return all(
            name in known or self._module(dotted) is not None for name, dotted in _free_names(tree)
        )

    def _module(self, dotted: str) -> str | None:
        """The longest part of a dotted name that is a module to import."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            module = ".".join(parts[:end])
            if module in self.modules:
                return module
        return None


def _free_names(tree: ast.AST) -> list[tuple[str, str]]:
    """Each name that is read, with the dotted name that it begins."""
    found: list[tuple[str, str]] = []
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            chain: list[str] = []
            at: ast.expr = node
            while isinstance(at, ast.Attribute):
                inner.add(id(at))
                chain.append(at.attr)
                at = at.value
            if isinstance(at, ast.Name):
                inner.add(id(at))
                found.append((at.id, ".".join((at.id, *reversed(chain)))))
    found += [
        (node.id, node.id)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in inner and isinstance(node.ctx, ast.Load)
    ]
    return found


def _bound_inside(tree: ast.AST) -> frozenset[str]:
    """Names that lambdas and comprehensions bind."""
    found = stored_names(tree)
    found |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return frozenset(found)


def own_names(tree: ast.Module) -> frozenset[str]:
    """Functions, classes and values that a module defines at its top level."""
    found: set[str] = set()
    for node in _top_level(tree.body):
        if isinstance(node, Function | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return frozenset(name for name in found if not name.startswith("__"))


def imported_names(tree: ast.Module, package: str) -> frozenset[str]:
    """Names that a module imports from its own package."""
    return frozenset(
        alias.asname or alias.name
        for node in _top_level(tree.body)
        if isinstance(node, ast.ImportFrom)
        and (node.level > 0 or (node.module or "").partition(".")[0] == package)
        for alias in node.names
        if alias.name != "*"
    )


def _top_level(body: Iterable[ast.stmt]) -> Iterable[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _top_level([*node.body, *node.orelse])


_FORMS = {each.value: each for each in StepForm}
_MOST_TEXT = 4000
_MOST_STEPS = 16


def read_steps(claim: Any, names: Names) -> tuple[Step, ...] | None:
    """The steps of a scenario; None when one of them cannot be."""
    if not isinstance(claim, dict) or not isinstance(claim.get("steps"), list):
        return None
    steps: list[Step] = []
    bound: list[str] = []
    for each in claim["steps"][:_MOST_STEPS]:
        step = _step(each, names, bound)
        if step is None:
            return None
        steps.append(step)
        bound += [step.name] if step.name is not None else []
    return tuple(steps) or None


def _step(claim: Any, names: Names, bound: Sequence[str]) -> Step | None:
    if not isinstance(claim, dict) or not isinstance(claim.get("source"), str):
        return None
    form = _FORMS.get(str(claim.get("form")))
    line = names.expression(claim["source"], bound)
    if form is None or line is None or len(line.source) > _MOST_TEXT:
        return None
    name = claim.get("name")
    callee = claim.get("callee")
    if name is not None and not (isinstance(name, str) and name.isidentifier()):
        return None
    return Step(line, form, callee if isinstance(callee, str) else None, name,
                claim.get("is_awaited") is True)  # fmt: skip


def worth_replaying(claims: Sequence[Any], most: int) -> list[Mapping[str, Any]]:
    """Of all searches together: first what takes every way, then other paths of each function."""
    known = sorted((each for each in claims if _has_ways(each)), key=lambda each: each["rank"])
    left = {way for each in known for way in each["ways"]}
    needed: list[Mapping[str, Any]] = []
    others: list[Mapping[str, Any]] = []
    for each in known:
        (needed if left & set(each["ways"]) else others).append(each)
        left -= set(each["ways"])
    paths = {_path(each) for each in needed}
    by_callee: dict[str, list[Mapping[str, Any]]] = {}
    for each in others:
        path = _path(each)
        if path not in paths:
            paths.add(path)
            by_callee.setdefault(path[0], []).append(each)
    return [*needed, *_in_turn(by_callee.values())][: max(most, len(needed))]


def _has_ways(claim: Any) -> bool:
    if not isinstance(claim, dict):
        return False
    ways, rank = claim.get("ways"), claim.get("rank")
    if not isinstance(ways, list) or not isinstance(rank, list) or len(rank) != 2:
        return False
    return all(type(each) is int for each in ways) and all(isinstance(each, int) for each in rank)


def _path(claim: Mapping[str, Any]) -> tuple[str, tuple[int, ...], str]:
    return _callee(claim), tuple(claim["ways"]), str(claim.get("outcome"))


def _callee(claim: Mapping[str, Any]) -> str:
    steps = claim.get("steps")
    last = steps[-1] if isinstance(steps, list) and steps else None
    return str(last.get("callee")) if isinstance(last, dict) else ""


def _in_turn(several: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[Mapping[str, Any]]:
    """One of each, then the next of each."""
    for row in itertools.zip_longest(*several):
        yield from (each for each in row if each is not None)


def read_scenario(
    steps: tuple[Step, ...], claims: Sequence[Any], names: Names, origin: str
) -> Scenario | None:
    """A scenario from replays that agree; None when they do not, or make no sense."""
    if not claims or not all(isinstance(each, dict) for each in claims):
        return None
    views = [each.get("seen") for each in claims]
    if not all(isinstance(each, list) and 0 < len(each) <= len(steps) for each in views):
        return None
    if len({len(each) for each in views}) != 1:
        return None
    seen = [_agreed([view[place] for view in views], names) for place in range(len(views[0]))]
    if any(each is None for each in seen):
        return None
    known = tuple(each for each in seen if each is not None)
    if any(each.is_exception for each in known[:-1]):
        return None
    if len(known) < len(steps) and not known[-1].is_exception:
        return None
    arcs = frozenset.intersection(*(read_arcs(each) for each in claims))
    return Scenario(steps[: len(known)], known, arcs, origin) if arcs else None


def read_arcs(claim: Mapping[str, Any]) -> frozenset[tuple[int, int]]:
    """Steps from line to line, as far as they are such."""
    found = claim.get("arcs")
    return frozenset(
        (each[0], each[1])
        for each in (found if isinstance(found, list) else ())
        if isinstance(each, list) and len(each) == 2 and all(type(part) is int for part in each)
    )


def _agreed(views: Sequence[Any], names: Names) -> Seen | None:
    """What all replays saw; what differs between them is left out of it."""
    if not all(isinstance(each, dict) and isinstance(each.get("type"), str) for each in views):
        return None
    first, *rest = views
    if any(each["type"] != first["type"] for each in rest):
        return None
    if ("raised" in first) != all("raised" in each for each in views):
        return None
    if "raised" in first:
        is_same = all(each["raised"] == first["raised"] for each in rest)
        where = first.get("where")
        return Seen(
            first["type"],
            raised=str(first["raised"])[:_MOST_TEXT] if is_same else "",
            raised_in=where if isinstance(where, str) else None,
        )
    printed = {str(each.get("printed", "")) for each in views}
    return Seen(
        first["type"],
        literal=_shared(views, "literal", names),
        parts=_parts(views, names),
        printed=printed.pop()[:_MOST_TEXT] if len(printed) == 1 else "",
    )


def _shared(views: Sequence[Mapping[str, Any]], key: str, names: Names) -> Expression | None:
    texts = {each.get(key) for each in views if isinstance(each.get(key), str | None)}
    text = texts.pop() if len(texts) == 1 else None
    return None if text is None else names.expression(text)


def _parts(views: Sequence[Mapping[str, Any]], names: Names) -> dict[str, Expression]:
    several = [each["parts"] for each in views if isinstance(each.get("parts"), dict)]
    if len(several) != len(views):
        return {}
    found: dict[str, Expression] = {}
    for reading, text in several[0].items():
        if not isinstance(reading, str) or any(each.get(reading) != text for each in several):
            continue
        if names.expression(reading.format("object()")) is None or not isinstance(text, str):
            continue
        value = names.expression(text)
        if value is not None:
            found[reading] = value
    return found
