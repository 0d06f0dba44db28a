"""Formulas in documentation: `decode(encode(t)) == t` is a law, once its variables are known."""

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from reverie.dreamers.fuzz.claims.conditions import comparison, condition
from reverie.dreamers.fuzz.claims.outcomes import own_variables
from reverie.dreamers.fuzz.claims.subjects import Parameter, Reading, Subject
from reverie.dreamers.fuzz.law import Basis, Law, LawKind, Variable
from reverie.syntax.nodes import names_in, stored_names
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression
from reverie.syntax.unparsing import unparse

_OPERATOR = re.compile(
    r"(?<![=<>!])(==|!=|<=|>=|<|>)(?![=<>])|(?<=\)) (->|→|returns|gives|is)(?= )"
)
_MODULES = frozenset({"math", "statistics", "bisect", "collections", "itertools", "string"})
_KNOWN = frozenset(dir(builtins)) | _MODULES
_CLOSE = re.compile(
    r"^,? (?:up to|within|to within|give or take) (?P<by>[\d.]+(?:e-?\d+)?)", re.IGNORECASE
)
_GUARD = re.compile(
    r"^,? (?:for|when|whenever|if|where|as long as|provided(?: that)?) (?P<guard>(?:[^.;\n]|\.\.|\.(?=\d))*)"
)
_SAME = re.compile(
    r"(?i)\b(?:the )?(?:same as|equivalent to|equals|equal to|identical to|i\.e\.|namely):? +(?P<text>[^\n]*)"
)
_ALWAYS = re.compile(r"([^\n=<>]*\)) (?:for (?:all|every|any)|always holds|is always true)\b")
_LONGEST = 160
_ADJECTIVES = (
    (r"non-?empty", "len({0}) > 0"),
    (r"non-?negative", "{0} >= 0"),
    (r"\bpositive", "{0} > 0"),
    (r"\bnegative", "{0} < 0"),
    (r"without (?:line ?breaks|newlines)", "no_breaks({0})"),
)
_QUANTIFIED = re.compile(
    r"^(?:all|every|any|each|arbitrary|a|an) (?:valid |possible |such )?[\w ]{0,30}$"
)


@dataclass(frozen=True, slots=True)
class _Formula:
    node: ast.expr
    after: str
    """What the sentence says behind it."""


def formula_laws(subject: Subject, reading: Reading) -> Iterator[Law]:
    """The laws of a function that are spelt out as formulas, wherever the module does."""
    texts = [subject.doc, reading.doc, *(each.doc for each in reading.classes.values())]
    texts += [each.doc for each in reading.functions.values() if each is not subject]
    for number, text in enumerate(texts):
        for found in _formulas(text):
            names = names_in(found.node)
            if number and subject.name not in names:
                continue
            law = _law(subject, found, reading)
            if law is not None:
                yield law
    yield from _truths(subject, reading)
    for match in _SAME.finditer(subject.doc):
        law = _agreement(subject, match["text"], reading)
        if law is not None:
            yield law


def _truths(subject: Subject, reading: Reading) -> Iterator[Law]:
    """`is_valid(d + str(check_digit(d))) for all digits d`: a call that is always true."""
    for match in _ALWAYS.finditer(subject.doc):
        left = _longest_left(match[1])
        if left is None:
            continue
        node = fresh_expression(left.strip(" `"))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            whole = fresh_expression(f"bool({unparse(node)}) == True")
            law = _law(subject, _Formula(whole, ""), reading)
            if law is not None:
                yield law


def _formulas(text: str) -> Iterator[_Formula]:
    seen: set[str] = set()
    for match in _OPERATOR.finditer(text):
        start, end = match.span()
        line = text.rfind("\n", 0, start) + 1
        stop = text.find("\n", end)
        left = _longest_left(text[max(line, start - _LONGEST) : start])
        right = _longest_right(text[end : stop if stop >= 0 else len(text)][:_LONGEST])
        if left is None or right is None:
            continue
        sign = match[1] or "=="
        try:
            node = fresh_expression(f"{left.strip()} {sign} {right.strip()}")
        except (SyntaxError, ValueError):
            continue
        source = unparse(node)
        if isinstance(node, ast.Compare) and source not in seen:
            seen.add(source)
            yield _Formula(node, text[end + len(right) : stop if stop >= 0 else len(text)])


