"""Inputs: drawn by annotation, example and name; kept on a board; the next one proposed."""

import datetime
import inspect
import random
import types
import typing
from typing import Any

from reverie.dreamers.enrich.search.inside.kinds import Kinds
from reverie.dreamers.enrich.search.inside.making import Maker
from reverie.dreamers.enrich.search.inside.memory import Solver
from reverie.dreamers.enrich.search.inside.nodes import (
    CONST,
    DISPLAYS,
    FORM,
    Line,
    Node,
    const,
    form,
    places,
    replaced,
)
from reverie.dreamers.enrich.search.inside.surface import Parameter

from .values import (
    UNKNOWN,
    Scalars,
    fits,
    guessed,
    is_collection,
    is_plain_hint,
    plain_value,
    sorted_display,
)

_LISTS = ("list", "Sequence", "Iterable", "Collection", "MutableSequence", "List")
_SETS = ("set", "frozenset", "Set", "AbstractSet", "FrozenSet")
_DICTS = ("dict", "Mapping", "MutableMapping", "Dict")
_SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 13)
_ECHO = 0.25
_GUESSED = 0.35
_USUAL = 0.4
"""How often a parameter is left at its default, as nearly all calls do."""
_AMONG = 0.3


class Drawer(Scalars):
    """Draws arguments that fit their annotation, and changes them without leaving it."""

    def __init__(
        self, maker: Maker, kinds: Kinds, chance: random.Random, ordered: "set[str]"
    ) -> None:
        super().__init__(kinds, chance)
        self.maker = maker
        self.ordered = ordered
        """Parameters, as `function:parameter`, whose values are sorted."""
        self.unit: set[str] = set()
        """Functions whose numbers lie between 0 and 1."""
        self.guesses: set[tuple[str, str]] = set()
        """Parameters whose types only documentation gives."""

    def argument(self, owner: str, parameter: Parameter, before: "list[Node]") -> Node:
        """A value for a parameter of a callable, given the arguments before it."""
        if owner in self.unit and parameter.hint in (None, float, int):
            return const(self.chance.randint(0, 16) / 16)
        if _is_plain(parameter.default) and self.chance.random() < _USUAL:
            return const(parameter.default)
        made = self._among(parameter, before) if self.chance.random() < _AMONG else None
        if made is None and self.chance.random() < _ECHO:
            made = self._echo(parameter, before)
        if made is None and parameter.hint is None and self.chance.random() < _GUESSED:
            kind = guessed(parameter.name)
            made = None if kind is None else self.of(kind, parameter.name)
        if made is None:
            shown = self.maker.seen.get((owner.rpartition(".")[2], parameter.name))
            is_known = parameter.hint is not None and (owner, parameter.name) not in self.guesses
            if shown and self.chance.random() < (0.25 if is_known else 0.75):
                made = self.chance.choice(shown)
                if self.chance.random() < 0.6:
                    made = self.changed(made)
        if made is None or (parameter.hint is not None and not self._fits(made, parameter.hint)):
            made = self._drawn(owner, parameter)
        if f"{owner}:{parameter.name}" in self.ordered:
            made = sorted_display(made)
        return made

    def _drawn(self, owner: str, parameter: Parameter) -> Node:
        if parameter.hint is not None:
            made = self.of(parameter.hint, parameter.name)
            if made is not None:
                return made
        default = parameter.default
        if parameter.hint is None and _is_plain(default) and self.chance.random() < 0.6:
            return const(default)
        if default is not inspect.Parameter.empty and default is not None:
            made = self.of(type(default), parameter.name)
            if made is not None and self.chance.random() < 0.8:
                return made
        return self.maker.argument(owner, parameter)

    def _among(self, parameter: Parameter, before: "list[Node]") -> "Node | None":
        """Several values, one given before and its neighbours among them."""
        hint = parameter.hint
        is_listed = hint is not None and getattr(hint, "__name__", "") in _LISTS
        if not (is_listed or (hint is None and is_collection(parameter.name))):
            return None
        given = [each for each in before if each.kind == CONST and type(each.value) in (int, str)]
        if not given:
            return None
        one = self.chance.choice(given)
        many = self.chance.choice(_SIZES)
        near = [one if self.chance.random() < _AMONG else self._constant(one) for _ in range(many)]
        near.insert(self.chance.randrange(len(near) + 1), one)
        made = Node("list", None, tuple(near))
        return made if hint is None or self._fits(made, hint) else None

    def _echo(self, parameter: Parameter, before: "list[Node]") -> "Node | None":
        """A part of an argument before, or a neighbour of one."""
        if not before:
            return None
        parts = [
            part
            for node in before
            for _, part in places(node)
            if part.kind != FORM or part.about is None
        ]
        fitting = [each for each in parts if self._fits(each, parameter.hint or object)]
        if not fitting:
            return None
        made = self.chance.choice(fitting)
        return self.changed(made) if self.chance.random() < 0.5 else made

    def _fits(self, node: Node, hint: Any) -> bool:
        if node.kind == CONST:
            return fits(node.value, hint)
        if node.kind in DISPLAYS:
            value = plain_value(node)
            return value is not UNKNOWN and fits(value, hint)
        return not is_plain_hint(hint)

    def of(self, hint: Any, name: str = "") -> "Node | None":
        """A value of an annotated type; None for what is not understood."""
        origin, given = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Union or origin is types.UnionType:
            return self.of(self.chance.choice(given), name)
        if origin is typing.Literal:
            return const(self.chance.choice(given))
        if origin is typing.Annotated:
            return self.of(given[0], name)
        if isinstance(hint, typing.TypeVar):
            return self.integer(name)
        kind = getattr(origin or hint, "__name__", "")
        if hint is None or kind == "NoneType":
            return const(None)
        if kind in ("Any", "object", "Hashable"):
            return self.chance.choice((self.integer, self.text))(name)
        return (
            self._plain(kind, name)
            or self._container(kind, given, name)
            or self.maker.of_type(hint)
        )

    def _plain(self, kind: str, name: str) -> "Node | None":
        if kind == "int":
            return self.integer(name)
        if kind == "float":
            return self.number()
        if kind == "str":
            return self.text(name)
        if kind == "bool":
            return const(self.chance.random() < 0.5)
        if kind == "bytes":
            return const(self.a_blob())
        if kind == "date":
            return form("datetime.date(·, ·, ·)", *self._day())
        if kind == "datetime":
            clock = (const(self.chance.randint(0, 23)), const(self.chance.choice((0, 1, 30, 59))))
            return form("datetime.datetime(·, ·, ·, ·, ·)", *self._day(), *clock)
        if kind == "timedelta":
            days, seconds = self.chance.randint(-3, 40), self.chance.choice((0, 1, 59, 3600))
            return form("datetime.timedelta(days=·, seconds=·)", const(days), const(seconds))
        return None

    def _day(self) -> "tuple[Node, Node, Node]":
        year = self.chance.choice((1970, 1999, 2000, 2001, 2020, 2023, 2024, 2025, 2100))
        month = self.chance.randint(1, 12)
        last = (datetime.date(year + month // 12, month % 12 + 1, 1) - datetime.timedelta(1)).day
        day = self.chance.choice((1, 2, 15, 28, last, last, self.chance.randint(1, last)))
        return const(year), const(month), const(day)

    def _container(self, kind: str, given: "tuple[Any, ...]", name: str) -> "Node | None":
        if kind in _LISTS or kind in _SETS:
            item = given[0] if given else self.chance.choice((int, int, str))
            items = self._several(item, name)
            if kind in _LISTS:
                return Node("list", None, items)
            return form("frozenset(·)" if "rozen" in kind else "set(·)", Node("list", None, items))
        if kind in _DICTS:
            return self._mapping(given, 0)
        if kind in ("tuple", "Tuple"):
            if not given or (len(given) == 2 and given[1] is Ellipsis):
                return Node("tuple", None, self._several(given[0] if given else int, name))
            return Node("tuple", None, tuple(self.of(each, name) or const(0) for each in given))
        return None

    def _several(self, item: Any, name: str) -> "tuple[Node, ...]":
        many = self.chance.choice(_SIZES)
        made = tuple(self.of(item) or const(0) for _ in range(many))
        if many > 1 and self.chance.random() < 0.35:  # few different ones: duplicates matter
            made = tuple(self.chance.choice(made[:2]) for _ in range(many))
        if item is list or typing.get_origin(item) is list:
            return self._rectangle(made)
        return made

    def _rectangle(self, rows: "tuple[Node, ...]") -> "tuple[Node, ...]":
        """Rows of one length, mostly."""
        if not rows or self.chance.random() < 0.3:
            return rows
        longest = max(len(each.items) for each in rows)
        if longest == 0:
            return rows
        width = min(longest, 4)
        filler = next(each for each in rows if each.items).items
        return tuple(row.with_items(tuple((*row.items, *filler * width)[:width])) for row in rows)

    def _mapping(self, given: "tuple[Any, ...]", depth: int) -> Node:
        key, value = (*given, None, None)[:2]
        items: list[Node] = []
        for _ in range(self.chance.choice((0, 1, 1, 2, 3))):
            items.append((self.of(key) if key else None) or const(self.chance.choice("abcxyn")))
            nests = value is None and depth < 2 and self.chance.random() < 0.45
            made = self.of(value) if value is not None else None
            items.append(
                self._mapping((), depth + 1) if nests else made or const(self.chance.randint(0, 5))
            )
        return Node("dict", None, tuple(items))

    # Neighbours

    def changed(self, node: Node) -> Node:
        """A neighbour of the same type."""
        parts = [each for each in places(node) if each[1].kind == CONST or each[1].kind in DISPLAYS]
        if not parts:
            return node
        path, part = self.chance.choice(parts)
        made = self._constant(part) if part.kind == CONST else self._display(part)
        return replaced(node, path, made)

    def _constant(self, node: Node) -> Node:
        value = node.value
        if type(value) is bool or value is None:
            return node
        if type(value) is int:
            draw = self.chance.random()
            if draw < 0.3:
                return self.integer()
            moved = self.chance.choice(
                (value + 1, value - 1, -value, value * 2, value // 2, value * 10, value + 24)
            )
            return const(moved if abs(moved) < 10**9 else value)
        if type(value) is float:
            return (
                self.number()
                if self.chance.random() < 0.5
                else const(value + self.chance.choice((1, -1, 0.5)))
            )
        if type(value) is str:
            return const(self.changed_text(value))
        if type(value) is bytes:
            return const(value[1:] if self.chance.random() < 0.3 else self.a_blob())
        return node

    def _display(self, node: Node) -> Node:
        step = 2 if node.kind == "dict" else 1
        items = list(node.items)
        if not items or node.kind == "tuple":
            return node
        at = self.chance.randrange(0, len(items), step)
        draw = self.chance.random()
        if draw < 0.3:
            del items[at : at + step]
        elif draw < 0.6 and step == 1:
            items.insert(at, self.changed(items[at]))
        elif draw < 0.75 and step == 1:
            items[at:at] = items[at : at + 1]
        elif step == 1:
            self.chance.shuffle(items)
        return node.with_items(tuple(items))


def _is_plain(value: Any) -> bool:
    return value is None or type(value) in (int, float, str, bytes, bool)


class Group:
    """Laws about the same variables: one input serves them all."""

    def __init__(self, variables: "list[list[str]]", laws: "list[int]") -> None:
        self.variables = variables
        self.laws = laws
        self.corpus: list[list[Node]] = []
        self.accepted: list[list[Node]] = []
        """Inputs on which a law held: the code did not refuse them."""
        self.near: list[tuple[list[Node], Any, bool]] = []
        self.is_late = False


class Board:
    """What was found; crosses between processes."""

    def __init__(self, laws: int) -> None:
        self.held = [0] * laws
        self.breaks = [0] * laws
        self.fresh = [[0, 0] for _ in range(laws)]
        """The same of inputs made anew: neighbours of one that breaks a law break it again."""
        self.broken: dict[int, list[tuple[list[Node], tuple[str, str], bool]]] = {}
        """Inputs that break a law, how, and whether because it does not end."""
        self.earlier: dict[int, tuple[list[str], list[Node]]] = {}
        """The calls before the first input that broke a law, as source, and that input."""
        self.executions = 0
        self.taken: set[int] = set()
        self.learned: Any = None
        self.corpora: list[tuple[list[list[Node]], list[list[Node]]]] = []


class Proposer:
    """Proposes inputs for a group of laws."""

    def __init__(
        self,
        drawer: Drawer,
        solver: Solver,
        parameters: "dict[tuple[str, str], Any]",
        chance: random.Random,
    ) -> None:
        self.drawer = drawer
        self.solver = solver
        self.parameters = parameters
        self.chance = chance
        self.is_fresh = True
        """Whether the last input was made anew."""

    def propose(self, group: Group) -> "list[Node]":
        """The next input: solved for, crossed, changed or new."""
        draw = self.chance.random()
        self.is_fresh = False
        if group.near and draw < 0.2:
            args = self._solved(*self.chance.choice(group.near))
        elif group.accepted and draw < 0.4:
            args = self._crossed(group)
        elif group.corpus and draw < 0.6:
            args = list(self.chance.choice(group.corpus))
            for _ in range(self.chance.choice((1, 1, 2))):
                at = self.chance.randrange(len(args))
                args[at] = self.drawer.changed(args[at])
        else:
            self.is_fresh = True
            args = self._fresh(group)
        return [
            sorted_display(each) if f"{variable[1]}:{variable[2]}" in self.drawer.ordered else each
            for variable, each in zip(group.variables, args)  # noqa: B905  as many
        ]

    def _crossed(self, group: Group) -> "list[Node]":
        """Arguments of inputs that were not refused, put together anew; one of them changed."""
        args = [self.chance.choice(group.accepted)[place] for place in range(len(group.variables))]
        at = self.chance.randrange(len(args))
        if self.chance.random() < 0.3 and len(args) > 1:
            other = self.chance.randrange(len(args))
            if self._hint(group, at) == self._hint(group, other):
                args[at] = args[other]
        if self.chance.random() < 0.7:
            args[at] = self.drawer.changed(args[at])
        return args

    def _hint(self, group: Group, place: int) -> Any:
        _, owner, parameter = group.variables[place]
        return self.parameters[owner, parameter].hint

    def _solved(self, args: "list[Node]", pair: Any, wanted: bool) -> "list[Node]":
        call = form("f(" + ", ".join("·" for _ in args) + ")", *args)
        lines = self.solver.solve([Line(call, "call", None, 0)], pair, wanted=wanted)
        return list(lines[0].node.items)

    def _fresh(self, group: Group) -> "list[Node]":
        made: list[Node] = []
        for _, owner, parameter in group.variables:
            made.append(self.drawer.argument(owner, self.parameters[owner, parameter], made))
        return made
