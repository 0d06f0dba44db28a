"""Neighbours of a try that may set a changed function apart: values at its edges, more arguments.

What a function compares with stands in its source; a change of the comparison shows exactly
there, one step beside it, and nowhere else.
"""

import ast
from typing import Any

from reverie.dreamers.enrich.naturalising.inside.pool import Pool
from reverie.dreamers.enrich.search.inside.changing import is_receiver, with_part
from reverie.dreamers.enrich.search.inside.hunting import Hunter
from reverie.dreamers.enrich.search.inside.nodes import (
    CONST,
    DICT,
    DISPLAYS,
    FORM,
    Line,
    Node,
    const,
    places,
)

_MOST_ITEMS = 40
_KNOWN_SHARE, _EDITED_SHARE = 0.5, 0.6
_LARGEST = 1 << 60


class Neighbours:
    """Draws neighbours of tries with the constants of one function in mind."""

    def __init__(self, hunter: Hunter, function: "ast.AST | None", values: Pool) -> None:
        self.hunter = hunter
        self.values = values
        self.chance = hunter.chance
        found = [] if function is None else [_constant(each) for each in ast.walk(function)]
        self.numbers = sorted({each for each in found if type(each) in (int, float)})
        self.texts = sorted({each for each in found if type(each) is str and len(each) < 80})

    def of(self, lines: "list[Line]", others: "list[list[Line]]") -> "list[Line]":
        """A neighbour."""
        draw = self.chance.random()
        if self.chance.random() < _KNOWN_SHARE:
            return self._with_known(lines)
        if draw < 0.4:
            lines = self._at_an_edge(lines)
            return lines if draw < 0.25 else self._at_an_edge(lines)
        if draw < 0.55:
            return self.with_argument(lines)
        if draw < 0.65:
            return self.hunter.prepared(lines)
        return self.hunter.changer.change(lines, others)

    def _with_known(self, lines: "list[Line]") -> "list[Line]":
        """One or two values become others that are known of their role, or one edit away."""
        for _ in range(self.chance.choice((1, 1, 2))):
            options = [each for each in self.values.places(lines) if self.values.values(each.role)]
            if not options:
                return self._at_an_edge(lines)
            place = self.chance.choice(options)
            several = self.values.wholes[place.role]
            if self.chance.random() < _EDITED_SHARE:
                several = self.values.edits(place.role) or several
            lines = with_part(lines, place.line, place.path, self.chance.choice(several))
        return lines

    def _at_an_edge(self, lines: "list[Line]") -> "list[Line]":
        """One value becomes what the function, or the try, holds others against."""
        options = [
            (number, path, node)
            for number, line in enumerate(lines)
            for path, node in places(line.node)
            if (node.kind == CONST or node.kind in DISPLAYS) and not is_receiver(line.node, path)
        ]
        if not options:
            return lines
        number, path, node = self.chance.choice(options)
        edges = [*self.numbers, *_sizes([each for _, _, each in options])]
        return with_part(lines, number, path, self._moved(node, edges))

    def _moved(self, node: Node, edges: "list[Any]") -> Node:
        value = node.value
        edge = self.chance.choice(edges) if edges else 1
        step = self.chance.choice((-1, 0, 0, 1))
        if node.kind != CONST:
            return self._resized(node, edge + step)
        if type(value) is bool or value is None:
            return const(not value)
        if type(value) in (int, float):
            moved = (edge + step, value + step, -value, edge * max(value, 1))
            return const(_kept_small(self.chance.choice(moved), value))
        if type(value) is str:
            return const(self._text_moved(value, edge + step))
        return self.hunter.changer.change_constant(value)

    def _text_moved(self, value: str, wanted: Any) -> str:
        draw = self.chance.random()
        text = self.chance.choice(self.texts) if self.texts else ""
        if draw < 0.3 and text:
            return text
        if draw < 0.6 and text:
            at = self.chance.randint(0, len(value))
            return value[:at] + text + value[at:]
        if draw < 0.8 and type(wanted) is int and 0 <= wanted <= _MOST_ITEMS:
            return ((value or "a") * (wanted + 1))[:wanted]
        return self.hunter.kinds.changed_text(value)

    def _resized(self, node: Node, wanted: Any) -> Node:
        if type(wanted) is not int or not 0 <= wanted <= _MOST_ITEMS or not node.items:
            return node
        if node.kind == DICT:
            return node.with_items(node.items[: 2 * wanted])
        items = list(node.items)
        while len(items) < wanted:
            items.append(self.chance.choice(node.items))
        return node.with_items(tuple(items[:wanted]))

    def with_argument(self, lines: "list[Line]") -> "list[Line]":
        """One optional argument more, all others as they are."""
        calls = [
            (number, path, node)
            for number, line in enumerate(lines)
            for path, node in places(line.node)
            if node.kind == FORM and node.about is not None and node.value[-1].endswith(")")
        ]
        if not calls:
            return self._at_an_edge(lines)
        number, path, node = self.chance.choice(calls)
        key, names = node.about or ("", ())
        action = self.hunter.changer.actions.get(key)
        free = [
            each for each in (action.parameters if action is not None else ())
            if each.kind in ("place", "name") and not each.is_required and each.name not in names
        ]  # fmt: skip
        if not free or action is None or not action.is_call:
            return self._at_an_edge(lines)
        parameter = self.chance.choice(free)
        made = self.hunter.maker.argument(key, parameter)
        return with_part(lines, number, path, _with_named(node, parameter.name, made))


def _with_named(node: Node, name: str, made: Node) -> Node:
    """A call with one more argument, by name."""
    *pieces, last = node.value
    head = last.removesuffix(")")
    between = "" if head.endswith("(") else ", "
    about = None if node.about is None else (node.about[0], (*node.about[1], name))
    return Node(FORM, (*pieces, f"{head}{between}{name}=", ")"), (*node.items, made), about)


def _constant(node: ast.AST) -> Any:
    return node.value if isinstance(node, ast.Constant) else None


def _sizes(nodes: "list[Node]") -> "list[Any]":
    """Numbers of a try, and how long its texts and lists are."""
    found: set[Any] = set()
    for node in nodes:
        if node.kind == CONST and type(node.value) in (int, float):
            found.add(node.value)
        elif node.kind == CONST and isinstance(node.value, (str, bytes)):
            found.add(len(node.value))
        elif node.kind in DISPLAYS:
            found.add(len(node.items) // (2 if node.kind == DICT else 1))
    return sorted(found)


def _kept_small(moved: Any, value: Any) -> Any:
    return moved if abs(moved) < _LARGEST else value
