"""The sandbox's own life: many at once, in order, from threads, closed at any moment; many inputs.

Each input has its own execution, and its own blame.
"""

import asyncio
import os
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reverie.errors import MachineryError, PolicyError
from reverie.model.execution import MIB, Execution, Expression, Limits, Policy, Request, Script
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


_MISCHIEF = """
import os, signal, sys, time
def f(n, bad):
    print("input", n)
    if n == bad: mischief()
    return n * n
def mischief():
    {body}
"""

_BODIES = {
    "raises": ("raise ValueError('this one')", TestOutcome.RUNTIME_ERROR),
    "type_error": ("1 + ''", TestOutcome.TYPE_ERROR),
    "exits": ("os._exit(0)", TestOutcome.UNKNOWN_ERROR),
    "sys_exits": ("sys.exit(0)", TestOutcome.RUNTIME_ERROR),
    "crashes": ("os.kill(os.getpid(), signal.SIGSEGV)", TestOutcome.RUNTIME_ERROR),
    "killed": ("os.kill(os.getpid(), signal.SIGKILL)", TestOutcome.UNKNOWN_ERROR),
    "hangs": ("time.sleep(60)", TestOutcome.TIMEOUT),
    "spins": ("while True: pass", TestOutcome.TIMEOUT),
    "memory": ("bytearray(900 << 20)", TestOutcome.RESOURCE_EXHAUSTION),
}

_LIMITS = Limits(wall_seconds=0.5, memory_bytes=256 * MIB)


class InputsContract(SandboxHarness):
    """`execute_many` is many executions, not one with many results."""

    def many(
        self, sandbox: Sandbox, code: str, inputs: list[dict[str, object]], isolated: bool
    ) -> list[Execution]:
        """Run with patient limits."""
        return sandbox.execute_many(code, "f", inputs, limits=QUICK, isolated=isolated)

    @pytest.mark.parametrize("isolated", [True, False], ids=["isolated", "together"])
    def test_every_input_has_its_execution_in_order(self, sandbox: Sandbox, isolated: bool) -> None:
        inputs: list[dict[str, object]] = [{"n": n} for n in range(150)]
        code = "def f(n):\n    print('out', n)\n    return n * n"
        found = self.many(sandbox, code, inputs, isolated)
        assert [execution.output for execution in found] == [n * n for n in range(150)]
        assert [execution.stdout for execution in found] == [f"out {n}\n" for n in range(150)]
        assert len({execution.id for execution in found}) == 150
        assert all(execution.isolation is sandbox.tier for execution in found)

    def test_a_thousand_inputs(self, sandbox: Sandbox) -> None:
        inputs: list[dict[str, object]] = [{"n": n} for n in range(1000)]
        found = self.many(sandbox, "def f(n): return -n", inputs, isolated=False)
        assert [execution.output for execution in found] == [-n for n in range(1000)]

    def test_no_inputs_are_no_executions(self, sandbox: Sandbox) -> None:
        assert sandbox.execute_many("def f(): return 1", "f", []) == []

    @pytest.mark.parametrize("isolated", [True, False], ids=["isolated", "together"])
    @pytest.mark.parametrize(("body", "outcome"), _BODIES.values(), ids=_BODIES)
    def test_mischief_is_blamed_on_its_own_input_alone(
        self, sandbox: Sandbox, body: str, outcome: TestOutcome, isolated: bool
    ) -> None:
        inputs = [{"n": n, "bad": 4} for n in range(9)]
        code = _MISCHIEF.format(body=body)
        found = sandbox.execute_many(code, "f", inputs, limits=_LIMITS, isolated=isolated)
        for number, execution in enumerate(found):
            if number == 4:
                assert execution.outcome is outcome, told(execution)
                assert execution.output is None
            else:
                assert execution.output == number * number, told(execution)
                assert execution.stdout == f"input {number}\n"

    def test_isolated_inputs_do_not_see_one_another(self, sandbox: Sandbox) -> None:
        code = "seen = []\ndef f(n):\n    seen.append(n)\n    return seen"
        found = self.many(sandbox, code, [{"n": n} for n in range(5)], isolated=True)
        assert [execution.output for execution in found] == [[n] for n in range(5)]

    @pytest.mark.parametrize("isolated", [True, False], ids=["isolated", "together"])
    def test_code_that_does_not_load_fails_for_every_input(
        self, sandbox: Sandbox, isolated: bool
    ) -> None:
        inputs: list[dict[str, object]] = [{}, {}, {}]
        for code, outcome in (
            ("def f(:", TestOutcome.SYNTAX_ERROR),
            ("1 / 0", TestOutcome.RUNTIME_ERROR),
            ("def g(): pass", TestOutcome.RUNTIME_ERROR),
            ("import os; os._exit(0)", TestOutcome.UNKNOWN_ERROR),
        ):
            found = self.many(sandbox, code, inputs, isolated)
            assert [execution.outcome for execution in found] == [outcome] * 3, code

    def test_results_are_checked_like_any_other(self, sandbox: Sandbox) -> None:
        code = "def f(n): return [1, float('nan'), {2}, 'x' * 9_000_000][n]"
        found = self.many(sandbox, code, [{"n": n} for n in range(4)], isolated=True)
        assert [execution.succeeded for execution in found] == [True, False, False, False]
        refused = TestOutcome.OUTPUT_VALIDATION_FAILED
        assert [execution.outcome for execution in found[1:]] == [refused] * 3
