"""After an installation the suite is looked at again; what is known of it is not waited for."""

from typing import Any

import pytest

from reverie.bootstrap import environments
from reverie.bootstrap.environments import Wish, looked_at
from reverie.model.repository.environment import Finding, Preflight, SuitePart, Surroundings

MADE = Surroundings("/env/bin/python", "3.12", "environment made from tox.ini", is_made=True)
PART = SuitePart(("tests/test_a.py",), ("tests/test_b.py",), frozenset())


def test_of_a_suite_that_took_too_long_not_all_is_waited_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Room:
        extras = ()

        def __init__(self, *given: Any) -> None: ...

        def options(self, version: str) -> tuple[str, ...]:
            return ()

    lacking = Finding("broken_test_files", "one", "pip install six", ("six",))
    answers = [
        Preflight("3.12", "tox.ini", findings=(lacking,), part=PART),
        Preflight("3.12", "tox.ini", part=PART),
    ]
    parts: list[SuitePart | None] = []

    def look(around: Surroundings) -> Preflight:
        parts.append(around.part)
        return answers[len(parts) - 1]

    monkeypatch.setattr(environments, "_Room", Room)
    monkeypatch.setattr(environments, "settle", lambda *given: MADE)
    loaded: Any = None
    _, found = looked_at(loaded, MADE, Wish(is_settled=True), {}, look)
    assert (parts, found.is_ready) == ([None, PART], True)


@pytest.mark.parametrize(
    ("why", "expected"),
    [
        ("ModuleNotFoundError: No module named 'six'", True),
        ("fixture 'mocker' not found", True),
        ("to use it: pip install shop[crypto]", True),
        ("subprocess.CalledProcessError: Command '['git', 'remote']' returned 128", False),
        ("assert 1 == 2", False),
    ],
)
def test_only_tests_that_miss_something_are_a_reason_to_install_more(
    why: str, expected: bool
) -> None:
    failing = Finding("failing_tests", "7 tests failed", "pytest")
    found = Preflight("3.12", "tox.ini", failing={"test_a": why}, findings=(failing,))
    assert found.is_suite_at_fault is expected
    assert not Preflight("3.12", "tox.ini", failing={"test_a": why}).is_suite_at_fault
