"""A scenario taken apart: steps that share an object stay together, needless calls go.

A search strings calls together that have nothing to do with one another. A test that a person
keeps is about one thing.

A search asks many things on its way. A test arranges, acts and looks once; every question of a
story is the end of one of its own.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from reverie.dreamers.enrich.writing.admission import is_admitted
from reverie.dreamers.enrich.writing.wording.naming import variable
from reverie.model.call import Scenario, Seen, Step, StepForm
from reverie.syntax.nodes import Function
from reverie.syntax.nodes import names_in as node_names
from reverie.syntax.parsing import (
    NOT_PYTHON,
    fresh_expression,
    fresh_module,
    parse_expression,
    parse_module,
)
from reverie.syntax.unparsing import unparse

_NOBODY: frozenset[str] = frozenset()


def threads_of(scenarios: Iterable[Scenario], own: frozenset[str]) -> Iterator[Scenario]:
    """The scenarios, each in as many pieces as it has separate things in it."""
    for scenario in scenarios:
        if not _parses(scenario):
            continue
        if any(step.form is StepForm.ENTER or _is_seed(step) for step in scenario.steps):
            yield _named(scenario, own)
            continue
        for places in _components(scenario):
            yield _named(_part(scenario, places), own)


def _is_seed(step: Step) -> bool:
    """Whether a step makes chance repeat itself, which all later ones may need."""
    return step.line.source.startswith("random.seed(")


def _parses(scenario: Scenario) -> bool:
    try:
        for step in scenario.steps:
            _tree(step.line.source, step.form)
            for definition in step.line.definitions:
                parse_module(definition)
    except NOT_PYTHON:
        return False
    return bool(scenario.seen)


def _components(scenario: Scenario) -> list[list[int]]:
    """Places of steps, those together that share an object; plain values are given to each."""
    groups: list[tuple[set[str], list[int]]] = []
    plain = {place for place, step in enumerate(scenario.steps) if _is_plain(step)}
    values = {scenario.steps[place].name: place for place in plain}
    names = {step.name for step in scenario.steps if step.name and step.name not in values}
    for place, step in enumerate(scenario.steps):
        if place in plain:
            continue
        mine = {step.name} if step.name else set[str]()
        mine |= names_in(step.line.source) & names
        touching = [group for group in groups if group[0] & mine]
        joined = (mine.union(*(group[0] for group in touching)), [place])
        for group in touching:
            joined[1].extend(group[1])
            groups.remove(group)
        groups.append(joined)
    return [_with_values(scenario, places, values) for _, places in groups]


def _is_plain(step: Step) -> bool:
    """Whether a step only names a value: a literal, or a function without a name."""
    if step.form is StepForm.CHANGE or step.form is StepForm.ENTER:
        return False
    node = parse_expression(step.line.source)
    return isinstance(node, ast.Lambda) or is_admitted(step.line.source, _NOBODY)


def _with_values(
    scenario: Scenario, places: list[int], values: Mapping[str | None, int]
) -> list[int]:
    """The places, and those of the plain values that they use."""
    wanted = set(places)
    waiting = list(places)
    while waiting:
        for name in names_in(scenario.steps[waiting.pop()].line.source):
            place = values.get(name)
            if place is not None and place not in wanted:
                wanted.add(place)
                waiting.append(place)
    return sorted(wanted)


def _part(scenario: Scenario, places: list[int]) -> Scenario:
    return replace(
        scenario,
        steps=tuple(scenario.steps[place] for place in places),
        seen=tuple(scenario.seen[place] for place in places if place < len(scenario.seen)),
    )


@lru_cache(maxsize=4096)
def names_in(source: str) -> frozenset[str]:
    """The names that a line uses."""
    return frozenset(node_names(parse_module(source)))


# -- names for what is kept -------------------------------------------------------------------


def _named(scenario: Scenario, own: frozenset[str]) -> Scenario:
    """Results are called after their class, or after what they are given for."""
    renamed: dict[str, str] = {}
    foreign = {
        name
        for step in scenario.steps
        for name in (*names_in(step.line.source), *step.line.names, *step.line.modules)
    } - {step.name for step in scenario.steps}
    steps = []
    for place, step in enumerate(scenario.steps):
        seen = scenario.seen[place] if place < len(scenario.seen) else None
        line = step.line.replaced(_renaming(step.line.source, renamed, step.form))
        name = step.name
        if name is not None:
            taken = {*renamed.values(), *own, *foreign}
            wanted = _wanted(step, seen)
            name = _free("instance" if wanted in own else wanted, taken)
            renamed[step.name or ""] = name
        steps.append(
            replace(step, line=line, name=name, callee=step.callee or _own_callee(step, own))
        )
    return replace(scenario, steps=tuple(steps))


def _own_callee(step: Step, own: frozenset[str]) -> str | None:
    """The first thing of the module's own that a line calls."""
    for node in ast.walk(parse_module(step.line.source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in own:
            return node.func.id
    return None


def _wanted(step: Step, seen: Seen | None) -> str:
    kind = "" if seen is None else seen.type_name.rpartition(".")[2]
    node = parse_expression(step.line.source) if step.form is not StepForm.CHANGE else None
    if isinstance(node, ast.Lambda) or kind in ("function", "builtin_function_or_method", "method"):
        return "function"
    if seen is not None and not seen.type_name.startswith("builtins.") and kind.isidentifier():
        return variable(kind) or "value"
    words = {"list": "items", "tuple": "items", "set": "items", "dict": "mapping", "str": "text",
             "int": "number", "float": "number", "bytes": "data"}  # fmt: skip
    if isinstance(node, ast.Call) and not is_admitted(step.line.source, _NOBODY):
        return "result"
    return words.get(kind, "value")


def _free(name: str, taken: set[str]) -> str:
    for candidate in (name, f"other_{name}", f"third_{name}", f"fourth_{name}"):
        if candidate not in taken:
            return candidate
    number = 5
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _tree(source: str, form: StepForm) -> ast.AST:
    return fresh_module(source) if form is StepForm.CHANGE else fresh_expression(source)


def _renaming(source: str, renamed: dict[str, str], form: StepForm) -> str:
    if not renamed:
        return source
    tree = _tree(source, form)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = renamed.get(node.id, node.id)
    return unparse(tree)


CHANGING = frozenset({
    "append", "appendleft", "add", "update", "pop", "popleft", "popitem", "remove", "discard",
    "clear", "extend", "insert", "setdefault", "sort", "reverse", "rotate", "move_to_end", "write",
    "put", "get_nowait", "send", "close", "seek", "read", "readline", "__setitem__", "setattr",
    "next", "__next__", "__delitem__", "release", "acquire", "increment",
})  # fmt: skip
"""Methods that change what they are called on, by name."""


class Questions:
    """Tells calls that change something from those that only ask."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self.functions = functions
        uses = {name: _called_names(node) for name, node in functions.items()}
        self.changing = {name for name, node in functions.items() if _changes(node)}
        is_growing = True
        while is_growing:
            last = {name.rpartition(".")[2] for name in self.changing}
            more = {name for name, called in uses.items() if called & last} - self.changing
            self.changing |= more
            is_growing = bool(more)

    def apart(self, scenario: Scenario) -> Iterator[Scenario]:
        """A story for each of its questions, and one without any but the last line."""
        steps = scenario.steps[: len(scenario.seen)]
        if any(step.form is StepForm.ENTER for step in scenario.steps):
            yield scenario
            return
        last = len(steps) - 1
        asking = [place for place in range(last) if self._asks(steps, place)]
        for end in (*asking, last):
            kept = [place for place in range(end) if place not in asking] + [end]
            if len(kept) > 1 or end == last:
                yield _only_steps(scenario, kept)

    def _asks(self, steps: tuple[Step, ...], place: int) -> bool:
        step = steps[place]
        is_used = step.name is not None and any(
            step.name in names_in(later.line.source) for later in steps[place + 1 :]
        )
        if is_used or step.is_awaited:
            return False
        if step.form in (StepForm.OPERATE, StepForm.READ):
            return not step.line.source.startswith(("next(", "iter("))
        callee = step.callee or ""
        return step.form is StepForm.CALL and callee in self.functions.keys() - self.changing


def _only_steps(scenario: Scenario, places: list[int]) -> Scenario:
    return replace(
        scenario,
        steps=tuple(scenario.steps[place] for place in places),
        seen=tuple(scenario.seen[place] for place in places),
    )


def _called_names(function: Function) -> set[str]:
    return {
        each.func.id if isinstance(each.func, ast.Name) else getattr(each.func, "attr", "")
        for each in ast.walk(function)
        if isinstance(each, ast.Call)
    }


def _changes(function: Function) -> bool:
    """Whether it sets what is not its own name, or asks something to change itself."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom):
            return True
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return True
    return bool(_called_names(function) & CHANGING)
