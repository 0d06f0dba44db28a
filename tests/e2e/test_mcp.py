"""The MCP server with the official SDK's own client, over stdio and over HTTP."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

CODE = '''"""Prices."""


def price(count: int) -> int:
    """Two each, and nothing below zero."""
    if count < 0:
        raise ValueError("count")
    return 2 * count
'''
TEST = "from shop import price\n\n\ndef test_two():\n    assert price(2) == 4\n"
PATCH = """diff --git a/tests/test_more.py b/tests/test_more.py
new file mode 100644
--- /dev/null
+++ b/tests/test_more.py
@@ -0,0 +1,5 @@
+from shop import price
+
+
+def test_nothing_costs_nothing():
+    assert price(0) == 0
"""
SAME = "def price(count: int) -> int:\n    return 2 * count\n"
TOKEN = "a-token-of-some-length"
CALLS: dict[str, dict[str, Any]] = {
    "start_task": {"stage": "A", "path": "shop.py"},
    "check": {"task": "TASK", "patch": PATCH, "static": True},
    "run_tests": {"path": "shop.py"},
    "coverage": {"path": "shop.py"},
    "profile": {},
    "callers": {"function": "shop.py:price"},
    "benchmark": {
        "old": "shop.py:price", "new": "price", "new_source": SAME, "call": "price(seed)",
        "budget_seconds": 2,
    },
    "submit": {"task": "TASK", "title": "more", "patch": PATCH},
    "dream": {"path": "shop.py", "function": "price", "strategy": "light"},
    "dream_journal": {"status": "pending_evaluation"},
    "dream_health": {},
    "dream_stats": {},
    "dream_test_results": {"dream_id": 1},
    "dream_test_failures": {"limit": 5},
    "dream_test_patterns": {},
    "run_in_sandbox": {"code": "def f(x):\n    return x + 1", "entry": "f", "params": {"x": 1}},
    "check_code": {"code": "import os\nos.system('id')"},
    "check_equivalence": {
        "old": "shop.py:price", "new": "price", "new_source": SAME, "budget_seconds": 5,
    },
    "mutation_score": {"path": "shop.py", "sample": 2},
    "write_tests": {"path": "shop.py", "budget_seconds": 10},
    "guard_diff": {"patch": PATCH, "stage": "A", "static": True},
    "find_function": {"query": "price"},
    "repository_map": {},
    "submit_dream": {"title": "twice", "code": "def twice(x):\n    return x * 2\n"},
}  # fmt: skip
UNLISTED = {name for name in CALLS if name == "dream" or name.startswith("dream_")}
UNLISTED.discard("dream_journal")
"""Called as ever, and not listed: one tool has all views of the journal."""
DEAR = {"dream", "check_equivalence", "mutation_score", "write_tests", "coverage", "benchmark",
        "profile", "submit"}  # fmt: skip
"""Measured for seconds: what they answer does not hang on the door that they are asked at."""
Talk = Callable[[Client], Awaitable[None]]


def git(folder: Path, *arguments: str) -> bytes:
    line = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
    return subprocess.run(line, cwd=folder, check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mcp") / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "shop.py").write_text(CODE)
    (folder / "tests" / "test_shop.py").write_text(TEST)
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    (folder / "outside.py").symlink_to("/etc/passwd")
    (folder / ".gitignore").write_text(".reverie/\noutside.py\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "base")
    line = [*REVERIE, "init", "--no-settings", "--repo", str(folder)]
    subprocess.run(line, check=True, capture_output=True)
    return folder


REVERIE = [sys.executable, "-m", "reverie"]


@dataclass
class Served:
    address: str
    process: "subprocess.Popen[str]"


@pytest.fixture(scope="module")
def served(shop: Path) -> Iterator[Served]:
    environ = {**os.environ, "REVERIE_MCP_TOKEN": TOKEN}
    line = [*REVERIE, "mcp", "--http", "--port", "0", "--repo", str(shop)]
    process = subprocess.Popen(line, env=environ, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    first = process.stderr.readline()
    assert first.startswith("listening on http://127.0.0.1:"), first
    yield Served(first.split()[-1], process)
    process.send_signal(signal.SIGINT)
    process.wait(30)
    process.stderr.close()


@asynccontextmanager
async def over_http(served: Served, token: str = TOKEN) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as web,
        Client(streamable_http_client(served.address, http_client=web)) as client,
    ):
        yield client


def over_stdio(shop: Path) -> Client:
    arguments = [*REVERIE[1:], "mcp", "--repo", str(shop)]
    home = {"XDG_CONFIG_HOME": os.environ["XDG_CONFIG_HOME"]}  # the SDK hands on little
    return Client(StdioServerParameters(command=REVERIE[0], args=arguments, env=home))


async def call_all(client: Client, but: AbstractSet[str] = frozenset()) -> dict[str, Any]:
    """What tools answer; all that there are have to be listed, and to say what they take."""
    listed = {each.name: each for each in (await client.list_tools()).tools}
    assert set(listed) == set(CALLS) - UNLISTED
    answers: dict[str, Any] = {}
    for name, arguments in CALLS.items():
        if name in but:
            continue
        task = {"task": answers["start_task"]["task"]} if "task" in arguments else {}
        answers[name] = await told(client, name, **{**arguments, **task})
        if name in listed:
            assert set(listed[name].output_schema["required"]) <= set(answers[name]), name
    return answers


def check_listing(name: str, tool: Any) -> None:
    assert tool.annotations is not None
    assert tool.annotations.read_only_hint is (name not in ("submit_dream", "submit"))
    assert tool.output_schema is not None
    assert tool.input_schema["additionalProperties"] is False
    assert tool.description
    for given, schema in tool.input_schema["properties"].items():
        assert schema.get("description"), f"{name}: {given}"


async def told(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(name, arguments)
    assert not answer.is_error, (name, answer.content)
    text = "".join(getattr(each, "text", "") for each in answer.content)
    document = answer.structured_content or {}
    assert len(text) <= 600, f"{name} answers twice"
    size = len(json.dumps(document, separators=(",", ":"), ensure_ascii=False)) + len(text)
    assert size / 3 <= 4000 or arguments.get("detail"), f"{name} answers with {size} characters"
    return document


async def refused(client: Client, name: str, **arguments: Any) -> str:
    answer = await client.call_tool(name, arguments)
    assert answer.is_error, answer
    return " ".join(getattr(each, "text", "") for each in answer.content)


def children(process: int) -> list[int]:
    """All processes below one."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in task.read_text().split():
            found += [int(child), *children(int(child))]
    return found


