"""Clients that dawdle: cut off, while others are served."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from tests.unit.interfaces.web.conftest import TOKEN, Door

from reverie.interfaces.doors.connections import STRANGERS, PatientProtocol, guarded_config
from reverie.interfaces.web.serving import is_loopback
from reverie.store import Journal, journal_url


class Hasty(PatientProtocol):
    request_seconds = stranger_seconds = 0.6
    reading_seconds = 0.6


@pytest.fixture
def protocol() -> type[PatientProtocol]:
    return Hasty


@pytest.fixture
def port(
    repository: Path, open_door: Callable[..., Door], protocol: type[PatientProtocol]
) -> Iterator[int]:
    (repository / ".reverie").mkdir()
    Journal.open(journal_url(repository)).close()
    door = open_door(repository)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.getsockname()[1]
        admission = door.app.user_middleware[1]
        admission.kwargs["hosts"] = [f"127.0.0.1:{number}"]
        config = guarded_config(door.app)
        config.http = protocol
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield number
        server.should_exit = True
        thread.join(10)


def call(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def is_cut_off(connection: socket.socket) -> bool:
    """Whether the other side hangs up before our patience ends."""
    try:
        while connection.recv(4096):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"POST /login HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 1000\r\n\r\ntok",
    ],
)
def test_a_request_that_never_ends_is_cut_off(port: int, begun: bytes) -> None:
    begun = begun.replace(b"%d", str(port).encode())
    with call(port) as slow:
        if begun:
            slow.sendall(begun)
        assert is_cut_off(slow)


def test_a_byte_now_and_then_does_not_help(port: int) -> None:
    started = time.monotonic()
    with call(port) as slow, contextlib.suppress(ConnectionError):
        slow.settimeout(0.05)
        for byte in b"GET / HTTP/1.1\r\nX-Slow: " + b"a" * 400:
            slow.sendall(bytes([byte]))
            with contextlib.suppress(TimeoutError):
                if not slow.recv(1):
                    break
    assert time.monotonic() - started < 8


def test_others_are_served_beside_slow_ones(port: int) -> None:
    slow = [call(port) for _ in range(40)]
    try:
        for each in slow:
            each.sendall(b"GET / HTTP/1.1\r\n")
        with call(port) as quick:
            line = f"GET /dreams HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
            quick.sendall(f"{line}Authorization: Bearer {TOKEN}\r\n\r\n".encode())
            assert quick.recv(100).startswith(b"HTTP/1.1 200")
    finally:
        for each in slow:
            each.close()


def ask(connection: socket.socket, port: int, token: str = TOKEN) -> bytes:
    """The answer to one question on a connection that stays open."""
    line = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    connection.sendall(f"{line}Authorization: Bearer {token}\r\n\r\n".encode())
    answer = b""
    while not answer.endswith(b"}") and (more := connection.recv(4096)):
        answer += more
    return answer


@pytest.mark.parametrize("protocol", [PatientProtocol])
@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\n", b"whole"])
def test_any_number_of_strangers_leaves_room_for_the_user(port: int, said: bytes) -> None:
    whole = b"GET /dreams HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port
    with contextlib.ExitStack() as stack:
        early = stack.enter_context(call(port))
        assert ask(early, port).startswith(b"HTTP/1.1 200")
        strangers = [stack.enter_context(call(port)) for _ in range(205)]
        for each in strangers:
            with contextlib.suppress(ConnectionError):
                each.sendall(whole if said == b"whole" else said)
        late = stack.enter_context(call(port))
        assert ask(late, port).startswith(b"HTTP/1.1 200"), "who comes after them is served"
        assert ask(early, port).startswith(b"HTTP/1.1 200"), "who was known stays"
        assert is_cut_off(strangers[0])


@pytest.mark.parametrize("protocol", [PatientProtocol])
def test_a_wrong_token_makes_nobody_known(port: int) -> None:
    with contextlib.ExitStack() as stack:
        strangers = [stack.enter_context(call(port)) for _ in range(STRANGERS)]
        for each in strangers:
            ask(each, port, "not the token at all")
        stack.enter_context(call(port))
        assert is_cut_off(strangers[0])


def test_nonsense_is_answered_and_forgotten(port: int) -> None:
    for nonsense in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"GET\r\n\r\n", b"\x00" * 5000):
        with call(port) as strange:
            strange.sendall(nonsense)
            assert is_cut_off(strange)
    with call(port) as two:
        two.sendall(
            b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        )
        assert b" 200 " not in two.recv(4096)


def test_only_this_machine_is_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "::1", "localhost", "127.8.8.8")))
    assert not any(map(is_loopback, ("0.0.0.0", "10.0.0.1", "example.org", "::")))
