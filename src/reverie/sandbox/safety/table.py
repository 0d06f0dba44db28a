"""The rule table of the documentation, made from the rules themselves."""

from reverie.model.outcome import TrustTier
from reverie.sandbox.safety.rule import Rule
from reverie.sandbox.safety.ruleset import RuleSet


def rule_table(rules: RuleSet | None = None) -> str:
    """A Markdown table of the rules, by family, in the order in which they are listed."""
    known = rules if rules is not None else RuleSet.default()
    families: dict[str, list[Rule]] = {}
    for rule in known:
        families.setdefault(rule.family, []).append(rule)
    lines = [
        "| family | rule | objects when the source | severity | fails at |",
        "|---|---|---|---|---|",
    ]
    lines += [_row(rule) for members in families.values() for rule in members]
    return "\n".join(lines) + "\n"


def _row(rule: Rule) -> str:
    failing = [tier.value for tier in TrustTier if rule.fails_at(tier)]
    tiers = "every tier" if len(failing) == len(TrustTier) else ", ".join(failing) or "advice only"
    title = rule.title[0].lower() + rule.title[1:]
    return f"| {rule.family} | `{rule.id}` | {title} | {rule.severity.value} | {tiers} |"
