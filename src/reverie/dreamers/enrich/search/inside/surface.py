"""What can be done with a module: functions to call, classes to make, methods, protocols."""

import enum
import functools
import inspect
import types
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from .hints import hints_of, names_for_checkers
from .protocols import PROTOCOLS

_FUNCTIONS = (
    types.FunctionType,
    types.MethodType,
    functools.partial,
    type(functools.lru_cache(len)),
)
_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Parameter:
    """One parameter: what is known of the values that it takes."""

    __slots__ = ("default", "hint", "kind", "name")

    def __init__(self, name: str, kind: str, default: Any, hint: Any) -> None:
        self.name = name
        self.kind = kind
        """`place`, `name`, `rest` or `named_rest`."""
        self.default = default
        """`inspect.Parameter.empty` when it must be given."""
        self.hint = hint

    @property
    def is_required(self) -> bool:
        """Whether a call without it fails."""
        return self.default is inspect.Parameter.empty and self.kind in ("place", "name")


class Action:
    """One thing to do: a call with arguments, or a form of a protocol."""

    __slots__ = ("form", "key", "owner", "parameters", "text")

    def __init__(
        self, key: str, owner: "str | None", form: str, text: str, parameters: "list[Parameter]"
    ) -> None:
        self.key = key
        self.owner = owner
        """Name of the class whose instance it needs; None when it needs none."""
        self.form = form
        self.text = text
        """Of a call what stands before the parenthesis; of a protocol the form, receiver first."""
        self.parameters = parameters

    @property
    def is_call(self) -> bool:
        """Whether it has arguments in parentheses."""
        return "·" not in self.text and self.form != "read"


