"""One piece of code, many inputs: each has its own execution, and its own blame."""

import pytest

from reverie.model.execution import MIB, Execution, Limits
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import QUICK, SandboxHarness, told

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