def _longest_left(text: str) -> str | None:
    text = re.split(r"[.;:!?]\s", text)[-1]
    starts = [0, *(each.end() for each in re.finditer(r"[\s:(,;`]+", text))]
    return next((text[at:] for at in starts if _parses(text[at:]) and text[at:].strip()), None)


def _longest_right(text: str) -> str | None:
    text = re.split(r"\.(?=\s|$)", text)[0]
    ends = [len(text), *(each.start() for each in re.finditer(r"[\s.,;:`]+|(?<=[)\]])", text))]
    for at in sorted(set(ends), reverse=True):
        piece = text[:at]
        if piece.strip(" `") and _parses(piece.rstrip(" .,;:`")):
            return piece
    return None


def _parses(text: str) -> bool:
    try:
        node = fresh_expression(text.strip(" `"))
    except NOT_PYTHON:
        return False
    is_bare_tuple = isinstance(node, ast.Tuple) and not text.strip(" `").startswith("(")
    return not is_bare_tuple and not isinstance(node, ast.Lambda | ast.BoolOp)


def _law(subject: Subject, found: _Formula, reading: Reading) -> Law | None:
    node, close = found.node, _CLOSE.match(found.after)
    calls = _module_calls(node, reading)
    uses_result = any(_is_name(each, "result") for each in ast.walk(node))
    if not calls and not uses_result:
        return None
    variables = _variables(node, calls, subject, reading)
    if variables is None:
        return None
    setup, steps, check = _decomposed(node, calls)
    if uses_result:
        setup = [f"result = {subject.call()}", *setup]
        variables = tuple(dict.fromkeys((*own_variables(subject), *variables)))
    if not variables:
        setup, steps = [], [*setup, *steps]
    guard, basis = _guard(found.after, variables, subject, reading)
    says = unparse(node)
    if close is not None and isinstance(check, ast.Compare):
        checked = f"abs({unparse(check.left)} - {unparse(check.comparators[0])}) <= {close['by']}"
        says = f"{says} up to {close['by']}"
    elif _is_equation(check):
        steps = [
            *steps,
            f"left = {unparse(check.left)}",
            f"right = {unparse(check.comparators[0])}",
        ]
        checked = "same(left, right)"
    else:
        checked = unparse(check)
    kind = LawKind.EXAMPLE if not variables else _kind(node, calls)
    return Law(kind, subject.qualname, says, checked, variables, guard, tuple(setup), tuple(steps),
               basis, shown=_shown(check))  # fmt: skip


def _agreement(subject: Subject, text: str, reading: Reading) -> Law | None:
    """`the same as values[-size:]`: the result is what the expression gives."""
    piece = _longest_right(text)
    if piece is None:
        return None
    node = fresh_expression(piece.strip(" `.,;:"))
    names = names_in(node)
    own = set(subject.names)
    is_telling = isinstance(node, ast.Call | ast.Subscript | ast.BinOp | ast.ListComp)
    if not is_telling or not names & own or not names <= own | _KNOWN | reading.names:
        return None
    after = text[len(piece) :]
    guard, basis = _guard(after, own_variables(subject), subject, reading)
    return Law(
        LawKind.AGREEMENT,
        subject.qualname,
        f"{subject.call()} is the same as {unparse(node)}",
        "same(result, expected)",
        own_variables(subject),
        guard,
        (f"expected = {unparse(node)}", f"result = {subject.call()}"),
        basis=basis,
    )


def _module_calls(node: ast.expr, reading: Reading) -> list[ast.Call]:
    """Calls of the module's functions, the innermost first."""
    found = [
        each
        for each in ast.walk(node)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Name)
        and each.func.id in reading.functions
    ]
    return sorted(found, key=lambda each: len(unparse(each)))


