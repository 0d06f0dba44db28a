"""Calls as steps: those of builtins that are known, and of functions that only one side has."""

import ast
from copy import copy

from reverie.instruments.equivalence.proven.conventions import OVERRIDING, SPELLING, meaning_of
from reverie.instruments.equivalence.proven.expressions import (
    Expressions,
    refuse_who_sees_callers,
)
from reverie.instruments.equivalence.proven.nodes import (
    Context,
    Exits,
    Frame,
    Kind,
    Node,
    Unproven,
)
from reverie.instruments.equivalence.proven.scopes import (
    FunctionNames,
    ModuleFacts,
    is_generator,
    parameters,
)
from reverie.instruments.equivalence.proven.terms import NONE, TRUE
from reverie.syntax.unparsing import unparse

_DEEPEST = 4
_BESIDE = {"compile": 0, "match": 1, "fullmatch": 1, "search": 1, "findall": 1, "finditer": 1,
           "split": 1, "sub": 2, "subn": 2}  # fmt: skip
"""Functions of `re` that are given a pattern, and what else they are given."""
_FRESH_LISTS = frozenset({"sorted", "list"})
_DEFAULTS: dict[str, dict[int | str | None, object]] = {
    "range": {2: 1},
    "enumerate": {1: 0, "start": 0},
    "sum": {1: 0, "start": 0},
    "sorted": {"key": None, "reverse": False},
    "min": {"key": None},
    "max": {"key": None},
    "zip": {"strict": False},
    "print": {"sep": " ", "end": "\n", "file": None, "flush": False},
}
"""Of builtins: what their arguments are where nobody gives them, by place and by name."""
_FROM_AND_TO = 2


_TYPING = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp,
           ast.BitOr, ast.expr_context)  # fmt: skip
"""What types are written with."""
CASTS = frozenset({"typing.cast", "typing_extensions.cast"})


def _cast(node: ast.Call, is_behaved: bool) -> ast.expr | None:
    """What `cast()` hands on, where working out its type does nothing."""
    match node:
        case ast.Call(args=[kind, value], keywords=[]) if not isinstance(value, ast.Starred):
            said = ast.walk(kind)
            is_name = isinstance(kind, ast.Name | ast.Constant)
            is_type = is_behaved and all(isinstance(each, _TYPING) for each in said)
            return value if is_name or is_type else None
    return None


