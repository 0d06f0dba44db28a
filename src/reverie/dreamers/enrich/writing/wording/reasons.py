"""Reasons for what a function does, from its source."""

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reverie.dreamers.enrich.writing.wording.clauses import condition, of_length, operand
from reverie.dreamers.enrich.writing.wording.phrases import (
    FAULTS,
    FIELD,
    article,
    refusal,
)
from reverie.dreamers.enrich.writing.wording.sentences import is_sentence
from reverie.syntax.nodes import Function, dotted_name

_BELOW = {ast.Lt: "below", ast.Gt: "above"}


@dataclass(frozen=True, slots=True)
class Condition:
    """An `if`: what is asked, on which line, and where the way goes on when it holds."""

    test: ast.expr
    line: int
    body_line: int


@dataclass(slots=True)
class Reasons:
    """What the source of one module says about its ways."""

    refusals: dict[int, str] = field(default_factory=dict)
    """By every line of an explicit `raise`: what is refused there, as the end of a name."""
    conditions: dict[str, tuple[Condition, ...]] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    raising: set[int] = field(default_factory=set)
    """Every line of an explicit `raise`."""
    converting: set[int] = field(default_factory=set)
    """Lines that make a number of something."""

    def document(self, callee: str) -> str:
        """The docstring of a callee; of a class for what makes it."""
        owner = callee.removesuffix(".__init__")
        return self.documents.get(callee) or self.documents.get(owner, "")

    def met(self, callee: str, arcs: frozenset[tuple[int, int]]) -> frozenset[str]:
        """Clauses about the conditions that held, or did not, on a way through a callee."""
        found = set()
        for each in self.conditions.get(callee, ()):
            targets = {end for start, end in arcs if start == each.line}
            for holds in (True, False):
                is_taken = each.body_line in targets if holds else bool(targets - {each.body_line})
                clause = condition(each.test, holds=holds) if is_taken else None
                if clause is not None:
                    found.add(clause)
        return frozenset(found)


def reasons_of(tree: ast.Module) -> Reasons:
    """Read a module."""
    found = Reasons()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and dotted_name(node.func) in ("int", "float"):
            found.converting.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    for name, function in _functions(tree, ""):
        found.documents[name] = ast.get_docstring(function) or ""
        if isinstance(function, ast.ClassDef):
            continue
        found.conditions[name] = tuple(_conditions(function))
        for raised, guard in _raises(function.body, None):
            phrase = _phrase(raised, guard, function)
            for line in range(raised.lineno, (raised.end_lineno or raised.lineno) + 1):
                found.raising.add(line)
                if phrase is not None:
                    found.refusals[line] = phrase
    return found


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, Function | ast.ClassDef):
            yield f"{prefix}{each.name}", each
            if isinstance(each, ast.ClassDef):
                yield from _functions(each, f"{prefix}{each.name}.")
        elif isinstance(each, ast.If | ast.Try):
            yield from _functions(each, prefix)


def _conditions(function: Function) -> Iterator[Condition]:
    every = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    given = {each.arg for each in every}
    for node in ast.walk(function):
        if isinstance(node, ast.If) and node.test.end_lineno == node.lineno:
            if _is_of_a_helper(node.test, given):
                continue  # `partial is not None`: nobody gives that
            yield Condition(node.test, node.lineno, node.body[0].lineno)


def _is_of_a_helper(test: ast.expr, given: set[str]) -> bool:
    """Whether it asks if a variable of the function's own is None."""
    match test:
        case ast.Compare(left=ast.Name(id=name), comparators=[ast.Constant(value=None)]):
            return name not in given
    return False


@dataclass(frozen=True, slots=True)
class _Guard:
    """The condition under which a statement is reached."""

    test: ast.expr
    holds: bool


def _raises(
    body: Sequence[ast.stmt], guard: _Guard | None
) -> Iterator[tuple[ast.Raise, _Guard | None]]:
    """Every `raise` with the nearest condition around it."""
    for statement in body:
        if isinstance(statement, ast.Raise):
            yield statement, guard
        elif isinstance(statement, ast.If):
            yield from _raises(statement.body, _Guard(statement.test, True))
            yield from _raises(statement.orelse, _Guard(statement.test, False))
        else:
            inner = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
            inner += [each.body for each in getattr(statement, "handlers", [])]
            inner += [each.body for each in getattr(statement, "cases", [])]
            for each in inner:
                yield from _raises(each, guard)


