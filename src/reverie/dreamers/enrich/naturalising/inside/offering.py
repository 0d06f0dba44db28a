"""Calls made of known values alone: typical use first, then with one thing changed at a time."""

import inspect
import itertools
import random
from collections.abc import Iterator
from typing import Any

from reverie.dreamers.enrich.naturalising.inside.pool import Pool
from reverie.dreamers.enrich.search.inside.nodes import Line, Node, form, ref
from reverie.dreamers.enrich.search.inside.surface import Action, Parameter, Surface

_MOST_VALUES = 160
_PAIRED = 120
_DEEPEST = 2


class Offering:
    """Draws natural calls of what a module offers."""

    def __init__(self, surface: Surface, pool: Pool, chance: random.Random) -> None:
        self.surface = surface
        self.pool = pool
        self.chance = chance

    def of(self, action: Action) -> "Iterator[list[Line]]":
        """Tries of one action, each as natural as its values."""
        if not action.is_call:
            return
        before = self._receiver(action)
        if before is None:
            return
        given = [each for each in action.parameters if each.kind in ("place", "name", "rest")]
        options = {each.name: self._values(action, each) for each in given}
        required = [each for each in given if each.is_required or each.kind == "rest"]
        if any(each.is_required and not options[each.name] for each in required):
            return
        base = {each.name: options[each.name][0] for each in required if options[each.name]}
        for chosen in self._choices(base, given, options):
            yield [*before, self._line(action, given, chosen, len(before))]
        if before:
            last = self._line(action, given, base, len(before))
            yield from self._stories(action, before, last)

    def _stories(self, action: Action, before: "list[Line]", last: Line) -> "Iterator[list[Line]]":
        """The same after something else was done to the object, once and once more."""
        for other in self.surface.methods.get(str(action.owner), ()):
            given = [each for each in other.parameters if each.is_required]
            options = {each.name: self._values(other, each) for each in given}
            if not other.is_call or not all(options.values()):
                continue
            first = self._line(other, given, {n: each[0] for n, each in options.items()}, 1)
            yield [*before, first, _numbered(last, 2)]
            for name, several in options.items():
                for value in several[1:3]:
                    chosen = {**{n: each[0] for n, each in options.items()}, name: value}
                    second = self._line(other, given, chosen, 2)
                    yield [*before, second, _numbered(last, 3)]
                    yield [*before, first, second, _numbered(last, 3)]

    def _choices(
        self,
        base: "dict[str, Node]",
        given: "list[Parameter]",
        options: "dict[str, list[Node]]",
    ) -> "Iterator[dict[str, Node]]":
        yield base
        rows = [[(each.name, value) for value in options[each.name]] for each in given]
        for row in itertools.zip_longest(*rows):
            for pair in row:
                if pair is not None:
                    yield {**base, pair[0]: pair[1]}
        several = [each.name for each in given if options[each.name]]
        for _ in range(_PAIRED if len(several) > 1 else 0):
            changed = self.chance.sample(several, min(len(several), self.chance.choice((2, 2, 3))))
            yield {**base, **{name: self._any(options[name]) for name in changed}}

    def _any(self, values: "list[Node]") -> Node:
        """A value; known ones come more often than edited ones."""
        few = min(len(values), 12)
        return self.chance.choice(values[:few] if self.chance.random() < 0.7 else values)

    def _values(self, action: Action, parameter: Parameter) -> "list[Node]":
        role = action.key.rpartition(".")[2], parameter.name
        found = self.pool.values(role)[:_MOST_VALUES]
        default = parameter.default
        if type(default) is bool:
            found = [Node("const", not default)]
        elif default is not inspect.Parameter.empty:
            found = [each for each in found if not (each.kind == "const" and each.value == default)]
        return found

    def _receiver(self, action: Action, depth: int = 0) -> "list[Line] | None":
        if action.owner is None:
            return []
        for maker in self.surface.makers.get(action.owner, ()):
            required = [each for each in maker.parameters if each.is_required]
            values = [self._values(maker, each) for each in required]
            if all(values) and depth < _DEEPEST:
                chosen = {each.name: row[0] for each, row in zip(required, values)}  # noqa: B905
                if maker.is_call:
                    return [self._line(maker, required, chosen, 0)]
                return [Line(form(maker.text), "make", maker.key, 0)]
        return None

    def _line(
        self, action: Action, given: "list[Parameter]", chosen: "dict[str, Node]", number: int
    ) -> Line:
        """A call; one that is not the first is of what the first has made."""
        text, items, names = action.text, [], []
        if number:
            text, items, names = f"·{text}", [ref(0)], [""]
        parts: list[str] = []
        by_name = False
        for each in given:
            if each.name not in chosen:
                by_name = True
                continue
            is_named = (by_name or each.kind == "name") and each.kind != "rest"
            is_named = is_named or type(chosen[each.name].value) is bool
            parts.append(f"{each.name}=·" if is_named and each.kind != "rest" else "·")
            by_name = by_name or is_named
            items.append(chosen[each.name])
            names.append(each.name)
        about: Any = (action.key, tuple(names))
        node = form(f"{text}({', '.join(parts)})", *items, about=about)
        return Line(node, action.form, action.key, number)


def _numbered(line: Line, number: int) -> Line:
    return Line(line.node, line.form, line.callee, number)
