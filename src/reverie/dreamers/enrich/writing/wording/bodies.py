"""The lines of one test, from a candidate and the checks that were chosen for it."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from reverie.dreamers.enrich.writing.admission import Constructors, briefly, is_literal
from reverie.dreamers.enrich.writing.selecting.candidates import Candidate, Check, Relation
from reverie.dreamers.enrich.writing.selecting.threads import names_in
from reverie.dreamers.enrich.writing.wording.entries import Entry, Signatures, with_keywords
from reverie.dreamers.enrich.writing.wording.naming import variable
from reverie.model.call import StepForm
from reverie.syntax.nodes import dotted_name
from reverie.syntax.parsing import fresh_expression, fresh_module, parse_expression
from reverie.syntax.unparsing import unparse

_INLINED_CHARACTERS = 94
_SHORT_CHARACTERS = 40
_WRAPPED_CHARACTERS = 160
"""A literal reads well in a line that is wrapped; what makes an object has a line of its own."""
_INLINED = (
    ast.Call, ast.Constant, ast.Attribute, ast.List, ast.Dict, ast.Lambda, ast.Tuple, ast.Set,
    ast.UnaryOp, ast.Subscript, ast.BinOp, ast.Name,
)  # fmt: skip
_LOOKING = ("print", "repr", "str", "len", "hash", "bool", "int", "float", "sorted")
_ASKED = re.compile(r"(len|repr|str|bool|int|float|list|dict|sorted)\(\{\}\)")
"""Questions to an object that are behaviours of their own."""
_ATOMS = (ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Constant)


def body_of(candidate: Candidate, chosen: Sequence[int]) -> list[ast.stmt]:
    """The statements of a test, pytest's way."""
    made = [each for each in _Body(candidate, chosen).statements() if not _is_idle(each)]
    made = _without_second_names(made)
    statements = _inlined(_with_literals(made))
    return [each for statement in statements for each in _extracted(statement)]


def _is_idle(statement: ast.stmt) -> bool:
    """Whether a line only looks at something, and nobody asks what it saw."""
    if not isinstance(statement, ast.Expr):
        return False
    value = statement.value
    is_looking = isinstance(value, ast.Call) and dotted_name(value.func) in _LOOKING
    return is_looking or isinstance(value, ast.Attribute | ast.Compare | ast.Name | ast.Constant)


@dataclass(frozen=True, slots=True)
class Writing:
    """What calls are written by: the module's signatures and classes, and its file."""

    signatures: Signatures
    constructors: Constructors
    file: str


def entry_of(place: int, candidate: Candidate, numbers: Sequence[int], writing: Writing) -> Entry:
    """A candidate with some of its checks as an entry."""
    brief = [briefly(each, writing.constructors) for each in body_of(candidate, numbers)]
    body = with_keywords(brief, writing.signatures)
    last = max(candidate.check(number).step for number in numbers)
    where = (candidate.scenario.seen[last].raised_in or "").rsplit(":", 2)
    is_here = len(where) == 3 and _is_same_file(where[0], writing.file)
    return Entry(
        place,
        candidate.callee(numbers),
        tuple(body),
        candidate.scenario.arcs,
        int(where[2]) if is_here and where[2].isdigit() else None,
        candidate.scenario.origin != "search",
    )


def _is_same_file(one: str, other: str) -> bool:
    """Whether one path is the end of the other."""
    pairs = zip(reversed(PurePath(one).parts), reversed(PurePath(other).parts), strict=False)
    return all(left == right for left, right in pairs)


def by_behaviour(candidate: Candidate, numbers: Sequence[int]) -> Iterator[list[int]]:
    """The checks of a candidate, those about calls of another callee apart: one test, one thing."""
    about = candidate.callee(numbers)
    aside: dict[str, list[int]] = {}
    for number in numbers:
        callee = candidate.callee([number])
        form = candidate.scenario.steps[candidate.check(number).step].form
        asked = _ASKED.fullmatch(candidate.check(number).reading)
        if asked is not None and len(numbers) > 1:
            aside.setdefault(asked[1], []).append(number)
        elif form in (StepForm.CALL, StepForm.OPERATE) and callee != about:
            aside.setdefault(callee, []).append(number)
    rest = [number for number in numbers if all(number not in some for some in aside.values())]
    yield from [rest] if rest else []
    yield from aside.values()


