"""From claims of the sandbox to findings: read with suspicion, explained, with a script."""

import ast
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeGuard

from reverie.dreamers.enrich.target import Target
from reverie.dreamers.fuzz.claims.classes import ClassPromises, Container
from reverie.dreamers.fuzz.claims.subjects import Reading
from reverie.dreamers.fuzz.law import Basis, Law, LawKind
from reverie.dreamers.fuzz.repro import Failing, failing_of, script
from reverie.model.history import failure_signature
from reverie.model.repository.environment import Discovery
from reverie.syntax.parsing import NOT_PYTHON, parse_expression, parse_module
from reverie.syntax.unparsing import unparse

_TEXT = 400


@dataclass(frozen=True, slots=True)
class Told:
    """One claim of the sandbox's."""

    law: int
    model: int | None
    class_number: int | None
    arguments: tuple[tuple[str, str], ...]
    is_late: bool
    actual: str
    error: str
    message: str
    frame: str
    held: int
    failed: int
    fresh: tuple[int, int] = (0, 0)
    """Held and failed, of inputs made anew."""
    earlier: tuple[str, ...] = ()
    """Calls that have to be made before."""
    lines: tuple[str, ...] = ()
    asked: str = ""
    expected: str | None = None
    is_truth: bool = False

    @classmethod
    def read(cls, claim: Any) -> Self | None:
        """A claim in the form it has to have; None for anything else."""
        if not isinstance(claim, dict):
            return None
        lines, earlier = claim.get("lines", []), claim.get("earlier", [])
        sources = [source for _, source in claim.get("arguments", [])]
        if not all(map(is_source, (*lines, *earlier, *sources, claim.get("asked", "0")))):
            return None
        expected = claim.get("expected")
        return cls(
            law=_whole(claim.get("law")),
            model=claim["model"] if type(claim.get("model")) is int else None,
            class_number=claim["class"] if type(claim.get("class")) is int else None,
            arguments=tuple(
                (str(name), str(source)) for name, source in claim.get("arguments", [])
            ),
            is_late=claim.get("is_late") is True,
            actual=str(claim.get("actual", ""))[:_TEXT],
            error=str(claim.get("error", ""))[:100],
            message=str(claim.get("message", ""))[:_TEXT],
            frame=str(claim.get("frame", ""))[:100],
            held=_whole(claim.get("held")),
            failed=_whole(claim.get("failed")),
            fresh=_pair(claim.get("fresh")),
            earlier=tuple(map(str, earlier)),
            lines=tuple(map(str, lines)),
            asked=str(claim.get("asked", "")),
            expected=None if expected is None else str(expected),
            is_truth=claim.get("is_truth") is True,
        )

    @property
    def errors(self) -> frozenset[str]:
        """What a script of this claim raises, if it is true."""
        if self.model is not None:
            return frozenset({"AssertionError", self.actual.partition(":")[0]})
        return frozenset({self.error or "AssertionError"})


def is_source(text: Any) -> TypeGuard[str]:
    """Whether a text is one expression or assignment."""
    if not isinstance(text, str):
        return False
    try:
        tree = parse_module(text)
    except NOT_PYTHON:
        return False
    return len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr | ast.Assign)


def _pair(value: Any) -> tuple[int, int]:
    is_pair = isinstance(value, list) and len(value) == 2
    return (_whole(value[0]), _whole(value[1])) if is_pair else (0, 0)


def _whole(value: Any) -> int:
    return value if type(value) is int and value >= 0 else 0


