"""Everything that can be done with a module: functions, classes, methods, protocols."""

import ast
import collections.abc
import enum
import functools
import importlib
import inspect
import types
import typing
from collections.abc import Mapping
from types import ModuleType
from typing import Any

Use = tuple[str, str, tuple[str, ...]]
"""Form of the step, the text with the receiver as the first hole, names of what fills the rest."""


def _binary(sign: str, name: str = "other") -> "tuple[Use, ...]":
    return (("operate", f"· {sign} ·", (name,)),)


PROTOCOLS: "dict[str, tuple[Use, ...]]" = {
    "__len__": (("operate", "len(·)", ()),),
    "__bool__": (("operate", "bool(·)", ()),),
    "__iter__": (("operate", "list(·)", ()),),
    "__aiter__": (),
    "__reversed__": (("operate", "list(reversed(·))", ()),),
    "__next__": (("operate", "next(·)", ()),),
    "__contains__": (("operate", "· in ·", ("item",)),),
    "__getitem__": (
        ("operate", "·[·]", ("key",)),
        ("operate", "·[·:·]", ("start", "stop")),
    ),
    "__setitem__": (("change", "·[·] = ·", ("key", "value")),),
    "__delitem__": (("change", "del ·[·]", ("key",)),),
    "__enter__": (("enter", "·", ()),),
    "__aenter__": (("operate", "entered(·)", ()),),
    "__str__": (("operate", "str(·)", ()),),
    "__repr__": (("operate", "repr(·)", ()),),
    "__format__": (("operate", "format(·, ·)", ("spec",)),),
    "__bytes__": (("operate", "bytes(·)", ()),),
    "__hash__": (("operate", "hash(·) == hash(·)", ("other",)),),
    "__eq__": _binary("=="),
    "__ne__": _binary("!="),
    "__lt__": _binary("<"),
    "__le__": _binary("<="),
    "__gt__": _binary(">"),
    "__ge__": _binary(">="),
    "__add__": _binary("+"),
    "__radd__": (("operate", "· + ·", ("other", "self")),),
    "__sub__": _binary("-"),
    "__rsub__": (("operate", "· - ·", ("other", "self")),),
    "__mul__": _binary("*"),
    "__rmul__": (("operate", "· * ·", ("other", "self")),),
    "__truediv__": _binary("/"),
    "__rtruediv__": (("operate", "· / ·", ("other", "self")),),
    "__floordiv__": _binary("//"),
    "__rfloordiv__": (("operate", "· // ·", ("other", "self")),),
    "__mod__": _binary("%"),
    "__rmod__": (("operate", "· % ·", ("other", "self")),),
    "__pow__": _binary("**"),
    "__rpow__": (("operate", "· ** ·", ("other", "self")),),
    "__matmul__": _binary("@"),
    "__divmod__": (("operate", "divmod(·, ·)", ("other",)),),
    "__rdivmod__": (("operate", "divmod(·, ·)", ("other", "self")),),
    "__and__": _binary("&"),
    "__rand__": (("operate", "· & ·", ("other", "self")),),
    "__or__": _binary("|"),
    "__ror__": (("operate", "· | ·", ("other", "self")),),
    "__xor__": _binary("^"),
    "__rxor__": (("operate", "· ^ ·", ("other", "self")),),
    "__lshift__": _binary("<<"),
    "__rshift__": _binary(">>"),
    "__iadd__": (("operate", "operator.iadd(·, ·)", ("other",)),),
    "__isub__": (("operate", "operator.isub(·, ·)", ("other",)),),
    "__imul__": (("operate", "operator.imul(·, ·)", ("other",)),),
    "__iand__": (("operate", "operator.iand(·, ·)", ("other",)),),
    "__ior__": (("operate", "operator.ior(·, ·)", ("other",)),),
    "__ixor__": (("operate", "operator.ixor(·, ·)", ("other",)),),
    "__neg__": (("operate", "-·", ()),),
    "__pos__": (("operate", "+·", ()),),
    "__abs__": (("operate", "abs(·)", ()),),
    "__invert__": (("operate", "~·", ()),),
    "__int__": (("operate", "int(·)", ()),),
    "__float__": (("operate", "float(·)", ()),),
    "__complex__": (("operate", "complex(·)", ()),),
    "__index__": (("operate", "operator.index(·)", ()),),
    "__round__": (("operate", "round(·)", ()), ("operate", "round(·, ·)", ("digits",))),
    "__trunc__": (("operate", "math.trunc(·)", ()),),
    "__floor__": (("operate", "math.floor(·)", ()),),
    "__ceil__": (("operate", "math.ceil(·)", ()),),
    "__fspath__": (("operate", "os.fspath(·)", ()),),
    "__copy__": (("operate", "copy.copy(·)", ()),),
    "__deepcopy__": (("operate", "copy.deepcopy(·)", ()),),
    "__reduce__": (("operate", "pickle.loads(pickle.dumps(·))", ()),),
    "__reduce_ex__": (("operate", "pickle.loads(pickle.dumps(·))", ()),),
    "__getstate__": (("operate", "pickle.loads(pickle.dumps(·))", ()),),
    "__setstate__": (("operate", "pickle.loads(pickle.dumps(·))", ()),),
    "__dir__": (("operate", "sorted(dir(·))", ()),),
    "__getattr__": (("operate", "getattr(·, ·)", ("attribute",)),),
    "__getattribute__": (("operate", "getattr(·, ·)", ("attribute",)),),
    "__setattr__": (("operate", "setattr(·, ·, ·)", ("attribute", "value")),),
    "__delattr__": (("operate", "delattr(·, ·)", ("attribute",)),),
    "__get__": (("operate", "type('Holder', (), {'field': ·})().field", ()),
                ("operate", "type('Holder', (), {'field': ·}).field", ())),
    "__set__": (
        ("operate", "setattr(type('Holder', (), {'field': ·})(), 'field', ·)", ("value",)),
    ),
    "__set_name__": (("operate", "type('Holder', (), {'field': ·})", ()),),
}  # fmt: skip
"""By name of the method. Where `self` is among the names, the receiver stands there instead."""
MODULES = ("operator", "math", "os", "copy", "pickle")


