from collections.abc import Iterator
from typing import Any

import pytest

from reverie_pytest import network

NEAR = [None, "", "127.0.0.1", "127.8.9.10", "::1", "localhost", "a.localhost", "0.0.0.0", b"::1"]
FAR = [
    *("192.0.2.1", "example.invalid", "127.0.0.1.example.invalid", "127.1", "2130706433", "1::1"),
    *("localhost.example.invalid", b"192.0.2.1", 7, ("x",), "::ffff:192.0.2.1", "notlocalhost"),
]


@pytest.fixture(autouse=True)
def rule(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The rule without the hook: this process is not to keep one."""
    monkeypatch.setattr(network, "_rule", network.BLOCK)
    monkeypatch.setattr(network, "_attempts", 0)
    return


@pytest.mark.parametrize("host", NEAR)
def test_loopback_is_let_through(host: Any) -> None:
    network._hook("socket.getaddrinfo", (host, 80, 0, 0, 0))
    assert network.attempts() == 0


@pytest.mark.parametrize("host", FAR)
def test_everything_else_is_not(host: Any) -> None:
    with pytest.raises(network.NetworkBlocked, match=r"mark the test @pytest\.mark\.external"):
        network._hook("socket.getaddrinfo", (host, 80, 0, 0, 0))
    assert network.attempts() == 1


def test_the_own_name_may_be_looked_up() -> None:
    import socket

    network._hook("socket.gethostbyaddr", (socket.gethostname(),))


def test_other_events_are_none_of_its_business() -> None:
    network._hook("open", ("/etc/hosts", "r", 0))
    network._hook("socket.bind", (None, ("192.0.2.1", 80)))


def test_what_is_handed_down_is_taken_back() -> None:
    environ: Any = {"PYTHONPATH": "/a"}
    for _ in range(2):
        network.hand_down(network.BLOCK, environ)
    folder, _, rest = environ["PYTHONPATH"].partition(":")
    assert folder.endswith("/reverie_pytest/child")
    assert (rest, environ[network.VARIABLE]) == ("/a", "block")
    network.hand_down_nothing(environ)
    assert environ == {"PYTHONPATH": "/a"}
    empty: Any = {}
    network.hand_down(network.BLOCK, empty)
    network.hand_down_nothing(empty)
    assert empty == {}
