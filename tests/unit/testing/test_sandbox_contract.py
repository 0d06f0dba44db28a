"""The instrument itself: a deviation has to be real, known, and of the expected kind."""

import pytest
from _pytest.outcomes import Failed

from reverie.errors import PolicyError, SandboxLost
from reverie.testing.sandbox import SandboxContract


class Small(SandboxContract):
    """Not collected: its name does not begin with Test."""

    outcome: Exception | None = None

    def test_something(self) -> None:
        if self.outcome is not None:
            raise self.outcome


def held(deviations: set[str], outcome: Exception | None, name: str = "test_something") -> None:
    """Run the one test as it stands in a contract with these deviations."""
    kind = type("Held", (Small,), {"deviations": frozenset(deviations)})
    instance = kind()
    instance.outcome = outcome
    instance._test_name = name
    instance.test_something()


def test_without_a_deviation_a_test_is_what_it_is() -> None:
    held(set(), None)
    with pytest.raises(AssertionError, match="broken"):
        held(set(), AssertionError("broken"))


@pytest.mark.parametrize("error", [AssertionError("other"), PolicyError("not on this tier")])
def test_a_deviation_that_is_real_passes(error: Exception) -> None:
    held({"test_something"}, error)


def test_a_deviation_that_has_gone_away_fails() -> None:
    with pytest.raises(Failed, match="test_something is listed as a deviation"):
        held({"test_something"}, None)


@pytest.mark.parametrize("error", [SandboxLost("landlock", "gone"), KeyError("typo")])
def test_a_failure_of_another_kind_is_no_deviation(error: Exception) -> None:
    with pytest.raises(type(error)):
        held({"test_something"}, error)


def test_a_deviation_may_be_one_case_of_a_test() -> None:
    deviations = {"test_something[bad]"}
    held(deviations, AssertionError(), "test_something[bad]")
    held(deviations, None, "test_something[good]")
    with pytest.raises(AssertionError):
        held(deviations, AssertionError(), "test_something[good]")


def test_an_unknown_deviation_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="test_typo"):
        type("Wrong", (Small,), {"deviations": frozenset({"test_typo"})})
