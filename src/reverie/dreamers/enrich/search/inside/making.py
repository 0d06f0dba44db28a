"""Values for parameters, and the parameters that a form read from an example fills."""

import enum
import inspect
import random
import re
import types
import typing
from collections.abc import Callable
from typing import Any

from .kinds import FUNCTIONS, Kinds
from .nodes import FORM, Line, Node, const, form, places, ref
from .surface import Action, Parameter, Surface

_DEEPEST = 3
_SEEN_SHARE = 0.4
_HINT_SHARE = 0.85
_GIVEN_SHARE = 0.45
"""How often an optional argument is given."""
_ECHO_SHARE = 0.45
_TOLD_ENOUGH = 0.5
_UNTOLD, _TOLD = 0.1, 8.0
"""Of a kind that the source does not speak of, and of one that it speaks of alone."""
_UNFIT, _UNFIT_SIZE = 0.3, 6
"""A kind that is less likely than this reads as if it were more of it."""
_LEAST_WEIGHT, _MOST_WEIGHT = 0.05, 10.0


class Maker:
    """Makes arguments and instances. What works well for a parameter is made more often."""

    def __init__(self, surface: Surface, kinds: Kinds, chance: random.Random) -> None:
        self.surface = surface
        self.kinds = kinds
        self.chance = chance
        self.seen: dict[tuple[str, str], list[Node]] = {}
        """Arguments that examples show, by the last part of the callee's name and parameter."""
        self.weights: dict[tuple[str, str, str], float] = {}
        self.profiles: dict[str, dict[str, dict[str, float]]] = {}
        """What the source says of parameters, by the callee's name; see `profiles`."""
        self.used: list[tuple[str, str, str]] = []
        """What was chosen for the try in the making, to be rewarded or not."""
        self.at_hand: list[int] = []
        """Numbers of results that the try in the making can refer to."""
        self.echoes: list[Node] = []
        """Constants of the try in the making: what was put in is what is asked for later."""
        self._depth = 0

    def action(self, action: Action, receiver: "Node | None") -> Node:
        """The expression (or statement) of an action with arguments."""
        if action.is_call:
            return self._call(action, receiver)
        items = [] if receiver is None else [receiver]
        for each in action.parameters:
            is_self = each.name == "self" and receiver is not None
            items.append(receiver if is_self else self.argument(action.key, each))  # type: ignore[arg-type]
        if action.parameters and action.parameters[-1].name == "self":
            items = items[1:]
        names = ("", *(each.name for each in action.parameters))[-len(items) :] if items else ()
        return form(action.text, *items, about=(action.key, tuple(names)))

    def _call(self, action: Action, receiver: "Node | None") -> Node:
        text, items, names = action.text, [], []
        if receiver is not None:
            text, items, names = f"·{text}", [receiver], [""]
        given = []
        by_name = False
        for each in action.parameters:
            if each.kind == "rest":
                for _ in range(self.chance.choice((0, 1, 2, 2, 3))):
                    given.append("·")
                    items.append(self.argument(action.key, each))
                    names.append(each.name)
                by_name = True
            elif each.kind == "named_rest":
                for name in self._names_for_rest(action):
                    given.append(f"{name}=·")
                    items.append(self.any_kind(action.key, name))
                    names.append(name)
            elif each.is_required or self.chance.random() < _share_given(each):
                given.append(f"{each.name}=·" if by_name or each.kind == "name" else "·")
                items.append(self.argument(action.key, each))
                names.append(each.name)
            else:
                by_name = True
        return form(f"{text}({', '.join(given)})", *items, about=(action.key, tuple(names)))

    def _names_for_rest(self, action: Action) -> "list[str]":
        """Names for `**kwargs`: of the constructor's parameters, or any that are known."""
        if self.chance.random() < 0.5:
            return []
        owner = action.key.partition(".")[0]
        makers = self.surface.makers.get(owner, [])
        taken = {each.name for each in action.parameters}
        known = [each.name for each in (makers[0].parameters if makers else ())]
        known = [each for each in known if each not in taken] or self.kinds.identifiers
        options = [each for each in known if each.isidentifier() and each not in taken]
        many = min(len(options), self.chance.choice((1, 1, 2)))
        return self.chance.sample(sorted(set(options)), min(many, len(set(options))))

    def instance(self, name: str) -> Node:
        """An instance of a class of the module."""
        if self._depth > _DEEPEST:
            return const(None)
        makers = self.surface.makers[name]
        chosen = makers[0] if self.chance.random() < 0.7 else self.chance.choice(makers)
        self._depth += 1
        try:
            return self.action(chosen, None)
        finally:
            self._depth -= 1

    def argument(self, key: str, parameter: Parameter) -> Node:
        """A value for a parameter of what is called `key`."""
        draw = self.chance.random()
        shown = self.seen.get((key.rpartition(".")[2], parameter.name))
        if shown and draw < _SEEN_SHARE:
            return self.chance.choice(shown)
        if self.at_hand and self.chance.random() < 0.1:
            return ref(self.chance.choice(self.at_hand))
        if self.echoes and self.chance.random() < _ECHO_SHARE and parameter.hint is None:
            return self.chance.choice(self.echoes)
        if parameter.name == "other" and self.chance.random() < 0.5:
            owner = key.partition(".")[0]
            if owner in self.surface.makers:
                return self.instance(owner)
        if parameter.hint is not None and self.chance.random() < _HINT_SHARE:
            made = self.of_type(parameter.hint)
            if made is not None:
                return made
        default = parameter.default
        if default is not inspect.Parameter.empty and self.chance.random() < 0.35:
            made = self._like(default)
            if made is not None:
                return made
        return self.any_kind(key, parameter.name)

    def _like(self, default: Any) -> "Node | None":
        if isinstance(default, enum.Enum):
            return self.member(type(default))
        kind = {bool: "bool", int: "int", float: "number", str: "text", bytes: "blob"}.get(
            type(default)
        )
        return None if kind is None else self.kinds.make(kind)

    def any_kind(self, key: str, name: str) -> Node:
        """A value of some kind; kinds that the parameter takes come more often."""
        options = self.kinds.names
        weights = [self.weights.get((key, name, each)) or self._prior(key, name, each)
                   for each in options]  # fmt: skip
        chosen = self.chance.choices(options, weights)[0]
        self.used.append((key, name, chosen))
        made = self._of_kind(chosen, key, name)
        if self._prior(key, name, chosen) < _UNFIT:
            made.size += _UNFIT_SIZE
        return made

    def _of_kind(self, chosen: str, key: str, name: str) -> Node:
        if chosen == "own":
            return self._own()
        if chosen == "function":
            return self._function(key, name)
        return self.kinds.make(chosen)

    def _prior(self, key: str, name: str, kind: str) -> float:
        """How likely a parameter takes a kind: by its name, and by what is done with it."""
        known = self.profiles.get(key, {}).get(name, {})
        total = sum(known.values())
        told = 1.0 if total < _TOLD_ENOUGH else _UNTOLD + _TOLD * known.get(kind, 0.0) / total
        return self.kinds.prior(name, kind) * told

    def _function(self, key: str, name: str) -> Node:
        """A function; one that was called without error comes more often."""
        weights = [self.weights.get((key, name, each), 1.0) for each in FUNCTIONS]
        chosen = self.chance.choices(FUNCTIONS, weights)[0]
        self.used.append((key, name, chosen))
        return form(chosen)

    def _own(self) -> Node:
        names = list(self.surface.classes)
        return self.instance(self.chance.choice(names)) if names else const(None)

    def reward(self, by: float) -> None:
        """What was made last was good, above one, or bad."""
        for each in self.used:
            before = self.weights.get(each) or self._prior(*each)
            self.weights[each] = min(_MOST_WEIGHT, max(_LEAST_WEIGHT, before * by))

    def member(self, kind: "type[enum.Enum]") -> "Node | None":
        """One of an enumeration that the module has."""
        if kind.__name__ not in self.surface.classes:
            return None
        return form(f"{kind.__name__}.{self.chance.choice(list(kind)).name}")

    def of_type(self, hint: Any) -> "Node | None":
        """A value of an annotated type; None for what is not understood."""
        origin, given = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Union or origin is types.UnionType:
            return self.of_type(self.chance.choice(given))
        if origin is typing.Literal:
            return const(self.chance.choice(given))
        if origin is typing.Annotated:
            return self.of_type(given[0])
        if isinstance(hint, typing.TypeVar):
            options = hint.__constraints__ or ((hint.__bound__,) if hint.__bound__ else (int, str))
            return self.of_type(self.chance.choice(options))
        named = self._own_type(hint)
        if named is not None:
            return named
        name = getattr(origin or hint, "__name__", "")
        container = self._container(name, given)
        if container is not None:
            return container
        kind = self.kinds.of_type_name(name)
        return None if kind is None else self.kinds.make(kind)

    def _own_type(self, hint: Any) -> "Node | None":
        if not isinstance(hint, type):
            return None
        if issubclass(hint, enum.Enum):
            return self.member(hint)
        fitting = [
            name for name, each in self.surface.classes.items()
            if issubclass(each, hint) and hint is not object
        ]  # fmt: skip
        return self.instance(self.chance.choice(fitting)) if fitting else None

    def _container(self, name: str, given: "tuple[Any, ...]") -> "Node | None":
        if not given:
            return None
        parts: Callable[[Any], Node] = lambda hint: self.of_type(hint) or self.kinds.make("int")  # noqa: E731
        if name in ("list", "Sequence", "Iterable", "Collection", "MutableSequence", "Iterator"):
            made = self.kinds.several("list", lambda: parts(given[0]))
            return form("iter(·)", made) if name == "Iterator" else made
        if name in ("set", "frozenset", "AbstractSet", "Set"):
            made = self.kinds.several("list", lambda: parts(given[0]))
            return form("frozenset(·)" if name == "frozenset" else "set(·)", made)
        if name in ("dict", "Mapping", "MutableMapping") and len(given) > 1:
            return self.kinds.mapping(lambda: parts(given[0]), lambda: parts(given[1]))
        if name == "tuple":
            if len(given) == 2 and given[1] is Ellipsis:
                return self.kinds.several("tuple", lambda: parts(given[0]))
            return Node("tuple", None, tuple(parts(each) for each in given))
        return None