class Calls(Expressions):
    """Turns calls into steps."""

    def __init__(
        self,
        facts: ModuleFacts,
        inline: dict[str, ast.FunctionDef] | None = None,
        conventions: set[str] | None = None,
        owner: str = "",
        doubted: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(facts, conventions, doubted)
        self.inline = inline or {}
        """Functions of the module that the other side does not have; methods by dotted name."""
        self.owner = owner
        """The class whose method is read."""

    def _call(self, node: ast.Call, result: str, then: Node, c: Context) -> Node:
        formatted = self.format_call(node, result, then, c)
        if formatted is not None:
            return formatted
        if isinstance(node.func, ast.Name) and not self._is_own(node.func.id, c):
            name = node.func.id
            if name in ("vars", "dir") and not node.args:
                raise Unproven(f"{name}()")
            if self.facts.origins.get(name) in CASTS and (
                cast := _cast(node, self.conventions is not None)
            ):
                self.laws.add("cast() is its value")
                return self.value(cast, result, then, c)
            if name in self.inline:
                return self._inlined(node, self.inline[name], result, then, c)
            if self.facts.is_builtin(name):
                node = self._without_defaults(name, node)
                known = self._builtin(name, node, result, then, c)
                if known is not None:
                    return known
        method = self._own_method(node, c)
        if method is not None:
            return self._inlined(*method, result, then, c)
        return self._plain_call(node, result, then, c)

    def _own_method(self, node: ast.Call, c: Context) -> tuple[ast.Call, ast.FunctionDef] | None:
        """A call of a method that the other side does not have, with all that it is given."""
        first = next(iter(c.frame.names.parameters), None)
        match node.func:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == first:
                helper = self.inline.get(f"{self.owner}.{attr}")
            case _:
                return None
        if helper is None or self.conventions is None or name not in c.frame.names.unbound:
            return None
        self.assume(OVERRIDING)
        if not helper.decorator_list:
            receiver = ast.Name(name, ast.Load())
            return ast.Call(node.func, [receiver, *node.args], node.keywords), helper
        plain = copy(helper)
        plain.decorator_list = []
        return node, plain

    def _is_own(self, name: str, c: Context) -> bool:
        names = c.frame.names
        return (
            name in dict(c.frame.inner)
            or name in names.cells
            or name in names.own
            or name in names.fixed
        )

    def _plain_call(self, node: ast.Call, result: str, then: Node, c: Context) -> Node:
        node = self._with_plain_pattern(node, c)
        shape: list[str] = []
        given: list[ast.expr] = []
        for each in node.args:
            shape.append("*" if isinstance(each, ast.Starred) else "")
            given.append(each.value if isinstance(each, ast.Starred) else each)
        for keyword in node.keywords:
            shape.append("**" if keyword.arg is None else f"{keyword.arg}=")
            given.append(keyword.value)
        starred = [place for place, each in enumerate(shape) if each in ("*", "**")]
        if starred and starred != [len(shape) - 1]:
            return self._spread_call(node, tuple(shape), given, result, then, c)
        return self.operation(("call", tuple(shape)), [node.func, *given], result, then, c)

    def _with_plain_pattern(self, node: ast.Call, c: Context) -> ast.Call:
        """A regular expression as what it means, where it is spelled out and without flags."""
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr=attr),
                args=[ast.Constant(value=str(pattern)), *rest],
                keywords=[],
            ) if self.conventions is not None and len(rest) == _BESIDE.get(attr):
                if self.facts.imports.get(name) == "re" and not self._is_own(name, c):
                    meaning = meaning_of(pattern)
                    if meaning is not None:
                        self.assume(SPELLING)
                        return ast.Call(node.func, [ast.Constant(meaning), *rest], [])
        return node

    def _spread_call(
        self,
        node: ast.Call,
        shape: tuple[str, ...],
        given: list[ast.expr],
        result: str,
        then: Node,
        c: Context,
    ) -> Node:
        """Items are drawn before the next argument is evaluated: a step of its own for each."""
        registers = [self.register() for _ in given]
        called = self.register()
        built = self.event(("call", shape), (called, *registers), (result,), then, c)
        for kind, each, register in reversed(list(zip(shape, given, registers, strict=True))):
            if kind in ("*", "**"):
                drawn = self.register()
                built = self.event(("draw", kind), (drawn,), (register,), built, c)
                register = drawn
            built = self.value(each, register, built, c)
        return self.value(node.func, called, built, c)

    def _without_defaults(self, name: str, node: ast.Call) -> ast.Call:
        """A call of a builtin without arguments that say what holds anyway: `range(0, n)`."""
        defaults = _DEFAULTS.get(name, {})
        args, keywords = list(node.args), list(node.keywords)
        if any(isinstance(each, ast.Starred) for each in args) or any(
            each.arg is None for each in keywords
        ):
            return node
        keywords = [
            each
            for each in keywords
            if each.arg not in defaults or not _is_constant(each.value, defaults[each.arg])
        ]
        while args and (place := len(args) - 1) in defaults:
            if not _is_constant(args[place], defaults[place]):
                break
            args.pop()
        if name == "range" and len(args) == _FROM_AND_TO and _is_constant(args[0], 0):
            args.pop(0)
        if len(args) == len(node.args) and len(keywords) == len(node.keywords):
            return node
        self.laws.add("an argument that is its default")
        return ast.Call(node.func, args, keywords)

    def _builtin(
        self, name: str, node: ast.Call, result: str, then: Node, c: Context
    ) -> Node | None:
        """What a builtin does is known where nothing in the module hides it."""
        match name, node.args, node.keywords:
            case "list", [], []:
                self.laws.add("list() is []")
                return self.value(ast.List([], ast.Load()), result, then, c)
            case "tuple", [], []:
                return self.value(ast.Tuple([], ast.Load()), result, then, c)
            case "dict", [], keywords if all(each.arg for each in keywords):
                self.laws.add("dict() is {}")
                keys: list[ast.expr | None] = [ast.Constant(each.arg) for each in keywords]
                made = ast.Dict(keys, [each.value for each in keywords])
                return self.value(made, result, then, c)
            case "set", [ast.List(elts=items) | ast.Tuple(elts=items)], [] if items:
                self.laws.add("set([...]) is {...}")
                return self.value(ast.Set(items), result, then, c)
            case "bool", [value], [] if not isinstance(value, ast.Starred):
                return self._truth(value, result, then, c)
            case "list", [ast.Call(func=ast.Name(id="map"), keywords=[]) as mapped], []:
                comprehension = _as_comprehension(mapped)
                if comprehension is not None and self._is_plain_builtin("map", c):
                    self.laws.add("list() of map() is a comprehension")
                    return self.value(comprehension, result, then, c)
            case "list", [ast.Call(func=ast.Name(id=inner)) as value], []:
                if inner in _FRESH_LISTS and self._is_plain_builtin(inner, c):
                    self.laws.add("list() of a new list")
                    return self.value(value, result, then, c)
            case "list", [ast.ListComp() as value], []:
                self.laws.add("list() of a new list")
                return self.value(value, result, then, c)
            case "isinstance", [value, ast.Tuple(elts=kinds)], [] if kinds:
                if not any(isinstance(each, ast.Starred) for each in (value, *kinds)):
                    return self._instance(value, kinds, result, then, c)
            case "max" | "min", [first, second], []:
                if not any(isinstance(each, ast.Starred) for each in (first, second)):
                    return self._extreme(name, (first, second), result, then, c)
            case "super", [], []:
                return self._super(result, then, c)
        return None

    def _is_plain_builtin(self, name: str, c: Context) -> bool:
        return self.facts.is_builtin(name) and not self._is_own(name, c)

    def _truth(self, node: ast.expr, result: str, then: Node, c: Context) -> Node:
        self.laws.add("bool() is a truth")
        value = self.register()
        asked = self.event(("truth",), (value,), (result,), then, c)
        return self.value(node, value, asked, c)

    def _instance(
        self, value: ast.expr, kinds: list[ast.expr], result: str, then: Node, c: Context
    ) -> Node:
        """One kind after the other, up to the first that fits."""
        subject, called = self.register(), self.register()
        registers = [self.register() for _ in kinds]
        built = then
        for number, register in reversed(list(enumerate(registers))):
            if number < len(registers) - 1:
                built = self.branch(result, self.const(TRUE, result, then), built)
            data = ("call", ("", ""))
            built = self.event(data, (called, subject, register), (result,), built, c)
        self.laws.add("isinstance() of several types")
        built = self.const(("builtin", "isinstance"), called, built)
        return self.values([value, *kinds], [subject, *registers], built, c)

    def _extreme(
        self, name: str, pair: tuple[ast.expr, ast.expr], result: str, then: Node, c: Context
    ) -> Node:
        """The second of two where it is larger (or smaller), else the first."""
        self.laws.add(f"{name}() of two")
        first, second, found = self.register(), self.register(), self.register()
        ways = self.move(second, result, then), self.move(first, result, then)
        asked = self._asked(found, *ways, c)
        op = ast.Gt() if name == "max" else ast.Lt()
        compared = self.compared(op, (second, first), found, asked, c)
        return self.values(pair, (first, second), compared, c)

    def _super(self, result: str, then: Node, c: Context) -> Node:
        first = next(iter(c.frame.names.parameters), None)
        if c.frame.prefix or c.frame.inner or first is None:
            raise Unproven("super() inside of other code")
        place = self.register()
        made = self.event(("super",), (place,), (result,), then, c)
        return self.load(first, place, made, c)

    def _inlined(
        self, node: ast.Call, helper: ast.FunctionDef, result: str, then: Node, c: Context
    ) -> Node:
        """The body of a function in place of a call of it."""
        _refuse_as_helper(helper, c.frame.depth)
        refuse_who_sees_callers(helper)
        given = _bound_arguments(node, helper)
        names = FunctionNames.read(helper)
        if names.cells or names.fixed:
            raise Unproven("a function that makes functions")
        prefix = f"{self.register()}:"
        frame = Frame(names, prefix, depth=c.frame.depth + 1)
        value = self.register()
        exits = Exits(returned=self.move(value, result, then), value=value)
        inside = Context(frame, c.catch, c.handling, exits)
        assert exits.returned is not None
        entry = self.body(helper.body, self.const(NONE, value, exits.returned), inside)
        for name in names.own - {*names.parameters}:
            entry = self.const(("unbound",), prefix + name, entry)
        places = {name: self.register() for name, _ in given}
        for name, place in places.items():
            entry = self.move(place, prefix + name, entry)
        self.laws.add(f"the body of {helper.name}() for its call")
        return self.values([e for _, e in given], [places[n] for n, _ in given], entry, c)

    def body(self, statements: list[ast.stmt], then: Node, c: Context) -> Node:
        """Statements, one after the other."""
        raise NotImplementedError

    def never(self, register: str, c: Context) -> Node:
        """Hand an exception on to whoever catches it."""
        return Node(Kind.RAISE, (), (register,), catch=c.catch, handling=c.handling)


