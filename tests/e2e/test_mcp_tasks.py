"""An agent's whole task over MCP with the official client: refused, repaired, handed in."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

REVERIE = [sys.executable, "-m", "reverie"]
TOKEN = "a-token-of-some-length"
CODE = '''"""Prices."""


def price(count: int, is_member: bool = False) -> int:
    """Two each, nothing below zero; members pay one less from ten on."""
    if count < 0:
        raise ValueError("count")
    if is_member and count >= 10:
        return 2 * count - 1
    return 2 * count
'''
TEST = "from shop import price\n\n\ndef test_two():\n    assert price(2) == 4\n"
WRONG = (
    "from shop import price\n\n\ndef test_members_pay_less():\n    assert price(10, True) == 18\n"
)
RIGHT = WRONG.replace("== 18", "== 19") + (
    "\n\ndef test_members_pay_full_below_ten():\n    assert price(9, True) == 18\n"
)


def git(folder: Path, *arguments: str) -> str:
    line = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
    return subprocess.run(line, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tasks") / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "shop.py").write_text(CODE)
    (folder / "tests" / "test_shop.py").write_text(TEST)
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    (folder / ".gitignore").write_text(".reverie/\n.env\n__pycache__/\n.pytest_cache/\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "base")
    line = [*REVERIE, "init", "--no-settings", "--repo", str(folder)]
    subprocess.run(line, check=True, capture_output=True)
    return folder


@asynccontextmanager
async def over_stdio(shop: Path) -> AsyncIterator[Client]:
    home = {"XDG_CONFIG_HOME": os.environ["XDG_CONFIG_HOME"]}
    line = [*REVERIE[1:], "mcp", "--repo", str(shop)]
    server = StdioServerParameters(command=REVERIE[0], args=line, env=home)
    async with Client(server) as client:
        yield client


@pytest.fixture(scope="module")
def address(shop: Path) -> Iterator[str]:
    environ = {**os.environ, "REVERIE_MCP_TOKEN": TOKEN}
    line = [*REVERIE, "mcp", "--http", "--port", "0", "--repo", str(shop)]
    process = subprocess.Popen(line, env=environ, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    yield process.stderr.readline().split()[-1]
    process.send_signal(signal.SIGINT)
    process.wait(30)
    process.stderr.close()


@asynccontextmanager
async def over_http(address: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=240) as web,
        Client(streamable_http_client(address, http_client=web)) as client,
    ):
        yield client


async def ask(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(name, arguments)
    text = "".join(getattr(each, "text", "") for each in answer.content)
    assert not answer.is_error, (name, text)
    return answer.structured_content or {}


def as_patch(shop: Path, text: str) -> str:
    """The new test file as a diff; the repository is as it was afterwards."""
    file = shop / "tests" / "test_members.py"
    file.write_text(text)
    git(shop, "add", "-N", "tests/test_members.py")
    made = git(shop, "diff", "HEAD")
    git(shop, "rm", "-q", "--cached", "tests/test_members.py")
    file.unlink()
    return made


async def play(client: Client, shop: Path, *, by_patch: bool) -> None:
    """The whole flow of one task."""

    def work(text: str) -> dict[str, str]:
        if by_patch:
            return {"patch": as_patch(shop, text)}
        (shop / "tests" / "test_members.py").write_text(text)
        return {}

    begun = await ask(client, "start_task", stage="A", path="shop.py", wish="members")
    assert begun["tests"] == ["tests/test_shop.py"]
    assert any("5 of 5 runs" in each for each in begun["bar"])
    assert begun["environment"]["problem"] is None
    task = begun["task"]

    gap = await ask(client, "coverage", path="shop.py")
    assert 9 in gap["missed_lines"]

    static = await ask(client, "check", task=task, static=True, **work(WRONG))
    assert static["passed"], static
    ran = await ask(client, "run_tests", **work(WRONG))
    assert (ran["passed"], ran["failed"]) == (0, 1), ran
    assert "18" in ran["failures"][0]["reason"]

    refused = await ask(client, "check", task=task, **work(WRONG))
    assert not refused["passed"]
    assert refused["verdict"] == "reject"
    assert refused["reasons"]
    assert all(each["todo"] for each in refused["reasons"])

    passed = await ask(client, "check", task=task, **work(RIGHT))
    assert passed["passed"], passed["reasons"]
    assert passed["verdict"] == "promote"
    assert passed["round"] == 3

    done = await ask(client, "submit", task=task, title="Test members", **work(RIGHT))
    assert done["status"] == "proven"
    kept = json.loads((await client.read_resource(done["resource"])).contents[0].text)
    assert kept["task"] == task
    assert "test_members_pay_less" in kept["patch"]
    told = json.loads((await client.read_resource(f"reverie://task/{task}")).contents[0].text)
    assert [each["passed"] for each in told["rounds"]] == [True, False, True]
    (shop / "tests" / "test_members.py").unlink(missing_ok=True)
    assert git(shop, "status", "--porcelain") == ""


def test_a_task_is_refused_repaired_and_handed_in_over_stdio(shop: Path) -> None:
    async def talk() -> None:
        async with over_stdio(shop) as client:
            await play(client, shop, by_patch=False)

    asyncio.run(talk())


def test_a_task_is_refused_repaired_and_handed_in_over_http(shop: Path, address: str) -> None:
    async def talk() -> None:
        async with over_http(address) as client:
            await play(client, shop, by_patch=True)

    asyncio.run(talk())


def test_work_in_a_worktree_is_judged_and_other_folders_are_not(shop: Path, address: str) -> None:
    other = shop.parent / "beside"
    git(shop, "worktree", "add", "-q", "--detach", str(other))
    (other / "tests" / "test_members.py").write_text(WRONG)

    async def talk() -> None:
        async with over_http(address) as client:
            begun = await ask(client, "start_task", stage="A", path="shop.py")
            found = await ask(client, "check", task=begun["task"], checkout="beside", static=True)
            assert found["files"] == ["tests/test_members.py"]
            for place in ("/etc", "..", "nowhere"):
                answer = await client.call_tool("check", {"task": begun["task"], "checkout": place})
                assert answer.is_error
                assert "git worktree add" in answer.content[0].text

    try:
        asyncio.run(talk())
    finally:
        git(shop, "worktree", "remove", "--force", str(other))


def test_errors_say_what_to_do(address: str) -> None:
    async def talk() -> None:
        async with over_http(address) as client:
            for name, arguments, wanted in (
                ("check", {"task": "t1"}, "call start_task first"),
                ("start_task", {"stage": "Z"}, "A (tests), B (refactoring), C (speed)"),
                ("start_task", {"stage": "A", "path": "shop"}, "paths begin at the repository"),
                ("callers", {"function": "price"}, "find_function"),
                ("run_tests", {"tests": ["tests/none.py"]}, "git ls-files"),
                ("run_tests", {}, "edit files there, or hand in a patch"),
                ("repository_map", {"prefix": "nothing"}, "leave it out"),
            ):
                answer = await client.call_tool(name, arguments)
                assert answer.is_error, (name, answer)
                assert wanted in answer.content[0].text, (name, answer.content[0].text)

    asyncio.run(talk())


def test_code_in_the_sandbox_imports_the_repository_only_if_asked_to(
    shop: Path, address: str
) -> None:
    (shop / ".env").write_text("KEY=1\n")
    code = "from shop import price\n\n\ndef f():\n    return price(10, True)\n"

    async def talk() -> None:
        async with over_http(address) as client:
            given = {"code": code, "entry": "f"}
            ran = await ask(client, "run_in_sandbox", **given, with_repository=True)
            assert (ran["outcome"], ran["output"]) == ("success", 19)
            alone = await ask(client, "run_in_sandbox", **given)
            assert alone["error_category"] == "dependency"
            secret = "import shop, os\n_result = os.listdir(os.path.dirname(shop.__file__))\n"
            seen = await ask(client, "run_in_sandbox", code=secret, with_repository=True)
            assert "shop.py" in seen["output"]
            assert not {".git", ".env", ".reverie"} & set(seen["output"])

    asyncio.run(talk())


def test_the_answer_is_text_for_a_client_that_reads_no_structure(shop: Path) -> None:
    async def talk() -> None:
        home = {"XDG_CONFIG_HOME": os.environ["XDG_CONFIG_HOME"]}
        line = [*REVERIE[1:], "mcp", "--text", "--all-tools", "--repo", str(shop)]
        server = StdioServerParameters(command=REVERIE[0], args=line, env=home)
        async with Client(server) as client:
            listed = (await client.list_tools()).tools
            assert "dream_stats" in {each.name for each in listed}
            assert all(each.output_schema is None for each in listed)
            answer = await client.call_tool("find_function", {"query": "price"})
            assert answer.structured_content is None
            assert json.loads(answer.content[0].text)["results"][0]["path"] == "shop.py"

    asyncio.run(talk())
