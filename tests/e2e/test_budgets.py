"""Time that a person gave is kept: nothing is begun after it, and what runs then is ended."""

import io
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import OutOfTime
from reverie.interfaces.cli import progress
from reverie.model.execution import Call, Limits, Request
from reverie.sandbox.engine import Sandbox

Cli = Callable[..., Any]
WAITING = "import threading\n\n\ndef f():\n    threading.Event().wait()\n"
QUICK = "def f():\n    return 1\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def request(code: str) -> Request:
    return Request(Call(code, "f"), Limits(wall_seconds=600.0))


def test_nothing_is_begun_when_the_time_is_over(sandbox: Sandbox) -> None:
    door = sandbox.until(time.monotonic())
    with pytest.raises(OutOfTime):
        door.run(request(QUICK))
    with pytest.raises(OutOfTime):
        list(door.run_batch([request(QUICK)]))
    with pytest.raises(OutOfTime):
        door.execute_many(QUICK, "f", [{}])
    assert sandbox.run(request(QUICK)).output == 1


def test_what_runs_when_the_time_is_over_is_ended_and_blamed_on_nobody(sandbox: Sandbox) -> None:
    with pytest.raises(OutOfTime):
        sandbox.until(time.monotonic() + 1.0).run(request(WAITING))
    with pytest.raises(OutOfTime):
        list(sandbox.until(time.monotonic() + 1.0).run_batch([request(QUICK), request(WAITING)]))


def test_what_ends_in_time_is_as_it_was(sandbox: Sandbox) -> None:
    door = sandbox.until(time.monotonic() + 60.0)
    assert door.run(request(QUICK)).output == 1
    late = Request(Call(WAITING, "f"), Limits(wall_seconds=0.5))
    assert door.run(late).outcome == "timeout"


def test_a_budget_that_the_suite_alone_spends_is_refused_before_anything_is_tried(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "shop.py").write_text("def price(count):\n    return 2 * count\n")
    slow = "import threading\n\ndef test_slow():\n    threading.Event().wait(600)\n"
    (folder / "test_shop.py").write_text(slow)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    monkeypatch.chdir(folder)
    ran = cli("run", "--budget", "4s", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "leaves no time to try anything: the suite did not come to its end" in ran.err
    assert "mend it: reverie run --budget 60s" in ran.err


BRANCHES = "".join(
    f"def step_{n}(text, place):\n    if text[place:].startswith({chr(97 + n % 26)!r}):\n"
    f"        return step_{(n + 1) % 60}(text, place + 1)\n    if len(text) > {n}:\n"
    f"        return (place, {n})\n    raise ValueError('no step {n}')\n\n\n"
    for n in range(60)
)


@pytest.mark.parametrize("words", [("enrich", "steps"), ("run", "--stage", "A")])
def test_commands_end_when_their_budget_does(tmp_path: Path, words: tuple[str, ...]) -> None:
    """More code than there is time for. What is promised is 1.25 times the budget and 15 s; tests
    run beside others on a machine with more load than that is promised for."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "steps.py").write_text(BRANCHES)
    (folder / "test_steps.py").write_text(
        "from steps import step_0\n\n\ndef test_step():\n    assert step_0('x', 5) == (5, 0)\n"
    )
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for git in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "base")):
        subprocess.run(["git", *git], cwd=folder, check=True, capture_output=True)
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    environ.pop("VIRTUAL_ENV", None)
    command = [sys.executable, "-m", "reverie", *words, "--budget", "20s"]
    ran = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=80, check=False
    )
    assert ran.returncode in (0, 1), ran.stderr


def test_a_line_tells_now_and_then_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = threading.Event()

    class Stream(io.StringIO):
        def flush(self) -> None:
            seen.set()

    stream = Stream()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.01)
    with progress.working("judging"):
        assert seen.wait(30)
    assert "0 s: judging\n" in stream.getvalue()
    before = stream.getvalue()
    assert not [each for each in threading.enumerate() if each.name == "reverie-progress"]
    assert stream.getvalue() == before