def _share_given(parameter: Parameter) -> float:
    """A function as a default is seldom meant to be replaced."""
    return 0.12 if isinstance(parameter.default, types.FunctionType) else _GIVEN_SHARE


_CALLED = re.compile(r"^(?P<name>[A-Za-z_][\w.]*)\($")
_METHOD = re.compile(r"^\.(?P<name>\w+)\($")
_NAMED = re.compile(r"^, (?P<name>\w+)=$|^, $")
_MOST_SEEN = 40


class Describer:
    """Knows the actions of a surface by the names that source uses for them."""

    def __init__(self, surface: Surface, maker: Maker) -> None:
        self.maker = maker
        self.by_name = {each.key: each for each in (*surface.functions, *surface.private)}
        self.by_method: dict[str, Action] = {}
        for several in surface.makers.values():
            self.by_name.update({each.key: each for each in several})
        for several in surface.methods.values():
            for each in several:
                self.by_method.setdefault(each.key.rpartition(".")[2], each)

    def describe(self, line: Line) -> Line:
        """The line with its calls known, and its arguments kept as examples."""
        node = self._known(line.node)
        callee = line.callee
        for _, part in places(node):
            if callee is None and part.about is not None:
                callee = part.about[0]
        shape = line.form
        action = self.by_name.get(callee or "")
        if shape == "call" and action is not None and node.about is not None:
            shape = action.form if node.about[0] == callee else shape
        return Line(node, shape, callee, line.number)

    def _known(self, node: Node) -> Node:
        items = tuple(self._known(each) for each in node.items)
        about = node.about
        if node.kind == FORM and about is None:
            about = self._about(node.value, items)
        return Node(node.kind, node.value, items, about)

    def _about(
        self, pieces: "tuple[str, ...]", items: "tuple[Node, ...]"
    ) -> "tuple[str, tuple[str, ...]] | None":
        if len(pieces) < 2 or not pieces[-1].endswith(")"):
            return self._bare(pieces)
        found = _CALLED.match(re.sub(r"\(\w+=$", "(", pieces[0]))
        if found is not None:
            action, names, first = self.by_name.get(found["name"]), [], 0
        else:
            method = _METHOD.match(pieces[1]) if pieces[0] == "" else None
            action = self.by_method.get(method["name"]) if method is not None else None
            names, first = [""], 1
        if action is None:
            return None
        return self._bound(action, pieces, items, names, first)

    def _bare(self, pieces: "tuple[str, ...]") -> "tuple[str, tuple[str, ...]] | None":
        action = self.by_name.get(pieces[0].removesuffix("()")) if len(pieces) == 1 else None
        return None if action is None else (action.key, ())

    def _bound(
        self,
        action: Action,
        pieces: "tuple[str, ...]",
        items: "tuple[Node, ...]",
        names: "list[str]",
        first: int,
    ) -> "tuple[str, tuple[str, ...]]":
        taken = [each.name for each in action.parameters]
        for place in range(first, len(items)):
            named = re.search(r"(\w+)=$", pieces[place])
            index = place - first
            name = (
                named[1] if named else taken[index] if index < len(taken) else (taken or [""])[-1]
            )
            names.append(name)
            shown = self.maker.seen.setdefault((action.key.rpartition(".")[2], name), [])
            if len(shown) < _MOST_SEEN and not _refers(items[place]):
                shown.append(items[place])
        return action.key, tuple(names)


def _refers(node: Node) -> bool:
    return any(each.kind == "ref" for _, each in places(node))
