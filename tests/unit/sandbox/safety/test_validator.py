from reverie.model.outcome import TrustTier
from reverie.sandbox.safety import CodeValidator, RuleSet

MINE = {
    "id": "no-print",
    "title": "Prints",
    "kind": "call",
    "severity": "warning",
    "tiers": ["sandbox"],
    "message": "{symbol} writes to the console",
    "symbols": ["builtins.print"],
}


def test_it_validates_at_a_tier() -> None:
    validator = CodeValidator()
    assert validator.validate("x = 1").passed
    assert not validator.validate("eval(x)").passed
    assert validator.validate("eval(x)", TrustTier.CORE).passed


def test_rules_can_be_added_disabled_and_enabled() -> None:
    validator = CodeValidator()
    validator.add_rule(MINE)
    assert not validator.validate("print(1)").passed
    validator.disable_rule("no-print")
    assert validator.validate("print(1)").passed
    validator.enable_rule("no-print")
    assert not validator.validate("print(1)").passed
    assert "no-print" in validator.rules


def test_one_validator_does_not_change_another() -> None:
    CodeValidator().disable_rule("dynamic-code")
    assert not CodeValidator().validate("eval(x)").passed
    assert CodeValidator(RuleSet.from_dicts([])).validate("eval(x)").passed
