"""What parameters are used for: kinds of values that a function's body and docstring speak of.

Code without annotations says by its use what it takes: what is split is a text, what is called is
a function, what has a `tzinfo` is a moment. What a value is handed on to, and what is done later
with the attribute that keeps it, counts as well.
"""

import ast
import re
from collections.abc import Iterator

from .kinds import CALLED_WITH, HAVING, SAID, TYPE_NAMES

Kinds = dict[str, float]
Profile = dict[str, Kinds]
_ROUNDS = 3
_DOCUMENTED = 3.0
_HANDED_ON = 0.6
_LONGEST_WORDS = 160
_ITERATED = {"list": 1.0, "texts": 0.6, "nested": 0.4, "pairs": 0.4, "tuple": 0.4, "iterator": 0.2}
_PLAIN = {int: "int", float: "number", str: "text", bytes: "blob", bool: "bool"}
_TAKING = re.compile(r"^(?:match|fullmatch|search|findall|finditer|sub|split)$")


class Function:
    """One function: its parameters, and what is known of the kinds that they take."""

    def __init__(self, node: "ast.FunctionDef | ast.AsyncFunctionDef", owner: str) -> None:
        self.node = node
        self.owner = owner
        every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        self.order = [each.arg for each in every]
        self.kinds: Profile = {name: {} for name in self.order}
        self.passed: list[tuple[str, str, int | str]] = []
        """Parameter, what it is handed to, and in which place or by which name."""
        self.kept: dict[str, str] = {}
        """Attributes that keep a parameter, by name."""

    def add(self, name: str, kinds: Kinds) -> None:
        """Evidence for a parameter."""
        known = self.kinds.get(name)
        if known is not None:
            for kind, weight in kinds.items():
                known[kind] = known.get(kind, 0.0) + weight


def profiles_of(tree: ast.Module) -> "dict[str, Profile]":
    """By key of the function (`f`, `C.m`, and `C` for its constructor): kinds of each parameter."""
    functions = dict(_functions(tree.body, ""))
    for function in functions.values():
        _read_body(function)
        _read_docstring(function, ast.get_docstring(function.node) or "")
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            made = functions.get(f"{node.name}.__init__")
            if made is not None:
                _read_docstring(made, ast.get_docstring(node) or "")
                _read_class(node, made)
    for _ in range(_ROUNDS):
        for function in functions.values():
            _hand_on(function, functions)
    found = {key: each.kinds for key, each in functions.items()}
    for key in list(found):
        if key.endswith(".__init__"):
            found[key.removesuffix(".__init__")] = found[key]
    return found


def _functions(body: "list[ast.stmt]", owner: str) -> "Iterator[tuple[str, Function]]":
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{owner}.{node.name}" if owner else node.name, Function(node, owner)
        elif isinstance(node, ast.ClassDef) and not owner:
            yield from _functions(node.body, node.name)
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _functions([*node.body, *node.orelse], owner)


def _hand_on(function: Function, functions: "dict[str, Function]") -> None:
    """What a parameter is handed on to takes the same kinds, a little less surely."""
    for name, callee, place in function.passed:
        owned = callee.replace("self", function.owner, 1) if callee.startswith("self.") else callee
        other = functions.get(owned) or functions.get(f"{owned}.__init__")
        if other is None or function.kinds.get(name):
            continue
        order = other.order[1:] if other.owner else other.order
        wanted = place if isinstance(place, str) else order[place] if place < len(order) else ""
        known = other.kinds.get(wanted, {})
        function.add(name, {kind: _HANDED_ON * weight for kind, weight in known.items()})


def _read_class(node: ast.ClassDef, made: Function) -> None:
    """What is done anywhere in the class with an attribute that keeps a parameter."""
    kept = dict(made.kept)
    for each in ast.walk(node):
        for name, kinds in _evidence(each):
            if name.startswith("self.") and name[5:] in kept:
                made.add(kept[name[5:]], kinds)


def _read_body(function: Function) -> None:
    for node in ast.walk(function.node):
        for name, kinds in _evidence(node):
            function.add(name, kinds)
        if isinstance(node, ast.Call):
            callee = _name(node.func)
            given = [*enumerate(node.args), *((each.arg, each.value) for each in node.keywords)]
            function.passed += [
                (value.id, callee, place)
                for place, value in given
                if isinstance(value, ast.Name) and value.id in function.kinds and place is not None
            ]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            for target in node.targets:
                name = _name(target)
                if name.startswith("self.") and node.value.id in function.kinds:
                    function.kept[name[5:]] = node.value.id


