"""Who is measured. Each runs the payload once, isolated as well as it sensibly can."""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

from benchmarks.machine import real_interpreter
from benchmarks.sandbox.payload import CODE, ENTRY, PROGRAM, request_text
from reverie.model.execution import Call, Request
from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox

PEERS_FOLDER = Path(__file__).parent.parent / ".peers"
_SECONDS = 60.0
_SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")


class NotInstalled(Exception):
    """A peer that is not on this machine; the text says how to get it."""


class NoAnswer(Exception):
    """A contender that hangs: the run ends rather than wait for it."""


class Contender(Protocol):
    """One row of the table."""

    name: str
    every: int
    """Takes part in every n-th round."""
    is_slow: bool
    """Runs once in a round, where the others run several times."""

    def measure(self, params: dict[str, Any]) -> list[tuple[float, Any]]:
        """Seconds and result of one execution, or of a few that belong together."""


class PlainPython:
    """A new interpreter, no isolation: what everybody pays who starts a process."""

    name = "python -I -S, no isolation"
    every = 1
    is_slow = False

    def __init__(self) -> None:
        self._command = [real_interpreter(), "-I", "-S", "-c", PROGRAM]

    def measure(self, params: dict[str, Any]) -> list[tuple[float, Any]]:
        return [_timed_command(self._command, params)]


class Bubblewrap(PlainPython):
    """All namespaces, no capabilities, empty environment, read-only root, private /tmp."""

    name = "bubblewrap + python -I -S"

    def __init__(self) -> None:
        bwrap = shutil.which("bwrap")
        if bwrap is None:
            raise NotInstalled("apt-get install bubblewrap")
        binary = real_interpreter()
        self._command = [
            *(bwrap, "--unshare-all", "--die-with-parent", "--new-session"),
            *("--cap-drop", "ALL", "--clearenv", "--setenv", "LANG", "C.UTF-8"),
            *_bubblewrap_root(),
            *("--ro-bind", sys.base_prefix, sys.base_prefix),
            *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/tmp"),
            *("--", binary, "-I", "-S", "-c", PROGRAM),
        ]


def _bubblewrap_root() -> Iterator[str]:
    for folder in _SYSTEM_FOLDERS:
        if os.path.islink(folder):
            yield from ("--symlink", os.readlink(folder), folder)
        elif os.path.isdir(folder):
            yield from ("--ro-bind", folder, folder)


class SandboxRuntime(PlainPython):
    """The `srt` command with its network and file rules on."""

    name = "srt (sandbox-runtime) + python -I -S"
    is_slow = True

    def __init__(self, every: int, settings: Path) -> None:
        self.every = every
        script = PEERS_FOLDER / "node_modules" / ".bin" / "srt"
        node = shutil.which("node")
        if not script.exists() or node is None:
            raise NotInstalled("benchmarks/sandbox/peers.sh (needs npm)")
        rules: dict[str, dict[str, list[str]]] = {
            "network": {"allowedDomains": [], "deniedDomains": []},
            "filesystem": {"denyRead": [], "allowWrite": [], "denyWrite": []},
        }
        settings.write_text(json.dumps(rules), encoding="utf-8")
        self._command = [
            *(node, str(script.resolve()), "--settings", str(settings), "--"),
            *(real_interpreter(), "-I", "-S", "-c", PROGRAM),
        ]


def _sandlock_rules() -> dict[str, Any]:
    folders = [folder for folder in (*_SYSTEM_FOLDERS, "/etc", "/dev") if os.path.isdir(folder)]
    return {
        "fs_readable": [*folders, sys.base_prefix],
        "max_memory": "512M",
        "max_processes": 64,
        "clean_env": True,
    }


class SandlockRun:
    """sandlock's `run`: Landlock and seccomp around a new interpreter."""

    name = "sandlock run + python -I -S"
    every = 1
    is_slow = False

    def __init__(self) -> None:
        self._sandlock = _import_sandlock()
        self._command = [real_interpreter(), "-I", "-S", "-c", PROGRAM]

    def measure(self, params: dict[str, Any]) -> list[tuple[float, Any]]:
        text = request_text(params)
        started = time.perf_counter()
        sandbox = self._sandlock.Sandbox(**_sandlock_rules())
        result = sandbox.run([*self._command, text], timeout=_SECONDS)
        seconds = time.perf_counter() - started
        return [(seconds, json.loads(result.stdout) if result.success else result)]


