"""Every route out of the process; all have to be refused, but for the marked tests."""

import _socket
import asyncio
import http.client
import socket
import socketserver
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable
from xmlrpc.client import ServerProxy

import pytest

FAR = ("192.0.2.1", 9)  # TEST-NET: nobody is there
NAME = "reverie.invalid"


def connect() -> None:
    socket.socket().connect(FAR)


def connect_ex() -> None:
    socket.socket().connect_ex(FAR)


def connect_below_the_module() -> None:
    _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM).connect(FAR)


def connect_by_name() -> None:
    socket.socket().connect((NAME, 9))


def connect_six() -> None:
    socket.socket(socket.AF_INET6).connect(("2001:db8::1", 9))


def create_connection() -> None:
    socket.create_connection(FAR, 1)


def sendto() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", FAR)


def sendmsg() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendmsg([b"x"], [], 0, FAR)


def getaddrinfo() -> None:
    socket.getaddrinfo(NAME, 80)


def gethostbyname() -> None:
    socket.gethostbyname(NAME)


def gethostbyname_ex() -> None:
    socket.gethostbyname_ex(NAME)


def gethostbyaddr() -> None:
    socket.gethostbyaddr(FAR[0])


def getnameinfo() -> None:
    socket.getnameinfo(FAR, 0)


def a_name_that_begins_like_loopback() -> None:
    socket.getaddrinfo("127.0.0.1.reverie.invalid", 80)


def http_client() -> None:
    http.client.HTTPConnection(*FAR, timeout=1).request("GET", "/")


def urlopen() -> None:
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"http://{FAR[0]}/", None, 1)


def xmlrpc() -> None:
    ServerProxy(f"http://{FAR[0]}/").ping()


def open_connection() -> None:
    asyncio.run(asyncio.open_connection(*FAR))


def datagram_endpoint() -> None:
    async def open_it() -> None:
        loop = asyncio.get_running_loop()
        await loop.create_datagram_endpoint(asyncio.DatagramProtocol, remote_addr=FAR)

    asyncio.run(open_it())


def loop_getaddrinfo() -> None:
    async def look() -> None:
        await asyncio.get_running_loop().getaddrinfo(NAME, 80)

    asyncio.run(look())


def a_thread() -> None:
    seen: list[BaseException] = []

    def run() -> None:
        try:
            connect()
        except BaseException as error:
            seen.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    raise seen[0]


CHILD = f"import socket; socket.create_connection({FAR!r}, 1)"


def child_python() -> None:
    ran = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True)
    raise RuntimeError(ran.stderr.strip().splitlines()[-1].partition(": ")[2])


def grandchild_python() -> None:
    code = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {CHILD!r}]))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    raise RuntimeError(ran.stderr.strip().splitlines()[-1].partition(": ")[2])


ROUTES = [
    value
    for name, value in list(globals().items())
    if callable(value) and value.__module__ == __name__
]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.__name__)
def test_a_route_is_blocked(route: Callable[[], None]) -> None:
    with pytest.raises(RuntimeError, match="^Network calls are blocked: socket"):
        route()


def test_nothing_is_swallowed_as_if_the_network_were_down() -> None:
    with pytest.raises(RuntimeError):
        try:
            connect()
        except OSError:
            pytest.fail("swallowed")


@pytest.mark.external
def test_a_marked_test_may_try() -> None:
    assert socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect_ex(FAR) >= 0
    child = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect_ex(('192.0.2.1', 9))"
    assert subprocess.run([sys.executable, "-c", child]).returncode == 0


def test_it_is_blocked_again_after_the_marked_one() -> None:
    with pytest.raises(RuntimeError, match="blocked"):
        connect()


def test_loopback_unix_and_pairs_work() -> None:
    with socketserver.TCPServer(("localhost", 0), socketserver.BaseRequestHandler) as server:
        socket.create_connection(server.server_address[:2]).close()  # type: ignore[arg-type]
    first, second = socket.socketpair()
    first.sendall(b"x")
    assert second.recv(1) == b"x"
    assert socket.getaddrinfo("localhost", 80)
    assert socket.getfqdn()
    with pytest.raises(OSError, match=r"No such file|Connection refused"):
        socket.socket(socket.AF_UNIX).connect("/nowhere/socket")


def test_blocked_and_told() -> None:
    connect()