def names_for_checkers(module: ModuleType) -> "dict[str, Any]":
    """What a module imports under `if TYPE_CHECKING`, with the names that annotations often use."""
    found: dict[str, Any] = {**vars(typing)}
    found.update({name: getattr(collections.abc, name) for name in collections.abc.__all__})
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return found
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for each in node.body:
                found.update(_imported(each, module))
    return found


def _imported(node: ast.stmt, module: ModuleType) -> "dict[str, Any]":
    found: dict[str, Any] = {}
    for alias in getattr(node, "names", ()):
        try:
            if isinstance(node, ast.Import):
                whole = importlib.import_module(alias.name)
                top = importlib.import_module(alias.name.partition(".")[0])
                found[alias.asname or top.__name__] = whole if alias.asname else top
            elif isinstance(node, ast.ImportFrom):
                name = "." * node.level + (node.module or "")
                home = importlib.import_module(name, module.__package__)
                found[alias.asname or alias.name] = getattr(home, alias.name)
        except Exception:  # noqa: BLE001  what cannot be imported is not known
            continue
    return found


def hints_of(target: Any, known: "Mapping[str, Any]") -> "dict[str, Any]":
    """The types of parameters by name, as far as they can be made out one by one."""
    told = vars(target).get("__init__", target) if isinstance(target, type) else target
    try:
        return typing.get_type_hints(told)
    except Exception:  # noqa: BLE001  an annotation may run anything
        return _one_by_one(told, known)


def _one_by_one(told: Any, known: "Mapping[str, Any]") -> "dict[str, Any]":
    found = {}
    spaces = getattr(inspect.unwrap(told), "__globals__", {}) if callable(told) else {}
    for name, text in getattr(told, "__annotations__", {}).items():
        try:
            found[name] = eval(text, dict(spaces), dict(known)) if isinstance(text, str) else text
        except Exception:  # noqa: BLE001  of the code under test
            continue
    return found


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
        """All that can be done with instances; what is called on the class is returned.

        What a class only has from outside of the package is the work of somebody else.
        """
        self.methods[name] = []
        found = []
        for attribute in dir(made):
            if not self._is_own(made, attribute):
                continue
            value = inspect.getattr_static(made, attribute, None)
            if attribute.startswith("__"):
                self._add_protocol(name, attribute, made)
            elif not attribute.startswith("_"):
                found += self._add_attribute(name, attribute, value, made)
        return found

    def _is_own(self, made: type, attribute: str) -> bool:
        """Whether a class, or a class of its package before it, says what an attribute does."""
        home = next((each for each in made.__mro__ if attribute in vars(each)), made)
        return home is made or str(home.__module__).partition(".")[0] == self.package

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