class SandlockFork:
    """sandlock's `fork`: a confined fork of a warm process, no new interpreter.

    Its fastest form, and the nearest to ours. The code under test starts in a copy of whoever
    calls it, so the caller here is a small process of its own (`sandlock_forks.py`).
    """

    name = "sandlock fork of a warm process"
    every = 1
    is_slow = False

    def __init__(self, stack: ExitStack) -> None:
        _import_sandlock()
        program = Path(__file__).with_name("sandlock_forks.py")
        command = [sys.executable, str(program), json.dumps(_sandlock_rules())]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        stack.callback(self._close)

    def measure(self, params: dict[str, Any]) -> list[tuple[float, Any]]:
        text = request_text(params).encode() + b"\n"
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        started = time.perf_counter()
        stdin.write(text)
        stdin.flush()
        if not select.select([stdout], [], [], _SECONDS)[0]:
            raise NoAnswer(f"{self.name}: nothing in {_SECONDS:g} s")
        answer = stdout.readline()
        return [(time.perf_counter() - started, json.loads(answer or b"null"))]

    def _close(self) -> None:
        self._process.kill()
        self._process.communicate()


def _import_sandlock() -> Any:
    try:
        import sandlock  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        raise NotInstalled("pip install sandlock") from None
    return sandlock


class OursCold:
    """A new `Sandbox`, one execution, closed again."""

    name = "Reverie, cold"
    every = 1
    is_slow = False

    def __init__(self, section: SandboxSection) -> None:
        self._section = section

    def measure(self, params: dict[str, Any]) -> list[tuple[float, Any]]:
        started = time.perf_counter()
        with Sandbox(self._section) as sandbox:
            output = sandbox.run(Request(Call(CODE, ENTRY, params))).output
        return [(time.perf_counter() - started, output)]


class OursWarm:
    """`Sandbox.run` on warm slots, by a caller that pauses until the spare is ready."""

    name = "Reverie, warm"
    every = 1
    is_slow = False
    executions = 1

    def __init__(self, sandbox: Sandbox, pause_seconds: float) -> None:
        self._sandbox = sandbox
        self._pause_seconds = pause_seconds

    def measure(self, params: dict[str, Any]) -> list[tuple[float, Any]]:
        request = Request(Call(CODE, ENTRY, params))
        time.sleep(self._pause_seconds)
        found = []
        for _ in range(self.executions):
            started = time.perf_counter()
            output = self._sandbox.run(request).output
            found.append((time.perf_counter() - started, output))
        return found


class OursBackToBack(OursWarm):
    """The same by a caller that never pauses: it waits for spares that are still being made."""

    name = "Reverie, warm, back to back"
    executions = 5


def _timed_command(command: list[str], params: dict[str, Any]) -> tuple[float, Any]:
    text = request_text(params).encode()
    started = time.perf_counter()
    ran = subprocess.run(command, input=text, capture_output=True, timeout=_SECONDS, check=False)
    seconds = time.perf_counter() - started
    if ran.returncode != 0:
        return seconds, ran.stderr.decode(errors="replace")[-500:]
    return seconds, json.loads(ran.stdout)


@contextmanager
def open_contenders(
    section: SandboxSection, pause_seconds: float, slow_every: int
) -> Iterator[tuple[list[Contender], dict[str, str]]]:
    """All that are here, and the others by name with what is missing."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-")))
        sandbox = stack.enter_context(Sandbox(section))
        sandbox.warm()
        here: list[Contender] = []
        missing: dict[str, str] = {}
        for kind, make in (
            (PlainPython, PlainPython),
            (Bubblewrap, Bubblewrap),
            (SandlockRun, SandlockRun),
            (SandlockFork, lambda: SandlockFork(stack)),
            (SandboxRuntime, lambda: SandboxRuntime(slow_every, folder / "srt.json")),
            (OursCold, lambda: OursCold(section)),
            (OursWarm, lambda: OursWarm(sandbox, pause_seconds)),
            (OursBackToBack, lambda: OursBackToBack(sandbox, pause_seconds)),
        ):
            try:
                here.append(make())
            except NotInstalled as error:
                missing[kind.name] = f"not installed: {error}"
        yield here, missing
