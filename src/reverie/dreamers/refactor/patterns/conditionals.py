"""Nested conditionals that become guards, chains that are a table, handlers too wide."""

import ast
from collections.abc import Iterator
from itertools import pairwise

from reverie.dreamers.refactor.refactoring import (
    Place,
    has_comment,
    is_alone,
    is_exit,
    last_line,
    negated,
    shifted,
)
from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.source import Edits
from reverie.syntax.nodes import first_line

_LEAST_LINES = 4
_MOST_LINES = 18
"""Every moved line counts twice, and stage B allows forty."""


def guard_clause(place: Place) -> Iterator[Edits]:
    """A function, or a loop, whose last statement is one long `if`."""
    if not isinstance(place.function, ast.AsyncFunctionDef) and not _yields(place.function):
        yield from _inverted(place, place.function.body, _leaving(place))
    for node in place.statements():
        if isinstance(node, ast.For | ast.While) and len(node.body) <= 3:
            yield from _inverted(place, node.body, "continue")


def _yields(function: ast.AST) -> bool:
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(function))


def _leaving(place: Place) -> str:
    """`return`, as the other returns of the function are written."""
    returns = [each for each in place.statements() if isinstance(each, ast.Return)]
    return "return None" if any(each.value is not None for each in returns) else "return"


def _inverted(place: Place, block: list[ast.stmt], leave: str) -> Iterator[Edits]:
    node = block[-1]
    if not isinstance(node, ast.If) or node.orelse or not _is_long(node.body):
        return
    if is_exit(node.body) and leave.startswith("return"):
        return  # one `if` that returns, and nothing after it, is plain enough
    condition = negated(place, node.test)
    if condition is None or not _is_deep(node.body) or not is_alone(place, [node, *node.body]):
        return
    yield from _guarded(place, node, condition, [leave], node.body)


def _is_long(body: list[ast.stmt]) -> bool:
    return _LEAST_LINES <= last_line(body[-1]) - first_line(body[0]) + 1 <= _MOST_LINES


def _is_deep(body: list[ast.stmt]) -> bool:
    """Whether something nests in it: for plain steps an `if` reads as well."""
    return any(isinstance(each, ast.If | ast.For | ast.While | ast.Try | ast.With) for each in body)


def exit_first(place: Place) -> Iterator[Edits]:
    """`if fits: … else: raise`: the short way out goes first."""
    for node in place.statements():
        if not isinstance(node, ast.If) or len(node.orelse) != 1 or _is_elif(place, node):
            continue
        way_out = node.orelse[0]
        if not isinstance(way_out, ast.Raise | ast.Return | ast.Continue | ast.Break):
            continue
        if not _is_long(node.body) or is_exit(node.body[:1]):
            continue
        condition = negated(place, node.test)
        every = [node, *node.body, way_out]
        if condition is None or not is_alone(place, every) or way_out.lineno == node.lineno:
            continue
        leave = place.source.lines(way_out.lineno, last_line(way_out))
        above = range(last_line(node.body[-1]) + 1, way_out.lineno)
        if any("#" in "".join(place.source.lines(line, line)) for line in above):
            continue
        yield from _guarded(place, node, condition, [line.strip("\n") for line in leave], node.body)


def _is_elif(place: Place, node: ast.If) -> bool:
    parent = place.parents.get(node)
    return isinstance(parent, ast.If) and node in parent.orelse and _starts_elif(place, node)


def _starts_elif(place: Place, node: ast.If) -> bool:
    return place.source.of(node).startswith("elif") or (
        place.source.lines(node.lineno, node.lineno)[0].lstrip().startswith("elif")
    )


def _guarded(
    place: Place, node: ast.If, condition: str, leave: list[str], body: list[ast.stmt]
) -> Iterator[Edits]:
    """`if not …: leave`, then the body one step to the left."""
    source = place.source
    outer, inner = source.indent_of(node), source.indent_of(body[0])
    first = last_line(node.test) + 1
    moved = shifted(source.lines(first, last_line(body[-1])), inner, outer)
    head = f"{outer}if {condition}:"
    if moved is None or len(head) > place.width or node.test.lineno != node.lineno:
        return
    if last_line(node.test) != node.lineno or has_comment(place, node.lineno, node.lineno):
        return
    out = [f"{inner}{leave[0].strip()}\n"]
    out += [f"{line}\n" for line in leave[1:]]
    gap = [] if len(out) > 1 else ["\n"] * _is_function_block(place, node)
    if moved and not moved[-1].endswith("\n"):
        moved[-1] += "\n"
    lines = [f"{head}\n", *out, *gap, *moved]
    yield Edits((source.relined(node.lineno, last_line(node), lines),))


