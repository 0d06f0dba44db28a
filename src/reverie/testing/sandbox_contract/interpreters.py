"""Other interpreters and preloaded modules: inside the isolation like everything else."""

import os
import socket
import sys
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import PolicyError
from reverie.model.execution import Policy
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    Listener,
    SandboxHarness,
    Valuables,
    Victim,
    answer,
    script,
    system_call_numbers,
)

_ABOUT = """
import sys
_result = [sys.prefix, sys.executable, list(sys.version_info[:2]), hash("text")]
"""

_HOSTILE = """#!{python} -ISs
import ctypes, json, os, socket
libc = ctypes.CDLL(None, use_errno=True)
done = []
def attempt(name, way):
    try:
        if way():
            done.append(name)
    except OSError:
        pass
def call(name, *arguments):
    return libc.syscall({numbers!r}[name], *arguments) >= 0
def connect():
    socket.create_connection(("127.0.0.1", {port}), 2).send(b"hello")
    return True
attempt("network", connect)
attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
attempt("packet", lambda: socket.socket(17, socket.SOCK_RAW))
attempt("io_uring", lambda: call("io_uring_setup", 4, bytes(200)))
attempt("userfaultfd", lambda: call("userfaultfd", 1))
attempt("memory", lambda: call("memfd_secret", 0))
attempt("namespace", lambda: call("unshare", 0x10000000))
attempt("limit", lambda: call("prlimit64", {victim}, 4, bytes(16), 0))
attempt("signal", lambda: not os.kill({victim}, 0))
attempt("nice", lambda: not os.setpriority(os.PRIO_PROCESS, {victim}, 19))
attempt("read", lambda: open({secret!r}).read())
attempt("write", lambda: open({secret!r}, "w").write("changed"))
sets = ctypes.create_string_buffer(24)
libc.capget(bytes([0x22, 5, 8, 0x20]) + bytes(4), sets)
if any(sets.raw):
    done.append("capabilities")
word = json.dumps({{"error": "done: " + json.dumps(done)}}).encode()
for number in range(3, 30):
    try:
        socket.socket(fileno=number).send(word)
    except OSError:
        pass
"""
_LIAR = """#!{python} -ISs
import socket
for number in range(3, 30):
    try:
        socket.socket(fileno=number).send({word!r})
    except OSError:
        pass
"""


def make_interpreter(folder: Path, text: str) -> Policy:
    """A program in place of an interpreter, and the policy that asks for it."""
    path = folder / "environment" / "bin" / "python"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(0o755)
    return Policy(python=str(path), readonly=(sys.base_prefix,))


def other_interpreters() -> list[str]:
    """Interpreters on this machine that are not ours but new enough, newest first."""
    places = [Path("/usr/bin"), Path("/usr/local/bin"), Path("/opt/python/bin")]
    try:
        places += Path.home().glob(".pyenv/versions/3.*/bin")
    except OSError:
        pass
    own = os.path.realpath(sys.executable)
    found = {}
    for place in places:
        for minor in range(11, 20):
            path = place / f"python3.{minor}"
            if os.access(path, os.X_OK) and os.path.realpath(path) != own:
                found[minor] = str(path)
    return [found[minor] for minor in sorted(found, reverse=True)]


