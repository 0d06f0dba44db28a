"""A scanner of our own at the door of `reverie mcp --http`: what a hostile neighbour would try."""

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from reverie.interfaces.doors.connections import PatientProtocol, guarded_config
from reverie.interfaces.mcp.serving import BODY_BYTES, build_application
from reverie.settings import load_settings

TOKEN = "a-token-of-the-tests-1234"
HOST = "127.0.0.1:8379"
BEARER = {"authorization": f"Bearer {TOKEN}"}
KINDS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
ABOUT = {"protocolVersion": "2025-06-18", "capabilities": {},
         "clientInfo": {"name": "t", "version": "1"}}  # fmt: skip
XSS = "<script>alert(1)</script>\u202e\x1b[31m"


class Hasty(PatientProtocol):
    request_seconds = stranger_seconds = 0.6
    reading_seconds = 0.6


@pytest.fixture
def client(repository: Path) -> Iterator[TestClient]:
    app = build_application(load_settings(repository, {}, {}), TOKEN, [HOST])
    with TestClient(app, f"http://{HOST}", follow_redirects=False) as made:
        yield made


def asked(client: TestClient, method: str, headers: dict[str, str], **params: Any) -> Any:
    document = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return client.post("/mcp", json=document, headers={**KINDS, **BEARER, **headers})


def told(answer: Any) -> dict[str, Any]:
    """The document of an answer, whichever way it was sent."""
    data = [line[5:] for line in answer.text.splitlines() if line.startswith("data:")]
    found: dict[str, Any] = json.loads(next((each for each in data if each.strip()), answer.text))
    return found


def session(client: TestClient) -> dict[str, str]:
    """Headers of somebody who was let in."""
    answer = asked(client, "initialize", {}, **ABOUT)
    assert answer.status_code == 200, answer.text
    assert told(answer)["result"]["serverInfo"]["name"] == "reverie"
    return {"mcp-session-id": answer.headers["mcp-session-id"]}


def test_whoever_shows_the_token_is_let_in(client: TestClient) -> None:
    answer = asked(client, "tools/list", session(client))
    assert answer.status_code == 200
    assert {"run_in_sandbox", "submit_dream"} <= {
        each["name"] for each in told(answer)["result"]["tools"]
    }
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("authorization", "Bearer ")],
        [("authorization", f"Bearer {TOKEN} ")],
        [("authorization", f"bearer {TOKEN}")],
        [("authorization", f"Basic {TOKEN}")],
        [("authorization", TOKEN)],
        [("authorization", f"Bearer {TOKEN}"), ("authorization", "Bearer x")],
        [("cookie", f"token={TOKEN}")],
        [("x-forwarded-for", "127.0.0.1"), ("x-original-url", "/health")],
    ],
)
def test_no_other_way_in(client: TestClient, headers: list[tuple[str, str]]) -> None:
    for method in ("GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD"):
        for path in ("/mcp", "/mcp/", "//mcp", "/", "/mcp/../mcp", f"/mcp?token={TOKEN}"):
            answer = client.request(method, path, headers=[*KINDS.items(), *headers])
            assert answer.status_code == 401, (method, path)
            assert answer.content == b""


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1"},
        {"host": "127.0.0.1:80"},
        {"host": f"{HOST}.evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"http://{HOST}.evil.example"},
        {"origin": "http://127.0.0.1:9999"},
    ],
)
def test_a_page_of_another_site_does_nothing(client: TestClient, headers: dict[str, str]) -> None:
    assert asked(client, "initialize", headers, **ABOUT).status_code in (403, 421)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_form_cannot_speak_the_protocol(client: TestClient, kind: str) -> None:
    answer = asked(client, "initialize", {"content-type": kind}, **ABOUT)
    assert answer.status_code in (400, 415)


@pytest.mark.parametrize(
    "path", ["/", "/mcp/../../etc/passwd", "/mcp/%2e%2e/etc/passwd", "//etc/passwd", "/mcp%00"]
)
def test_there_is_one_address_and_no_file(client: TestClient, path: str) -> None:
    answer = client.get(path, headers=BEARER)
    assert answer.status_code in (307, 404, 421)
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "uri", ["file:///etc/passwd", "reverie://../../etc/passwd", "reverie://report/..%2f..%2fx"]
)
def test_no_resource_is_a_file_of_the_machine(client: TestClient, uri: str) -> None:
    answer = told(asked(client, "resources/read", session(client), uri=uri))
    assert "root:" not in json.dumps(answer)
    assert "error" in answer


def test_hostile_names_come_back_as_data(client: TestClient) -> None:
    inside = session(client)
    for method, params in (
        ("tools/call", {"name": XSS, "arguments": {}}),
        ("tools/call", {"name": "find_function", "arguments": {"query": XSS, XSS: 1}}),
        ("prompts/get", {"name": XSS}),
        (XSS, {}),
    ):
        answer = asked(client, method, inside, **params)
        assert answer.headers["content-type"].split(";")[0] in (
            "application/json",
            "text/event-stream",
        )
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "\x1b" not in answer.text
        assert "Traceback" not in answer.text


def test_what_is_too_large_is_refused(client: TestClient) -> None:
    large = b"x" * (BODY_BYTES + 1)
    headers = {**KINDS, **BEARER}
    assert client.post("/mcp", content=large, headers=headers).status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(BODY_BYTES // 65_536 + 1):
            yield b"x" * 65_536

    assert client.post("/mcp", content=pieces(), headers=headers).status_code == 413
    wrong = {**headers, "content-length": "-1"}
    assert client.post("/mcp", content=b"{}", headers=wrong).status_code == 413


@pytest.mark.parametrize("body", [b"", b"{", b"null", b"[]", b"[" * 100_000, b"\xff\xfe", b"1e999"])
def test_what_is_no_message_is_refused_and_the_server_goes_on(
    client: TestClient, body: bytes
) -> None:
    answer = client.post("/mcp", content=body, headers={**KINDS, **BEARER})
    assert answer.status_code == 400
    assert "Traceback" not in answer.text
    session(client)


@pytest.fixture
def port(repository: Path) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.getsockname()[1]
        loaded = load_settings(repository, {}, {})
        config = guarded_config(build_application(loaded, TOKEN, [f"127.0.0.1:{number}"]))
        config.http = Hasty
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield number
        server.should_exit = True
        thread.join(10)


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"POST /mcp HT",
        b"POST /mcp HTTP/1.1\r\nX-Slow: ",
        b"POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + TOKEN.encode()
        + b"\r\nContent-Length: 1000\r\n\r\n{",
    ],
)  # fmt: skip
def test_a_client_that_dawdles_is_cut_off(port: int, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as slow:
        if begun:
            slow.sendall(begun)
        with contextlib.suppress(ConnectionError):
            while slow.recv(4096):
                pass
    request = b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as other:
        other.sendall(request)
        assert b" 401 " in other.recv(4096)
