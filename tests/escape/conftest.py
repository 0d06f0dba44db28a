"""A host with something to lose, and the command line as a user calls it."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reverie.testing.sandbox_contract.harness import Listener, Valuables
from reverie.testing.sandbox_contract.leftovers import is_buried

COMMAND = [sys.executable, "-m", "reverie", "exec"]
REPLY_BYTES_AT_MOST = 8 << 20


@dataclass(frozen=True, slots=True)
class Host:
    """What hostile code goes for. Everything was made by the test and goes with it."""

    valuables: Valuables
    home: Path
    listener: Listener
    victim: int
    marker: str

    @property
    def params(self) -> dict[str, Any]:
        """What hostile code is told, so that it does not have to search."""
        return {
            "secret_file": str(self.valuables.file),
            "folder": str(self.valuables.folder),
            "home": str(self.home),
            "port": self.listener.server.getsockname()[1],
            "victim": self.victim,
            "marker": self.marker,
        }

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the command: a variable in it is secret too."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return {**kept, "HOME": str(self.home), "API_TOKEN": self.valuables.secret}

    def check(self, before: dict[str, Any], reply: bytes) -> None:
        """Nothing was taken, changed, reached, harmed or left."""
        assert self.valuables.snapshot() == before
        assert self.valuables.secret.encode() not in reply
        assert len(reply) < REPLY_BYTES_AT_MOST
        assert self.listener.visitors() == 0
        assert os.waitid(os.P_PID, self.victim, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        assert is_buried(self.marker)
        assert sorted(path.name for path in self.home.iterdir()) == ["diary.txt"]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    secret = os.urandom(16).hex()
    folder, home = tmp_path / "valuables", tmp_path / "home"
    for place in (folder, home):
        place.mkdir()
    valuables = Valuables(folder, secret)
    valuables.file.write_text(secret)
    (folder / "folder").mkdir()
    (home / "diary.txt").write_text(secret)
    server = socket.create_server(("127.0.0.1", 0))
    victim = os.posix_spawn("/bin/sleep", ["sleep", "120"], {"SECRET": secret})
    try:
        yield Host(valuables, home, Listener(server), victim, f"rv{os.urandom(5).hex()}")
    finally:
        os.kill(victim, signal.SIGKILL)
        os.waitpid(victim, 0)
        server.close()


Asked = tuple[int, dict[str, Any]]
Ask = Callable[..., Asked]


def leftovers_of(pid: int) -> list[str]:
    """What a command of this pid has left in the usual places."""
    found = [str(path) for path in Path("/tmp").glob(f"tmp-{pid:x}-*")]
    for folder, names, _ in os.walk("/sys/fs/cgroup"):
        found += [f"{folder}/{name}" for name in names if name.startswith(f"reverie-{pid}-")]
    return found


@pytest.fixture
def ask(host: Host, tmp_path: Path) -> Ask:
    """One request through `reverie exec --request -`, and a look at the host afterwards."""

    def call(code: str, *options: str, **fields: Any) -> Asked:
        before = host.valuables.snapshot()
        params = host.params if fields.get("entry") is None else {}
        request = {"code": code, "params": params, "timeout_s": 10, "memory_mb": 256} | fields
        process = subprocess.Popen(
            [*COMMAND, *options, "--request", "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=host.environment,
            cwd=tmp_path,
        )
        out, err = process.communicate(json.dumps(request).encode(), timeout=60)
        assert err == b"", err.decode()
        assert leftovers_of(process.pid) == []
        host.check(before, out)
        lines = out.splitlines()
        assert len(lines) == 1
        return process.returncode, json.loads(lines[0])

    return call


@pytest.fixture
def ask_all(host: Host, tmp_path: Path) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    """Many requests through one `reverie exec --stream`."""

    def call(requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
        before = host.valuables.snapshot()
        process = subprocess.Popen(
            [*COMMAND, "--stream"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=host.environment,
            cwd=tmp_path,
        )
        lines = b"".join(json.dumps(request).encode() + b"\n" for request in requests)
        out, err = process.communicate(lines, timeout=120)
        assert err == b"", err.decode()
        assert leftovers_of(process.pid) == []
        host.check(before, out)
        return [json.loads(line) for line in out.splitlines()]

    return call