def _variables(
    node: ast.expr, calls: list[ast.Call], subject: Subject, reading: Reading
) -> tuple[Variable, ...] | None:
    """The free names, each with the parameter that it is given to; None when one is unknown."""
    found: dict[str, Variable] = {}
    for call in calls:
        function = reading.functions[call.func.id]  # type: ignore[attr-defined]
        if len(call.args) > len(function.parameters):
            return None
        for arg, parameter in zip(call.args, function.names, strict=False):
            if isinstance(arg, ast.Name) and arg.id not in found:
                found[arg.id] = Variable(arg.id, function.qualname, parameter)
    bound = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    bound |= stored_names(node)
    for each in ast.walk(node):
        if not isinstance(each, ast.Name) or each.id in bound or each.id in found:
            continue
        if each.id in subject.names:
            found[each.id] = Variable(each.id, subject.qualname, each.id)
        elif each.id not in _KNOWN | reading.names | {"result"}:
            return None
    for name in [each for each in found if each in reading.names or each in bound]:
        del found[name]
    return tuple(found.values())


def _decomposed(node: ast.expr, calls: list[ast.Call]) -> tuple[list[str], list[str], ast.expr]:
    """Calls one by one: what takes the result of another has to bear with it."""
    setup: list[str] = []
    steps: list[str] = []
    names: dict[str, str] = {}
    for number, call in enumerate(calls):
        source = unparse(call)
        if source in names:
            continue
        inner = unparse(_Renamed(names).generic_visit(fresh_expression(source)))
        is_outer = any(each in inner for each in names.values())
        name = f"value_{number + 1}"
        (steps if is_outer else setup).append(f"{name} = {inner}")
        names[source] = name
    copied = fresh_expression(unparse(node))
    renamed: ast.expr = _Renamed(names).visit(copied)  # type: ignore[assignment]
    return setup, steps, renamed


class _Renamed(ast.NodeTransformer):
    """Calls that were made before are named."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Call) and (name := self.names.get(unparse(node))):
            return ast.Name(name, ast.Load())
        return self.generic_visit(node)


def _guard(
    after: str, variables: tuple[Variable, ...], subject: Subject, reading: Reading
) -> tuple[str, Basis]:
    """What the formula is said to hold for; a condition nobody understands makes it a guess."""
    close = _CLOSE.match(after)
    found = _GUARD.match(after[close.end() :] if close is not None else after)
    if found is None:
        return "True", Basis.STATED
    text = found["guard"].strip()
    parameters = tuple(_as_parameter(each, reading, subject) for each in variables)
    bars = re.sub(r"\|\s*(\w+)\s*\|", r"abs(\1)", text)
    made = comparison(bars, parameters) or condition(text, parameters)
    if made is not None:
        return made, Basis.STATED
    parts = [
        shape.format(each.name)
        for pattern, shape in _ADJECTIVES
        if re.search(pattern, text)
        for each in variables
    ]
    if parts:
        return " and ".join(parts), Basis.STATED
    return "True", Basis.STATED if _QUANTIFIED.match(text) else Basis.NAMED


def _as_parameter(variable: Variable, reading: Reading, subject: Subject) -> Parameter:
    owner = reading.functions.get(variable.owner, subject)
    known = next((each for each in owner.parameters if each.name == variable.parameter), None)
    return Parameter(variable.name, None if known is None else known.annotation, True)


def _is_equation(check: ast.expr) -> TypeGuard[ast.Compare]:
    is_single = isinstance(check, ast.Compare) and len(check.ops) == 1
    return is_single and isinstance(check.ops[0], ast.Eq)  # type: ignore[attr-defined]


def _shown(check: ast.expr) -> str:
    """What is shown of a law that is broken."""
    return unparse(check.left) if isinstance(check, ast.Compare) else "result"


def _kind(node: ast.expr, calls: list[ast.Call]) -> LawKind:
    names = [each.func.id for each in calls]  # type: ignore[attr-defined]
    is_nested = any(
        inner is not outer and inner in ast.walk(outer) for outer in calls for inner in calls
    )
    if not is_nested:
        return LawKind.FORMULA
    is_alike = len(set(names)) == 1 and len(calls) > 2
    return LawKind.IDEMPOTENCE if is_alike else LawKind.ROUND_TRIP


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