class InterpretersContract(SandboxHarness):
    """Code runs in the environment that it belongs to."""

    def test_code_runs_in_another_virtual_environment(
        self, sandbox: Sandbox, tmp_path: Path
    ) -> None:
        folder = tmp_path / "environment"
        venv.create(folder, symlinks=True)
        packages = next(folder.glob("lib/python3*/site-packages"))
        (packages / "only_there.py").write_text("VALUE = 'there'")
        policy = Policy(python=str(folder / "bin" / "python"))
        prefix, executable, version, _ = answer(sandbox, _ABOUT, policy=policy)
        assert prefix == str(folder)
        assert executable == str(folder / "bin" / "python")
        assert version == list(sys.version_info[:2])
        code = "import only_there\n_result = only_there.VALUE"
        assert answer(sandbox, code, policy=policy) == "there"
        assert not script(sandbox, "import reverie", policy=policy).succeeded

    def test_code_runs_on_another_python(self, sandbox: Sandbox) -> None:
        others = other_interpreters()
        if not others:
            pytest.skip("no other Python of version 3.11 or newer on this machine")
        policy = Policy(python=others[0])
        _, executable, version, first = answer(sandbox, _ABOUT, policy=policy)
        assert executable == others[0]
        assert f"python{version[0]}.{version[1]}" in others[0]
        assert answer(sandbox, _ABOUT, policy=policy)[3] == first

    def test_another_python_is_as_closed_in_as_ours(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        others = other_interpreters()
        if not others:
            pytest.skip("no other Python of version 3.11 or newer on this machine")
        policy = Policy(python=others[0])
        execution = script(
            sandbox, "_result = open(path).read()", policy=policy, path=str(valuables.file)
        )
        assert not execution.succeeded
        assert valuables.secret not in repr(execution)

    def test_an_interpreter_is_closed_in_before_it_runs(
        self,
        sandbox: Sandbox,
        valuables: Valuables,
        victim: Victim,
        listen: Callable[[int, int, Any], Listener],
        tmp_path_factory: pytest.TempPathFactory,
    ) -> None:
        server = listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        text = _HOSTILE.format(
            python=os.path.realpath(sys.executable),
            numbers=system_call_numbers(),
            port=server.server.getsockname()[1],
            victim=victim.pid,
            secret=str(valuables.file),
        )
        policy = make_interpreter(tmp_path_factory.mktemp("hostile"), text)
        with pytest.raises(PolicyError, match=r"done: \[\]"):
            script(sandbox, "pass", policy=policy)
        assert server.visitors() == 0
        assert valuables.file.read_text() == valuables.secret

    @pytest.mark.parametrize(
        "word",
        [
            b"",
            b"[" * 50_000,
            b"\xff",
            b"{}",
            b'{"booted": 1}',
            b'{"booted": false, "refused": {"a": 1}}',
            b'{"closed_in": true, "posture": {"proc": true}}',
        ],
    )
    def test_an_interpreter_that_is_none_costs_no_slot(
        self, single: Sandbox, tmp_path: Path, word: bytes
    ) -> None:
        text = _LIAR.format(python=os.path.realpath(sys.executable), word=word)
        with pytest.raises(PolicyError, match="interpreter"):
            script(single, "pass", policy=make_interpreter(tmp_path, text))
        assert single.pool_state()["busy"] == 0
        assert answer(single, "_result = 1") == 1

    def test_a_preloaded_module_is_there_and_fresh_every_time(
        self, sandbox: Sandbox, tmp_path: Path
    ) -> None:
        (tmp_path / "heavy_module.py").write_text("state = []\nprint('imported')")
        folder = str(tmp_path)
        policy = Policy(
            readonly=(folder,), import_paths=(folder,), preload=("heavy_module", "decimal")
        )
        code = """
            import sys
            loaded = {"heavy_module", "decimal"} <= set(sys.modules)
            import heavy_module
            heavy_module.state.append(1)
            _result = [loaded, heavy_module.state]
        """
        for _ in range(sandbox.section.slots + 1):
            execution = script(sandbox, code, policy=policy)
            assert execution.output == [True, [1]]
            assert execution.stdout == ""

    def test_a_preload_that_is_not_there_is_named(self, sandbox: Sandbox) -> None:
        with pytest.raises(PolicyError, match="no_such_module_here"):
            script(sandbox, "pass", policy=Policy(preload=("no_such_module_here",)))

    def test_a_preload_is_closed_in_too(
        self, sandbox: Sandbox, valuables: Valuables, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        folder = tmp_path_factory.mktemp("hostile")
        (folder / "hostile_module.py").write_text(
            f"""
seen = None
try:
    seen = open({str(valuables.file)!r}).read()
    open({str(valuables.file)!r}, "w").write("changed")
except OSError:
    pass
"""
        )
        policy = Policy(
            readonly=(str(folder),), import_paths=(str(folder),), preload=("hostile_module",)
        )
        seen = answer(sandbox, "import hostile_module as m\n_result = m.seen", policy=policy)
        assert seen is None
        assert valuables.file.read_text() == valuables.secret
