"""What old and new reach when they run, recorded in the sandbox."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import MachineryError
from reverie.gates.effects.table import Effect, EffectKind
from reverie.instruments.effects.recording import NewEffect, record_effects
from reverie.instruments.equivalence import version_of
from reverie.model.change import Change, FileEdit
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.engine import Sandbox
from reverie.trials import refactoring_trial
from reverie.trials.integration import _IntegrationTrial
from reverie.trials.plan import TrialPlan, write_trees
from reverie.trials.refactoring_idea import Idea, Setting, try_idea

OLD = "import os\n\n\ndef total(prices: list[int]) -> int:\n    return sum(prices)\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as engine:
        yield engine


def recorded(sandbox: Sandbox, before: str, after: str) -> list[str]:
    versions = [version_of(text, "total", path="shop.py") for text in (before, after)]
    found = record_effects(sandbox, *versions, section=EquivalenceSection())
    return [str(each) for each in found]


def body(text: str) -> str:
    return OLD.replace("return sum(prices)", text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("return sum(prices) * (os.getpid() > 0)", "processes (os.getpid) at call, shop.py:5"),
        (
            "import platform\n    return sum(prices) * len(platform.node())",
            "machine (platform.node) at call, shop.py:6",
        ),
        (
            "look = getattr(print.__self__, '__im' + 'port__')('time')\n"
            "    return sum(prices) * (look.time() > 0)",
            "time (time.time) at call, shop.py:6",
        ),
        (
            "from calendar import datetime as d\n    return sum(prices) * d.datetime.now().year",
            "time (datetime.datetime.now) at call, shop.py:6",
        ),
        ("return [*sorted(prices, key=id)] and sum(prices)", "interpreter (id) at call, shop.py:5"),
        ("return sum(abs(p) for p in prices) and sum(prices)", None),
    ],
)
def test_what_only_the_new_version_reaches_is_told(
    sandbox: Sandbox, text: str, told: str | None
) -> None:
    found = recorded(sandbox, OLD, body(text))
    assert found == [] if told is None else told in found


def test_what_is_reached_at_import_is_told_apart(sandbox: Sandbox) -> None:
    after = OLD.replace("\n\n\ndef", "\n\nNAME = os.uname().nodename\n\n\ndef")
    assert recorded(sandbox, OLD, after) == ["machine (os.uname) at import, shop.py:3"]
    assert recorded(sandbox, after, after) == []


def test_who_stops_the_recorder_is_not_taken_for_quiet(sandbox: Sandbox) -> None:
    stopped = body("import sys\n    sys.setprofile(None)\n    return sum(prices) * os.getpid()")
    found = recorded(sandbox, OLD, stopped)
    assert any("sys.setprofile" in each for each in found), found


def test_a_version_that_cannot_be_loaded_has_no_record(sandbox: Sandbox) -> None:
    with pytest.raises(MachineryError, match="was not recorded"):
        recorded(sandbox, OLD, "raise ValueError\n\n\ndef total(prices):\n    return 0\n")


PACKAGE = {
    "shop/__init__.py": b'"""Prices."""\n',
    "shop/host.py": b"import os\n\nNAME = os.uname().nodename\n",
    "shop/plain.py": b"RATE = 20\n",
}


@pytest.mark.parametrize(
    ("line", "told"),
    [("from shop.plain import RATE\n", 0), ("from shop.host import NAME\n", 1)],
)
def test_what_a_front_comes_to_reach_by_importing_counts_for_an_integration(
    sandbox: Sandbox, tmp_path: Path, line: str, told: int
) -> None:
    before = PACKAGE["shop/__init__.py"].decode()
    change = Change((FileEdit("shop/__init__.py", before, before + line),))
    trial = _IntegrationTrial(write_trees(PACKAGE, change, tmp_path), sandbox, TrialPlan())
    trial.note_more()
    measures = trial.found.measures
    assert (measures["effects.new"], measures["effects.unrecorded"]) == (told, 0)


def test_a_callable_without_a_suite_is_recorded_too(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    idea = Idea("shop.py", OLD, body("return sum(list(prices))"), "x", "x", "total")
    setting = Setting({"shop.py": OLD.encode()}, has_suite=False)
    tried = try_idea(sandbox, setting, idea, 20)
    assert tried.evidence.measures["effects.new"] == 0
    assert "effects" in {each.gate for each in tried.judgement.rulings}

    def found(*given: object, **named: object) -> tuple[NewEffect, ...]:
        return (NewEffect(Effect(EffectKind.TIME, "time.time"), "call", "shop.py:5"),)

    monkeypatch.setattr(refactoring_trial, "record_effects", found)
    refused = try_idea(sandbox, setting, idea, 20).judgement
    assert [e.reason_code for e in refused.rulings if e.gate == "effects"] == ["new_effect"]
