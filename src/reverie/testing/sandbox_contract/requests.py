"""Everything that can be asked for: expressions, functions, scripts, modules, pytest."""

from dataclasses import replace
from pathlib import Path

import pytest

from reverie.errors import PolicyError
from reverie.model.execution import Call, Expression, Module, Policy, Pytest, Request, Script
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    QUICK,
    SandboxHarness,
    answer,
    call,
    ended,
    script,
    told,
)


class RequestsContract(SandboxHarness):
    """Each kind of request does what its name says."""

    @pytest.mark.parametrize(
        ("code", "value"),
        [("6 * 7", 42), ("  [x * x for x in range(3)]\n", [0, 1, 4]), ("(1,\n 2)", [1, 2])],
    )
    def test_an_expression_is_evaluated(self, sandbox: Sandbox, code: str, value: object) -> None:
        execution = sandbox.run(Request(Expression(code), QUICK))
        ended(execution, TestOutcome.SUCCESS)
        assert execution.output == value

    def test_a_statement_is_no_expression(self, sandbox: Sandbox) -> None:
        ended(sandbox.run(Request(Expression("x = 1"), QUICK)), TestOutcome.SYNTAX_ERROR)

    @pytest.mark.parametrize(
        "code",
        [
            "def f(x): return [x, x]",
            "async def f(x):\n    import asyncio\n    await asyncio.sleep(0)\n    return [x, x]",
            "def f(x):\n    yield x\n    yield x",
            "f = lambda x: [x] * 2",
            "class C:\n    def __call__(self, x): return [x, x]\nf = C()",
            "from functools import partial\nf = partial(lambda x, y: [x, y], y=1)",
        ],
        ids=["function", "async", "generator", "lambda", "object", "partial"],
    )
    def test_a_callable_of_any_kind_is_called(self, sandbox: Sandbox, code: str) -> None:
        execution = call(sandbox, code, x=1)
        ended(execution, TestOutcome.SUCCESS)
        assert execution.output == [1, 1]

    def test_an_entry_may_be_inside_a_class(self, sandbox: Sandbox) -> None:
        code = "class A:\n    class B:\n        @staticmethod\n        def g(x): return x + 1"
        execution = sandbox.run(Request(Call(code, "A.B.g", {"x": 1}), QUICK))
        assert execution.output == 2, told(execution)

    def test_an_entry_that_is_not_there_is_the_code_s_fault(self, sandbox: Sandbox) -> None:
        execution = call(sandbox, "def g(): return 1")
        ended(execution, TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME)

    def test_code_can_use_what_looks_into_modules(self, sandbox: Sandbox) -> None:
        code = """
            from __future__ import annotations
            import dataclasses, enum, pickle, sys, typing
            @dataclasses.dataclass
            class Point:
                x: int
            class Colour(enum.Enum):
                RED = 1
            def f():
                again = pickle.loads(pickle.dumps([Point(3), Colour.RED]))
                hints = typing.get_type_hints(Point)
                return [again[0].x, again[1].name, hints["x"].__name__, __name__ in sys.modules]
        """
        assert call(sandbox, code).output == [3, "RED", "int", True]

    def test_a_script_is_the_main_program(self, sandbox: Sandbox) -> None:
        code = """
            import sys
            assert __name__ == "__main__" and sys.modules["__main__"].__dict__ is globals()
            _result = [sys.argv[1:], given, sys.stdin.read()]
        """
        execution = script(sandbox, code, argv=("a", "b c"), given={"x": 1})
        ended(execution, TestOutcome.SUCCESS)
        assert execution.output == [["a", "b c"], {"x": 1}, ""]

    def test_a_script_has_the_path_it_was_given(self, sandbox: Sandbox) -> None:
        code = "import sys\n_result = [__file__, sys.argv[0]]"
        execution = sandbox.run(Request(Script(code, path="tools/job.py"), QUICK))
        assert execution.output == ["tools/job.py", "tools/job.py"]

    @pytest.mark.parametrize(
        ("code", "exit_code", "stderr"),
        [
            ("sys.exit()", 0, ""),
            ("sys.exit(0)", 0, ""),
            ("sys.exit(3)", 3, ""),
            ("sys.exit(256 + 3)", 3, ""),
            ("sys.exit('went wrong')", 1, "went wrong\n"),
            ("raise SystemExit(True)", 1, ""),
        ],
    )
    def test_a_script_s_exit_code_counts(
        self, sandbox: Sandbox, code: str, exit_code: int, stderr: str
    ) -> None:
        execution = script(sandbox, f"import sys\n{code}")
        assert (execution.exit_code, execution.stderr) == (exit_code, stderr), told(execution)
        assert execution.succeeded is (exit_code == 0)

    def test_a_script_is_over_when_its_threads_and_exit_handlers_are(
        self, sandbox: Sandbox
    ) -> None:
        code = """
            import atexit, threading, time
            atexit.register(print, "handler")
            def work():
                time.sleep(0.05)
                print("thread")
            threading.Thread(target=work).start()
            print("body")
        """
        assert script(sandbox, code).stdout == "body\nthread\nhandler\n"

    def test_a_module_is_run_like_python_m(self, sandbox: Sandbox, tmp_path: Path) -> None:
        package = tmp_path / "tool"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "__main__.py").write_text(
            "import sys\nprint(__name__, sys.argv[1:])\nsys.exit(4)"
        )
        folder = str(tmp_path)
        policy = Policy(readonly=(folder,), import_paths=(folder,))
        execution = sandbox.run(Request(Module("tool", ("x",)), QUICK, policy))
        assert (execution.exit_code, execution.stdout) == (4, "__main__ ['x']\n"), told(execution)
        execution = sandbox.run(Request(Module("no_such_tool"), QUICK, policy))
        ended(execution, TestOutcome.RUNTIME_ERROR, ErrorCategory.DEPENDENCY)

    def test_a_module_of_the_standard_library_is_run(self, sandbox: Sandbox) -> None:
        execution = sandbox.run(Request(Module("timeit", ("-n1", "-r1", "pass")), QUICK))
        assert "1 loop" in execution.stdout, told(execution)

    def test_pytest_is_run_and_its_verdict_kept(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "test_good.py").write_text("def test_one(): assert 1 + 1 == 2")
        (tmp_path / "test_bad.py").write_text("def test_two(): assert 1 + 1 == 3")
        folder = str(tmp_path)
        policy = Policy(readonly=(folder,), working_directory=folder)

        def run(*args: str) -> tuple[TestOutcome, ErrorCategory | None, int | None, str]:
            execution = sandbox.run(Request(Pytest(("-q", *args)), QUICK, policy))
            return (
                execution.outcome,
                execution.error_category,
                execution.exit_code,
                execution.stdout,
            )

        outcome, category, code, stdout = run("test_good.py")
        assert (outcome, category, code) == (TestOutcome.SUCCESS, None, 0), stdout
        assert "1 passed" in stdout
        outcome, category, code, stdout = run()
        assert (outcome, category, code) == (TestOutcome.RUNTIME_ERROR, ErrorCategory.LOGIC, 1)
        assert "1 failed, 1 passed" in stdout
        outcome, category, code, stdout = run("-k", "nothing")
        assert (outcome, category, code) == (TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME, 5)

    def test_both_streams_are_kept_apart_and_complete(self, sandbox: Sandbox) -> None:
        code = """
            import os, sys
            print("é 😀"); print("error", file=sys.stderr)
            sys.__stdout__.write("no newline")
            sys.stdout.flush()
            os.write(1, b"\\xff\\x00raw")
        """
        execution = script(sandbox, code)
        assert execution.stdout == "é 😀\nno newline\ufffd\0raw"
        assert execution.stderr == "error\n"
        assert not execution.output_truncated

    def test_output_of_a_failed_execution_is_kept(self, sandbox: Sandbox) -> None:
        assert script(sandbox, "print('before'); 1 / 0").stdout == "before\n"

    def test_a_seed_makes_chance_repeatable(self, sandbox: Sandbox) -> None:
        code = "import random\ndef f(): return [random.random() for _ in range(3)]"

        def draw(seed: int | None) -> object:
            return call(sandbox, code, policy=Policy(seed=seed)).output

        assert draw(1) == draw(1)
        assert draw(1) != draw(2)
        assert draw(2**70) == draw(2**70)
        assert draw(None) != draw(None)

    def test_hashes_are_the_same_every_time(self, sandbox: Sandbox) -> None:
        code = "_result = [hash('text'), list({'a', 'b', 'c', 'd', 'e', 'f'})]"
        assert len({repr(answer(sandbox, code)) for _ in range(4)}) == 1

    def test_an_execution_says_what_it_was_and_what_it_cost(self, sandbox: Sandbox) -> None:
        request = Request(Expression("sum(range(300_000))"), QUICK)
        first, second = sandbox.run(request), sandbox.run(request)
        assert first.id != second.id
        assert first.started_at <= second.started_at
        assert first.code_hash == second.code_hash == request.code_hash
        assert first.isolation is sandbox.tier
        assert 0 < first.usage.wall_seconds < 20
        assert first.usage.cpu_seconds is not None
        assert first.usage.peak_rss_bytes is not None
        assert first.usage.peak_rss_bytes > 1 << 20
        assert first.duration_ms == first.usage.wall_seconds * 1000

    def test_an_impossible_policy_is_refused_before_anything_runs(self, sandbox: Sandbox) -> None:
        for policy in (
            Policy(readonly=("/",)),
            Policy(readonly=("relative/path",)),
            Policy(readonly=(str(Path.home()),)),
            Policy(readonly=("/no/such/folder",)),
            Policy(private_copies=("/usr/lib",)),
            Policy(environment=("A=B",)),
            Policy(preload=("os; import x",)),
            Policy(python="/no/such/python"),
        ):
            with pytest.raises(PolicyError):
                sandbox.run(Request(Expression("1"), QUICK, policy))

    def test_one_request_s_limits_do_not_stick(self, sandbox: Sandbox) -> None:
        code = "import resource\n_result = resource.getrlimit(resource.RLIMIT_NOFILE)[0]"
        assert answer(sandbox, code, limits=replace(QUICK, open_files=40)) == 40
        assert answer(sandbox, code, limits=replace(QUICK, open_files=80)) == 80
