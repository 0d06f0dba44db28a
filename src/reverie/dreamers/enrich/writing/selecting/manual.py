"""Promises of a module about its callables, and whether values fit their annotations."""

import ast
import builtins
import doctest
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reverie.syntax.nodes import Function, dotted_name
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse

_ACCEPTED: dict[str, tuple[type, ...]] = {
    "int": (int,), "float": (int, float), "complex": (int, float, complex), "str": (str,),
    "bytes": (bytes,), "bool": (bool,), "list": (list,), "tuple": (tuple,), "dict": (dict,),
    "set": (set,), "frozenset": (frozenset,), "None": (type(None),), "NoneType": (type(None),),
    "List": (list,), "Tuple": (tuple,), "Dict": (dict,), "Set": (set,), "Mapping": (dict,),
    "MutableMapping": (dict,), "Sequence": (list, tuple, str, bytes), "MutableSequence": (list,),
    "Iterable": (list, tuple, str, bytes, dict, set, frozenset),
    "Sized": (list, tuple, str, dict, set),
    "Collection": (list, tuple, str, bytes, dict, set, frozenset), "Text": (str,),
    "Hashable": (int, float, str, bytes, tuple, frozenset, bool, type(None)),
}  # fmt: skip
_MAKERS = frozenset(
    {"set", "frozenset", "iter", "bytearray", "range", "date", "datetime", "timedelta", "time"}
)
_LIBRARY = frozenset({"date", "datetime", "time", "timedelta", "tzinfo", "Decimal", "Path", "UUID"})
"""Types of the standard library that no literal is of."""
_ANYTHING = frozenset(
    {"Any", "object", "Self", "Namespace", "SimpleNamespace", "Mock", "MagicMock"}
)
"""Types that say nothing of a value: an object that has whatever attributes it was given is one."""
_UNIONS = ("Union", "Optional")
_WRAPPERS = ("Annotated", "Final", "ClassVar", "Required", "ReadOnly")


@dataclass(frozen=True, slots=True)
class Fitting:
    """Annotations of one module, with its aliases resolved."""

    aliases: Mapping[str, ast.expr]
    classes: frozenset[str] = frozenset()
    """The module's own: no literal is one of them."""

    def fits(self, value: ast.expr, annotation: ast.expr | None) -> bool | None:
        """Whether a value is of the annotated type; None when that cannot be told."""
        kinds = self._accepted(annotation, 0)
        if kinds is None:
            return None
        try:
            made: Any = ast.literal_eval(value)
        except (ValueError, SyntaxError, TypeError, MemoryError):
            return _made_otherwise(value, kinds)
        if isinstance(made, bool) and not {"bool", "int", "float", "object"} & kinds:
            return False
        accepted = any(isinstance(made, _ACCEPTED.get(kind, ())) for kind in kinds)
        if accepted and isinstance(made, (list, tuple, dict, set)) and made:
            return None  # who knows what may be in it
        if not accepted and not kinds <= {*_ACCEPTED, *_LIBRARY, *self.classes}:
            return None
        return accepted

    def names(self, annotation: ast.expr | None) -> frozenset[str] | None:
        """The types that an annotation allows, by name; None for anything at all."""
        return self._accepted(annotation, 0)

    def excludes(self, allowed: frozenset[str], kind: str) -> bool:
        """Whether a type is none of the allowed ones; False where that cannot be told."""
        if not allowed <= set(_ACCEPTED):
            return False
        fitting = {made.__name__ for name in allowed for made in _ACCEPTED[name]}
        return kind not in fitting | {"NoneType" if "None" in allowed else ""}

    def _accepted(self, node: ast.expr | None, depth: int) -> frozenset[str] | None:
        if node is None or depth > 8:
            return None
        if isinstance(node, ast.Constant):
            return self._of_constant(node, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._together([node.left, node.right], depth)
        if isinstance(node, ast.Subscript):
            return self._of_subscript(node, depth)
        name = (dotted_name(node) or "").rpartition(".")[2]
        if name in self.aliases:
            return self._accepted(self.aliases[name], depth + 1)
        if not name or name in _ANYTHING:
            return None
        return frozenset({name})

    def _of_constant(self, node: ast.Constant, depth: int) -> frozenset[str] | None:
        if node.value is None:
            return frozenset({"None"})
        if not isinstance(node.value, str):
            return None
        try:
            return self._accepted(parse_expression(node.value), depth + 1)
        except SyntaxError:
            return None

    def _of_subscript(self, node: ast.Subscript, depth: int) -> frozenset[str] | None:
        name = (dotted_name(node.value) or "").rpartition(".")[2]
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in _UNIONS:
            more = [ast.Constant(None)] if name == "Optional" else []
            return self._together([*inner, *more], depth)
        if name in _WRAPPERS:
            return self._accepted(inner[0], depth + 1)
        return None if name in ("Literal", "Callable", "Type", "type") else frozenset({name})

    def _together(self, nodes: list[ast.expr], depth: int) -> frozenset[str] | None:
        found: set[str] = set()
        for node in nodes:
            kinds = self._accepted(node, depth + 1)
            if kinds is None:
                return None
            found |= kinds
        return frozenset(found)


def _made_otherwise(value: ast.expr, kinds: frozenset[str]) -> bool | None:
    """Of what is no literal: by the name of what is called, if all that is asked for is plain."""
    is_plain = kinds <= set(_ACCEPTED)
    if isinstance(value, ast.Lambda):
        return False if is_plain else None
    if isinstance(value, ast.Name) and hasattr(builtins, value.id):
        return None if kinds & {"Callable", "type", "Type", "Hashable"} else False
    if not isinstance(value, ast.Call):
        return None
    name = (dotted_name(value.func) or "").rpartition(".")[2]
    if name in kinds or (name == "float" and "complex" in kinds):
        return True
    is_told = name in _MAKERS or name[:1].isupper()
    has_wide = bool(kinds & {"Iterable", "Collection", "Hashable", "Sized", "Sequence", "Mapping"})
    return False if is_plain and is_told and not has_wide else None


def fitting_of(tree: ast.Module) -> Fitting:
    """The aliases of a module; type variables and protocols allow anything."""
    aliases: dict[str, ast.expr] = {}
    classes = frozenset(node.name for node in tree.body if isinstance(node, ast.ClassDef))
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            aliases[node.target.id] = node.value
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            anything = isinstance(node.value, ast.Call)
            aliases[node.targets[0].id] = ast.Name("Any") if anything else node.value
        elif isinstance(node, ast.ClassDef) and any("Protocol" in unparse(b) for b in node.bases):
            aliases[node.name] = ast.Name("Any")
    return Fitting(aliases, classes)


@dataclass(slots=True)
class Manual:
    """The promises of one module, by qualified name."""

    functions: dict[str, Function] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    """The output that a docstring shows, by the source of its example."""
    raising: set[int] = field(default_factory=set)
    """Lines of explicit `raise` statements."""
    asserting: set[int] = field(default_factory=set)
    fitting: Fitting = field(default_factory=lambda: Fitting({}))

    def mentions(self, callee: str, exception: str) -> bool:
        """Whether the callee's docstring, or that of its class, names an exception."""
        owner = callee.rpartition(".")[0]
        text = "\n".join(self.documents.get(name, "") for name in (callee, owner) if name)
        return re.search(rf"\b{re.escape(exception.rpartition('.')[2])}\b", text) is not None

    def fits(self, callee: str, call: ast.expr) -> bool | None:
        """Whether all arguments of a call fit; None when annotations say nothing of some."""
        function = self.functions.get(callee) or self.functions.get(f"{callee}.__init__")
        while isinstance(call, ast.Call) and _is_wrapper(call):
            call = call.args[0]
        if function is None or not isinstance(call, ast.Call):
            return None
        parameters = _parameters(function)
        answers = [
            self.fitting.fits(argument, parameters.get(place))
            for place, argument in _arguments(call)
        ]
        if False in answers:
            return False
        return None if None in answers else True

    def annotations(self, callee: str) -> dict[int | str, ast.expr | None]:
        """What is said of a callable's parameters, by place and by name."""
        function = self.functions.get(callee) or self.functions.get(f"{callee}.__init__")
        return {} if function is None else _parameters(function)

    def returns(self, callee: str) -> frozenset[str] | None:
        """The types that a function may return, by name; None when it does not say."""
        function = self.functions.get(callee)
        if function is None or function.returns is None or _is_generator(function):
            return None
        return self.fitting.names(function.returns)


def _is_wrapper(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Name)
        and call.func.id in ("list", "str", "len")
        and any(isinstance(each, ast.Call) for each in call.args[:1])
    )


