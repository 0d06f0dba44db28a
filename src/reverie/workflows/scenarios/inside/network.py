"""The network of a stressed step: every connection goes through a loopback proxy with faults.

What is connected to is reached when it listens on loopback; anything else is answered by an
upstream of our own. Delay, loss and failure happen on the wire, so that timeouts, retries and
event loops of the code under test meet what they would meet outside.
"""

import errno
import json
import random
import socket
import struct
import threading
import time
from typing import TYPE_CHECKING, Any

from reverie.workflows.scenarios.inside.watch import Board

if TYPE_CHECKING:
    from collections.abc import Callable

_CHUNK = 65_536
_METHODS = (b"GET ", b"POST ", b"PUT ", b"DELETE ", b"PATCH ", b"HEAD ", b"OPTIONS ")
_LOOPBACK = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}
_STACK_BYTES = 512 * 1024


class Network:
    """Proxy, upstream and the replaced `connect`; ends with the step."""

    def __init__(self, faults: "dict[str, Any]", answers: "dict[str, Any]", board: "Board") -> None:
        self.faults = faults
        self.board = board
        self.targets: dict[tuple[int, int], Any] = {}
        self.ended = threading.Event()
        self.connect = socket.socket.connect
        self.connect_ex = socket.socket.connect_ex
        self.resolve = socket.getaddrinfo
        self.open_sockets: list[socket.socket] = []
        self.upstream = self._listen(socket.AF_INET, Upstream(answers).serve)
        self.proxies = {}
        for family in _LOOPBACK:
            try:
                self.proxies[family] = self._listen(family, self._relay)
            except OSError:
                continue

    def install(self) -> None:
        """From here on connections go through the proxy."""
        network = self

        def connect(self: socket.socket, address: Any) -> None:
            network.connect(self, network.lead(self, address))

        def connect_ex(self: socket.socket, address: Any) -> int:
            return network.connect_ex(self, network.lead(self, address))

        socket.socket.connect = connect  # type: ignore[method-assign, assignment]
        socket.socket.connect_ex = connect_ex  # type: ignore[method-assign, assignment]
        socket.getaddrinfo = self._look_up
        _peel_tls(self)

    def close(self) -> None:
        """Restore what was replaced and hang up."""
        self.ended.set()
        socket.socket.connect = self.connect  # type: ignore[method-assign]
        socket.socket.connect_ex = self.connect_ex  # type: ignore[method-assign]
        socket.getaddrinfo = self.resolve
        with self.board.lock:
            sockets, self.open_sockets = self.open_sockets, []
        for each in sockets:
            each.close()

    def lead(self, client: socket.socket, address: Any) -> Any:
        """Where a connection really goes: the proxy, which learns who wanted what."""
        if client.family not in self.proxies or client.type & 0xF != socket.SOCK_STREAM:
            return address
        if address[1] in {port for port, _ in self.proxies.values()}:
            return address
        host = _LOOPBACK[client.family]
        if client.getsockname()[1] == 0:
            client.bind((host, 0))
        with self.board.lock:
            self.targets[client.family, client.getsockname()[1]] = address
        return (host, self.proxies[client.family][0])

    def is_led(self, client: Any) -> bool:
        """Whether a connected socket ends at the proxy."""
        try:
            return client.getpeername()[1] in {port for port, _ in self.proxies.values()}
        except OSError:
            return False

    def _look_up(self, host: Any, port: Any, *rest: Any, **options: Any) -> "list[Any]":
        try:
            return self.resolve(host, port, *rest, **options)
        except OSError:
            return self.resolve("127.0.0.1", port, *rest, **options)

    def _listen(
        self, family: int, serve: "Callable[[socket.socket], None]"
    ) -> "tuple[int, socket.socket]":
        listener = socket.create_server((_LOOPBACK[socket.AddressFamily(family)], 0), family=family)
        self.open_sockets.append(listener)

        def accept() -> None:
            while not self.ended.is_set():
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                _start(serve, client)

        _start(accept)
        return listener.getsockname()[1], listener

    def _relay(self, client: socket.socket) -> None:
        """One connection: requests one way with faults, answers the other way."""
        with self.board.lock:
            self.open_sockets.append(client)
            address = self.targets.pop((client.family, client.getpeername()[1]), None)
        server = self._reach(client.family, address)
        with self.board.lock:
            self.open_sockets.append(server)
        state = {"answered": True, "lost": False}
        _start(self._send_back, server, client, state)
        try:
            while chunk := client.recv(_CHUNK):
                if state["answered"]:
                    state["answered"] = False
                    if not self._suffer(client, chunk, state):
                        return
                if not state["lost"]:
                    server.sendall(chunk)
            server.shutdown(socket.SHUT_WR)
        except OSError:
            server.close()

    def _reach(self, family: int, address: Any) -> socket.socket:
        """What was wanted when it listens here; else our own upstream."""
        server = socket.socket(family if address else socket.AF_INET)
        try:
            if address and str(address[0]) in ("127.0.0.1", "::1", "localhost", "0.0.0.0"):
                self.connect(server, (_LOOPBACK[socket.AddressFamily(family)], address[1]))
                return server
        except OSError as error:
            if error.errno != errno.ECONNREFUSED:
                raise
        server.close()
        server = socket.socket(socket.AF_INET)
        self.connect(server, ("127.0.0.1", self.upstream[0]))
        return server

    def _suffer(self, client: socket.socket, chunk: bytes, state: "dict[str, bool]") -> bool:
        """What happens to one exchange; False when the connection is over."""
        number, faults = self.board.next_exchange(), self.faults
        if self.board.is_due("fail", number, faults["fail_every"]):
            self._fail(client, chunk, number)
            return False
        if self.board.is_due("lose", number, faults["lose_every"]):
            self.board.fire("lost")
            state["lost"] = True
            return True
        if faults["latency_ms"]:
            dice = random.Random(f"{self.board.seed}:jitter:{number}")
            wanted = faults["latency_ms"] + faults["jitter_ms"] * (2 * dice.random() - 1)
            time.sleep(max(0.0, wanted) / 1000)
            self.board.fire("delayed")
        return True

    def _fail(self, client: socket.socket, chunk: bytes, number: int) -> None:
        """An answer that is none: 503 where HTTP is spoken, every other time a reset."""
        if chunk.startswith(_METHODS) and number % 2 == 0:
            self.board.fire("unavailable")
            body = b'{"error": "service unavailable"}'
            client.sendall(
                b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
                b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
            )
            client.shutdown(socket.SHUT_WR)
            while client.recv(_CHUNK):
                continue
        else:
            self.board.fire("reset")
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()

    def _send_back(
        self, server: socket.socket, client: socket.socket, state: "dict[str, bool]"
    ) -> None:
        try:
            while chunk := server.recv(_CHUNK):
                state["answered"] = True
                client.sendall(chunk)
            if not state["lost"]:
                client.shutdown(socket.SHUT_WR)
        except OSError:
            return