class _Body:
    """Builds the statements of one test."""

    def __init__(self, candidate: Candidate, chosen: Sequence[int]) -> None:
        self.candidate = candidate
        self.chosen = sorted(chosen)
        self.last = max((candidate.check(number).step for number in chosen), default=-1)
        self.taken = {step.name for step in candidate.scenario.steps if step.name}

    def statements(self) -> list[ast.stmt]:
        top: list[ast.stmt] = []
        block = top
        for place in range(self.last + 1):
            step = self.candidate.scenario.steps[place]
            made = self._step(place)
            block += made
            if step.form is StepForm.ENTER and made and isinstance(made[-1], ast.With):
                block = made[-1].body
                block.clear()
        return top

    def _step(self, place: int) -> list[ast.stmt]:
        step = self.candidate.scenario.steps[place]
        checks = [
            self.candidate.check(number)
            for number in self.chosen
            if self.candidate.check(number).step == place
        ]
        source = f"asyncio.run({step.line.source})" if step.is_awaited else step.line.source
        if step.form is StepForm.ENTER:
            alias = f" as {step.name}" if step.name else ""
            return fresh_module(f"with {source}{alias}:\n    pass").body
        if checks and checks[0].relation is Relation.RAISES:
            return fresh_module(f"{_raises(checks[-1])}:\n    {source}").body
        if step.form is StepForm.CHANGE:
            return fresh_module(source).body
        name = step.name if step.name in self._used_after(place) else None
        return self._value(source, name, checks)

    def _used_after(self, place: int) -> set[str]:
        """The names that later lines use."""
        later = self.candidate.scenario.steps[place + 1 : self.last + 1]
        return {name for step in later for name in names_in(step.line.source)}

    def _value(self, source: str, name: str | None, checks: Sequence[Check]) -> list[ast.stmt]:
        if name is None and not checks:
            return fresh_module(source).body
        if name is None and len(checks) == 1:
            return fresh_module(assertion(checks[0], source)).body
        name = name or self._fresh()
        asserts = [assertion(check, name) for check in checks]
        return fresh_module("\n".join((f"{name} = {source}", *asserts))).body

    def _fresh(self) -> str:
        for name in ("result", "outcome", "found", "other"):
            if name not in self.taken:
                self.taken.add(name)
                return name
        name = f"result_{len(self.taken)}"
        self.taken.add(name)
        return name


def assertion(check: Check, value: str) -> str:
    """One check as a statement about an expression."""
    is_atom = isinstance(parse_expression(value), _ATOMS)
    held = value if is_atom or check.reading == "{}" else f"({value})"
    reading = check.reading.replace("{}", held)
    if check.reading == "{}" and not is_atom and check.relation is not Relation.IS_A:
        reading = f"({value})"
    expected = check.expected.source
    match check.relation:
        case Relation.IS_A:
            return f"assert isinstance({reading}, {expected})"
        case Relation.IS_NAN:
            return f"assert math.isnan({reading})"
        case Relation.NEARLY:
            return f"assert {reading} == pytest.approx({expected})"
        case Relation.HOLDS:
            return f"assert {value}"
        case Relation.HOLDS_NOT:
            return f"assert {_negated(value)}"
        case relation:
            return f"assert {reading} {relation} {expected}"


def _negated(comparison: str) -> str:
    """The opposite: `a not in b`, where Python has a word for it."""
    node = fresh_expression(comparison)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        opposite = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
                    ast.Eq: ast.NotEq}  # fmt: skip
        other = opposite.get(type(node.ops[0]))
        if other is not None:
            return unparse(ast.Compare(node.left, [other()], node.comparators))
    return f"not {comparison}"


def _raises(check: Check) -> str:
    match = "" if check.match is None else f", match={check.match!a}"
    return f"with pytest.raises({check.expected.source}{match})"


# -- a value that is used once needs no name ------------------------------------------------


