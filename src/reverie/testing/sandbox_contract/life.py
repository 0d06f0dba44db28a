"""The sandbox's own life: many at once, in order, from threads, closed at any moment."""

import asyncio
import os
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reverie.errors import MachineryError, PolicyError
from reverie.model.execution import Expression, Policy, Request, Script
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import QUICK, SHORT, SandboxHarness, told


def held_by_this_process() -> dict[str, object]:
    """Whatever a sandbox could leave behind."""
    own = os.getpid()
    tasks = Path(f"/proc/{own}/task")
    children = " ".join((task / "children").read_text() for task in tasks.iterdir()).split()
    groups = [
        os.path.join(folder, name)
        for folder, names, _ in os.walk("/sys/fs/cgroup")
        for name in names
        if name.startswith(f"reverie-{own}-")
    ]
    scratch = Path(tempfile.gettempdir()).glob(f"tmp-{own:x}-*")
    return {
        "descriptors": len(os.listdir(f"/proc/{own}/fd")),
        "children": sorted(children),
        "groups": sorted(groups),
        "scratch": sorted(str(path) for path in scratch),
        "mounts": Path("/proc/self/mountinfo").read_text(),
        "threads": threading.active_count(),
    }


class LifeContract(SandboxHarness):
    """Nothing is left behind, however it ends."""

    def test_a_batch_comes_back_in_order(self, sandbox: Sandbox) -> None:
        requests = [
            Request(Script(f"import time; time.sleep({0.08 if n % 3 == 0 else 0}); _result = {n}"))
            for n in range(12)
        ]
        found = list(sandbox.run_batch(requests))
        assert [execution.output for execution in found] == list(range(12))

    def test_a_batch_mixes_good_bad_and_different(self, sandbox: Sandbox) -> None:
        slow = Request(Script("while True: pass"), SHORT)
        gone = Request(Script("import os; os._exit(0)"))
        other = Request(Expression("2"), QUICK, Policy(preload=("decimal",)))
        good = Request(Expression("1"))
        found = list(sandbox.run_batch([good, slow, gone, other, good, other, good]))
        assert [execution.outcome for execution in found] == [
            TestOutcome.SUCCESS,
            TestOutcome.TIMEOUT,
            TestOutcome.UNKNOWN_ERROR,
            *[TestOutcome.SUCCESS] * 4,
        ]

    def test_a_batch_can_be_left_in_the_middle(self, sandbox: Sandbox) -> None:
        batch = sandbox.run_batch([Request(Expression("1"))] * 20)
        assert next(batch).output == 1
        del batch
        assert sandbox.run(Request(Expression("2"))).output == 2

    def test_an_event_loop_is_not_blocked(self, sandbox: Sandbox) -> None:
        async def main() -> list[object]:
            code = "import time; time.sleep(0.05); _result = {}"
            requests = [Request(Script(code.format(n))) for n in range(1, 4)]
            ticks = 0
            waiting = asyncio.gather(*(sandbox.run_async(request) for request in requests))
            while not waiting.done():
                await asyncio.sleep(0.005)
                ticks += 1
            assert ticks > 3
            return [execution.output for execution in await waiting]

        assert asyncio.run(main()) == [1, 2, 3]

    def test_threads_can_run_at_once(self, sandbox: Sandbox) -> None:
        with ThreadPoolExecutor(6) as threads:
            requests = [Request(Expression(f"{n} * 2")) for n in range(30)]
            found = list(threads.map(sandbox.run, requests))
        assert [execution.output for execution in found] == [2 * n for n in range(30)]

    def test_closing_twice_is_closing_once(self, another_sandbox: Sandbox) -> None:
        assert another_sandbox.run(Request(Expression("1"))).output == 1
        another_sandbox.close()
        another_sandbox.close()
        with pytest.raises(MachineryError, match="closed"):
            another_sandbox.run(Request(Expression("1")))

    def test_closing_while_busy_ends_everything(self, another_sandbox: Sandbox) -> None:
        before = held_by_this_process()["children"]
        slow = Request(Script("import time; time.sleep(15)"), QUICK)
        with ThreadPoolExecutor(4) as threads:
            running = [threads.submit(another_sandbox.run, slow) for _ in range(4)]
            while held_by_this_process()["children"] == before:
                pass
            another_sandbox.close()
            assert held_by_this_process()["children"] == before
            for future in running:
                assert isinstance(future.exception(timeout=10), MachineryError)

    def test_nothing_is_left_after_closing(self, sandbox: Sandbox) -> None:
        sandbox.run(Request(Expression("1")))
        before = held_by_this_process()
        with Sandbox(sandbox.section) as another:
            for code in ("_result = 1", "import os; os._exit(1)", "while True: pass"):
                another.run(Request(Script(code), SHORT))
            another.run(Request(Script("open('left', 'w').close()"), QUICK))
            another.execute_many("def f(n): return n", "f", [{"n": 1}, {"n": 2}])
            during = held_by_this_process()
            assert during["children"] != before["children"]
        assert held_by_this_process() == before

    def test_nothing_is_left_after_a_slot_that_could_not_start(self, sandbox: Sandbox) -> None:
        sandbox.run(Request(Expression("1")))
        before = held_by_this_process()
        with Sandbox(sandbox.section) as another:
            for _ in range(3):
                request = Request(Expression("1"), QUICK, Policy(preload=("no_such_module",)))
                with pytest.raises(PolicyError, match="no_such_module"):
                    another.run(request)
            assert another.run(Request(Expression("1"))).output == 1
        assert held_by_this_process() == before

    def test_running_grows_nothing(self, sandbox: Sandbox) -> None:
        def round_of_work() -> None:
            for code in ("_result = 1", "1 / 0", "import os; os._exit(1)", "print('x' * 5000)"):
                execution = sandbox.run(Request(Script(code), QUICK))
                assert execution.isolation is sandbox.tier, told(execution)

        for _ in range(2):
            round_of_work()
        before = held_by_this_process()
        for _ in range(10):
            round_of_work()
        assert held_by_this_process() == before
