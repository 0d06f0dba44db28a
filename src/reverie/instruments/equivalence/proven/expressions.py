"""Expressions as steps, in the order in which Python takes them.

Code is built from its end: every method is given the step that comes next, and returns the first.
"""

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reverie.instruments.equivalence.proven.drawn import Stopping
from reverie.instruments.equivalence.proven.nodes import Context, Frame, Kind, Node, Unproven
from reverie.instruments.equivalence.proven.scopes import (
    Comprehension,
    FunctionNames,
    ModuleFacts,
    free_names,
)
from reverie.instruments.equivalence.proven.terms import ALWAYS, Term, constant, template_parts

_MOST_NODES = 12_000
_SEES_CALLERS = frozenset(
    {"warn", "stack", "getframeinfo", "findCaller", "stacklevel", "super", "__class__", "dir",
     "vars"}
)  # fmt: skip
"""Who names one of these may notice in which function it runs."""
_COUNTING = (ast.Add, ast.Sub, ast.Mult, ast.Pow)


class Expressions:
    """Turns expressions into steps."""

    def __init__(
        self,
        facts: ModuleFacts,
        conventions: set[str] | None = None,
        doubted: frozenset[str] = frozenset(),
    ) -> None:
        self.facts = facts
        self.doubted = doubted
        """Expressions that one version asks something: what is read of them can fail."""
        self.conventions = conventions
        """Those that were relied on; None: nothing is taken for granted."""
        self.laws: set[str] = set()
        """What was taken for something else that it is spelled like."""
        self._count = 0

    # --- building ---

    def assume(self, convention: str) -> None:
        """Something was taken for granted."""
        if self.conventions is not None:
            self.conventions.add(convention)

    def register(self) -> str:
        """A place that no other code uses."""
        self._count += 1
        return f"%{self._count}"

    def event(
        self,
        data: tuple[Any, ...],
        arguments: Sequence[str],
        results: Sequence[str],
        then: Node | None,
        c: Context,
    ) -> Node:
        """A step that others may notice."""
        self._count += 1
        if self._count > _MOST_NODES:
            raise Unproven("too much code")
        return Node(
            Kind.EVENT, data, tuple(arguments), tuple(results), then,
            catch=c.catch, handling=c.handling,
        )  # fmt: skip

    def pure(
        self, data: tuple[Any, ...], arguments: Sequence[str], result: str, then: Node
    ) -> Node:
        """A value made of values."""
        return Node(Kind.PURE, data, tuple(arguments), (result,), then)

    def const(self, term: Term, result: str, then: Node) -> Node:
        """A value that is known."""
        return self.pure(("term", term), (), result, then)

    def move(self, source: str, result: str, then: Node) -> Node:
        """The same value under another name."""
        return Node(Kind.MOVE, (), (source,), (result,), then)

    def branch(self, register: str, yes: Node, no: Node) -> Node:
        """One of two ways, by a value of type bool."""
        return Node(Kind.BRANCH, (), (register,), (), yes, no)

    # --- conditions ---

    def condition(self, node: ast.expr, yes: Node, no: Node, c: Context) -> Node:
        """Go one of two ways; as Python does, no truth is asked for twice."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.condition(operand, no, yes, c)
            case ast.BoolOp(op=ast.And(), values=values):
                for each in reversed(values):
                    yes = self.condition(each, yes, no, c)
                return yes
            case ast.BoolOp(op=ast.Or(), values=values):
                for each in reversed(values):
                    no = self.condition(each, yes, no, c)
                return no
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.condition(
                    test, self.condition(body, yes, no, c), self.condition(orelse, yes, no, c), c
                )
            case ast.Compare(ops=[_, _, *_]):
                return self._chain(node, self.register(), (yes, no), c)
        value = self.register()
        return self.value(node, value, self._asked(value, yes, no, c), c)

    # --- values ---

    def value(self, node: ast.expr, result: str, then: Node, c: Context) -> Node:
        """Put the value of an expression into a register."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise Unproven(type(node).__name__)
        built: Node = method(node, result, then, c)
        return built

    def values(
        self, nodes: Sequence[ast.expr], registers: Sequence[str], then: Node, c: Context
    ) -> Node:
        """Several expressions, one after the other."""
        for node, register in reversed(list(zip(nodes, registers, strict=True))):
            then = self.value(node, register, then, c)
        return then

    def operation(
        self,
        data: tuple[Any, ...],
        nodes: Sequence[ast.expr],
        result: str,
        then: Node | None,
        c: Context,
    ) -> Node:
        """Evaluate operands from left to right, then do something with them."""
        registers = [self.register() for _ in nodes]
        done = self.event(data, registers, (result,), then, c)
        return self.values(nodes, registers, done, c)

    def _constant(self, node: ast.Constant, result: str, then: Node, c: Context) -> Node:
        return self.const(constant(node.value), result, then)

    def _name(self, node: ast.Name, result: str, then: Node, c: Context) -> Node:
        return self.load(node.id, result, then, c)

    def load(self, name: str, result: str, then: Node, c: Context) -> Node:
        """Read a name."""
        names, inner = c.frame.names, dict(c.frame.inner)
        if name in inner:
            return self._load_local((name,), inner[name], result, then, c)
        if name in names.cells:
            return self.event(("load_cell", name), (), (result,), then, c)
        if name in names.own:
            said = (name, "free") if c.frame.is_comprehension else (name,)
            return self._load_local(said, c.frame.prefix + name, result, then, c)
        if name in names.fixed:
            return self.const(("fixed", name), result, then)
        if name == "__debug__":
            return self.const(("v", "debug", "bool"), result, then)
        if self.facts.is_builtin(name):
            return self.const(("builtin", name), result, then)
        if name in self.facts.constant:
            if self.conventions is not None and name in self.facts.imports:
                return self.const(("module", self.facts.imports[name]), result, then)
            return self.const(("global", name, ALWAYS), result, then)
        if name in self.facts.stable:
            return self.pure(("global", name), (), result, then)
        return self.event(("load_global", name), (), (result,), then, c)

    def _load_local(
        self, said: tuple[str, ...], place: str, result: str, then: Node, c: Context
    ) -> Node:
        """What is said where it is missing depends on whose name it is."""
        return Node(Kind.LOAD, said, (place,), (result,), then, catch=c.catch, handling=c.handling)

    def _boolop(self, node: ast.BoolOp, result: str, then: Node, c: Context) -> Node:
        is_and = isinstance(node.op, ast.And)
        built = self.value(node.values[-1], result, then, c)
        for each in reversed(node.values[:-1]):
            yes, no = (built, then) if is_and else (then, built)
            built = self._weighed(each, result, yes, no, c)
        return built

    def _weighed(self, node: ast.expr, result: str, yes: Node, no: Node, c: Context) -> Node:
        """Put a value into a register and go by its truth; as in Python, it is asked for once."""
        match node:
            case ast.BoolOp(op=ast.And(), values=values):
                for each in reversed(values):
                    yes = self._weighed(each, result, yes, no, c)
                return yes
            case ast.BoolOp(op=ast.Or(), values=values):
                for each in reversed(values):
                    no = self._weighed(each, result, yes, no, c)
                return no
        return self.value(node, result, self._asked(result, yes, no, c), c)

    def _asked(self, value: str, yes: Node, no: Node, c: Context) -> Node:
        truth = self.register()
        return self.event(("truth",), (value,), (truth,), self.branch(truth, yes, no), c)

    def _ifexp(self, node: ast.IfExp, result: str, then: Node, c: Context) -> Node:
        yes, no = (self.value(each, result, then, c) for each in (node.body, node.orelse))
        return self.condition(node.test, yes, no, c)

    def _unaryop(self, node: ast.UnaryOp, result: str, then: Node, c: Context) -> Node:
        match node:
            case ast.UnaryOp(op=ast.Not()):
                value, truth = self.register(), self.register()
                inverted = self.pure(("not",), (truth,), result, then)
                asked = self.event(("truth",), (value,), (truth,), inverted, c)
                return self.value(node.operand, value, asked, c)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return self.const(constant(-number), result, then)
        return self.operation(("unary", type(node.op).__name__), [node.operand], result, then, c)

    def _binop(self, node: ast.BinOp, result: str, then: Node, c: Context) -> Node:
        sides = [node.left, node.right]
        is_plain = isinstance(node.op, _COUNTING) and not any(map(self._is_doubted, sides))
        data = ("count" if is_plain else "binary", type(node.op).__name__)
        return self.operation(data, sides, result, then, c)

    def _compare(self, node: ast.Compare, result: str, then: Node, c: Context) -> Node:
        return self._chain(node, result, then, c)

    def _chain(
        self, node: ast.Compare, result: str, then: Node | tuple[Node, Node], c: Context
    ) -> Node:
        """Comparisons up to the first that is not true; then on with its value, or one of two ways.

        A condition does not ask for the truth of that one again.
        """
        places = [self.register() for _ in range(len(node.comparators) + 1)]
        last = len(node.ops) - 1
        end, no = then if isinstance(then, tuple) else (then, then)
        built = self._asked(result, end, no, c) if isinstance(then, tuple) else end
        for number in range(last, -1, -1):
            if number < last:
                built = self._asked(result, built, no, c)
            pair = (places[number], places[number + 1])
            built = self.compared(node.ops[number], pair, result, built, c)
            right = node.comparators[number]
            if number == last and isinstance(node.ops[number], ast.In | ast.NotIn):
                right = as_tuple(right)
            built = self.value(right, pair[1], built, c)
        return self.value(node.left, places[0], built, c)

    def compared(
        self, op: ast.cmpop, pair: tuple[str, str], result: str, then: Node, c: Context
    ) -> Node:
        """One comparison of two registers."""
        match op:
            case ast.Is():
                return self.pure(("is",), pair, result, then)
            case ast.IsNot():
                same = self.register()
                return self.pure(("is",), pair, same, self.pure(("not",), (same,), result, then))
            case ast.In():
                return self.event(("contains",), pair, (result,), then, c)
            case ast.NotIn():
                found = self.register()
                inverted = self.pure(("not",), (found,), result, then)
                return self.event(("contains",), pair, (found,), inverted, c)
        return self.event(("compare", type(op).__name__), pair, (result,), then, c)

    def _attribute(self, node: ast.Attribute, result: str, then: Node, c: Context) -> Node:
        kind = "getattr" if self._is_doubted(node.value) else "read"
        return self.operation((kind, node.attr), [node.value], result, then, c)

    def _is_doubted(self, node: ast.expr) -> bool:
        return self.conventions is None or ast.dump(node) in self.doubted

    def _subscript(self, node: ast.Subscript, result: str, then: Node, c: Context) -> Node:
        return self.operation(("getitem",), [node.value, node.slice], result, then, c)

    def _slice(self, node: ast.Slice, result: str, then: Node, c: Context) -> Node:
        parts = [each or ast.Constant(None) for each in (node.lower, node.upper, node.step)]
        registers = [self.register() for _ in parts]
        return self.values(parts, registers, self.pure(("slice",), registers, result, then), c)

    def _namedexpr(self, node: ast.NamedExpr, result: str, then: Node, c: Context) -> Node:
        frame = replace(c.frame, inner=())
        stored = self.store(node.target.id, result, then, replace(c, frame=frame))
        return self.value(node.value, result, stored, c)

    def store(self, name: str, source: str, then: Node, c: Context) -> Node:
        """Bind a name to what is in a register."""
        names, inner = c.frame.names, dict(c.frame.inner)
        if name in inner:
            return self.move(source, inner[name], then)
        if name in names.cells:
            return self.event(("store_cell", name), (source,), (), then, c)
        if name in names.own:
            return self.move(source, c.frame.prefix + name, then)
        return self.event(("store_global", name), (source,), (), then, c)

    def _await(self, node: ast.Await, result: str, then: Node, c: Context) -> Node:
        self._refuse_moved(c)
        return self.operation(("await",), [node.value], result, then, c)

    def _yield(self, node: ast.Yield, result: str, then: Node, c: Context) -> Node:
        self._refuse_moved(c)
        return self.operation(("yield",), [node.value or ast.Constant(None)], result, then, c)

    def _yieldfrom(self, node: ast.YieldFrom, result: str, then: Node, c: Context) -> Node:
        self._refuse_moved(c)
        return self.operation(("yield_from",), [node.value], result, then, c)

    def _refuse_moved(self, c: Context) -> None:
        if c.frame.prefix or c.frame.is_comprehension:
            raise Unproven("it waits inside of other code")

    # --- containers ---

    def _tuple(self, node: ast.Tuple, result: str, then: Node, c: Context) -> Node:
        if any(isinstance(each, ast.Starred) for each in node.elts):
            return self._spread("tuple", node.elts, result, then, c)
        registers = [self.register() for _ in node.elts]
        made = self.pure(("tuple",), registers, result, then)
        return self.values(node.elts, registers, made, c)

    def _list(self, node: ast.List, result: str, then: Node, c: Context) -> Node:
        if any(isinstance(each, ast.Starred) for each in node.elts):
            return self._spread("list", node.elts, result, then, c)
        registers = [self.register() for _ in node.elts]
        made = self.pure(("new", "list"), registers, result, then)
        return self.values(node.elts, registers, made, c)

    def _spread(
        self, kind: str, items: list[ast.expr], result: str, then: Node, c: Context
    ) -> Node:
        shape = tuple("*" if isinstance(each, ast.Starred) else "" for each in items)
        plain = [each.value if isinstance(each, ast.Starred) else each for each in items]
        if shape.count("*") > 1 or not shape[-1]:
            raise Unproven("items are drawn while others are evaluated")
        return self.operation(("spread", kind, shape), plain, result, then, c)

    def _set(self, node: ast.Set, result: str, then: Node, c: Context) -> Node:
        if any(isinstance(each, ast.Starred) for each in node.elts):
            raise Unproven("Starred")
        return self.operation(("make_set",), node.elts, result, then, c)

    def _dict(self, node: ast.Dict, result: str, then: Node, c: Context) -> Node:
        if None in node.keys:
            return self._merged(node, result, then, c)
        pairs = zip(node.keys, node.values, strict=True)
        items = [each for pair in pairs for each in pair if each is not None]
        registers = [self.register() for _ in items]
        keys = [each for each in node.keys if each is not None]
        texts = [e.value for e in keys if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        if len({*texts}) == len(keys):
            made = self.pure(("new", "dict"), registers, result, then)
        else:
            made = self.event(("make_dict",), registers, (result,), then, c)
        return self.values(items, registers, made, c)

    def _merged(self, node: ast.Dict, result: str, then: Node, c: Context) -> Node:
        """One dict that others are put into, in the order of the text."""
        made = self.register()
        built = self.move(made, result, then)
        for key, value in reversed(list(zip(node.keys, node.values, strict=True))):
            given = [value] if key is None else [key, value]
            places = [self.register() for _ in given]
            data = ("dict_update",) if key is None else ("dict_add",)
            built = self.event(data, (made, *places), (), built, c)
            built = self.values(given, places, built, c)
        return self.event(("make_dict",), (), (made,), built, c)

    # --- comprehensions ---

    def _listcomp(self, node: ast.ListComp, result: str, then: Node, c: Context) -> Node:
        made, item = self.register(), self.register()

        def add(after: Node, inside: Context) -> Node:
            put = self.pure(("append",), (made, item), self.register(), after)
            return self.value(node.elt, item, put, inside)

        self.laws.add("comprehension")
        return self._comprehension(node, made, result, then, c, add)

    def _stopping(self, node: Stopping, result: str, then: Node, c: Context) -> Node:
        """Items up to the first that decides; it is the answer, or what is left when all are."""
        ended = self.const(constant(node.decides), result, then)

        def add(after: Node, inside: Context) -> Node:
            yes, no = (ended, after) if node.decides else (after, ended)
            return self.condition(node.elt, yes, no, inside)

        return self._comprehension(node, self.register(), result, then, c, add)

    def _setcomp(self, node: ast.SetComp, result: str, then: Node, c: Context) -> Node:
        made, item = self.register(), self.register()

        def add(after: Node, inside: Context) -> Node:
            put = self.event(("set_add",), (made, item), (), after, inside)
            return self.value(node.elt, item, put, inside)

        return self._comprehension(node, made, result, then, c, add)

    def _dictcomp(self, node: ast.DictComp, result: str, then: Node, c: Context) -> Node:
        made, key, item = self.register(), self.register(), self.register()

        def add(after: Node, inside: Context) -> Node:
            put = self.event(("dict_add",), (made, key, item), (), after, inside)
            return self.values([node.key, node.value], [key, item], put, inside)

        return self._comprehension(node, made, result, then, c, add)

    def _comprehension(
        self, node: Comprehension, made: str, result: str, then: Node, c: Context, add: Any
    ) -> Node:
        """Loops around one step; the names of the loops are seen by nothing else."""
        refuse_who_sees_callers(node)
        targets = {
            each.id: f"{self.register()}:{each.id}"
            for generator in node.generators
            for each in ast.walk(generator.target)
            if isinstance(each, ast.Name)
        }
        frame = replace(c.frame, inner=(*c.frame.inner, *targets.items()), is_comprehension=True)
        inside = replace(c, frame=frame)
        end = self.move(made, result, then)
        iterators = [self.register() for _ in node.generators]
        entry = self._loops(node.generators, iterators, end, inside, add)
        started = self._empty(node, made, entry)
        first = node.generators[0]
        source = self.register()
        drawn = self.event(("iter",), (source,), (iterators[0],), started, c)
        return self.value(as_tuple(first.iter), source, drawn, c)

    def _empty(self, node: Comprehension, made: str, then: Node) -> Node:
        if isinstance(node, Stopping):
            return self.const(constant(not node.decides), made, then)
        kind = {"ListComp": "list", "SetComp": "set", "DictComp": "dict"}[type(node).__name__]
        return self.pure(("new", kind), (), made, then)

    def _loops(
        self,
        generators: list[ast.comprehension],
        iterators: list[str],
        end: Node,
        c: Context,
        add: Any,
    ) -> Node:
        """From the first draw on; the first iterator is there already."""
        generator, iterator = generators[0], iterators[0]
        if generator.is_async:
            raise Unproven("it waits inside of other code")
        item, more = self.register(), self.register()
        head = self.event(("next",), (iterator,), (item, more), end, c)
        if len(generators) > 1:
            deeper = self._loops(generators[1:], iterators[1:], head, c, add)
            source = self.register()
            drawn = self.event(("iter",), (source,), (iterators[1],), deeper, c)
            body = self.value(as_tuple(generators[1].iter), source, drawn, c)
        else:
            body = add(head, c)
        for each in reversed(generator.ifs):
            body = self.condition(each, body, head, c)
        body = self.assign(generator.target, item, body, c)
        head.next = self.branch(more, body, end)
        return head

    def assign(self, target: ast.expr, source: str, then: Node, c: Context) -> Node:
        """Put a value into a target."""
        raise NotImplementedError

    # --- texts ---

    def _joinedstr(self, node: ast.JoinedStr, result: str, then: Node, c: Context) -> Node:
        registers = [self.register() for _ in node.values]
        is_one = len(node.values) == 1 and isinstance(node.values[0], ast.FormattedValue)
        if is_one:
            return self._formattedvalue(node.values[0], result, then, c)  # type: ignore[arg-type]
        self.laws.add("text formatting")
        made = self.pure(("join",), registers, result, then)
        return self.values(node.values, registers, made, c)

    def _formattedvalue(
        self, node: ast.FormattedValue, result: str, then: Node, c: Context
    ) -> Node:
        value, spec = self.register(), self.register()
        conversion = "" if node.conversion < 0 else chr(node.conversion)
        done = self.event(("format", conversion), (value, spec), (result,), then, c)
        if node.format_spec is None:
            asked = self.const(constant(""), spec, done)
        else:
            asked = self.value(node.format_spec, spec, done, c)
        return self.value(node.value, value, asked, c)

    def format_call(self, node: ast.Call, result: str, then: Node, c: Context) -> Node | None:
        """`"...".format(...)`: all arguments first, then one text after the other."""
        match node.func:
            case ast.Attribute(value=ast.Constant(value=str(template)), attr="format"):
                pass
            case _:
                return None
        names = [each.arg for each in node.keywords]
        if None in names or any(isinstance(each, ast.Starred) for each in node.args):
            return None
        given = [*node.args, *(each.value for each in node.keywords)]
        places = [*range(len(node.args)), *names]
        registers = dict(zip(places, (self.register() for _ in places), strict=True))
        parts = template_parts(template, registers)
        if parts is None:
            return None
        self.laws.add("text formatting")
        pieces = [self.register() for _ in parts]
        built = self.pure(("join",), pieces, result, then)
        for part, piece in reversed(list(zip(parts, pieces, strict=True))):
            if part.field is None:
                built = self.const(constant(part.text), piece, built)
                continue
            spec = self.register()
            data, pair = ("format", part.conversion), (registers[part.field], spec)
            built = self.event(data, pair, (piece,), built, c)
            built = self.const(constant(part.text), spec, built)
        return self.values(given, [registers[each] for each in places], built, c)

    # --- functions ---

    def _lambda(self, node: ast.Lambda, result: str, then: Node, c: Context) -> Node:
        return self.closure(node, result, then, c)

    def _generatorexp(self, node: ast.GeneratorExp, result: str, then: Node, c: Context) -> Node:
        source, iterator = self.register(), self.register()
        _refuse_comprehension_names(node, c.frame)
        made = self.event(("closure", Held(node, c.frame)), (iterator,), (result,), then, c)
        drawn = self.event(("iter",), (source,), (iterator,), made, c)
        return self.value(node.generators[0].iter, source, drawn, c)

    def closure(self, node: Any, result: str, then: Node, c: Context) -> Node:
        """Make a function; defaults are evaluated now."""
        _refuse_comprehension_names(node, c.frame)
        given = [*node.args.defaults, *(e for e in node.args.kw_defaults if e is not None)]
        return self.operation(("closure", Held(node, c.frame)), given, result, then, c)


class Held:
    """A function inside of another, with the names around it."""

    def __init__(self, node: Any, frame: Frame) -> None:
        self.node = node
        self.names: FunctionNames = frame.names


def _refuse_comprehension_names(node: ast.AST, frame: Frame) -> None:
    if frame.prefix or free_names(node) & {name for name, _ in frame.inner}:
        raise Unproven("a function inside of a comprehension")


def refuse_who_sees_callers(node: ast.AST) -> None:
    """`Unproven` for code that may notice in which function it runs."""
    for each in ast.walk(node):
        word = getattr(each, "id", None) or getattr(each, "attr", None) or getattr(each, "arg", "")
        if word in _SEES_CALLERS:
            raise Unproven(f"{word} inside of a comprehension")


def as_tuple(node: ast.expr) -> ast.expr:
    """A list that only `in` or a loop sees is as good as a tuple."""
    if isinstance(node, ast.List) and not any(isinstance(e, ast.Starred) for e in node.elts):
        return ast.Tuple(node.elts, ast.Load())
    return node
