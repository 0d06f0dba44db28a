"""Governance: is it safe to promote, by foresight, by the owner's rules, and by people's word.

The owner's rules are data: conditions in TOML, each with a verdict. They only ever tighten. Their
language (names, numbers, texts, comparisons, and/or/not, + - * /) is parsed by Python's own parser
and walked by us: nothing is ever evaluated. There are no calls, no indexing, no attributes of
objects: a dotted name is looked up in what was handed in. A canary has failed at once by an error
or a difference, by slowness once that is sure.
"""

import ast
import math
import operator
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from reverie.errors import ConfigError
from reverie.model.foresight import (
    CollapseRisk,
    Decision,
    DeploymentVerdict,
    Override,
    ReasonCode,
    RiskLabel,
)
from reverie.model.measurements.equivalence import CanaryFigures, CanaryPlan
from reverie.syntax.parsing import NOT_PYTHON, parse_expression

_LONGEST = 500
_DEEPEST = 25
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class ExpressionError(ValueError):
    """A condition that says nothing: badly written, or about what is not known."""


def parse_condition(text: str) -> ast.expr:
    """A condition, checked as a whole before it is used."""
    if len(text) > _LONGEST:
        raise ExpressionError(f"longer than {_LONGEST} characters")
    try:
        tree = parse_expression(text.strip())
    except NOT_PYTHON as error:
        raise ExpressionError(f"not an expression: {text[:80]!r}") from error
    _check(tree, 0)
    return tree


def holds(condition: ast.expr, known: Mapping[str, Any]) -> bool:
    """Whether a condition is true; `ExpressionError` when that cannot be said."""
    value = _value(condition, known)
    if not isinstance(value, bool):
        raise ExpressionError("a condition has to be true or false")
    return value


def _check(node: ast.expr, depth: int) -> None:
    if depth > _DEEPEST:
        raise ExpressionError("nested too deeply")
    for part in _parts(node):
        _check(part, depth + 1)


def _parts(node: ast.expr) -> list[ast.expr]:
    """The parts of a node of the language; `ExpressionError` for any other."""
    match node:
        case ast.Constant(value=bool() | int() | float() | str()):
            return []
        case ast.Name() | ast.Attribute():
            _name(node)
            return []
        case ast.BoolOp(values=values):
            return values
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            return [operand]
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(
            type(each) in _COMPARE for each in ops
        ):
            return [left, *rest]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            return [left, right]
    raise ExpressionError(f"{type(node).__name__} is not part of the language")


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_name(node.value)}.{node.attr}"
    raise ExpressionError(f"{type(node).__name__} is not part of a name")


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name() | ast.Attribute():
            return _look_up(_name(node), known)
        case ast.BoolOp(op=op, values=values):
            answers = (holds(each, known) for each in values)
            return all(answers) if isinstance(op, ast.And) else any(answers)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not holds(operand, known)
        case ast.UnaryOp(operand=operand):
            return -_number(_value(operand, known))
        case ast.BinOp(left=left, op=op, right=right):
            return _reckon(op, _number(_value(left, known)), _number(_value(right, known)))
        case ast.Compare(left=left, ops=ops, comparators=rest):
            return _compare([_value(each, known) for each in (left, *rest)], ops)
    raise ExpressionError(f"{type(node).__name__} is not part of the language")


def _look_up(name: str, known: Mapping[str, Any]) -> Any:
    found: Any = known
    for part in name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            raise ExpressionError(f"nobody measured {name}")
        found = found[part]
    if found is None or (isinstance(found, float) and not math.isfinite(found)):
        raise ExpressionError(f"nobody measured {name}")
    if not isinstance(found, bool | int | float | str):
        raise ExpressionError(f"{name} is no single value")
    return found


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExpressionError(f"{value!r} is no number")
    return float(value)


def _reckon(op: ast.operator, left: float, right: float) -> float:
    try:
        return _ARITHMETIC[type(op)](left, right)
    except (ZeroDivisionError, OverflowError) as error:
        raise ExpressionError(str(error)) from error


def _compare(values: list[Any], ops: list[ast.cmpop]) -> bool:
    for left, op, right in zip(values, ops, values[1:], strict=False):
        if isinstance(left, str) != isinstance(right, str):
            raise ExpressionError(f"{left!r} and {right!r} are not compared")
        if not _COMPARE[type(op)](left, right):
            return False
    return True