def explained(law: Law, told: Told) -> tuple[str, str]:
    """What is probably wrong, and what to do."""
    if told.is_late:
        return (
            "a loop does not come nearer to its end for this input",
            f"see that every round of a loop in {law.subject} gets on, or refuse the input",
        )
    if told.error:
        where = f" in {told.frame}" if told.frame else ""
        return (
            f"the input meets a case that is not handled{where}: {told.error}",
            "handle the case, or document the error",
        )
    said = {
        LawKind.ARGUMENTS: ("the caller's own object is used as scratch space", "work on a copy"),
        LawKind.REFUSAL: (
            "the check of the arguments is missing or too late",
            "refuse the input as documented",
        ),
        LawKind.ROUND_TRIP: (
            "one direction loses what the other needs",
            "compare both directions on this input",
        ),
        LawKind.IDEMPOTENCE: (
            "the result is not in the form that it is brought to",
            "look at the last step",
        ),
        LawKind.EXAMPLE: ("the code and its example part", "mend the one that is wrong"),
        LawKind.RESULT_TYPE: (
            "a path returns something else than the rest",
            "look at every return",
        ),
        LawKind.AGREEMENT: (
            "two ways to the same result part",
            "find the first step in which they differ",
        ),
        LawKind.REPEATABILITY: (
            "a call leaves something behind for the next",
            "look for state that is shared",
        ),
        LawKind.MONOTONICITY: ("more input counts for less", "look at how items are merged"),
    }
    share = f"; {told.held} other inputs obey" if told.held else ""
    hypothesis, action = said.get(
        law.kind, ("a case at the edge is computed differently", "step through it")
    )
    return hypothesis + share, action


_LEAST_HELD = 10
_MOST_NAMED, _MOST_PAIRED, _MOST_SAID = 0.34, 0.85, 0.7
"""Shares of the inputs that may break a law before it is none."""
_MOST_ASSURED = 0.97
_ASSURED = re.compile(r"\b(?:guaranteed|always|never|exactly)\b", re.IGNORECASE)
"""Words that leave little room to misread a sentence."""


def is_believable(told: Told, laws: Sequence[Law]) -> bool:
    """Whether a broken law is a law: what nearly no input obeys was never meant."""
    if told.model is not None or told.class_number is not None:
        return True
    if told.law >= len(laws):
        return False
    law = laws[told.law]
    if told.is_late:
        return not law.subject.rpartition(".")[2].startswith("_")
    share = min(_share(told.held, told.failed), _share(*told.fresh))
    if law.basis is Basis.NAMED:
        most = _MOST_PAIRED if law.kind is LawKind.ROUND_TRIP else _MOST_NAMED
        return told.held >= _LEAST_HELD and share <= most
    if law.kind is LawKind.FORMULA and law.variables:
        return told.held > 0
    if law.kind is LawKind.POSTCONDITION and not law.steps:
        return share <= (_MOST_ASSURED if _ASSURED.search(law.says) else _MOST_SAID)
    return True


def discovery_of_law(
    told: Told, laws: Sequence[Law], target: Target, reading: Reading
) -> Discovery | None:
    """The finding that a broken law is."""
    law = laws[told.law]
    names = tuple(each.name for each in law.variables)
    if tuple(name for name, _ in told.arguments) != names:
        return None
    if told.is_late:
        expected, kind = f"{law.subject} returns", "endless"
    else:
        expected, kind = law.says, law.kind.value
    failing = failing_of(law, told.arguments, told.is_late)
    failing = replace(failing, statements=(*told.earlier, *failing.statements))
    hypothesis, action = explained(law, told)
    return Discovery(
        signature=_signature(law, told, target),
        callable=law.subject,
        kind=kind,
        basis=law.basis.value,
        input=_input(law, told),
        expected=expected,
        actual=told.actual,
        hypothesis=hypothesis,
        action=action,
        repro=script(failing, target, reading.names),
    )


