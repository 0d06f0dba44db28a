from collections.abc import Iterable
from importlib import import_module
from typing import Any

import pytest

from reverie.errors import InstrumentUnproven, MachineryError, SandboxLost
from reverie.instruments import self_check
from reverie.instruments.self_check import INSTRUMENTS, Plant, Proofs, instruments_there, prove
from reverie.model.measurements.suite import Proof


def answers(name: str, required: str, seen: str) -> Plant:
    return Plant(name, required, lambda: seen)


def test_an_instrument_that_sees_everything_planted_is_proven() -> None:
    found = prove("scale", [answers("empty", "0", "0"), answers("a stone", "1", "1")])
    assert found.passed
    assert [each.name for each in found.sightings] == ["empty", "a stone"]


def test_an_instrument_that_misses_one_thing_is_not_proven() -> None:
    found = prove("scale", [answers("empty", "0", "0"), answers("a stone", "1", "0")])
    assert not found.passed
    assert [each.passed for each in found.sightings] == [True, False]


def test_an_instrument_that_nothing_was_planted_for_is_not_proven() -> None:
    assert not prove("scale", []).passed


def test_our_own_failure_is_a_wrong_answer() -> None:
    def lose() -> str:
        raise SandboxLost("namespaces", "gone")

    found = prove("scale", [Plant("a stone", "1", lose)])
    assert not found.passed
    assert found.sightings[0].seen == "machinery error: namespaces sandbox lost: gone"


class Doors:
    """As much of a sandbox as a proof knows: its slots, and the settings of this door."""

    def __init__(self, slots: object, section: str = "as usual") -> None:
        self.slots = slots
        self.section = section


class Slots:
    """Something that can be weakly referred to."""


def proofs_of(slots: object | None = None, section: str = "as usual") -> Proofs:
    doors: Any = Doors(slots or Slots(), section)
    return Proofs(doors)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> list[Plant]:
    """The plants of every instrument, whatever its name."""
    plants: list[Plant] = []

    class Module:
        @staticmethod
        def plants(sandbox: object) -> Iterable[Plant]:
            assert isinstance(sandbox, Doors)
            return plants

    monkeypatch.setattr(self_check, "import_module", lambda name: Module)
    return plants


def test_a_proof_is_made_once_in_a_run(planted: list[Plant]) -> None:
    asked: list[int] = []
    planted.append(Plant("a stone", "1", lambda: asked.append(1) or "1"))  # type: ignore[func-returns-value]
    proofs = proofs_of()
    assert isinstance(proofs.require("scale"), Proof)
    assert proofs.require("scale") is proofs.of("scale")
    assert asked == [1]
    proofs.require("clock")
    assert asked == [1, 1]


def test_what_has_passed_is_not_asked_again_behind_another_door_of_the_same_slots(
    planted: list[Plant],
) -> None:
    asked: list[int] = []
    planted.append(Plant("a stone", "1", lambda: asked.append(1) or "1"))  # type: ignore[func-returns-value]
    slots = Slots()
    proof_of_one = proofs_of(slots).require("scale")
    assert proofs_of(slots).require("scale") is proof_of_one
    assert asked == [1]
    proofs_of(slots, "another interpreter").require("scale")
    proofs_of().require("scale")
    assert asked == [1, 1, 1], "other settings and other slots have to be proven themselves"


def test_what_has_failed_is_asked_again_by_whoever_comes_next(planted: list[Plant]) -> None:
    answered = iter(["0", "1"])
    planted.append(Plant("a stone", "1", lambda: next(answered)))
    slots = Slots()
    assert not proofs_of(slots).of("scale").passed
    assert proofs_of(slots).of("scale").passed


def test_what_is_not_proven_is_a_machinery_error_that_says_what_was_missed(
    planted: list[Plant],
) -> None:
    planted += [answers("empty", "0", "0"), answers("a stone", "1", "0")]
    proofs = proofs_of()
    with pytest.raises(
        InstrumentUnproven, match=r"'scale'.*a stone: expected '1', saw '0'"
    ) as told:
        proofs.require("scale")
    assert isinstance(told.value, MachineryError)
    assert told.value.exit_code == 3
    assert not proofs.of("scale").passed


def test_no_plants_is_no_proof_either(planted: list[Plant]) -> None:
    with pytest.raises(InstrumentUnproven, match="nothing was planted"):
        proofs_of().require("scale")


def test_every_instrument_that_is_built_has_something_planted_for_it() -> None:
    assert set(instruments_there()) <= set(INSTRUMENTS)
    for name in instruments_there():
        assert callable(import_module(f"reverie.instruments.{name}.plants").plants)
