"""Neighbours of a try: a constant, an argument, a line changed, added, left out, taken over."""

import random
from typing import Any

from .kinds import Kinds
from .making import Maker
from .nodes import CONST, DISPLAYS, FORM, REF, Line, Node, const, places, ref, replaced
from .surface import Action, Surface

_LONGEST_TRY = 12
_LARGE = 1e15


class Changer:
    """Changes tries."""

    def __init__(self, surface: Surface, maker: Maker, kinds: Kinds, chance: random.Random) -> None:
        self.surface = surface
        self.maker = maker
        self.kinds = kinds
        self.chance = chance
        self.actions = _by_key(surface)

    def change(self, lines: "list[Line]", others: "list[list[Line]]") -> "list[Line]":
        """A neighbour: one to three changes."""
        for _ in range(self.chance.choice((1, 1, 1, 2, 3))):
            lines = self._change_once(lines, others)
        return lines

    def _change_once(self, lines: "list[Line]", others: "list[list[Line]]") -> "list[Line]":
        draw = self.chance.random()
        if draw < 0.62:
            return self.change_part(lines)
        if draw < 0.74:
            return self._again(lines)
        if draw < 0.8 and len(lines) > 1:
            return without(lines, self.chance.randrange(len(lines)))
        if draw < 0.86 and others and len(lines) < _LONGEST_TRY:
            return joined(lines, self.chance.choice(others))[:_LONGEST_TRY]
        if draw < 0.92 and len(lines) > 1:
            return self._repeated(lines)
        return self.cross_text(lines, others) if others else self.change_part(lines)

    def change_part(self, lines: "list[Line]") -> "list[Line]":
        """One constant, display or argument becomes another."""
        number = self.chance.randrange(len(lines))
        found = places(lines[number].node)
        open_places = [each for each in found if each[1].kind != FORM or each[0]]
        if not open_places:
            return self._again(lines)
        texts = [each for each in open_places if _is_text(each[1])]
        path, part = self.chance.choice(
            texts if texts and self.chance.random() < 0.4 else open_places
        )
        return _with_part(lines, number, path, self._changed(lines[number].node, path, part))

    def _changed(self, whole: Node, path: "tuple[int, ...]", part: Node) -> Node:
        draw = self.chance.random()
        if is_receiver(whole, path):
            return part  # another would be another's method
        if path and draw < 0.2:
            anew = self._argument_anew(whole, path)
            if anew is not None:
                return anew
        if part.kind == CONST:
            return self.change_constant(part.value) if draw < 0.93 else self._any()
        if part.kind in DISPLAYS and draw < 0.9:
            return self._display(part)
        if part.kind == REF:
            return part if draw < 0.6 else self._any()
        return self._any()

    def _any(self) -> Node:
        return self.kinds.make(self.chance.choice(self.kinds.names))

    def _argument_anew(self, whole: Node, path: "tuple[int, ...]") -> "Node | None":
        """An argument of a known call, made again for its parameter."""
        holder = whole
        for step in path[:-1]:
            holder = holder.items[step]
        if holder.about is None or path[-1] >= len(holder.about[1]):
            return None
        key, names = holder.about
        action = self.actions.get(key)
        wanted = names[path[-1]]
        for each in action.parameters if action is not None else ():
            if each.name == wanted:
                return self.maker.argument(key, each)
        return None

    def change_constant(self, value: Any) -> Node:
        """A neighbour of a constant."""
        if type(value) is bool:
            return const(not value)
        if type(value) is int:
            return self._whole(value)
        if type(value) is float:
            return self._float(value)
        if type(value) is str:
            changed = (
                self.kinds.changed_text(value)
                if self.chance.random() < 0.8
                else self.kinds.a_text()
            )
            return const(changed)
        if type(value) is bytes:
            changed = self.kinds.changed_text(value.decode("latin-1"))
            return const(changed.encode("utf-8", "surrogatepass"))
        return self._any()

    def _float(self, value: float) -> Node:
        if self.chance.random() < 0.5 or not abs(value) < _LARGE:
            return self.kinds.number()
        moved = (-value, value + 1, value / 3, value * 10, value - 0.5, float(int(value)))
        return const(self.chance.choice(moved))

    def _whole(self, value: int) -> Node:
        draw = self.chance.random()
        if draw < 0.45:
            return self.kinds.integer()
        moved = (value + 1, value - 1, -value, value * 2, value * 10, value // 2, value + 7)
        chosen = self.chance.choice(moved)
        return const(chosen if abs(chosen) < 1 << 70 else value)

    def _display(self, node: Node) -> Node:
        step = 2 if node.kind == "dict" else 1
        items = list(node.items)
        if not items:
            made = [
                self.kinds.make(self.chance.choice(("int", "text", "list"))) for _ in range(step)
            ]
            return node.with_items(tuple(made))
        place = self.chance.randrange(0, len(items), step)
        draw = self.chance.random()
        if draw < 0.25:
            del items[place : place + step]
        elif draw < 0.6:
            items[place:place] = items[place : place + step]
        elif draw < 0.75 and step == 1:
            self.chance.shuffle(items)
        elif draw < 0.85:
            items = []
        else:
            items[place : place + step] = [self._any() for _ in range(step)]
        return node.with_items(tuple(items))

    def _again(self, lines: "list[Line]") -> "list[Line]":
        """One line's call, with other arguments."""
        number = self.chance.randrange(len(lines))
        line = lines[number]
        if line.node.about is None or line.callee is None:
            return self.change_part(lines) if _has_open_place(lines[number]) else lines
        action = self.actions.get(line.node.about[0])
        if action is None:
            return lines
        receiver = line.node.items[0] if action.owner is not None and line.node.items else None
        made = Line(self.maker.action(action, receiver), line.form, line.callee, line.number)
        return [*lines[:number], made, *lines[number + 1 :]]

    def _repeated(self, lines: "list[Line]") -> "list[Line]":
        """A line once more at the end: the second time may go another way."""
        line = self.chance.choice(lines)
        if len(lines) >= _LONGEST_TRY:
            return lines
        return [*lines, Line(line.node, line.form, line.callee, next_number(lines))]

    def cross_text(self, lines: "list[Line]", others: "list[list[Line]]") -> "list[Line]":
        """A text with a piece of another try's text in it."""
        own = _texts(lines)
        foreign = _texts(self.chance.choice(others))
        if not own or not foreign:
            return self.change_part(lines)
        number, path, text = self.chance.choice(own)
        taken = self.chance.choice(foreign)[2]
        at = self.chance.randint(0, len(text))
        cut = self.chance.randint(0, len(taken))
        options = (
            text + taken,
            text[:at] + taken[cut:],
            text + "\n" + taken,
            text[:at] + taken + text[at:],
        )
        return _with_part(lines, number, path, const(self.chance.choice(options)[:500]))


def _by_key(surface: Surface) -> "dict[str, Action]":
    every = [*surface.functions, *surface.private]
    for several in (*surface.makers.values(), *surface.methods.values()):
        every += several
    return {each.key: each for each in reversed(every)}


def is_receiver(whole: Node, path: "tuple[int, ...]") -> bool:
    """Whether a part is what a method is called on."""
    holder = whole
    for step in path[:-1]:
        holder = holder.items[step]
    names = holder.about[1] if path and holder.about is not None else ()
    return bool(names) and path[-1] < len(names) and names[path[-1]] == ""


def _is_text(node: Node) -> bool:
    return node.kind == CONST and type(node.value) is str


def _has_open_place(line: Line) -> bool:
    return any(each.kind != FORM for _, each in places(line.node))


def _texts(lines: "list[Line]") -> "list[tuple[int, tuple[int, ...], str]]":
    return [
        (number, path, node.value)
        for number, line in enumerate(lines)
        for path, node in places(line.node)
        if _is_text(node)
    ]


def _with_part(
    lines: "list[Line]", number: int, path: "tuple[int, ...]", part: Node
) -> "list[Line]":
    line = lines[number]
    made = Line(replaced(line.node, path, part), line.form, line.callee, line.number)
    return [*lines[:number], made, *lines[number + 1 :]]


with_part = _with_part


def next_number(lines: "list[Line]") -> int:
    """A number that no line has."""
    return 1 + max((line.number for line in lines), default=-1)


def without(lines: "list[Line]", place: int) -> "list[Line]":
    """The lines without one of them, and without what needed it."""
    gone = {lines[place].number}
    kept = lines[:place]
    for line in lines[place + 1 :]:
        if line.node.needs & gone:
            gone.add(line.number)
        else:
            kept.append(line)
    return kept or lines


def joined(first: "list[Line]", second: "list[Line]") -> "list[Line]":
    """One try after the other; the second's numbers are moved on."""
    by = next_number(first)
    return [
        *first,
        *(Line(_moved(each.node, by), each.form, each.callee, each.number + by) for each in second),
    ]


def _moved(node: Node, by: int) -> Node:
    if node.kind == REF:
        return ref(node.value + by)
    return node.with_items(tuple(_moved(each, by) for each in node.items)) if node.items else node


def needed_lines(lines: "list[Line]", number: int) -> "list[Line]":
    """The lines up to the one with that number."""
    place = next(place for place, line in enumerate(lines) if line.number == number)
    return lines[: place + 1]