def discovery_of_model(
    told: Told, containers: Sequence[Container], target: Target, reading: Reading
) -> Discovery | None:
    """The finding that a class parts from its model."""
    if told.model is None or told.model >= len(containers):
        return None
    container = containers[told.model]
    asked = told.asked
    if told.is_late:
        statements: tuple[str, ...] = (*told.lines, f"result = {asked}")
        check, expected = "True", f"{asked} returns"
    elif told.expected is None:
        statements = (*told.lines, f"raised = errors_of(lambda: {asked})")
        check, expected = "raised", "an error, or nothing: it is not there"
    else:
        value = f"bool({asked})" if told.is_truth else asked
        statements = (*told.lines, f"result = {value}")
        check, expected = (
            f"same(result, {told.expected})",
            f"{told.expected}, as a plain {container.model} says",
        )
    says = f"{container.name} answers like a plain {container.model}"
    failing = Failing(says, statements, check, told.is_late)
    done = "; ".join((*told.lines, asked))
    return Discovery(
        signature=_digest(f"model|{container.name}|{container.model}|{target.module}"),
        callable=container.name,
        kind=LawKind.MODEL.value,
        basis=Basis.STATED.value,
        input=done,
        expected=expected,
        actual=told.actual,
        hypothesis=f"these uses leave it in a state that no {container.model} can be in",
        action=f"look at what the last change before {asked} does to the others",
        repro=script(failing, target, reading.names),
    )


def discovery_of_class(
    told: Told, classes: Sequence[ClassPromises], target: Target, reading: Reading
) -> Discovery | None:
    """The finding that a class breaks its word after some uses."""
    if told.class_number is None or told.class_number >= len(classes):
        return None
    made = classes[told.class_number]
    if told.law >= len(made.laws):
        return None
    law = made.laws[told.law]
    values = [source for _, source in told.arguments]
    given = [f"{name} = {source}" for name, source in zip(law.parameters, values, strict=False)]
    statements = (*told.lines, *given, f"result = {told.asked}")
    failing = Failing(law.says, statements, law.check or "True")
    name = made.name if law.method is None else f"{made.name}.{law.method}"
    return Discovery(
        signature=_digest(f"class|{target.module}|{name}|{law.check or told.error}"),
        callable=name,
        kind=(LawKind.POSTCONDITION if law.check else LawKind.ERROR).value,
        basis=Basis.STATED.value,
        input="; ".join((*told.lines, told.asked)),
        expected=law.says,
        actual=told.actual,
        hypothesis=(
            "a check before the change is missing or one off"
            if law.check
            else f"the uses before leave a state that is not handled: {told.error}"
        ),
        action=f"look at what {told.asked} lets pass",
        repro=script(failing, target, reading.names),
    )


def _input(law: Law, told: Told) -> str:
    before = "".join(f"{_bare(each)}; " for each in told.earlier)
    return before + _own_input(law, told)


def _bare(call: str) -> str:
    return call.removeprefix("errors_of(lambda: ").removesuffix(")")


def _own_input(law: Law, told: Told) -> str:
    given = dict(told.arguments)
    if law.variables and all(each.owner == law.subject for each in law.variables):
        return f"{law.subject}({', '.join(given.values())})"
    if not law.variables:
        return "; ".join(law.steps)
    return _asked(law, given) or ", ".join(f"{name} = {source}" for name, source in given.items())


def _asked(law: Law, given: dict[str, str]) -> str:
    """What a law compares with something, with the values in it: `decode(encode('a'))`."""
    try:
        said = parse_expression(law.says)
        values = {name: parse_expression(source) for name, source in given.items()}
    except NOT_PYTHON:
        return ""
    if not isinstance(said, ast.Compare) or not isinstance(said.left, ast.Call):
        return ""
    return unparse(_Filled(values).visit(said.left))


