import json

import pytest

from reverie.errors import ConfigError
from reverie.sandbox.safety import Rule, RuleSet

FORBID_REQUESTS = {
    "id": "no-requests",
    "title": "Imports requests",
    "kind": "import",
    "severity": "error",
    "tiers": ["sandbox", "testing"],
    "message": "{symbol} is not used here",
    "symbols": ["requests"],
}


@pytest.mark.parametrize("rule", RuleSet.default(), ids=lambda rule: rule.id)
def test_every_packaged_rule_survives_json(rule: Rule) -> None:
    assert Rule.from_dict(json.loads(json.dumps(rule.to_dict()))) == rule


@pytest.mark.parametrize("rule", RuleSet.default(), ids=lambda rule: rule.id)
def test_every_packaged_rule_says_why_and_how_to_fix_it(rule: Rule) -> None:
    assert rule.why
    assert rule.fix
    assert rule.title[0].isupper()


def test_a_short_rule_is_enough() -> None:
    rule = Rule.from_dict(FORBID_REQUESTS)
    assert rule.family == "custom"
    assert rule.enabled
    assert rule.when == ()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param({"colour": "red"}, "colour", id="unknown key"),
        pytest.param({"severity": "dreadful"}, "dreadful", id="unknown word"),
        pytest.param({"kind": 3}, "kind", id="wrong type"),
        pytest.param({"tiers": "sandbox"}, "tiers", id="a word instead of a list"),
        pytest.param({"tiers": ["moon"]}, "moon", id="unknown tier"),
        pytest.param({"symbols": ["requests", 4]}, "symbols", id="a number among strings"),
        pytest.param({"symbols": []}, "symbols", id="nothing to object to"),
        pytest.param({"enabled": "yes"}, "enabled", id="not a truth value"),
        pytest.param({"id": ""}, "id", id="no id"),
        pytest.param({"kind": "attribute"}, "names", id="an attribute rule without names"),
        pytest.param({"kind": "path"}, "access", id="a path rule without access"),
        pytest.param({"kind": "argument"}, "when", id="an argument rule without conditions"),
        pytest.param(
            {"kind": "argument", "when": [{"argument": "x", "test": "in", "colour": 1}]},
            "colour",
            id="unknown key in a condition",
        ),
        pytest.param(
            {"kind": "argument", "when": [{"argument": "x", "test": "in", "position": -1}]},
            "position",
            id="a negative position",
        ),
        pytest.param({"kind": "argument", "when": ["x"]}, "table", id="a condition that is none"),
    ],
)
def test_a_mistake_is_named(change: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        Rule.from_dict({**FORBID_REQUESTS, **change})


def test_a_missing_key_is_named() -> None:
    data = {key: value for key, value in FORBID_REQUESTS.items() if key != "message"}
    with pytest.raises(ConfigError, match="message"):
        Rule.from_dict(data)