class Surface:
    """Everything that a module offers."""

    def __init__(self, module: ModuleType, own: "set[str]", helpers: "set[str]") -> None:
        self.module = module
        self.package = module.__name__.partition(".")[0]
        self._for_checkers = names_for_checkers(module)
        self.classes: dict[str, type] = {}
        """Those that can be made by name: the module's own, and others of its package in it."""
        self.functions: list[Action] = []
        self.makers: dict[str, list[Action]] = {}
        """Ways to an instance, by name of the class."""
        self.methods: dict[str, list[Action]] = {}
        """What can be done with an instance, by name of the class."""
        self.private: list[Action] = []
        self.definitions: dict[str, str] = {}
        """Stand-ins for classes that cannot be made themselves."""
        self._kinds: dict[type, str | None] = {}
        for name in sorted(own):
            self._add(name, getattr(module, name, None))
        for name in sorted(own):
            self._add_held(name, getattr(module, name, None))
        self.targets = [*self.functions]
        for several in (*self.makers.values(), *self.methods.values()):
            self.targets += several
        self.targets = self.targets or self.private
        """What to try: everything but what other modules define."""
        for name in sorted(helpers):
            value = getattr(module, name, None)
            if isinstance(value, type) and name not in self.classes:
                self.add_class(name, value)

    def kind_of(self, value: Any) -> "str | None":
        """What more can be done with a result: its class, or `callable`; None for nothing."""
        made = type(value)
        if made not in self._kinds:
            self._kinds[made] = self._kind_of(made)
        kind = self._kinds[made]
        if kind != "callable":
            return kind
        extra = [name for name, each in vars(value).items() if callable(each) and name[0] != "_"]
        return ":".join((kind, *sorted(extra)[:6]))

    def _kind_of(self, made: type) -> "str | None":
        for name, each in self.classes.items():
            if made is each:
                return name
        if str(made.__module__).partition(".")[0] == self.package:
            self._add_actions(made.__qualname__, made)
            return made.__qualname__
        if made in _FUNCTIONS:
            return "callable"
        if made.__module__ in ("io", "_io"):
            return None
        name = made.__name__
        if hasattr(made, "__enter__"):
            self.methods[name] = [Action(name, name, "enter", "·", [])]
            return name
        if hasattr(made, "__aenter__"):
            self.methods[name] = [Action(name, name, "operate", "entered(·)", [])]
            return name
        return None

    def add_class(self, name: str, made: type) -> None:
        """A class to make instances of, and all that can be done with them."""
        if name != made.__name__ and getattr(self.module, made.__name__, None) is made:
            return  # another name for what has one
        if issubclass(made, enum.Enum):
            self._add_enum(name, made)
            return
        if inspect.isabstract(made):
            name, made = self._stand_in(name, made)
        self.classes[name] = made
        makers = [Action(name, None, "make", name, self._parameters(made))]
        self.makers[name] = makers + self._add_actions(name, made)

    def _add_enum(self, name: str, made: "type[enum.Enum]") -> None:
        self.classes[name] = made
        self.makers[name] = [
            *(Action(name, None, "read", f"{name}.{each.name}", []) for each in made),
            Action(name, None, "make", name, self._parameters(made)[:1]),
        ]
        self.makers[name] += self._add_actions(name, made)

    def _add_actions(self, name: str, made: type) -> "list[Action]":
        """All that can be done with instances; what is called on the class is returned."""
        self.methods[name] = []
        found = []
        for attribute in dir(made):
            value = inspect.getattr_static(made, attribute, None)
            if attribute.startswith("__"):
                self._add_protocol(name, attribute, made)
            elif not attribute.startswith("_"):
                found += self._add_attribute(name, attribute, value, made)
        return found

    def _stand_in(self, name: str, made: type) -> "tuple[str, type]":
        """A subclass of an abstract class, its abstract methods filled in."""
        new = f"{name}StandIn"
        lines = [f"class {new}({name}):"]
        for each in sorted(made.__abstractmethods__):  # type: ignore[attr-defined]
            is_property = isinstance(inspect.getattr_static(made, each, None), property)
            lines += ["    @property"] if is_property else []
            taken = "self" if is_property else "self, *args, **kwargs"
            answer = "iter(())" if each == "__iter__" else "0" if each == "__len__" else "1"
            prefix = "async " if inspect.iscoroutinefunction(getattr(made, each, None)) else ""
            lines += [f"    {prefix}def {each}({taken}):", f"        return {answer}"]
        self.definitions[new] = "\n".join(lines) + "\n"
        space = {name: made}
        exec(self.definitions[new], space)  # noqa: S102
        return new, space[new]

    def _add(self, name: str, value: Any) -> None:
        if isinstance(value, type):
            if not name.startswith("_"):
                self.add_class(name, value)
        elif callable(value):
            action = Action(name, None, "call", name, self._parameters(value))
            (self.private if name.startswith("_") else self.functions).append(action)

    def _add_held(self, name: str, value: Any) -> None:
        """An instance that the module itself holds is a way to one."""
        for kind, made in self.classes.items():
            if (
                type(value) is made
                and not name.startswith("_")
                and not isinstance(value, enum.Enum)
            ):
                self.makers[kind].append(Action(kind, None, "read", name, []))

    def _add_attribute(self, owner: str, name: str, found: Any, made: type) -> "list[Action]":
        """Methods and properties of instances; what is called on the class is returned."""
        key = f"{owner}.{name}"
        if isinstance(found, (staticmethod, classmethod)):
            taken = self._parameters(getattr(made, name))
            return [Action(key, None, "call", key, taken)]
        if callable(found) and not isinstance(found, type):
            taken = self._parameters(found)[1:]
            self.methods[owner].append(Action(key, owner, "call", f".{name}", taken))
        elif isinstance(found, property) or hasattr(type(found), "__get__"):
            self.methods[owner].append(Action(key, owner, "read", f"·.{name}", []))
            if getattr(found, "fset", None) is not None or hasattr(type(found), "__set__"):
                value = [Parameter("value", "place", inspect.Parameter.empty, None)]
                self.methods[owner].append(Action(key, owner, "change", f"·.{name} = ·", value))
        return []

    def _add_protocol(self, owner: str, name: str, made: type) -> None:
        if not _defines(made, name):
            return
        key = f"{owner}.{name}"
        if name == "__call__":
            taken = self._parameters(made.__call__)[1:]
            self.methods[owner].append(Action(key, owner, "call", "", taken))
        for shape, text, names in PROTOCOLS.get(name, ()):
            taken = [Parameter(each, "place", inspect.Parameter.empty, None) for each in names]
            if len(taken) == 1:
                taken = self._declared(made, name) or taken
            self.methods[owner].append(Action(key, owner, shape, text, taken))

    def _declared(self, made: type, name: str) -> "list[Parameter]":
        """The parameter of a protocol's method, when the class says more of it."""
        taken = self._parameters(getattr(made, name, None))[1:]
        return taken if len(taken) == 1 and taken[0].kind == "place" else []

    def _parameters(self, target: Any) -> "list[Parameter]":
        return parameters_of(target, self._for_checkers)


def _defines(made: type, name: str) -> bool:
    return any(name in vars(each) for each in made.__mro__ if each is not object)


def parameters_of(target: Any, known: "Mapping[str, Any]") -> "list[Parameter]":
    """The parameters of a callable; none where nobody knows them."""
    try:
        found = inspect.signature(target).parameters.values()
    except (ValueError, TypeError):
        return []
    hints = hints_of(target, known)
    return [Parameter(each.name, _kind(each), each.default, hints.get(each.name)) for each in found]


def _kind(parameter: inspect.Parameter) -> str:
    if parameter.kind in _BY_PLACE:
        return "place"
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return "rest"
    return "named_rest" if parameter.kind is inspect.Parameter.VAR_KEYWORD else "name"
