"""Every promotion is looked at by the flagger: what it says is written down, the worst refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.errors import Refused
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Proven
from reverie.model.dream import DreamKind, Stage
from reverie.model.settings.promotion import AlignmentSection, PromotionSection
from reverie.promotion.bundle.keys import own_key
from reverie.promotion.bundle.writing import Sealing
from reverie.promotion.decision_records import FLAGS_FILE
from reverie.promotion.offering import offer_dream
from reverie.promotion.promoter import Offer, Promoter
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import proven_dream

OLD = 'def total(p):\n    """All of it."""\n    return sum(list(p))\n'
KEY = "AKIA" + "Q7RZM2XK4WLN8VBT"


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("shop")
    repository.commit("One", {"cart.py": OLD})
    return repository


@pytest.fixture
def offer(shop, tmp_path: Path, now) -> Callable[..., Path]:
    def offered(new: str, **settings: object) -> Path:
        edit = FileEdit("cart.py", OLD, new, mode_before="100644", mode_after="100644")
        source = read_source(shop.folder)
        proven: Proven = proven_dream(
            Change((edit,)), source, kind=DreamKind.REFACTOR, stage=Stage.B
        )
        section = AlignmentSection(**settings)  # type: ignore[arg-type]
        promoter = Promoter(shop.folder, PromotionSection(), section)
        sealing = Sealing(own_key(tmp_path / "key"), now, {}, "0")
        data = tmp_path / "data"
        offer_dream(promoter, proven, Offer(now), sealing, data / "bundles")
        return data / FLAGS_FILE

    return offered


def test_flags_are_written_down_as_events(offer: Callable[..., Path]) -> None:
    file = offer("def total(p):\n    return sum(p)\n")
    (line,) = file.read_text().splitlines()
    told = json.loads(line)
    assert told["event"] == "alignment:flag"
    assert told["verdict"] == "pass"
    assert [each["rule"] for each in told["flags"]] == ["docstring_removed"]


def test_a_change_without_flags_writes_nothing(offer: Callable[..., Path]) -> None:
    assert not offer(OLD.replace("list(p)", "p")).exists()


def test_a_secret_is_not_promoted_and_not_repeated(offer: Callable[..., Path], shop) -> None:
    with pytest.raises(Refused, match="alignment_failure: secret") as refusal:
        offer(OLD + f'_KEY = "{KEY}"\n')
    assert KEY not in str(refusal.value)
    assert shop.git("branch", "--list", "reverie/*") == ""


def test_the_flagger_can_be_switched_off_by_those_who_run_it(offer: Callable[..., Path]) -> None:
    assert not offer("def total(p):\n    return sum(p)\n", enabled=False).exists()