def _arguments(call: ast.Call) -> list[tuple[int | str, ast.expr]]:
    given: list[tuple[int | str, ast.expr]] = list(enumerate(call.args))
    return given + [(each.arg, each.value) for each in call.keywords if each.arg is not None]


def _parameters(function: Function) -> dict[int | str, ast.expr | None]:
    given = [*function.args.posonlyargs, *function.args.args]
    if given and given[0].arg in ("self", "cls"):
        given = given[1:]
    found: dict[int | str, ast.expr | None] = {}
    for place, each in enumerate(given):
        found[place] = found[each.arg] = each.annotation
    found.update((each.arg, each.annotation) for each in function.args.kwonlyargs)
    if function.args.vararg is not None:
        for place in range(len(given), len(given) + 12):
            found[place] = function.args.vararg.annotation
    return found


def _is_generator(function: Function) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function))


def manual_of(tree: ast.Module) -> Manual:
    """Read the promises of a module."""
    manual = Manual(fitting=fitting_of(tree))
    _read(tree, "", manual)
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            manual.raising.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.Assert):
            manual.asserting.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return manual


def _read(node: ast.AST, prefix: str, manual: Manual) -> None:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{prefix}{each.name}"
            document = ast.get_docstring(each) or ""
            manual.documents[name] = document
            manual.examples.update(_examples(document))
            if isinstance(each, ast.ClassDef):
                _read(each, f"{name}.", manual)
                _read_fields(each, name, manual)
            else:
                manual.functions.setdefault(name, each)
        elif isinstance(each, (ast.If, ast.Try)):
            _read(each, prefix, manual)


def _read_fields(node: ast.ClassDef, name: str, manual: Manual) -> None:
    """The `__init__` that a dataclass will have."""
    if not any("dataclass" in unparse(each) for each in node.decorator_list):
        return
    fields = [
        f"{each.target.id}: {unparse(each.annotation)}"
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    made = parse_module(f"def __init__(self, {', '.join(fields)}): ...").body[0]
    if isinstance(made, ast.FunctionDef):
        manual.functions.setdefault(f"{name}.__init__", ast.copy_location(made, node))


def _examples(document: str) -> dict[str, str]:
    try:
        found = doctest.DocTestParser().get_examples(document)
    except ValueError:
        return {}
    return {
        each.source.strip(): each.want.strip()
        for each in found
        if each.want and each.exc_msg is None and not each.options
    }
