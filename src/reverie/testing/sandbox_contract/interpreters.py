"""Other interpreters, preloaded modules and ordinary programs: all inside the isolation."""

import os
import socket
import sys
import venv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import PolicyError
from reverie.model.execution import MIB, Limits, Policy, Pytest, Request
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    QUICK,
    Listener,
    SandboxHarness,
    Valuables,
    Victim,
    answer,
    call,
    ended,
    script,
    system_call_numbers,
    told,
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
for number in range(3, 256):
    try:
        socket.socket(fileno=number).send(word)
    except OSError:
        pass
"""
_LIAR = """#!{python} -ISs
import socket
for number in range(3, 256):
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


_ROOMY = Limits(wall_seconds=60.0, memory_bytes=1024 * MIB, processes=128)

_PROGRAMS = {
    "asyncio": """
        import asyncio
        async def work(n):
            await asyncio.sleep(0.01)
            return await asyncio.to_thread(lambda: n * n)
        async def main(): return await asyncio.gather(*map(work, range(5)))
        _result = asyncio.run(main()) == [0, 1, 4, 9, 16]
    """,
    "threads": """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(8) as pool:
            _result = sum(pool.map(lambda x: x * x, range(100))) == 328350
    """,
    "sqlite": """
        import sqlite3
        connection = sqlite3.connect("data.db")
        connection.execute("create table t (x)")
        connection.executemany("insert into t values (?)", [(n,) for n in range(10)])
        connection.commit()
        _result = connection.execute("select sum(x) from t").fetchone() == (45,)
    """,
    "files": """
        import gzip, json, pathlib, shutil, tempfile, zipfile
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.json.gz")
            with gzip.open(path, "wt") as file: json.dump({"x": 1}, file)
            with zipfile.ZipFile(pathlib.Path(folder, "a.zip"), "w") as archive: archive.write(path)
            shutil.copytree(folder, "copy")
            with gzip.open("copy/a.json.gz", "rt") as file: _result = json.load(file) == {"x": 1}
    """,
    "clocks": """
        import datetime, locale, platform, time, uuid, zoneinfo
        locale.setlocale(locale.LC_ALL, "")
        _result = len({uuid.uuid4() for _ in range(3)}) == 3 and time.time() > 1e9
        _result = _result and bool(platform.python_version()) and time.localtime().tm_year > 2000
    """,
    "multiprocessing_pool": """
        import multiprocessing
        with multiprocessing.get_context("fork").Pool(2) as pool:
            _result = pool.map(abs, [-1, -2, -3]) == [1, 2, 3]
    """,
    "multiprocessing_queue": """
        import multiprocessing
        context = multiprocessing.get_context("fork")
        queue, lock = context.Queue(), context.Lock()
        def work(n):
            with lock: queue.put(n)
        workers = [context.Process(target=work, args=(n,)) for n in range(3)]
        for worker in workers: worker.start()
        _result = sorted(queue.get(timeout=10) for _ in workers) == [0, 1, 2]
        for worker in workers: worker.join()
    """,
    "shared_memory": """
        import os
        from multiprocessing import shared_memory
        memory = shared_memory.SharedMemory(create=True, size=1000)
        memory.buf[:3] = b"abc"
        again = shared_memory.SharedMemory(memory.name)
        _result = bytes(again.buf[:3]) == b"abc"
        again.close(); memory.close(); memory.unlink()
    """,
    "subprocess": """
        import subprocess, sys
        done = subprocess.run([sys.executable, "-c", "import json; print(json.dumps([6 * 7]))"],
                              capture_output=True, text=True, check=True)
        _result = done.stdout == "[42]\\n"
    """,
    "pipes_and_signals": """
        import os, select, signal
        got = []
        signal.signal(signal.SIGALRM, lambda *a: got.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        read, write = os.pipe()
        os.write(write, b"x")
        _result = select.select([read], [], [], 5)[0] == [read] and os.read(read, 9) == b"x"
        while not got: signal.pause()
    """,
    "local_server": """
        import http.server, threading, urllib.request
        server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        open("page.txt", "w").write("hello")
        url = f"http://127.0.0.1:{server.server_port}/page.txt"
        _result = urllib.request.urlopen(url, timeout=10).read() == b"hello"
        server.shutdown()
    """,
}


class LibrariesContract(SandboxHarness):
    """What runs outside runs inside, where the policy does not forbid it."""

    @pytest.mark.parametrize("code", _PROGRAMS.values(), ids=_PROGRAMS)
    def test_a_program_runs(self, sandbox: Sandbox, code: str) -> None:
        assert answer(sandbox, code, limits=_ROOMY) is True

    def test_numpy_runs_and_its_chance_is_seeded(self, sandbox: Sandbox) -> None:
        pytest.importorskip("numpy")
        code = """
            import numpy
            def f():
                matrix = numpy.arange(10_000.0).reshape(100, 100)
                product = matrix @ matrix
                return [float(numpy.linalg.norm(product)) > 0, float(numpy.random.random())]
        """
        policy = Policy(preload=("numpy",), seed=3)
        first, second = (
            call(sandbox, code, policy=policy, limits=replace(_ROOMY, processes=128))
            for _ in range(2)
        )
        assert first.succeeded, told(first)
        assert first.output == second.output
        third = call(sandbox, code, policy=replace(policy, seed=4), limits=_ROOMY)
        assert third.output != first.output

    def test_the_hash_seed_is_that_of_the_policy(self, sandbox: Sandbox) -> None:
        code = "def f():\n    return hash('text')"
        first, second, third = (
            call(sandbox, code, policy=Policy(hash_seed=seed)).output for seed in (0, 7, 7)
        )
        assert first != second == third

    def test_pandas_runs(self, sandbox: Sandbox) -> None:
        pytest.importorskip("pandas")
        code = """
            import io
            import pandas
            frame = pandas.read_csv(io.StringIO("k,v\\na,1\\nb,2\\na,3\\n"))
            frame.to_csv("out.csv")
            _result = frame.groupby("k").v.sum().to_dict()
        """
        assert answer(sandbox, code, limits=_ROOMY) == {"a": 4, "b": 2}

    def test_pytest_runs_a_large_suite(self, sandbox: Sandbox, tmp_path: Path) -> None:
        tests = "\n".join(f"def test_{n}(tmp_path): assert {n} + 1 == {n + 1}" for n in range(200))
        (tmp_path / "test_large.py").write_text(tests)
        folder = str(tmp_path)
        policy = Policy(readonly=(folder,), working_directory=folder)
        execution = sandbox.run(Request(Pytest(("-q",)), replace(QUICK, wall_seconds=60), policy))
        ended(execution, TestOutcome.SUCCESS)
        assert "200 passed" in execution.stdout