def _name(node: ast.AST) -> str:
    """`x`, `self.x` or `a.b`; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ""


def _evidence(node: ast.AST) -> "Iterator[tuple[str, Kinds]]":
    """Names, and what one use of them says of their kinds."""
    if isinstance(node, ast.Attribute):
        kinds = HAVING.get(node.attr)
        if kinds is not None and _name(node.value):
            yield _name(node.value), dict.fromkeys(kinds, 1.0)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield _name(node.iter), _ITERATED
    elif isinstance(node, ast.Subscript):
        yield _name(node.value), _of_key(node.slice)
        if isinstance(node.slice, ast.Slice):
            for part in (node.slice.lower, node.slice.upper):
                yield _name(part) if part is not None else "", {"int": 1.0}
    elif isinstance(node, ast.BinOp):
        yield from _of_operation(node)
    elif isinstance(node, ast.Compare):
        yield from _of_comparison(node)
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield _name(node.test), {"bool": 0.3}


def _of_call(node: ast.Call) -> "Iterator[tuple[str, Kinds]]":
    called = _name(node.func)
    yield called, {"function": 2.0}
    last = called.rpartition(".")[2]
    first = node.args[0] if node.args else None
    if first is None:
        return
    if called == "isinstance" and len(node.args) > 1:
        yield _name(first), dict.fromkeys(_kinds_named(node.args[1]), 1.5)
    elif called in CALLED_WITH:
        yield _name(first), dict.fromkeys(CALLED_WITH[called], 1.0)
    elif last in CALLED_WITH and "." in called:
        yield _name(first), dict.fromkeys(CALLED_WITH[last], 1.0)
    elif _TAKING.match(last) and "." in called:
        for each in node.args[:3]:
            yield _name(each), {"text": 1.0}
    if called in ("map", "filter", "functools.partial", "partial", "functools.reduce", "reduce"):
        yield _name(first), {"function": 2.0}
        for each in node.args[1:]:
            yield _name(each), _ITERATED


def _kinds_named(node: ast.expr) -> "list[str]":
    every = node.elts if isinstance(node, ast.Tuple) else [node]
    names = [_name(each).rpartition(".")[2] for each in every]
    return [TYPE_NAMES[name] for name in names if name in TYPE_NAMES]


def _of_key(key: ast.expr) -> Kinds:
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return {"mapping": 1.0}
    if isinstance(key, (ast.Slice, ast.Constant, ast.UnaryOp)):
        return {"list": 0.6, "texts": 0.3, "text": 0.6, "tuple": 0.3}
    return {"mapping": 0.4, "list": 0.4}


def _of_operation(node: ast.BinOp) -> "Iterator[tuple[str, Kinds]]":
    sides = (node.left, node.right)
    if isinstance(node.op, ast.Mod) and _constant_kind(node.left) == "text":
        return
    whole = isinstance(node.op, (ast.FloorDiv, ast.LShift, ast.RShift, ast.BitAnd, ast.BitXor))
    usual: Kinds = {"int": 1.0} if whole else {"int": 0.6, "number": 0.6}
    for one, other in (sides, sides[::-1]):
        kind = _constant_kind(other)
        if kind in ("text", "blob") and isinstance(node.op, ast.Add):
            yield _name(one), {kind: 1.0}
        elif kind in ("int", "number"):
            yield _name(one), usual
        elif isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow)):
            yield _name(one), {"int": 0.3, "number": 0.3}


def _of_comparison(node: ast.Compare) -> "Iterator[tuple[str, Kinds]]":
    for one, how, other in zip((node.left, *node.comparators), node.ops, node.comparators):  # noqa: B905  pairs
        if isinstance(how, (ast.In, ast.NotIn)):
            inner = [_constant_kind(each) for each in getattr(other, "elts", ())]
            yield _name(one), dict.fromkeys([each for each in inner if each], 1.0)
            if _constant_kind(one) == "text":
                yield _name(other), {"text": 0.6, "mapping": 0.6, "texts": 0.3}
        elif isinstance(how, (ast.Is, ast.IsNot)):
            if isinstance(other, ast.Constant) and other.value is None:
                yield _name(one), {"none": 0.2}
        else:
            for side, against in ((one, other), (other, one)):
                kind = _constant_kind(against)
                if kind:
                    yield _name(side), {kind: 1.0}


def _constant_kind(node: ast.AST) -> str:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return _PLAIN.get(type(node.value), "") if isinstance(node, ast.Constant) else ""


def _read_docstring(function: Function, text: str) -> None:
    """Words that stand beside a parameter's name: `:param n: an integer`, `n (int):`, `n : int`."""
    for name in function.order if text else ():
        pattern = (
            rf"(?:(?::param|:type|@param)\s+(?:[\w.\[\]|, ]+\s)?|^\s*[-*]?\s*[`*]{{0,2}})"
            rf"{re.escape(name)}[`*]{{0,2}}\s*(?::|\(|--|=)"
        )
        for found in re.finditer(pattern, text, re.MULTILINE):
            after = text[found.end() : found.end() + _LONGEST_WORDS]
            about = re.split(r"\n\s*\n|\n\s*:|\n\s*\w+\s*(?:\(|:)", after, maxsplit=1)[0]
            words = f"{found[0]} {about}".lower()
            for word, kinds in SAID:
                if re.search(rf"\b{word}", words):
                    function.add(name, dict.fromkeys(kinds, _DOCUMENTED))