async def wait_until(holds: Callable[[], bool], seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    return holds()


def test_every_tool_says_what_it_takes_and_gives(served: Served) -> None:
    async def talk() -> None:
        async with over_http(served) as client:
            for tool in (await client.list_tools()).tools:
                check_listing(tool.name, tool)

    asyncio.run(talk())


def test_every_tool_is_listed_and_called_over_stdio(shop: Path) -> None:
    async def talk() -> None:
        async with over_stdio(shop) as client:
            await call_all(client)

    asyncio.run(talk())
    assert git(shop, "status", "--porcelain") == b""


def test_every_tool_is_listed_and_what_is_quick_called_over_http(
    shop: Path, served: Served
) -> None:
    async def talk() -> None:
        async with over_http(served) as client:
            answers = await call_all(client, but=DEAR)
            ran = answers["run_in_sandbox"]
            assert (ran["outcome"], ran["output"]) == ("success", 2)
            assert not answers["check_code"]["passed"]
            assert answers["find_function"]["results"][0]["path"] == "shop.py"

    asyncio.run(talk())
    assert git(shop, "status", "--porcelain") == b""


def test_a_patch_is_handed_in_and_its_verdict_comes_with_evidence(served: Served) -> None:
    broken = PATCH.replace("price(0) == 0", "price(0) == 1")

    async def talk() -> None:
        progress: list[float] = []

        async def note(done: float, total: float | None, message: str | None) -> None:
            progress.append(done)

        async with over_http(served) as client:
            given = {"title": "wrong", "patch": broken, "stage": "A", "author": "me"}
            answer = await client.call_tool("submit_dream", given, progress_callback=note)
            document = answer.structured_content or {}
            assert document["status"] == "rejected", document
            judgement = document["judgement"]
            assert any(each["verdict"] == "fail" for each in judgement["rulings"])
            assert judgement["measures"]
            assert progress == sorted(progress)
            assert progress
            read = await client.read_resource(document["resource"])
            kept = json.loads(read.contents[0].text)
            assert (kept["author"], kept["judgement"]["verdict"]) == ("me", "reject")

    asyncio.run(talk())


def test_a_refused_patch_is_answered_from_memory_and_the_answer_says_so(served: Served) -> None:
    async def talk() -> None:
        async with over_http(served) as client:
            given = {"patch": PATCH.replace("price(0) == 0", "price(0) == 2"), "stage": "A"}
            first = await told(client, "guard_diff", **given)
            again = await told(client, "guard_diff", **given)
        assert first["verdict"] == "reject"
        assert first["remembered"] is None
        assert datetime.fromisoformat(again["remembered"]) <= datetime.now(UTC)
        for key in ("verdict", "rulings", "files"):
            assert again[key] == first[key]
        assert first["measures"]
        assert again["measures"] == {}, "it was run again"

    asyncio.run(talk())


def test_resources_and_prompts_are_there(served: Served) -> None:
    async def talk() -> None:
        async with over_http(served) as client:
            uris = {str(each.uri) for each in (await client.list_resources()).resources}
            assert uris == {"reverie://report", "reverie://bundles"}
            bundles = await client.read_resource("reverie://bundles")
            assert json.loads(bundles.contents[0].text) == {"bundles": []}
            names = {each.name for each in (await client.list_prompts()).prompts}
            assert names == {"review_change", "strengthen_tests", "speed_up"}
            prompt = await client.get_prompt("strengthen_tests", {"path": "shop.py"})
            assert "mutation_score" in prompt.messages[0].content.text
            for uri in ("bundle/..%2F..%2Fetc", "submission/..%2fx", "report/nothing", "bundle/x"):
                with pytest.raises(
                    Exception, match=r"no id|no bundle|no cycle|no submission|nknown"
                ):
                    await client.read_resource(f"reverie://{uri}")

    asyncio.run(talk())


@pytest.mark.parametrize("place", ["http", "stdio"])
def test_malformed_arguments_are_refused_and_the_server_goes_on(
    shop: Path, served: Served, place: str
) -> None:
    async def talk() -> None:
        opened = over_http(served) if place == "http" else over_stdio(shop)
        async with opened as client:
            for name, arguments in (
                ("run_in_sandbox", {}),
                ("run_in_sandbox", {"code": 3}),
                ("run_in_sandbox", {"code": "1", "timeout_s": -1}),
                ("run_in_sandbox", {"code": "1", "params": [1]}),
                ("run_in_sandbox", {"code": "1", "network": True}),
                ("check_code", {"code": "1", "tier": "god"}),
                ("find_function", {"query": "x", "limit": 10**9}),
                ("check_equivalence", {"old": "shop.py", "new": "shop.py:price"}),
                ("check_equivalence", {"old": "shop.py:no_such", "new": "shop.py:price"}),
                ("guard_diff", {"patch": "no patch", "stage": "A"}),
                ("guard_diff", {"patch": PATCH, "stage": "Z"}),
                ("guard_diff", {"patch": PATCH, "stage": "A", "base": "--help"}),
                ("submit_dream", {"title": "x"}),
                ("submit_dream", {"title": "x", "code": "def f(:"}),
                ("submit_dream", {"title": "x", "code": "x = 1", "entry": "f"}),
                ("submit_dream", {"title": "x", "patch": PATCH}),
                ("dream_journal", {"status": "sleeping"}),
                ("dream_test_results", {"dream_id": "one"}),
                ("no_such_tool", {}),
            ):
                try:
                    message = await refused(client, name, **arguments)
                except Exception as error:  # noqa: BLE001 - a protocol error is a refusal too
                    message = str(error)
                assert message, (name, arguments)
                assert "Traceback" not in message
            ran = await told(client, "run_in_sandbox", code="print(1)")
            assert ran["stdout"] == "1\n"

    asyncio.run(talk())


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("check_equivalence", {"old": "../x.py:f", "new": "shop.py:price"}),
        ("check_equivalence", {"old": "/etc/x.py:f", "new": "shop.py:price"}),
        ("check_equivalence", {"old": "outside.py:f", "new": "shop.py:price"}),
        ("mutation_score", {"path": "/"}),
        ("mutation_score", {"path": "..", "sample": 1}),
        ("mutation_score", {"path": "shop.py", "tests": ["/etc"]}),
        ("write_tests", {"path": "/usr/lib/python3/os.py"}),
        ("write_tests", {"path": "outside.py"}),
        ("write_tests", {"path": "json"}),
        ("write_tests", {"path": "a\0b.py"}),
        ("submit_dream", {"title": "x", "code": "def f(): pass", "base_procedure": "..x:f"}),
        ("dream", {"path": "../shop.py", "function": "price"}),
        (
            "guard_diff",
            {"patch": PATCH.replace("tests/test_more.py", "../escaped.py"), "stage": "A"},
        ),
        (
            "guard_diff",
            {"patch": PATCH.replace("tests/test_more.py", ".git/hooks/post-commit"), "stage": "A"},
        ),
    ],
)
def test_no_tool_leaves_the_repository(
    shop: Path, served: Served, tool: str, arguments: dict[str, Any]
) -> None:
    async def talk() -> None:
        async with over_http(served) as client:
            message = await refused(client, tool, **arguments)
            assert "root:" not in message

    asyncio.run(talk())
    assert not (shop.parent / "escaped.py").exists()
    assert not (shop / ".git" / "hooks" / "post-commit").exists()


