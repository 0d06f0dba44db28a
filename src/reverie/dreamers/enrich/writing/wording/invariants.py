"""Laws that may hold of what was seen: round trip, idempotence, commutativity, order.

A law is offered as one more check. Whether it holds is found by trial, many times over, on
unchanged code; whether it is worth a line is decided by the mutants that it notices, as for others.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from reverie.dreamers.enrich.writing.admission import is_literal
from reverie.model.call import Expression, Scenario, Seen, Step, StepForm, combine
from reverie.syntax.nodes import dotted_name
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse

_MOST_OF_EACH = 4
_MOST = 60
_LONGEST = 90
_OPPOSITES = (
    ("dumps", "loads"), ("encode", "decode"), ("pack", "unpack"), ("serialize", "deserialize"),
    ("format", "parse"), ("quote", "unquote"), ("escape", "unescape"), ("to", "from"),
    ("compress", "decompress"), ("encrypt", "decrypt"), ("unparse", "parse"), ("dump", "load"),
    ("flatten", "unflatten"), ("join", "split"), ("serialise", "deserialise"),
    ("marshal", "unmarshal"),
)  # fmt: skip
_MEASURING = ("len", "hash", "int", "float", "bool", "abs", "sum", "min", "max", "list", "repr")
"""What comes out of these may equal what went in, and that is no law."""
_LEVELLING = re.compile(
    r"\b(?:normali[sz]|canonic|clean|strip|trim|tidy|sanitis|sanitiz|simplif|dedent|slug|collapse"
    r"|idempot|dedup|uniq|squash|resolv|reduce|fold)", re.IGNORECASE
)  # fmt: skip
"""Doing it twice is doing it once."""
_READING = re.compile(r"^[A-Z]|parse|text|str")
"""What reads an object from how it is shown."""
_SYMMETRIC = re.compile(
    r"\b(?:commut|symmetr|either order|any order|(?:regardless|independent) of (?:the )?order)",
    re.IGNORECASE,
)
"""The arguments may change places."""
_TRUE = Seen("builtins.bool", literal=Expression("True"))


def laws_of(
    scenarios: Iterable[Scenario], documents: Mapping[str, str] | None = None
) -> list[Scenario]:
    """Laws to try, a few of each kind for each callee; where it takes a promise, only with one."""
    single = [each for each in scenarios if _is_single(each)]
    callees = {each.steps[0].callee or "": each.steps[0] for each in single}
    counts: dict[tuple[str, str], int] = {}
    found: dict[str, Scenario] = {}
    for scenario in single:
        for kind, law, others in _laws(scenario, callees):
            key = kind, scenario.steps[0].callee or ""
            if not _is_promised(kind, key[1], documents or {}):
                continue
            if counts.get(key, 0) < _MOST_OF_EACH and len(law) <= _LONGEST and law not in found:
                counts[key] = counts.get(key, 0) + 1
                found[law] = _scenario(scenario, law, others)
    return list(found.values())[:_MOST]


def _is_promised(kind: str, callee: str, documents: Mapping[str, str]) -> bool:
    """Whether a name or a docstring says so of what may hold of one value by chance."""
    promise = {"idempotence": _LEVELLING, "commutativity": _SYMMETRIC}.get(kind)
    said = callee.rpartition(".")[2].replace("_", " ")
    return promise is None or promise.search(f"{said} {documents.get(callee, '')}") is not None


def _is_single(scenario: Scenario) -> bool:
    """Whether it is one line that came to a value."""
    return (
        len(scenario.steps) == 1
        and not scenario.seen[0].is_exception
        and not scenario.steps[0].is_awaited
        and scenario.steps[0].form in (StepForm.CALL, StepForm.OPERATE, StepForm.MAKE)
    )


def _scenario(scenario: Scenario, law: str, others: Sequence[Step]) -> Scenario:
    needs = combine(law, [scenario.steps[0].line, *(each.line for each in others)])
    step = Step(needs, StepForm.OPERATE, scenario.steps[0].callee)
    return Scenario((step,), (_TRUE,), scenario.arcs, scenario.origin)


def _laws(
    scenario: Scenario, callees: dict[str, Step]
) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    step, seen = scenario.steps[0], scenario.seen[0]
    node = parse_expression(step.line.source)
    if isinstance(node, ast.Compare):
        yield from _ordered(node)
        return
    if (
        not isinstance(node, ast.Call)
        or not dotted_name(node.func)
        or node.keywords
        or not node.args
    ):
        return
    name, given = unparse(node.func), [unparse(each) for each in node.args]
    if not all(is_literal(each) for each in node.args):
        return
    source = step.line.source
    if len(given) == 1 and _is_like(seen, node.args[0]):
        yield "idempotence", f"{name}({source}) == {source}", ()
    if len(given) == 2 and given[0] != given[1] and step.form is StepForm.CALL and _tells(seen):
        yield "commutativity", f"{source} == {name}({given[1]}, {given[0]})", ()
    if len(given) == 1 and isinstance(node.args[0], ast.Constant):
        yield from _back(name, source, given[0], callees)
        is_text = isinstance(node.args[0].value, str) and not seen.type_name.startswith("builtins.")
        if is_text and _READING.search(name.rpartition(".")[2]):
            yield "round trip", f"str({source}) == {given[0]}", ()


def _tells(seen: Seen) -> bool:
    """Whether a result is one of many: nothing, yes or no may come twice for any reason."""
    return seen.literal is not None and seen.literal.source not in ("None", "True", "False")


def _is_like(seen: Seen, argument: ast.expr) -> bool:
    """Whether a result is of its argument's type, and another value."""
    if seen.literal is None:
        return False
    try:
        result, given = ast.literal_eval(seen.literal.source), ast.literal_eval(argument)
    except (ValueError, SyntaxError, TypeError, MemoryError):
        return False
    if not isinstance(result, str | list | tuple | dict) or not result:
        return False  # a number may come back for any reason
    return type(result) is type(given) and result != given


