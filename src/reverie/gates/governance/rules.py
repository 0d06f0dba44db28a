"""The owner's rules as data: conditions in TOML, each with a verdict. They only ever tighten."""

import ast
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.errors import ConfigError
from reverie.gates.governance.expressions import ExpressionError, holds, parse_condition
from reverie.model.governance import DeploymentVerdict

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
