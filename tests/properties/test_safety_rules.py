import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.model.outcome import TrustTier
from reverie.sandbox.safety import Rule, RuleSet, check_source

CASES = Path(__file__).parents[1] / "quality" / "static_cases.jsonl"
CODES = [json.loads(line)["code"] for line in CASES.read_text("utf-8").splitlines()]
TOKENS = sorted({token for code in CODES for token in code.replace("(", " ( ").split(" ")})
DEFAULT = RuleSet.default()
SWITCHABLE = [rule.id for rule in DEFAULT if rule.kind != "unjudged"]

codes = st.sampled_from(CODES)


@given(st.one_of(st.text(), st.binary(), st.lists(st.sampled_from(TOKENS)).map(" ".join)))
def test_no_text_makes_it_raise(source: str | bytes) -> None:
    checked = check_source(source)
    for finding in checked.findings:
        assert finding.line >= 1
        assert finding.column >= 1
    assert list(checked.findings) == list(check_source(source).findings)


@given(codes, codes, st.data())
def test_no_mixture_of_programs_makes_it_raise(one: str, other: str, data: st.DataObject) -> None:
    lines = one.splitlines() + other.splitlines()
    chosen = data.draw(st.permutations(lines))
    check_source("\n".join(chosen))


@given(codes, st.text(min_size=1, max_size=3), st.data())
def test_no_small_change_makes_it_raise(code: str, noise: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(code)))
    check_source(code[:at] + noise + code[at:])
    check_source((code[:at] + code[at + len(noise) :]).encode("utf-8", "surrogatepass"))


@given(codes, st.sampled_from(["print", "len", "os.*", "builtins.*", "*"]))
def test_one_more_rule_never_removes_a_finding(code: str, pattern: str) -> None:
    rule = Rule.from_dict(
        {
            "id": "mine",
            "title": "Mine",
            "kind": "call",
            "severity": "info",
            "tiers": ["sandbox"],
            "message": "{symbol}",
            "symbols": [pattern, f"builtins.{pattern}"],
        }
    )
    before = check_source(code, rules=DEFAULT)
    after = check_source(code, rules=DEFAULT.with_rule(rule))
    assert set(before.findings) <= set(after.findings)
    assert before.passed >= after.passed


@given(codes, st.sampled_from(SWITCHABLE), st.sampled_from(list(TrustTier)))
def test_one_rule_less_never_adds_a_finding(code: str, rule_id: str, tier: TrustTier) -> None:
    before = check_source(code, tier=tier, rules=DEFAULT)
    after = check_source(code, tier=tier, rules=DEFAULT.disable(rule_id))
    assert set(after.findings) <= set(before.findings)
    assert {f for f in before.findings if f.rule != rule_id} == set(after.findings)
    assert after.passed >= before.passed


@pytest.mark.parametrize("tier", list(TrustTier))
def test_every_case_is_judged_alike_every_time(tier: TrustTier) -> None:
    for code in CODES[::7]:
        assert check_source(code, tier=tier) == check_source(code, tier=tier)