def _back(
    name: str, source: str, given: str, callees: dict[str, Step]
) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    """What undoes a function, by the names of the two."""
    for callee, step in callees.items():
        if callee != name and "." not in callee and _undoes(callee, name):
            yield "round trip", f"{callee}({source}) == {given}", (step,)


def _undoes(one: str, other: str) -> bool:
    first, second = one.strip("_").split("_"), other.strip("_").split("_")
    if len(first) == len(second) == 3 and first[1] in ("to", "2") and first == second[::-1]:
        return True
    return any(
        left in one and right in other and one.replace(left, "", 1) == other.replace(right, "", 1)
        for left, right in (*_OPPOSITES, *(pair[::-1] for pair in _OPPOSITES))
    )


def _ordered(node: ast.Compare) -> Iterator[tuple[str, str, tuple[Step, ...]]]:
    """Of two objects of which one is less: they are sorted so."""
    left, right = node.left, node.comparators[0]
    is_less = len(node.ops) == 1 and isinstance(node.ops[0], ast.Lt | ast.LtE)
    if is_less and isinstance(left, ast.Call) and isinstance(right, ast.Call):
        low, high = unparse(left), unparse(right)
        yield "order", f"sorted([{high}, {low}]) == [{low}, {high}]", ()


_MOST_VALUES = 3


def companions(
    scenarios: Mapping[int, Scenario], chosen: Collection[int], most: int = _MOST_VALUES
) -> dict[int, list[int]]:
    """For each chosen law on one value others of it: a law is shown on several values, or on none.

    Scenarios by place; none where the chosen ones are enough.
    """
    laws = {place: _law_of(each) for place, each in scenarios.items()}
    taken = [place for place in chosen if laws.get(place)]
    found: dict[int, list[int]] = {}
    for place in taken:
        same = [other for other, law in laws.items() if law == laws[place]]
        missing = most - sum(other in taken for other in same)
        found[place] = [other for other in same if other not in taken][: max(0, missing)]
    for place in chosen:
        others = _unlike(place, scenarios, chosen)
        found.update({place: others} if others else {})
    return {place: others for place, others in found.items() if others}


def _unlike(place: int, scenarios: Mapping[int, Scenario], chosen: Collection[int]) -> list[int]:
    """Of what always says yes, or always no, a case that says the other."""
    own = _answer_of(scenarios[place]) if place in scenarios else None
    answers = {at: _answer_of(each) for at, each in scenarios.items()}
    if own is None or any(
        at != place and (answer := answers.get(at)) and answer[0] == own[0] and answer != own
        for at in chosen
    ):
        return []
    return [
        at for at, answer in answers.items() if answer and answer[0] == own[0] and answer != own
    ][:1]


def _answer_of(scenario: Scenario) -> tuple[str, str] | None:
    """The callee and its answer, where it is one call that says yes or no."""
    step, seen = scenario.steps[0], scenario.seen[0]
    said = seen.literal.source if seen.literal is not None else ""
    is_one = len(scenario.steps) == 1 and step.form is StepForm.CALL
    return (step.callee or "", said) if is_one and said in ("True", "False") else None


def _law_of(scenario: Scenario) -> tuple[str, str] | None:
    """The callee and the law, where it is one line that tells one."""
    step = scenario.steps[0]
    if len(scenario.steps) > 1 or step.form is not StepForm.OPERATE:
        return None
    name = law_name(parse_module(f"assert {step.line.source}").body[0])
    return (step.callee or "", name) if name else None


def law_name(statement: ast.stmt) -> str:
    """What a law is called in the name of a test; empty for any other statement."""
    if not isinstance(statement, ast.Assert) or not isinstance(statement.test, ast.Compare):
        return ""
    left, right = statement.test.left, statement.test.comparators[0]
    if not isinstance(left, ast.Call) or not isinstance(statement.test.ops[0], ast.Eq):
        return ""
    inner = [unparse(each) for each in left.args]
    if dotted_name(left.func) in _MEASURING:
        return ""
    if dotted_name(left.func) == "sorted" and isinstance(right, ast.List):
        return "is_ordered"
    if isinstance(right, ast.Call) and dotted_name(right.func) == dotted_name(left.func):
        given = [unparse(each) for each in right.args]
        is_swapped = len(given) == 2 and inner == given[::-1]
        return "is_idempotent" if inner == [unparse(right)] else "commutes" * is_swapped
    held = left.args[0] if len(left.args) == 1 else None
    is_back = isinstance(held, ast.Call) and len(held.args) == 1
    if is_back and isinstance(held, ast.Call) and unparse(held.args[0]) == unparse(right):
        return "round_trip"
    return ""