def test_what_runs_runs_in_the_sandbox(shop: Path, served: Served, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = (
        "import os, socket\n"
        f"def f():\n    open({str(mark)!r}, 'w').write('x')\n"
        "def g():\n    socket.create_connection(('127.0.0.1', 22), 1)\n"
        "def h():\n    return open('/etc/hostname').read() and os.listdir('/home')\n"
        f"def i():\n    return open({str(shop / 'shop.py')!r}).read()\n"
    )
    evil = PATCH.replace(
        "    assert price(0) == 0", f"    open({str(mark)!r}, 'w').write(str(price(0)))"
    )

    async def talk() -> None:
        async with over_http(served) as client:
            for entry in "fgi":
                ran = await told(client, "run_in_sandbox", code=code, entry=entry)
                assert ran["outcome"] != "success", (entry, ran)
            await client.call_tool("guard_diff", {"patch": evil, "stage": "A"})
            ran = await told(client, "run_in_sandbox", code="x = 'a' * 2**40", timeout_s=10**6)
            assert ran["outcome"] != "success"

    asyncio.run(talk())
    assert not mark.exists()


def test_a_cancelled_call_ends_what_it_started(served: Served) -> None:
    async def talk() -> None:
        async with over_http(served) as client:
            sleeping = {"code": "import time\ntime.sleep(25)\n"}
            call = asyncio.create_task(client.call_tool("run_in_sandbox", sleeping))
            assert await wait_until(lambda: bool(children(served.process.pid)))
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert await wait_until(lambda: not children(served.process.pid), 15)
            assert (await told(client, "run_in_sandbox", code="print(2)"))["stdout"] == "2\n"

    asyncio.run(talk())


def test_two_clients_at_once_get_their_own_answers(served: Served) -> None:
    async def talk(number: int) -> list[Any]:
        code = f"import time\n\n\ndef f():\n    time.sleep(0.2)\n    return {number}"
        async with over_http(served) as client:
            calls = [told(client, "run_in_sandbox", code=code, entry="f") for _ in range(3)]
            return [each["output"] for each in await asyncio.gather(*calls)]

    async def both() -> list[list[Any]]:
        return await asyncio.gather(talk(1), talk(2))

    assert asyncio.run(both()) == [[1, 1, 1], [2, 2, 2]]


def test_a_client_that_disappears_over_http_leaves_a_server_that_works(served: Served) -> None:
    host, port = served.address.removeprefix("http://").removesuffix("/mcp").split(":")
    params = {"name": "run_in_sandbox", "arguments": {"code": "import time\ntime.sleep(20)"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        f"MCP-Protocol-Version: 2025-06-18\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    for sent in (head + body, head, head + body[:10], "garbage\r\n\r\n"):
        with socket.create_connection((host, int(port))) as raw:
            raw.sendall(sent.encode())

    async def talk() -> None:
        async with over_http(served) as client:
            assert (await told(client, "run_in_sandbox", code="print(3)"))["stdout"] == "3\n"

    asyncio.run(talk())
    assert served.process.poll() is None


def test_a_client_that_disappears_over_stdio_takes_the_server_with_it(shop: Path) -> None:
    line = [*REVERIE, "mcp", "--repo", str(shop)]
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None

    def send(document: dict[str, Any]) -> None:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **document}) + "\n")
        process.stdin.flush()

    about = {"protocolVersion": "2025-06-18", "capabilities": {},
             "clientInfo": {"name": "t", "version": "1"}}  # fmt: skip
    send({"id": 1, "method": "initialize", "params": about})
    assert json.loads(process.stdout.readline())["id"] == 1
    send({"method": "notifications/initialized"})
    call = {"name": "run_in_sandbox", "arguments": {"code": "import time\ntime.sleep(25)"}}
    send({"id": 2, "method": "tools/call", "params": call})
    assert asyncio.run(wait_until(lambda: bool(children(process.pid))))
    started = children(process.pid)
    process.stdin.close()
    assert process.wait(20) is not None
    process.stdout.close()
    assert not [each for each in started if Path(f"/proc/{each}").exists()]


@pytest.mark.parametrize(
    "shown", [None, "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer "]
)
def test_nobody_comes_in_without_the_token(served: Served, shown: str | None) -> None:
    headers = {} if shown is None else {"Authorization": shown}
    request = urllib.request.Request(served.address, b"{}", headers)
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(request, timeout=10)
    assert raised.value.code == 401
    raised.value.close()


def test_a_page_of_somebody_else_cannot_use_a_browser(served: Served) -> None:
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Host": "evil.example",
        "Content-Type": "application/json",
    }
    request = urllib.request.Request(served.address, b"{}", headers)
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(request, timeout=10)
    assert raised.value.code in (403, 421)
    raised.value.close()