def _is_function_block(place: Place, node: ast.stmt) -> bool:
    """Whether blank lines part what stands around it: guards are set off there too."""
    block = place.block_of(node)
    gaps = [first_line(after) - last_line(before) > 1 for before, after in pairwise(block)]
    return any(gaps)


def needless_else(place: Place) -> Iterator[Edits]:
    """`if …: return` with all the rest below an `else`."""
    for node in place.statements():
        if not isinstance(node, ast.If) or not node.orelse or _is_elif(place, node):
            continue
        rest = node.orelse
        if not is_exit(node.body) or not _is_long(rest) or isinstance(rest[0], ast.If):
            continue
        if node not in place.function.body:
            continue  # its neighbours are parted by `else` as well, more often than not
        if not _is_deep(rest) or not is_alone(place, [node, *node.body, *rest]):
            continue
        yield from _without_else(place, node)


def _without_else(place: Place, node: ast.If) -> Iterator[Edits]:
    source, rest = place.source, node.orelse
    outer, inner = source.indent_of(node), source.indent_of(rest[0])
    above = range(last_line(node.body[-1]) + 1, first_line(rest[0]))
    marks = [line for line in above if source.lines(line, line)[0].strip().startswith("else")]
    if len(marks) != 1 or source.lines(marks[0], marks[0])[0].strip() != "else:":
        return
    moved = shifted(source.lines(marks[0] + 1, last_line(rest[-1])), inner, outer)
    if moved is not None:
        yield Edits((source.relined(marks[0], last_line(rest[-1]), moved),))


_LEAST_ARMS = 4


def table(place: Place) -> Iterator[Edits]:
    """`if x == a: return 1`, `elif x == b: return 2`, and so on, to the end of the function."""
    body = place.function.body
    start = next((n for n, each in enumerate(body) if isinstance(each, ast.If)), None)
    if start is None:
        return
    arms, otherwise = _arms(body[start:])
    if len(arms) < _LEAST_ARMS or not isinstance(otherwise, ast.Constant):
        return
    subjects = {ast.dump(left) for left, _, _ in arms}
    keys = [key.value for _, key, _ in arms]
    subject = arms[0][0]
    kind = place.kind_of(subject)
    if len(subjects) != 1 or len(set(keys)) != len(keys) or kind not in (Kind("str"), Kind("int")):
        return
    if {type(key).__name__ for key in keys} != {kind.name}:
        return
    first, last = body[start].lineno, last_line(body[-1])
    if not is_alone(place, body[start:]) or has_comment(place, first, last):
        return
    yield _as_table(place, arms, otherwise, (first, last))


_Arm = tuple[ast.expr, ast.Constant, ast.Constant]


def _arms(rest: list[ast.stmt]) -> tuple[list[_Arm], ast.expr | None]:
    """Every choice with its answer, and the answer for all else; nothing else may be there."""
    found: list[_Arm] = []
    while rest:
        match rest[0]:
            case ast.If(
                test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant() as key]),
                body=[ast.Return(value=ast.Constant() as answer)],
                orelse=orelse,
            ) if isinstance(left, ast.Name):
                found.append((left, key, answer))
                if orelse and len(rest) > 1:
                    return [], None
                rest = orelse or rest[1:]
            case ast.Return(value=value) if len(rest) == 1:
                return found, value
            case _:
                return [], None
    return [], None


def _as_table(
    place: Place, arms: list[_Arm], otherwise: ast.Constant, lines: tuple[int, int]
) -> Edits:
    source = place.source
    name = place.fresh(f"_{place.function.name.strip('_').upper()}")
    rows = [f"{place.step}{source.of(key)}: {source.of(answer)},\n" for _, key, answer in arms]
    made = [f"{name} = {{\n", *rows, "}\n", "\n", "\n"]
    top = _top_statement(place)
    asked = source.of(arms[0][0])
    is_none = otherwise.value is None
    get = f"{name}.get({asked})" if is_none else f"{name}.get({asked}, {source.of(otherwise)})"
    indent = source.indent_of(place.function.body[0])
    return Edits(
        (source.relined(top, top - 1, made), source.relined(*lines, [f"{indent}return {get}\n"]))
    )


def _top_statement(place: Place) -> int:
    """The line of the definition at the top of the module that the function belongs to."""
    outer = place.owner or place.function
    for node in place.source.tree.body:
        if any(each is outer for each in ast.walk(node)):
            outer = node  # type: ignore[assignment]
    decorators = [each.lineno for each in outer.decorator_list]
    return min([outer.lineno, *decorators])
