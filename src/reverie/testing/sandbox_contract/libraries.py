"""Ordinary programs run: numbers, frames, event loops, threads, processes, servers, pytest."""

from dataclasses import replace
from pathlib import Path

import pytest

from reverie.model.execution import MIB, Limits, Policy, Pytest, Request
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    QUICK,
    SandboxHarness,
    answer,
    call,
    ended,
    told,
)

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