_KEYS = {"name", "when", "verdict", "reason"}


@dataclass(frozen=True, slots=True)
class Rule:
    """When a condition holds, a verdict with a reason."""

    name: str
    condition: ast.expr
    verdict: DeploymentVerdict
    reason: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What the rules came to: the verdicts of those that apply, worst last in the order given."""

    verdict: DeploymentVerdict
    reasons: tuple[str, ...]


def parse_rules(text: str, place: str = "the rules") -> tuple[Rule, ...]:
    """Rules from TOML: `[[rule]]` with `name`, `when`, `verdict` and `reason`."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{place}: not valid TOML: {error}") from error
    tables = document.get("rule", [])
    if set(document) - {"rule"} or not isinstance(tables, list):
        raise ConfigError(f"{place}: expected [[rule]] tables and nothing else")
    return tuple(_rule(each, f"{place}: rule {at}") for at, each in enumerate(tables, 1))


def apply_rules(rules: Sequence[Rule], known: Mapping[str, Any]) -> Applied:
    """The worst verdict of all rules that apply. A rule that cannot be judged is a hold."""
    verdict, reasons = DeploymentVerdict.PROMOTE, []
    for rule in rules:
        try:
            found, reason = rule.verdict, rule.reason
            applies = holds(rule.condition, known)
        except ExpressionError as error:
            found, reason, applies = DeploymentVerdict.HOLD, f"rule {rule.name}: {error}", True
        if applies:
            verdict = max(verdict, found, key=lambda each: each.severity)
            reasons.append(reason)
    return Applied(verdict, tuple(reasons))


def _rule(table: object, place: str) -> Rule:
    if not isinstance(table, dict) or set(table) != _KEYS:
        raise ConfigError(f"{place}: expected exactly {', '.join(sorted(_KEYS))}")
    if not all(isinstance(value, str) and value.strip() for value in table.values()):
        raise ConfigError(f"{place}: every value is a text that is not empty")
    if table["verdict"] not in list(DeploymentVerdict):
        choices = ", ".join(DeploymentVerdict)
        raise ConfigError(f"{place}: verdict {table['verdict']!r} is none of {choices}")
    try:
        condition = parse_condition(table["when"])
    except ExpressionError as error:
        raise ConfigError(f"{place}: when = {table['when'][:80]!r}: {error}") from error
    return Rule(table["name"], condition, DeploymentVerdict(table["verdict"]), table["reason"])


LEAST_CONFIDENCE = 0.6


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is laid before the gate."""

    projected: Sequence[float]
    """Worth of each cycle to come; empty: there is no forecast."""
    confidence: float
    collapse: CollapseRisk
    impact: Mapping[str, float | None]
    """What each dependent workflow or module gains or loses; None: nobody measured."""


def unsafe_reasons(outlook: Outlook, roi_threshold: float = 0.0) -> tuple[ReasonCode, ...]:
    """Why promoting is not safe; nothing when it is. What is no number is `unknown`."""
    figures = [outlook.confidence, roi_threshold, *outlook.projected]
    figures += [each for each in outlook.impact.values() if each is not None]
    found = []
    if not all(math.isfinite(each) for each in figures):
        found.append(ReasonCode.UNKNOWN)
    if any(each < roi_threshold for each in outlook.projected):
        found.append(ReasonCode.PROJECTED_ROI)
    if not outlook.confidence >= LEAST_CONFIDENCE:
        found.append(ReasonCode.LOW_CONFIDENCE)
    if _is_collapsing(outlook.collapse, len(outlook.projected)):
        found.append(ReasonCode.COLLAPSE)
    if any(each is not None and each < 0 for each in outlook.impact.values()):
        found.append(ReasonCode.IMPACT)
    if not outlook.projected and not found:
        found.append(ReasonCode.UNKNOWN)
    return tuple(found)


def _is_collapsing(risk: CollapseRisk, horizon: int) -> bool:
    is_soon = risk.collapse_in is not None and risk.collapse_in <= horizon
    return risk.brittle or risk.risk is RiskLabel.IMMEDIATE or is_soon


NEAR = 0.05
"""How far below the bar a projected worth may lie and still be on the border."""
LEAST_OWN = 5
"""Cycles below which a projection is borrowed from others."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be decided on."""

    subject: str
    alignment: str
    """`pass`, or what it says instead."""
    scorecard: Mapping[str, Any]
    reasons: tuple[ReasonCode, ...]
    """Of the foresight gate."""
    lowest_projected: float | None
    roi_threshold: float
    has_bucket: bool
    cycles: int | None = None
    """Of history, where the change was proven by itself and needs none; None: history counts."""


