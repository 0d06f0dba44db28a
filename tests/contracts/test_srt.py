"""Executions under the real srt: what is peculiar to it. The rest is the sandbox contract."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from reverie.errors import IsolationUnavailable
from reverie.model.execution import Call, Execution, Expression, Policy, Request
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.backends.srt import find_srt
from reverie.sandbox.engine import Sandbox

SECTION = SandboxSection(tier=TierChoice.SRT, slots=1, timeout_seconds=20.0)


@pytest.fixture(scope="module")
def running() -> Iterator[Sandbox | IsolationUnavailable]:
    """A warm sandbox, or why there is none."""
    with Sandbox(SECTION) as sandbox:
        try:
            find_srt()
        except IsolationUnavailable as error:
            yield error
            return
        sandbox.warm()
        yield sandbox


@pytest.fixture
def sandbox(running: Sandbox | IsolationUnavailable, not_run: Callable[[str], NoReturn]) -> Sandbox:
    if isinstance(running, IsolationUnavailable):
        not_run(str(running))
    return running


def call(sandbox: Sandbox, code: str, policy: Policy | None = None) -> Execution:
    return sandbox.run(Request(Call(code, "f"), SECTION.limits(), policy or SECTION.policy()))


def output(sandbox: Sandbox, code: str, policy: Policy | None = None) -> Any:
    execution = call(sandbox, code, policy)
    assert execution.error is None
    return execution.output


def test_an_execution_says_that_srt_held_it(sandbox: Sandbox) -> None:
    execution = call(sandbox, "def f():\n    print('said')\n    return {'k': [1, 2.5, None]}")
    assert execution.output == {"k": [1, 2.5, None]}
    assert execution.stdout == "said\n"
    assert execution.isolation is IsolationTier.SRT
    assert execution.usage.cpu_seconds is not None
    assert execution.usage.peak_rss_bytes is not None


def test_it_is_nobody_without_power_in_namespaces_of_its_own(sandbox: Sandbox) -> None:
    code = """
    import os
    def f():
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        names = ("user", "mnt", "pid", "net")
        spaces = {name: os.stat(f"/proc/self/ns/{name}").st_ino for name in names}
        return [os.getuid(), status["CapEff"].strip(), status["Seccomp"].strip(), spaces]
    """
    uid, capabilities, mode, spaces = output(sandbox, textwrap.dedent(code))
    assert uid != 0
    assert int(capabilities, 16) == 0
    assert mode == "2"
    assert all(os.stat(f"/proc/self/ns/{name}").st_ino != spaces[name] for name in spaces)


def test_kernel_settings_cannot_be_written_not_even_when_root_runs_reverie(
    sandbox: Sandbox,
) -> None:
    code = """
    import os
    def f():
        try:
            os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
        except OSError as error:
            return error.errno
        return "open"
    """
    assert output(sandbox, textwrap.dedent(code)) in (1, 2, 13, 30)


def test_folders_that_srt_shares_with_every_command_are_hidden(sandbox: Sandbox) -> None:
    shared = Path("/tmp/claude")
    made = not shared.exists()
    shared.mkdir(exist_ok=True)
    try:
        assert output(sandbox, "import os\ndef f(): return os.path.exists('/tmp/claude')") is False
    finally:
        if made:
            shared.rmdir()


def test_one_execution_sees_nothing_of_the_one_before(sandbox: Sandbox) -> None:
    leave = "import os\ndef f():\n    open(os.environ['HOME'] + '/x', 'w')\n    return os.getpid()"
    look = "import os\ndef f(): return os.listdir(os.environ['HOME'])"
    output(sandbox, leave)
    assert output(sandbox, look) == []


def test_code_cannot_kill_its_guest_and_the_next_goes_on(sandbox: Sandbox) -> None:
    code = "import os, time\ndef f():\n    os.kill(os.getppid(), 9)\n    time.sleep(20)"
    execution = call(sandbox, code)
    assert execution.outcome is TestOutcome.RUNTIME_ERROR
    assert execution.error is not None
    assert "PermissionError" in execution.error.message
    assert output(sandbox, "def f(): return 7") == 7


def test_files_in_memory_count_as_memory(sandbox: Sandbox) -> None:
    section = SandboxSection(memory_mb=64)
    code = """
    import time
    def f():
        for n in range(20):
            open(f"/dev/shm/{n}", "wb").write(bytes(10**7))
        time.sleep(20)
    """
    execution = sandbox.run(Request(Call(textwrap.dedent(code), "f"), section.limits()))
    assert execution.outcome is TestOutcome.RESOURCE_EXHAUSTION


def test_a_supervisor_that_is_killed_leaves_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    program = (
        "from reverie.model.execution import Expression, Request\n"
        "from reverie.model.sections import SandboxSection, TierChoice\n"
        "from reverie.sandbox.engine import Sandbox\n"
        "sandbox = Sandbox(SandboxSection(tier=TierChoice.SRT, slots=1))\n"
        "sandbox.warm()\n"
        "print('warm', flush=True)\n"
        "sandbox.run(Request(Expression('__import__(\"time\").sleep(60)')))\n"
    )
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env=environ
    ) as supervisor:
        assert supervisor.stdout is not None
        assert supervisor.stdout.readline() == b"warm\n"
        marks = [entry.name for entry in tmp_path.iterdir()]
        assert len(marks) == 1
        supervisor.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 5.0
    while time.monotonic() < deadline and (any(tmp_path.iterdir()) or _mention(marks[0])):
        pass
    assert not any(tmp_path.iterdir())
    assert _mention(marks[0]) == []


def test_srt_that_cannot_start_is_reported_in_its_own_words(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with Sandbox(SECTION) as other, pytest.raises(IsolationUnavailable, match="No permissions to"):
        other.run(Request(Expression("1")))


def _mention(text: str) -> list[str]:
    """Command lines of living processes that contain a text."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if text in line:
            found.append(line)
    return found
