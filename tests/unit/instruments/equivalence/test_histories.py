"""Calls that share an object or a module with the callable."""

import random

import pytest

from reverie.instruments.equivalence.facts import gather_facts
from reverie.instruments.equivalence.targets import version_of
from reverie.instruments.equivalence.variants import Histories
from reverie.model.call import Call, Expression

METER = """
class Base:
    def reset(self) -> None: ...

class Meter(Base):
    def __init__(self, start: int = 0) -> None: ...
    def add(self, value: int) -> None: ...
    def mean(self) -> float: ...
    def _hidden(self) -> int: ...
    def __contains__(self, value: int) -> bool: ...
    @property
    def count(self) -> int: ...
"""
MODULE = """
_known = {}
def register(name: str) -> None:
    _known[name] = 1
def names() -> list[str]:
    return sorted(_known)
def unrelated(n: int) -> int:
    return n
"""


def histories(source: str, entry: str) -> Histories:
    version = version_of(source, entry)
    return Histories(gather_facts(version, version), random.Random(1))


@pytest.mark.parametrize(
    ("source", "entry", "expected"),
    [
        (METER, "Meter.add", {"Base.reset", "Meter.mean", "Meter.__contains__", "Meter.count"}),
        (MODULE, "register", {"names"}),
        (MODULE, "unrelated", {"register", "names"}),
    ],
)
def test_what_can_show_the_state_is_called(source: str, entry: str, expected: set[str]) -> None:
    assert set(histories(source, entry).companions) == expected


def test_all_methods_are_called_on_the_object_of_the_call() -> None:
    call = Call((Expression("3"),), receiver=Expression("Meter(7)"))
    for scenario in histories(METER, "Meter.add").of(call):
        methods = [step for step in scenario.steps if step.call.receiver is not None]
        assert {step.call.receiver.source for step in methods if step.call.receiver} == {"Meter(7)"}
        assert [step.is_shared for step in methods] == [False] + [True] * (len(methods) - 1)
        assert any(step.callee is None for step in scenario.steps)
        assert scenario.steps[-1].callee is not None


def test_of_a_class_the_methods_of_a_fresh_object_are_called() -> None:
    for scenario in histories(METER, "Meter").of(Call((Expression("5"),))):
        receivers = {step.call.receiver.source for step in scenario.steps if step.call.receiver}
        assert receivers == {"Meter(5)"}
        assert all(step.callee is not None for step in scenario.steps)


def test_without_anything_to_show_it_there_is_no_history() -> None:
    lone = histories("def f(n: int) -> int:\n    return n\n", "f")
    assert list(lone.of(Call((Expression("1"),)))) == []
