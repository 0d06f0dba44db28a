"""Whose word counts against a decision, and until when."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie.errors import Refused
from reverie.model.foresight import DeploymentVerdict, Override
from reverie.model.ruling import Approver
from reverie.promotion.approvals import overrides_in_force, sign_override
from reverie.promotion.bundle.keys import SigningKey, own_key

NOW = datetime(2024, 6, 1, tzinfo=UTC)
WORD = Override("wf", DeploymentVerdict.PROMOTE, "Ada", "looked at it", NOW + timedelta(days=7))


@pytest.fixture
def keys(tmp_path: Path) -> Callable[[str], SigningKey]:
    return lambda name: own_key(tmp_path / name)


def ada(keys: Callable[[str], SigningKey]) -> list[Approver]:
    return [Approver("Ada", keys("ada").public.fingerprint)]


def test_a_signed_word_counts_until_it_expires(keys: Callable[[str], SigningKey]) -> None:
    envelope = sign_override(WORD, keys("ada"))
    assert overrides_in_force([envelope], ada(keys), NOW) == (WORD,)
    assert overrides_in_force([envelope], ada(keys), NOW + timedelta(days=8)) == ()


def test_nobody_elses_word_counts(keys: Callable[[str], SigningKey]) -> None:
    by_other_key = sign_override(WORD, keys("mallory"))
    by_other_name = sign_override(replace(WORD, name="Mallory"), keys("ada"))
    known = ada(keys)
    assert overrides_in_force([by_other_key, by_other_name], known, NOW) == ()
    assert overrides_in_force([sign_override(WORD, keys("ada"))], [], NOW) == ()


def test_one_byte_changed_is_nothing(keys: Callable[[str], SigningKey]) -> None:
    envelope = sign_override(WORD, keys("ada"))
    for place in range(0, len(envelope), 7):
        broken = envelope[:place] + bytes([envelope[place] ^ 1]) + envelope[place + 1 :]
        assert overrides_in_force([broken], ada(keys), NOW) == ()
    assert overrides_in_force([b"", b"{}", b"\xff"], ada(keys), NOW) == ()


def test_a_word_without_a_name_a_reason_or_an_end_is_refused(
    keys: Callable[[str], SigningKey],
) -> None:
    for changes in ({"name": " "}, {"why": ""}, {"expires_at": datetime(2024, 7, 1)}):
        with pytest.raises(Refused):
            sign_override(replace(WORD, **changes), keys("ada"))
