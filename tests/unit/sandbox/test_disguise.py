"""Machines that a sandbox pretends to be: drawn, different, and nothing to be learned by heart."""

from dataclasses import fields

import pytest

from reverie.errors import PolicyError
from reverie.model.execution import Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.policy import check_policy
from reverie.sandbox.profile import MOST, draw_disguise


def test_the_same_number_and_secret_are_the_same_machine() -> None:
    assert draw_disguise(3, b"a") == draw_disguise(3, b"a")
    assert draw_disguise(3, b"a") != draw_disguise(3, b"b")


@pytest.mark.parametrize("secret", [b"one", b"two", b"three"])
def test_the_first_two_machines_differ_in_everything_but_the_language(secret: bytes) -> None:
    first, second = draw_disguise(0, secret), draw_disguise(1, secret)
    names = {each.name for each in fields(first)} - {"language"}
    assert {name for name in names if getattr(first, name) == getattr(second, name)} == set()


def test_all_numbers_have_a_user_and_a_host_of_their_own() -> None:
    machines = [draw_disguise(number, b"key") for number in range(MOST)]
    assert len({each.user for each in machines}) == MOST
    assert len({each.host for each in machines}) == MOST


def test_the_first_machine_keeps_zone_and_language_of_the_real_one() -> None:
    first, second = draw_disguise(0), draw_disguise(1)
    assert "TZ" not in first.environment
    assert first.environment["LANG"] == "C.UTF-8"
    assert second.environment["TZ"] == second.zone


def test_its_files_agree_with_its_environment() -> None:
    machine = draw_disguise(2)
    files = machine.files(1000)
    entry = files["/etc/passwd"].splitlines()[-1].split(":")
    assert entry[0] == machine.environment["USER"]
    assert entry[2] == "1000"
    assert entry[5:] == [machine.home, machine.environment["SHELL"]]
    assert files["/etc/hostname"] == f"{machine.host}\n"
    assert machine.host in files["/etc/hosts"]


@pytest.mark.parametrize("number", [-1, MOST])
def test_a_number_that_no_machine_has_is_refused(number: int) -> None:
    with pytest.raises(PolicyError, match="disguise"):
        check_policy(Policy(disguise=number), IsolationTier.NAMESPACES)
