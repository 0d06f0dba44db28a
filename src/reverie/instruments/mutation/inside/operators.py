"""Operators: what can be changed in a piece of code, as replacements for one node.

A replacement shares the parts it keeps with the original: it is compiled once, in a process
that then ends, or written as text.
"""

import ast
import builtins
from collections.abc import Callable, Iterator

ARITHMETIC: "dict[type[ast.operator], type[ast.operator]]" = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Div,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def is_none(node: ast.expr) -> bool:
    """Whether an expression is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None


def operation_name(op: ast.AST) -> str:
    """What an operation is called in the name of a mutant."""
    return type(op).__name__.lower()


def _assign(node: ast.Assign) -> "Iterator[tuple[str, ast.AST]]":
    if not isinstance(node.targets[0], (ast.Tuple, ast.List)):
        yield "assign", ast.Assign(node.targets, ast.Constant("" if is_none(node.value) else None))


def _annotated(node: ast.AnnAssign) -> "Iterator[tuple[str, ast.AST]]":
    if node.value is not None:
        value = ast.Constant("" if is_none(node.value) else None)
        yield "assign", ast.AnnAssign(node.target, node.annotation, value, node.simple)


def _augmented(node: ast.AugAssign) -> "Iterator[tuple[str, ast.AST]]":
    yield "augmented_assign", ast.Assign([_stored(node.target)], node.value)
    other = ARITHMETIC.get(type(node.op))
    if other is not None:
        name = f"augmented_{operation_name(node.op)}_{operation_name(other())}"
        yield name, ast.AugAssign(node.target, other(), node.value)


def _augmented_all(node: ast.AugAssign) -> "Iterator[tuple[str, ast.AST]]":
    for other in ARITHMETIC:
        if other not in (type(node.op), ARITHMETIC.get(type(node.op))):
            name = f"augmented_{operation_name(node.op)}_{operation_name(other())}"
            yield name, ast.AugAssign(node.target, other(), node.value)


def _stored(target: "ast.Name | ast.Attribute | ast.Subscript") -> ast.expr:
    return target


def _return(node: ast.Return) -> "Iterator[tuple[str, ast.AST]]":
    if node.value is not None and not is_none(node.value):
        yield "return_none", ast.Return(ast.Constant(None))


def _expression(node: ast.Expr) -> "Iterator[tuple[str, ast.AST]]":
    if isinstance(node.value, (ast.Call, ast.Await)):
        yield "drop_call", ast.Pass()


def _raise(node: ast.Raise) -> "Iterator[tuple[str, ast.AST]]":
    yield "drop_raise", ast.Pass()


def _break(node: ast.Break) -> "Iterator[tuple[str, ast.AST]]":
    yield "break_continue", ast.Continue()
    yield "break_return", ast.Return(None)


def _continue(node: ast.Continue) -> "Iterator[tuple[str, ast.AST]]":
    yield "continue_break", ast.Break()


def _match(node: ast.Match) -> "Iterator[tuple[str, ast.AST]]":
    if len(node.cases) > 1:
        for place in range(len(node.cases)):
            rest = node.cases[:place] + node.cases[place + 1 :]
            yield "drop_case", ast.Match(node.subject, rest)


STATEMENT_OPERATORS: "dict[type, tuple[Callable[..., Iterator[tuple[str, ast.AST]]], ...]]" = {
    ast.Assign: (_assign,),
    ast.AnnAssign: (_annotated,),
    ast.AugAssign: (_augmented,),
    ast.Return: (_return,),
    ast.Expr: (_expression,),
    ast.Raise: (_raise,),
    ast.Break: (_break,),
    ast.Continue: (_continue,),
    ast.Match: (_match,),
}
EXHAUSTIVE_STATEMENTS: "dict[type, tuple[Callable[..., Iterator[tuple[str, ast.AST]]], ...]]" = {
    ast.AugAssign: (_augmented_all,),
}


_COMPARISONS: "dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]" = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ORDERINGS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_METHODS = {
    "lower": "upper",
    "upper": "lower",
    "lstrip": "rstrip",
    "rstrip": "lstrip",
    "find": "rfind",
    "rfind": "find",
    "ljust": "rjust",
    "rjust": "ljust",
    "index": "rindex",
    "rindex": "index",
    "removeprefix": "removesuffix",
    "removesuffix": "removeprefix",
    "partition": "rpartition",
    "rpartition": "partition",
}
_SPLITS = {"split": "rsplit", "rsplit": "split"}  # the same without a limit
_LEFT_ALONE = frozenset({"len", "isinstance", "issubclass", "super", "cast", "TypeVar", "NewType"})


def replacements(node: ast.AST, exhaustive: bool) -> "Iterator[tuple[str, ast.AST]]":
    """Every operator that applies to a node, with what it puts in its place."""
    for kind in type(node).__mro__:
        for give in _OPERATORS.get(kind, ()):
            yield from give(node)
        if exhaustive:
            for give in _EXHAUSTIVE.get(kind, ()):
                yield from give(node)


def _constant(node: ast.Constant) -> "Iterator[tuple[str, ast.AST]]":
    value = node.value
    if isinstance(value, bool):
        yield "boolean", ast.Constant(not value)
    elif isinstance(value, (int, float, complex)):
        yield "number_up", ast.Constant(value + 1)
        yield "number_down", _number(value - 1)
    elif isinstance(value, str):
        yield "string_affix", ast.Constant(f"XX{value}XX")
        if value.lower() != value:
            yield "string_lower", ast.Constant(value.lower())
        if value.upper() != value:
            yield "string_upper", ast.Constant(value.upper())
    elif isinstance(value, bytes):
        yield "string_affix", ast.Constant(b"XX" + value + b"XX")


def _number(value: complex) -> ast.expr:
    """As source has it: a minus is an operator, not a part of the number."""
    if isinstance(value, (int, float)) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def _fstring(node: ast.JoinedStr) -> "Iterator[tuple[str, ast.AST]]":
    values = list(node.values)
    for place in (0, -1):
        edge = values[place] if values else None
        if isinstance(edge, ast.Constant) and isinstance(edge.value, str):
            values[place] = ast.Constant(f"XX{edge.value}" if place == 0 else f"{edge.value}XX")
        else:
            values.insert(0 if place == 0 else len(values), ast.Constant("XX"))
    yield "string_affix", ast.JoinedStr(values)


def _name(node: ast.Name) -> "Iterator[tuple[str, ast.AST]]":
    if node.id == "deepcopy" and isinstance(node.ctx, ast.Load):
        yield "copy_depth", ast.Name("copy", ast.Load())


def _compare(node: ast.Compare) -> "Iterator[tuple[str, ast.AST]]":
    for place, op in enumerate(node.ops):
        for other in _COMPARISONS[type(op)]:
            yield _compared(node, place, other)


def _compare_all(node: ast.Compare) -> "Iterator[tuple[str, ast.AST]]":
    for place, op in enumerate(node.ops):
        for other in _ORDERINGS:
            if isinstance(op, _ORDERINGS) and other not in (type(op), *_COMPARISONS[type(op)]):
                yield _compared(node, place, other)


def _compared(node: ast.Compare, place: int, other: "type[ast.cmpop]") -> "tuple[str, ast.AST]":
    ops = [other() if at == place else op for at, op in enumerate(node.ops)]
    name = f"compare_{operation_name(node.ops[place])}_{operation_name(other())}"
    return name, ast.Compare(node.left, ops, node.comparators)


def _binary(node: ast.BinOp) -> "Iterator[tuple[str, ast.AST]]":
    other = ARITHMETIC.get(type(node.op))
    if other is not None:
        name = f"arithmetic_{operation_name(node.op)}_{operation_name(other())}"
        yield name, ast.BinOp(node.left, other(), node.right)


def _binary_all(node: ast.BinOp) -> "Iterator[tuple[str, ast.AST]]":
    for other in ARITHMETIC:
        if other not in (type(node.op), ARITHMETIC.get(type(node.op))):
            name = f"arithmetic_{operation_name(node.op)}_{operation_name(other())}"
            yield name, ast.BinOp(node.left, other(), node.right)


def _boolean(node: ast.BoolOp) -> "Iterator[tuple[str, ast.AST]]":
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield f"logic_{operation_name(node.op)}_{operation_name(other)}", ast.BoolOp(other, node.values)


def _unary(node: ast.UnaryOp) -> "Iterator[tuple[str, ast.AST]]":
    yield f"drop_{operation_name(node.op)}", node.operand


def _unary_all(node: ast.UnaryOp) -> "Iterator[tuple[str, ast.AST]]":
    for other in (ast.USub, ast.UAdd, ast.Invert, ast.Not):
        if other is not type(node.op):
            name = f"unary_{operation_name(node.op)}_{operation_name(other())}"
            yield name, ast.UnaryOp(other(), node.operand)


def _call(node: ast.Call) -> "Iterator[tuple[str, ast.AST]]":
    func = node.func
    if isinstance(func, ast.Name) and func.id in _LEFT_ALONE:
        return
    yield from _without_arguments(node)
    if isinstance(func, ast.Name) and func.id == "dict":
        yield from _renamed_keywords(node)
    if isinstance(func, ast.Attribute):
        has_limit = len(node.args) > 1 or any(word.arg == "maxsplit" for word in node.keywords)
        other = _METHODS.get(func.attr) or (_SPLITS.get(func.attr) if has_limit else None)
        if other is not None:
            renamed = ast.Attribute(func.value, other, ast.Load())
            yield f"method_{func.attr}_{other}", ast.Call(renamed, node.args, node.keywords)


def _without_arguments(node: ast.Call) -> "Iterator[tuple[str, ast.AST]]":
    if len(node.args) + len(node.keywords) < 2:
        return
    for place, argument in enumerate(node.args):
        if not isinstance(argument, ast.Starred):
            rest = node.args[:place] + node.args[place + 1 :]
            yield "drop_argument", ast.Call(node.func, rest, node.keywords)
    for place, word in enumerate(node.keywords):
        if word.arg is not None:
            others = node.keywords[:place] + node.keywords[place + 1 :]
            yield "drop_argument", ast.Call(node.func, node.args, others)


def _renamed_keywords(node: ast.Call) -> "Iterator[tuple[str, ast.AST]]":
    for place, word in enumerate(node.keywords):
        if word.arg is not None:
            renamed = ast.keyword(f"{word.arg}XX", word.value)
            words = [*node.keywords[:place], renamed, *node.keywords[place + 1 :]]
            yield "dict_key", ast.Call(node.func, node.args, words)


def _lambda(node: ast.Lambda) -> "Iterator[tuple[str, ast.AST]]":
    body = ast.Constant(0 if is_none(node.body) else None)
    yield "lambda_body", ast.Lambda(node.args, body)


def negated(test: ast.expr) -> "Iterator[tuple[str, ast.AST]]":
    """The condition of an `if`, a loop or a comprehension, turned round."""
    if not isinstance(test, (ast.UnaryOp, ast.Compare)) or (
        isinstance(test, ast.Compare) and len(test.ops) > 1
    ):
        yield "negate", ast.UnaryOp(ast.Not(), test)


def nothing_to_iterate(_: ast.expr) -> "Iterator[tuple[str, ast.AST]]":
    """A loop that never runs."""
    yield "no_iteration", ast.List([], ast.Load())


def nothing_caught(_: ast.expr) -> "Iterator[tuple[str, ast.AST]]":
    """An `except` that matches no exception."""
    yield "except_nothing", ast.Tuple([], ast.Load())


def none_instead(argument: ast.expr) -> "Iterator[tuple[str, ast.AST]]":
    """An argument that says nothing."""
    if not is_none(argument) and not isinstance(argument, (ast.Starred, ast.GeneratorExp)):
        yield "argument_none", ast.Constant(None)


_ORDERED_OR_ONCE = frozenset({"sorted", "reversed", "set", "frozenset"})
_CHOOSING = frozenset({"max", "min"})


def shortcuts(node: ast.expr, slot: str) -> "Iterator[tuple[str, ast.AST]]":
    """What is simpler and often right: no order, no filter, an argument as it was given.

    Only a telling input notices: items in another order, one of them twice, one left out.
    """
    if slot == "ifs" and not isinstance(node, ast.Constant):
        yield "keep_all", ast.Constant(True)
    match node:
        case ast.Call(func=ast.Name(id=name), args=[ast.expr() as first, *_]):
            if isinstance(first, (ast.Starred, ast.GeneratorExp, ast.Lambda)):
                return
            if name in _ORDERED_OR_ONCE:
                yield "as_it_came", ast.Call(ast.Name("list", ast.Load()), [first], [])
            elif name in _CHOOSING:
                given = node.args if len(node.args) > 1 else []
                yield from (("first_choice", each) for each in given)
            elif name[:1].islower() and not hasattr(builtins, name):
                yield "call_argument", first


def is_left_alone(call: ast.Call) -> bool:
    """Whether arguments of this call are worth no mutant."""
    return isinstance(call.func, ast.Name) and call.func.id in _LEFT_ALONE


_OPERATORS: "dict[type, tuple[Callable[..., Iterator[tuple[str, ast.AST]]], ...]]" = {
    ast.Constant: (_constant,),
    ast.JoinedStr: (_fstring,),
    ast.Name: (_name,),
    ast.Compare: (_compare,),
    ast.BinOp: (_binary,),
    ast.BoolOp: (_boolean,),
    ast.UnaryOp: (_unary,),
    ast.Call: (_call,),
    ast.Lambda: (_lambda,),
    **STATEMENT_OPERATORS,
}
_EXHAUSTIVE: "dict[type, tuple[Callable[..., Iterator[tuple[str, ast.AST]]], ...]]" = {
    ast.Compare: (_compare_all,),
    ast.BinOp: (_binary_all,),
    ast.UnaryOp: (_unary_all,),
    **EXHAUSTIVE_STATEMENTS,
}