def _is_constant(node: ast.expr, value: object) -> bool:
    """Whether an argument is written as this very value: `0` and `False` are two."""
    return (
        isinstance(node, ast.Constant) and type(node.value) is type(value) and node.value == value
    )


def _as_comprehension(mapped: ast.Call) -> ast.ListComp | None:
    """`map(lambda x: ..., xs)`, drawn at once; what is made inside could outlive its `x`."""
    match mapped.args:
        case [ast.Lambda(args=ast.arguments(args=[item]) as given, body=body), drawn]:
            is_plain = unparse(given) == item.arg and not isinstance(drawn, ast.Starred)
            scopes = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
            waits = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
            if is_plain and not any(isinstance(each, (*scopes, *waits)) for each in ast.walk(body)):
                target = ast.Name(item.arg, ast.Store())
                return ast.ListComp(body, [ast.comprehension(target, drawn, [], 0)])
    return None


def _refuse_as_helper(helper: ast.FunctionDef, depth: int) -> None:
    is_plain = not helper.decorator_list and not is_generator(helper)
    if not is_plain or depth >= _DEEPEST or helper.args.vararg or helper.args.kwarg:
        raise Unproven(f"{helper.name} cannot be put in place of its call")


def _bound_arguments(node: ast.Call, helper: ast.FunctionDef) -> list[tuple[str, ast.expr]]:
    """Every parameter with its value, in the order in which the values are evaluated."""
    places = [each.arg for each in (*helper.args.posonlyargs, *helper.args.args)]
    if any(isinstance(each, ast.Starred) for each in node.args) or len(node.args) > len(places):
        raise Unproven("a call that does not say what it gives")
    given = list(zip(places, node.args, strict=False))
    for keyword in node.keywords:
        is_known = keyword.arg in parameters(helper) and keyword.arg not in dict(given)
        if not is_known or keyword.arg in [each.arg for each in helper.args.posonlyargs]:
            raise Unproven("a call that does not say what it gives")
        given.append((str(keyword.arg), keyword.value))
    defaults = dict(zip(reversed(places), reversed(helper.args.defaults), strict=False))
    kwonly = zip(helper.args.kwonlyargs, helper.args.kw_defaults, strict=True)
    defaults |= {each.arg: value for each, value in kwonly if value is not None}
    for name in parameters(helper):
        if name not in dict(given):
            if not isinstance(defaults.get(name), ast.Constant):
                raise Unproven("a default that is no constant")
            given.append((name, defaults[name]))
    return given