def _phrase(raising: ast.Raise, guard: _Guard | None, function: Function) -> str | None:
    """By its message, else by its condition."""
    call = raising.exc
    message = call.args[0] if isinstance(call, ast.Call) and call.args else None
    if isinstance(message, ast.Name):
        message = _assigned(message, raising.lineno, function)
    text = None if message is None else template(message)
    text = re.sub(rf"^\s*{function.name}(\(\))?:", "", text or "")
    kind = raising.exc.func if isinstance(raising.exc, ast.Call) else raising.exc
    name = dotted_name(kind) if kind is not None else None
    told = (refusal(text, function.name) if text else None, by_class(name or ""))
    more = () if guard is None else (_bounded(guard, function), _clause(guard, function))
    return next((each for each in (*told, *more) if each and is_sentence(each)), None)


def by_class(exception: str) -> str | None:
    """`UnknownUnitError`, `ShopUnknownUnitError`: refuses an unknown unit."""
    last = exception.rpartition(".")[2]
    if not last or hasattr(builtins, last):
        return None
    stem = last.removesuffix("Error").removesuffix("Exception")
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", stem).split()
    place = next((at for at, word in enumerate(words) if word.lower() in FAULTS), 0)
    return refusal(" ".join(words[place:]))


def _clause(guard: _Guard, function: Function) -> str | None:
    """A condition on what is given, or on what everybody can look up."""
    bare = guard.test.operand if isinstance(guard.test, ast.UnaryOp) else guard.test
    given = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    if (isinstance(bare, ast.Name) and bare.id not in given) or _is_of_a_helper(bare, given):
        return None  # a variable of the function's own
    measured = of_length(guard.test, holds=guard.holds)
    if measured is not None:
        return f"refuses_{measured}"
    clause = condition(guard.test, holds=guard.holds)
    return None if clause is None else f"refuses_when_{clause}"


def _bounded(guard: _Guard, function: Function) -> str | None:
    """`place < 1`, of a parameter: refuses a place below 1."""
    test = guard.test
    if not guard.holds or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    given = {each.arg for each in (*function.args.posonlyargs, *function.args.args)}
    word, bound = _BELOW.get(type(test.ops[0])), operand(test.comparators[0])
    name = operand(test.left)
    is_given = isinstance(test.left, ast.Name) and test.left.id in given
    if word is None or bound is None or name is None or not is_given:
        return None
    return f"refuses_{article(name)}{name}_{word}_{bound}"


def _assigned(name: ast.Name, line: int, function: Function) -> ast.expr | None:
    """The last text that was written to a name above a line."""
    found = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and node.lineno < line
        and any(isinstance(each, ast.Name) and each.id == name.id for each in node.targets)
    ]  # fmt: skip
    texts = [each for each in found if template(each.value) is not None]
    return max(texts, key=lambda each: each.lineno).value if texts else None


def template(node: ast.expr) -> str | None:
    """A message with words for what is filled in, each marked as such."""
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.JoinedStr(values):
            return "".join(_piece(each) for each in values)
        case ast.BinOp(ast.Constant(str(text)), ast.Mod(), right):
            values = right.elts if isinstance(right, ast.Tuple) else [right]
            return _filled(text, r"%[-+#0 ]*\d*(?:\.\d+)?[a-zA-Z]", values)
        case ast.Call(ast.Attribute(ast.Constant(str(text)), "format"), values, []):
            return _filled(text, r"\{\d*(?:![rs])?(?::[^{}]*)?\}", values)
        case ast.BinOp(left, ast.Add(), right):
            pieces = [template(left) or _field(left), template(right) or _field(right)]
            return "".join(pieces)
    return None


def _piece(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return _field(node.value) if isinstance(node, ast.FormattedValue) else ""


def _filled(text: str, fields: str, values: Sequence[ast.expr]) -> str:
    waiting = iter(values)
    return re.sub(fields, lambda _: _field(next(waiting, None)), text)


def _field(node: ast.expr | None) -> str:
    """The words of a value: of `loan.renewals`, `renewals`."""
    while isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Name):
        node = node.args[0]  # repr(name), type(name)
    name = None if node is None else operand(node)
    words = (name or "").split("_")
    return "".join(f" {FIELD}{word}" for word in words if word) + " " if name else f" {FIELD}value "
