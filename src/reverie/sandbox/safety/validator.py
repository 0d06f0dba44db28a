"""The validator as the documents name it: rules that can be changed, and one question."""

from collections.abc import Mapping
from typing import Any

from reverie.model.finding import CheckedFile
from reverie.model.outcome import TrustTier
from reverie.sandbox.safety.check import check_source
from reverie.sandbox.safety.rule import Rule
from reverie.sandbox.safety.ruleset import RuleSet


class CodeValidator:
    """Checks code against rules that can be added, enabled and disabled."""

    __slots__ = ("_rules",)

    def __init__(self, rules: RuleSet | None = None) -> None:
        self._rules = rules if rules is not None else RuleSet.default()

    @property
    def rules(self) -> RuleSet:
        """The rules in force."""
        return self._rules

    def add_rule(self, rule: Rule | Mapping[str, Any]) -> None:
        """Add a rule, given as such or as plain data."""
        made = rule if isinstance(rule, Rule) else Rule.from_dict(rule)
        self._rules = self._rules.with_rule(made)

    def enable_rule(self, rule_id: str) -> None:
        """Switch a rule on."""
        self._rules = self._rules.enable(rule_id)

    def disable_rule(self, rule_id: str) -> None:
        """Switch a rule off."""
        self._rules = self._rules.disable(rule_id)

    def validate(
        self, code: str | bytes, tier: TrustTier = TrustTier.SANDBOX, path: str = "<code>"
    ) -> CheckedFile:
        """What the rules say about the code at a tier."""
        return check_source(code, path, tier, self._rules)