def _without_second_names(statements: list[ast.stmt]) -> list[ast.stmt]:
    """`other = text`: the same by its first name."""
    kept: list[ast.stmt] = []
    second: dict[str, ast.expr] = {}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() as held):
                second[name] = second.get(held.id, held)
                continue
        for name, first in second.items():
            statement = _Replacing(name, first).visit(statement)
        kept.append(statement)
    return kept


def _with_literals(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Short values that one later line uses, in that line."""
    kept = list(statements)
    for first in statements:
        name = unparse(first.targets[0]) if isinstance(first, ast.Assign) else ""
        if not isinstance(first, ast.Assign) or not isinstance(first.value, ast.Constant):
            continue
        users = [
            place for place, each in enumerate(kept) if each is not first and _uses(each, name)
        ]
        is_short = len(unparse(first.value)) <= _SHORT_CHARACTERS
        if is_short and len(users) == 1 and _uses(kept[users[0]], name) == 1:
            kept[users[0]] = _Replacing(name, first.value).visit(kept[users[0]])
            kept.remove(first)
    return kept


def _inlined(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Put a value made for the next line alone into that line, where it still fits."""
    place = 0
    while place + 1 < len(statements):
        joined = _joined(statements[place], statements[place + 1], statements[place + 2 :])
        if joined is None:
            place += 1
        else:
            statements[place : place + 2] = [joined]
            place = max(0, place - 1)
    return statements


def _joined(first: ast.stmt, second: ast.stmt, rest: Sequence[ast.stmt]) -> ast.stmt | None:
    if not isinstance(first, ast.Assign) or not isinstance(first.targets[0], ast.Name):
        return None
    name = first.targets[0].id
    uses = _uses(second, name)
    is_function = isinstance(first.value, ast.Lambda)
    if any(_uses(each, name) for each in rest) or not 1 <= uses <= (3 if is_function else 1):
        return None
    if not isinstance(second, (ast.Assert, ast.Expr)) and not _is_raising(second):
        return None
    if not isinstance(first.value, _INLINED):
        return None
    if isinstance(second, ast.With) and not is_literal(first.value):
        return None
    replaced = _Replacing(name, first.value).visit(fresh_module(unparse(second)).body[0])
    most = _WRAPPED_CHARACTERS if is_literal(first.value) else _INLINED_CHARACTERS
    is_short = all(len(line) <= most for line in unparse(replaced).splitlines())
    return replaced if is_short and isinstance(replaced, ast.stmt) else None


def _is_raising(statement: ast.stmt) -> bool:
    """Whether it is one line that has to raise, given a plain value: making it cannot raise."""
    return (
        isinstance(statement, ast.With)
        and len(statement.body) == 1
        and "pytest.raises" in unparse(statement.items[0])
    )


def _extracted(statement: ast.stmt) -> list[ast.stmt]:
    """An object made inside a line that is too long gets a line and a name of its own."""
    call = _long_call(statement)
    if call is None:
        return [statement]
    place = _made(call)[0]
    value = call.args[place]
    name = variable(unparse(value.func)) if isinstance(value, ast.Call) else "value"
    if _uses(statement, name):
        return [statement]
    call.args[place] = ast.Name(name, ast.Load())
    return [*fresh_module(f"{name} = {unparse(value)}").body, statement]


def _long_call(statement: ast.stmt) -> ast.Call | None:
    """The call of a line that is too long, if an object is made among its arguments."""
    head = statement.body[0] if isinstance(statement, ast.With) else statement
    if len(unparse(head)) <= _INLINED_CHARACTERS:
        return None
    node: ast.expr | None = None
    if isinstance(head, ast.Assert):
        node = head.test.left if isinstance(head.test, ast.Compare) else head.test
    elif isinstance(head, ast.Expr) and head is not statement:
        node = head.value
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Call) and _made(node):
            return node
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return None


def _made(node: ast.expr) -> list[int]:
    """Places of arguments that make an object of a class."""
    if not isinstance(node, ast.Call):
        return []
    return [
        place
        for place, each in enumerate(node.args)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Name)
        and each.func.id[:1].isupper()
    ]


def _uses(node: ast.AST, name: str) -> int:
    return sum(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


class _Replacing(ast.NodeTransformer):
    """Puts a value in the place of a name."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """The value instead of the name."""
        return self.value if node.id == self.name else node
