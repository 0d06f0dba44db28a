"""What every part of the contract shares: short ways to run code, and things to attack."""

import os
import signal
import socket
import textwrap
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from reverie.model.execution import MIB, Call, Execution, Limits, Policy, Request, Script
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.inside import kernel

QUICK = Limits(wall_seconds=20.0, memory_bytes=256 * MIB)
"""For code that is meant to come to an end: no bound is near."""

SHORT = Limits(wall_seconds=0.4, memory_bytes=256 * MIB)
"""For code that is meant to be stopped."""

NO_RULES = Policy()

SYSTEM_CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)

def system_call(name, *arguments):
    'The errno of a system call, 0 when it was done.'
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    done = libc.syscall(ctypes.c_long(numbers[name]), *words)
    return ctypes.get_errno() if done == -1 else 0
"""
"""Put in front of a payload that is given `numbers`."""


def system_call_numbers() -> dict[str, int]:
    """Numbers by name, for `SYSTEM_CALL`."""
    return kernel.machine()[1]


def script(
    sandbox: Sandbox,
    code: str,
    *,
    limits: Limits = QUICK,
    policy: Policy = NO_RULES,
    argv: tuple[str, ...] = (),
    **params: Any,
) -> Execution:
    """Run a script; its answer is `_result`."""
    target = Script(textwrap.dedent(code), argv, params)
    return sandbox.run(Request(target, limits, policy))


def call(
    sandbox: Sandbox,
    code: str,
    *,
    limits: Limits = QUICK,
    policy: Policy = NO_RULES,
    expected: str | None = None,
    **params: Any,
) -> Execution:
    """Call the function `f` of some code."""
    target = Call(textwrap.dedent(code), "f", params)
    return sandbox.run(Request(target, limits, policy, expected))


def answer(
    sandbox: Sandbox,
    code: str,
    *,
    limits: Limits = QUICK,
    policy: Policy = NO_RULES,
    **params: Any,
) -> Any:
    """The `_result` of a script that has to succeed."""
    execution = script(sandbox, code, limits=limits, policy=policy, **params)
    assert execution.succeeded, told(execution)
    return execution.output


def told(execution: Execution) -> str:
    """An execution in one line, for the message of a failed assertion."""
    error = None if execution.error is None else execution.error.message
    return f"{execution.outcome}/{execution.error_category}: {error!r} {execution.stderr[-300:]!r}"


def ended(
    execution: Execution, outcome: TestOutcome, category: ErrorCategory | None = None
) -> None:
    """Assert how it ended."""
    assert execution.outcome is outcome, told(execution)
    if category is not None:
        assert execution.error_category is category, told(execution)


@dataclass(frozen=True, slots=True)
class Victim:
    """A process of the host with a secret in its environment."""

    pid: int
    secret: str


@dataclass(frozen=True, slots=True)
class Valuables:
    """A folder of the host with a secret in it, hidden from everybody but its owner."""

    folder: Path
    secret: str

    @property
    def file(self) -> Path:
        """The file with the secret."""
        return self.folder / "secret.txt"

    def snapshot(self) -> dict[str, tuple[int, int, int, int, bytes]]:
        """Everything in the folder that an intruder could change."""
        found = {}
        for path in (self.folder, *sorted(self.folder.rglob("*"))):
            facts = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            attributes = repr(os.listxattr(path, follow_symlinks=False))
            found[str(path)] = (
                facts.st_mode,
                facts.st_mtime_ns,
                facts.st_uid,
                facts.st_nlink,
                content + attributes.encode(),
            )
        return found


class Listener:
    """A server of the host that nobody inside may reach; it counts who did."""

    def __init__(self, server: socket.socket) -> None:
        server.setblocking(False)
        self.server = server
        if server.type == socket.SOCK_STREAM:
            server.listen(8)

    def visitors(self) -> int:
        """How many came since last asked."""
        count = 0
        with suppress(BlockingIOError):
            while True:
                if self.server.type == socket.SOCK_STREAM:
                    self.server.accept()[0].close()
                else:
                    self.server.recv(4096)
                count += 1
        return count


class SandboxHarness:
    """Fixtures of the contract. A subclass provides `sandbox`; its scope may be the class."""

    @pytest.fixture
    def sandbox(self) -> Sandbox:
        """The sandbox under test."""
        raise NotImplementedError("provide the sandbox under test")

    @pytest.fixture
    def another_sandbox(self, sandbox: Sandbox) -> Iterator[Sandbox]:
        """One more of the same kind, for tests that close or exhaust it."""
        with Sandbox(sandbox.section) as another:
            yield another

    @pytest.fixture
    def single(self, sandbox: Sandbox) -> Iterator[Sandbox]:
        """One more sandbox of the same kind, whose executions follow one another in one slot."""
        with Sandbox(replace(sandbox.section, slots=1)) as single:
            yield single

    @pytest.fixture
    def valuables(self, tmp_path: Path) -> Valuables:
        """A folder with a secret, a link and a folder below it."""
        found = Valuables(tmp_path, os.urandom(16).hex())
        found.file.write_text(found.secret)
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "inner.txt").write_text("inner")
        (tmp_path / "link").symlink_to("secret.txt")
        return found

    @pytest.fixture
    def victim(self) -> Iterator[Victim]:
        """A harmless process that a sandbox must not be able to see or touch."""
        secret = os.urandom(16).hex()
        pid = os.posix_spawn("/bin/sleep", ["sleep", "60"], {"SECRET": secret})
        yield Victim(pid, secret)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)

    @pytest.fixture
    def listen(self) -> Iterator[Callable[[int, int, Any], Listener]]:
        """Opens listeners by family, type and address."""
        servers = []

        def start(family: int, kind: int, address: Any) -> Listener:
            server = socket.socket(family, kind)
            servers.append(server)
            server.bind(address)
            return Listener(server)

        yield start
        for server in servers:
            server.close()