class _Filled(ast.NodeTransformer):
    """Values in the place of names."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._values.get(node.id, node)


def _signature(law: Law, told: Told, target: Target) -> str:
    """The same for every input that breaks the same law in the same way."""
    if told.is_late:
        return _digest(f"endless|{target.module}|{law.subject}")
    if told.error and law.kind is LawKind.ERROR:
        return failure_signature(told.error, told.message, f"{target.module}:{told.frame}")
    return _digest(
        f"{law.kind}|{target.module}|{law.subject}|{law.check}|{law.guard}|{law.setup}{law.steps}"
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _share(held: int, failed: int) -> float:
    return failed / (held + failed) if held + failed else 1.0


_LEAST = {"lines": 3000.0, "seconds": 10.0}
_UNITS = {"lines": "executed lines", "seconds": "ms of CPU time"}
_STATED = {
    "lines": "the number of executed lines grows at most with a small power of the size",
    "seconds": "the time grows at most with a small power of the size",
    "depth": "calls do not nest as deep as the input is long",
}


@dataclass(frozen=True, slots=True)
class Grown:
    """What the sandbox tells of a call whose cost multiplies."""

    name: str
    call: str
    sizes: tuple[int, ...]
    costs: tuple[float, ...]
    measure: str

    @classmethod
    def read(cls, claim: Any) -> Self | None:
        """A claim in the form it has to have; None for anything else."""
        if not isinstance(claim, dict) or not isinstance(claim.get("growth"), str):
            return None
        sizes, costs = claim.get("sizes"), claim.get("costs")
        call, measure = claim.get("call"), claim.get("measure")
        if not (isinstance(sizes, list) and isinstance(costs, list) and is_source(call)):
            return None
        if measure not in _STATED or not all(type(each) is int for each in sizes):
            return None
        if not all(type(each) in (int, float) for each in costs):
            return None
        numbers = tuple(float(each) for each in costs)
        return cls(claim["growth"], call, tuple(sizes), numbers, measure)

    @property
    def errors(self) -> frozenset[str]:
        """What a script of this claim raises, if it is true."""
        return frozenset({"RecursionError" if self.measure == "depth" else "AssertionError"})


def discovery_of_growth(
    grown: Grown, measured: tuple[str, ...], target: Target, reading: Reading
) -> Discovery | None:
    """The finding; None when it is about something that nobody asked to measure."""
    if grown.name not in measured:
        return None
    text = f"growth|{target.module}|{grown.name}|{grown.measure}"
    return Discovery(
        signature=hashlib.sha256(text.encode()).hexdigest()[:16],
        callable=grown.name,
        kind=LawKind.GROWTH.value,
        basis=Basis.STATED.value,
        input=f"{grown.call} for size = {', '.join(map(str, grown.sizes))}",
        expected=_STATED[grown.measure],
        actual=_actual(grown),
        hypothesis=_hypothesis(grown),
        action="bound the size of the input, or look for work that is done again and again",
        repro=script(_failing(grown), target, reading.names),
    )


def _actual(grown: Grown) -> str:
    if grown.measure == "depth":
        return f"RecursionError for size = {grown.sizes[-1]}"
    costs = ", ".join(f"{each:.0f}" for each in grown.costs)
    return f"{costs} {_UNITS[grown.measure]} for each item of the result"


def _hypothesis(grown: Grown) -> str:
    if grown.measure == "depth":
        return "the function calls itself once for each item"
    if grown.sizes[1] == 2 * grown.sizes[0]:
        return "nested loops or copies: doubling the size multiplies the cost by 6 or more"
    if grown.measure == "seconds":
        return "a regular expression tries all ways to split the same text (backtracking)"
    return "the same subproblems are solved again: a few items more multiply the cost"


def _failing(grown: Grown) -> Failing:
    if grown.measure == "depth":
        statements: tuple[str, ...] = (f"size = {grown.sizes[-1]}", f"result = {grown.call}")
        return Failing(_STATED["depth"], statements, "True")
    statements = (
        f"sizes = {list(grown.sizes)}",
        f"costs = [{grown.measure}_of(lambda: {grown.call}) for size in sizes]",
    )
    check = f"not is_steep(sizes, costs, {_LEAST[grown.measure]})"
    return Failing(_STATED[grown.measure], statements, check)