def decide_deployment(
    question: Question,
    rules: Sequence[Rule] = (),
    overrides: Sequence[Override] = (),
    now: datetime | None = None,
) -> Decision:
    """The worst of all verdicts. A person can override any but a failed alignment."""
    if question.alignment != "pass":
        return Decision(DeploymentVerdict.DEMOTE, ("alignment_not_passed",), question.scorecard)
    verdict = _by_foresight(question)
    known = {**question.scorecard, "alignment": question.alignment}
    applied = apply_rules(rules, known)
    worst = max(verdict, applied.verdict, key=lambda each: each.severity)
    aside = _beside_the_point(question.cycles)
    counted = [str(each) for each in question.reasons if each not in aside]
    noted = [str(each) for each in question.reasons if each in aside]
    reasons = (*counted, *applied.reasons, *noted)
    return _overridden(Decision(worst, reasons, known), question.subject, overrides, now)


def _by_foresight(question: Question) -> DeploymentVerdict:
    reasons = set(question.reasons) - _beside_the_point(question.cycles)
    if not reasons:
        return DeploymentVerdict.PROMOTE
    if ReasonCode.UNKNOWN in reasons:
        return DeploymentVerdict.HOLD
    if reasons <= {ReasonCode.LOW_CONFIDENCE, ReasonCode.PROJECTED_ROI} and _is_near(question):
        return DeploymentVerdict.BORDERLINE if question.has_bucket else DeploymentVerdict.PILOT
    return DeploymentVerdict.DEMOTE


def _beside_the_point(cycles: int | None) -> frozenset[ReasonCode]:
    """What history cannot say against a change that was proven by itself.

    Not that little is known of it; nor, while it is short, what is borrowed from others.
    """
    if cycles is None:
        return frozenset()
    borrowed = {ReasonCode.PROJECTED_ROI} if cycles < LEAST_OWN else set()
    return frozenset({ReasonCode.LOW_CONFIDENCE, *borrowed})


def _is_near(question: Question) -> bool:
    if ReasonCode.PROJECTED_ROI not in question.reasons:
        return True
    lowest = question.lowest_projected
    if lowest is None or not math.isfinite(lowest):
        return False
    return lowest >= question.roi_threshold - NEAR


def _overridden(
    decision: Decision, subject: str, overrides: Sequence[Override], now: datetime | None
) -> Decision:
    """The last word that is about this subject and has not expired. Without a clock, none."""
    in_force = [
        each
        for each in overrides
        if now is not None and each.subject == subject and each.expires_at > now
    ]
    if not in_force:
        return decision
    last = in_force[-1]
    return replace(decision, verdict=last.verdict, overridden_by=last.name)


_LEAST_TIMED = 100
_LEAST_SHARE = 0.75


def regression(figures: CanaryFigures, plan: CanaryPlan) -> str | None:
    """What is worse about the new version; None while nothing is."""
    if figures.new_errors:
        return f"new_error: only the new version raises on {figures.new_errors} calls"
    if figures.differences:
        return f"difference: {figures.differences} calls have different results"
    return _slowness(figures, plan)


def _slowness(figures: CanaryFigures, plan: CanaryPlan) -> str | None:
    """Slower in the median, in the tail and on most calls: noise is rarely all three."""
    old, new = figures.p50_old_ms, figures.p50_new_ms
    if figures.compared < _LEAST_TIMED or not old or new is None or figures.slower_share is None:
        return None
    if not figures.p95_old_ms or figures.p95_new_ms is None:
        return None
    ratios = new / old, figures.p95_new_ms / figures.p95_old_ms
    if min(ratios) < plan.slower or figures.slower_share < _LEAST_SHARE:
        return None
    return f"latency: {ratios[0]:.2f} times the old median, {ratios[1]:.2f} times the old p95"
