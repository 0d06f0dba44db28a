"""A baseline is lowered by two people with two keys, under a decision that names it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.errors import Refused
from reverie.model.ruling import Approver, Baseline, Lowering, read_baseline
from reverie.promotion.approvals import lower, signers
from reverie.promotion.bundle.keys import SigningKey, own_key

KEPT = Baseline({"suite.passing": 40.0})
WANTED = Lowering("suite.passing", 40.0, 30.0, "docs/decisions/0001.md", ())
RECORD = b"# Fewer tests\n\nsuite.passing falls to 30: ten tests were of a feature that is gone.\n"


@pytest.fixture
def key(tmp_path: Path) -> Callable[[str], SigningKey]:
    return lambda name: own_key(tmp_path / name)


def test_one_signature_lowers_nothing_and_two_do(key: Callable[[str], SigningKey]) -> None:
    once = lower(KEPT, WANTED, RECORD, "Ada", key("ada"))
    assert once.measures == {"suite.passing": 40.0}
    twice = lower(read_baseline(once.text()), WANTED, RECORD, "Bob", key("bob"))
    assert twice.measures == {"suite.passing": 30.0}
    assert [each.name for each in signers(twice.lowered[0], RECORD)] == ["Ada", "Bob"]


@pytest.mark.parametrize(
    ("name", "whose"), [("Bob", "ada"), ("ADA ", "bob")], ids=["the same key", "the same name"]
)
def test_one_person_cannot_give_two_signatures(
    key: Callable[[str], SigningKey], name: str, whose: str
) -> None:
    once = lower(KEPT, WANTED, RECORD, "Ada", key("ada"))
    with pytest.raises(Refused, match="already"):
        lower(once, WANTED, RECORD, name, key(whose))


def test_a_decision_about_something_else_decides_nothing(key: Callable[[str], SigningKey]) -> None:
    with pytest.raises(Refused, match="does not name"):
        lower(KEPT, WANTED, b"# Another matter\n", "Ada", key("ada"))


def test_a_signature_holds_for_what_was_signed(key: Callable[[str], SigningKey]) -> None:
    signed = lower(KEPT, WANTED, RECORD, "Ada", key("ada")).lowered[0]
    lower_still = Lowering("suite.passing", 40.0, 3.0, WANTED.decision, signed.approvals)
    assert signers(lower_still, RECORD) == ()
    assert signers(signed, RECORD + b"more\n") == ()
    assert signers(Lowering("a", 1, 0, "d", ("nonsense",)), RECORD) == ()


def test_where_approvers_are_named_others_do_not_count(key: Callable[[str], SigningKey]) -> None:
    signed = lower(KEPT, WANTED, RECORD, "Ada", key("ada")).lowered[0]
    ada = Approver("Ada", key("ada").public.fingerprint)
    assert len(signers(signed, RECORD, (ada,))) == 1
    assert signers(signed, RECORD, (Approver("Bob", ada.keyid),)) == ()


def test_nobody_has_no_name(key: Callable[[str], SigningKey]) -> None:
    with pytest.raises(Refused, match="name"):
        lower(KEPT, WANTED, RECORD, "  ", key("ada"))
