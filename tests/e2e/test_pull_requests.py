"""The step of the workflow that others copy, run on an event file and a stand-in for the API."""

import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

CODE = "def price(count: int) -> int:\n    return 3 * count\n"
IDLE = "from shop import price\n\n\ndef test_price():\n    price(2)\n"
TOKEN = "a-token-of-tests"


class Api(ThreadingHTTPServer):
    """Comments of one pull request, as GitHub and GitLab keep them."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.comments: list[dict[str, Any]] = []
        self.asked: list[tuple[str, str]] = []
        self.refuses = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answering(BaseHTTPRequestHandler):
    server: Api

    def _answer(self) -> None:
        self.server.asked.append((self.command, self.path))
        token = self.headers.get("PRIVATE-TOKEN") or self.headers.get("Authorization", "")
        if self.server.refuses or TOKEN not in token:
            self._say(403, {})
        elif self.path == "/user":
            self._say(200, {"id": 7})
        elif self.command == "GET":
            self._say(200, self.server.comments)
        else:
            self._say(200, self._write())

    def _write(self) -> dict[str, Any]:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        if self.command == "POST":
            number = 100 + len(self.server.comments)
            made = {"id": number, "user": {"type": "Bot"}, "author": {"id": 7}, "html_url": "here"}
            self.server.comments.append(made)
        written = next(
            each
            for each in reversed(self.server.comments)
            if self.command == "POST" or self.path.endswith(f"/{each['id']}")
        )
        written["body"] = body
        return written

    def _say(self, status: int, document: object) -> None:
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_PUT = _answer

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def api() -> Iterator[Api]:
    server = Api()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def shop(scripted: Callable) -> Any:
    """A topic of a test that asserts nothing, and a main branch that went on meanwhile."""
    made = scripted("shop")
    made.commit("One", {"shop.py": CODE, "tests/test_shop.py": "def test_it():\n    assert True\n"})
    made.git("checkout", "-q", "-b", "topic")
    made.commit("Topic", {"tests/test_price.py": IDLE})
    made.git("checkout", "-q", "-")
    made.commit("Main goes on", {"shop.py": CODE.replace("3", "4")})
    return made


def event_of(shop: Any, folder: Path) -> Path:
    event = {
        "pull_request": {
            "number": 12,
            "base": {"sha": shop.git("rev-parse", "HEAD").strip()},
            "head": {"sha": shop.git("rev-parse", "topic").strip()},
        },
        "repository": {"full_name": "ada/shop"},
    }
    (folder / "event.json").write_text(json.dumps(event))
    return folder / "event.json"


def step_of(place: Path) -> str:
    """What the step runs that judges, in a workflow or in a composite action."""
    document = yaml.safe_load(place.read_text("utf-8"))
    steps = document["runs"]["steps"] if "runs" in document else document["jobs"]["guard"]["steps"]
    (line,) = (each["run"] for each in steps if each.get("name") == "judge the change")
    return str(line)


def judged(place: Path, shop: Any, folder: Path, api: Api) -> subprocess.CompletedProcess[str]:
    """That step, with the reverie of these tests in the place of the one it installs."""
    tools = folder / "reverie" / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    (tools / "reverie").write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m reverie "$@"\n'
    )
    (tools / "reverie").chmod(0o755)
    if not (tools / "python").exists():
        (tools / "python").symlink_to(sys.executable)
    line = step_of(place).replace(".venv/bin/reverie", str(tools / "reverie"))
    environ = {
        **os.environ,
        "GITHUB_EVENT_PATH": str(event_of(shop, folder)),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "GITHUB_API_URL": api.url,
        "GITHUB_TOKEN": TOKEN,
        "RUNNER_TEMP": str(folder),
        "STAGE": "A",
        "BUDGET": "1m",
        "COMMENT": "true",
        "FAIL_ON": "reject",
    }
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", line],
        cwd=shop.folder,
        env=environ,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("name", ["examples/ci/github.yml", "action.yml"])
def test_the_step_comments_once_and_updates_it(
    root: Path, shop: Any, tmp_path: Path, api: Api, name: str
) -> None:
    stranger = {"id": 1, "user": {"type": "User"}, "body": "<!-- reverie guard -->\nall is well"}
    api.comments.append(stranger)
    first = judged(root / name, shop, tmp_path, api)
    again = judged(root / name, shop, tmp_path, api)
    assert (first.returncode, again.returncode) == (1, 1), first.stderr
    assert stranger["body"].endswith("all is well")
    (comment,) = api.comments[1:]
    title = "### Reverie: **reject** (only tests change)"
    assert comment["body"].startswith(f"<!-- reverie guard -->\n{title}")
    assert "no\\_assertion" in comment["body"]
    assert "<summary>" in comment["body"]
    assert [method for method, _ in api.asked] == ["GET", "POST", "GET", "PATCH"]
    assert api.asked[1][1] == "/repos/ada/shop/issues/12/comments"
    assert "no\\_assertion" in (tmp_path / "summary.md").read_text()
    sarif = json.loads((Path(shop.folder) / "guard.sarif").read_text())
    assert "no_assertion" in [each["ruleId"] for each in sarif["runs"][0]["results"]]


def test_a_fork_s_token_changes_no_verdict(root: Path, shop: Any, tmp_path: Path, api: Api) -> None:
    api.refuses = True
    ran = judged(root / "action.yml", shop, tmp_path, api)
    assert ran.returncode == 1
    assert "no comment was written: 127.0.0.1 answered 403" in ran.stderr
    assert TOKEN not in ran.stderr
    assert "### Reverie" in (tmp_path / "summary.md").read_text()


def test_gitlab_gets_a_note(cli: Callable, shop: Any, api: Api) -> None:
    environ = {
        "CI_MERGE_REQUEST_IID": "3",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": shop.git("merge-base", "HEAD", "topic").strip(),
        "CI_COMMIT_SHA": shop.git("rev-parse", "topic").strip(),
        "CI_PROJECT_ID": "17",
        "CI_API_V4_URL": api.url,
        "GITLAB_TOKEN": TOKEN,
    }
    line = ("guard", "--event", "gitlab", "--comment", "--static", "--repo", str(shop.folder))
    for _ in range(2):
        assert cli(*line, environ=environ).code == 1
    (note,) = api.comments
    assert "**reject**" in note["body"]
    assert ("POST", "/projects/17/merge_requests/3/notes") in api.asked
    assert ("PUT", "/projects/17/merge_requests/3/notes/100") in api.asked


BAD = {
    "no event": ({}, ["--comment"], "--event"),
    "no token": ({}, ["--event", "{event}", "--comment"], "GITHUB_TOKEN"),
    "plain http": ({"GITHUB_API_URL": "http://example.org"}, ["--event", "{event}"], "https"),
    "two answers": ({}, ["--event", "{event}", "--head", "HEAD"], "--head"),
    "no file": ({}, ["--event", "nowhere.json"], "nowhere.json"),
    "no pipeline": ({}, ["--event", "gitlab"], "CI_MERGE_REQUEST_DIFF_BASE_SHA"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_missing_is_said_before_anything_runs(
    cli: Callable, shop: Any, tmp_path: Path, name: str
) -> None:
    environ, options, named = BAD[name]
    event = str(event_of(shop, tmp_path))
    given = [each.format(event=event) for each in options]
    ran = cli("guard", *given, "--repo", str(shop.folder), environ=environ)
    assert (ran.code, ran.out) == (2, "")
    assert named in ran.err
    assert len(ran.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [
        "no JSON",
        "[]",
        '{"pull_request": {"number": 1}, "repository": {"full_name": "ada/shop"}}',
        '{"pull_request": {"number": 1, "base": {"sha": "--output=x"}, "head": {"sha": "HEAD"}},'
        ' "repository": {"full_name": "ada/shop"}}',
        '{"pull_request": {"number": 1}, "repository": {"full_name": "../../user"}}',
        '{"push": 1}',
    ],
)
def test_an_event_of_another_shape_is_refused(
    cli: Callable, shop: Any, tmp_path: Path, content: str
) -> None:
    (tmp_path / "event.json").write_text(content)
    ran = cli("guard", "--event", str(tmp_path / "event.json"), "--repo", str(shop.folder))
    assert (ran.code, ran.out) == (2, "")
    assert "event.json" in ran.err


def hook(root: Path, name: str) -> list[str]:
    hooks = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (entry,) = (each["entry"] for each in hooks if each["id"] == name)
    return str(entry).split()[1:]


def test_the_hooks_stop_a_bad_change_and_let_a_plain_one_through(
    root: Path, cli: Callable, shop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop.folder)
    shop.write({"shop.py": "def price(count: int) -> int:\n    return count * 4\n"})
    assert cli(*hook(root, "reverie-guard")).code == 0
    assert cli(*hook(root, "reverie-check"), "shop.py").code == 0
    shop.write({"shop.py": "import os\n\n\ndef price(count):\n    return os.system('ls')\n"})
    assert cli(*hook(root, "reverie-guard")).code == 1
    assert cli(*hook(root, "reverie-check"), "shop.py").code == 1