class Upstream:
    """Answers HTTP with what the workflow declares for a path, or with a JSON object."""

    def __init__(self, answers: "dict[str, Any]") -> None:
        self.answers = answers

    def serve(self, client: socket.socket) -> None:
        """One connection, request after request; what is no HTTP is sent back as it came."""
        stream = client.makefile("rb")
        try:
            while line := stream.readline(_CHUNK):
                if not line.startswith(_METHODS):
                    client.sendall(line)
                    continue
                length = 0
                while (header := stream.readline(_CHUNK)) not in (b"\r\n", b"\n", b""):
                    name, _, value = header.partition(b":")
                    if name.strip().lower() == b"content-length":
                        length = int(value)
                stream.read(length)
                client.sendall(self.answer(line))
        except (OSError, ValueError):
            return
        finally:
            client.close()

    def answer(self, line: bytes) -> bytes:
        """The response to a request line."""
        method, _, rest = line.decode("latin-1").partition(" ")
        path = rest.partition(" ")[0]
        known = self.answers.get(path, self.answers.get(path.partition("?")[0]))
        if known is None:
            known = self.answers.get("*", {"ok": True, "path": path, "items": []})
        body = known.encode() if isinstance(known, str) else json.dumps(known).encode()
        head = (
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % len(body)
        )
        return head if method == "HEAD" else head + body


def _start(work: "Callable[..., None]", *arguments: Any) -> None:
    """A thread that keeps nothing alive, with a small stack."""
    before = threading.stack_size(_STACK_BYTES)
    try:
        threading.Thread(target=work, args=arguments, daemon=True).start()
    finally:
        threading.stack_size(before)


def _peel_tls(network: Network) -> None:
    """What speaks TLS with the proxy speaks plainly: the faults lie below, and no key is here."""
    import ssl

    wrap = ssl.SSLContext.wrap_socket

    def wrap_socket(self: Any, sock: Any, *rest: Any, **options: Any) -> Any:
        return sock if network.is_led(sock) else wrap(self, sock, *rest, **options)

    ssl.SSLContext.wrap_socket = wrap_socket  # type: ignore[method-assign]
