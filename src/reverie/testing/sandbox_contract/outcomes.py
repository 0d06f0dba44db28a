"""Every outcome and category of an execution, and which results may come back."""

from dataclasses import replace
from typing import Any

import pytest

from reverie.errors import RequestError
from reverie.model.execution import Call, Limits, Request, Script
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    QUICK,
    SHORT,
    SandboxHarness,
    call,
    ended,
    script,
)

_ENDLESS = {
    "spin": "while True: pass",
    "sleep": "import time; time.sleep(60)",
    "swallow_all": """
        while True:
            try:
                while True: pass
            except BaseException: pass
    """,
    "c_level": "import re; re.match(r'(a+)+$', 'a' * 64 + 'b')",
    "signals_ignored": """
        import signal, time
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.Signals)
        time.sleep(60)
    """,
    "thread": """
        import threading, time
        threading.Thread(target=time.sleep, args=(60,)).start()
    """,
    "at_exit": "import atexit, time; atexit.register(time.sleep, 60)",
    "stopped": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    "finaliser": """
        import time
        class Slow:
            def __del__(self): time.sleep(60)
        Slow()
    """,
}

_NO_ANSWER = {
    "os_exit_0": ("import os; os._exit(0)", TestOutcome.UNKNOWN_ERROR),
    "os_exit_3": ("import os; os._exit(3)", TestOutcome.UNKNOWN_ERROR),
    "segfault": ("import ctypes; ctypes.string_at(0)", TestOutcome.RUNTIME_ERROR),
    "abort": ("import os; os.abort()", TestOutcome.RUNTIME_ERROR),
    "terminate_self": (
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        TestOutcome.RUNTIME_ERROR,
    ),
    "kill_self": (
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        TestOutcome.UNKNOWN_ERROR,
    ),
}

_HOSTILE_ERRORS = {
    "str_raises": "def __str__(self): raise RuntimeError('no')",
    "str_raises_memory": "def __str__(self): raise MemoryError",
    "str_exits": "def __str__(self): raise SystemExit(0)",
    "str_is_no_text": "def __str__(self): return 7",
    "str_is_odd": "def __str__(self): return type('S', (str,), {'__getitem__': 1})('odd')",
    "str_is_huge": "def __str__(self): return 'x' * 50_000_000",
    "str_has_surrogates": "def __str__(self): return '\\ud800\\udfff'",
    "errno_raises": "errno = property(lambda self: 1 / 0)",
    "errno_is_hostile": "errno = type('Int', (int,), {'__index__': lambda self: 1 / 0})(12)",
    "traceback_is_gone": "__traceback__ = None",
}


class OutcomesContract(SandboxHarness):
    """What the code did is told apart from what it says it did."""

    def test_a_returned_value_is_a_success(self, sandbox: Sandbox) -> None:
        execution = call(sandbox, "def f(x): return {'double': 2 * x}", x=21)
        ended(execution, TestOutcome.SUCCESS)
        assert execution.output == {"double": 42}
        assert execution.error is None
        assert execution.error_category is None

    @pytest.mark.parametrize(
        "code",
        ["def f(:", "return 1", "x = (" + "(" * 5000, "\0", "'\\N{no such name}'", "await x"],
        ids=["broken", "return", "deep", "nul", "escape", "await"],
    )
    def test_code_that_does_not_compile_is_a_syntax_error(
        self, sandbox: Sandbox, code: str
    ) -> None:
        ended(
            sandbox.run(Request(Script(code), QUICK)),
            TestOutcome.SYNTAX_ERROR,
            ErrorCategory.SYNTAX,
        )

    def test_a_syntax_error_at_run_time_is_a_runtime_error(self, sandbox: Sandbox) -> None:
        for code in (
            "raise SyntaxError('made up')",
            "eval('1 +')",
            "int(compile('(', '', 'exec'))",
        ):
            ended(script(sandbox, code), TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME)

    def test_a_raised_error_is_a_runtime_error_with_its_place(self, sandbox: Sandbox) -> None:
        execution = call(sandbox, "def g(x): return 1 / x\ndef f(x): return g(x)", x=0)
        ended(execution, TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME)
        assert execution.output is None
        assert execution.error is not None
        assert execution.error.message == "ZeroDivisionError: division by zero"
        assert execution.error.type_name == "ZeroDivisionError"
        assert execution.error.location == "<dream>:g"
        assert execution.error.traceback is not None
        assert 'File "<dream>", line 2, in f' in execution.error.traceback

    @pytest.mark.parametrize(
        ("code", "outcome", "category"),
        [
            ("1 + 'x'", TestOutcome.TYPE_ERROR, ErrorCategory.TYPE),
            ("len(3)", TestOutcome.TYPE_ERROR, ErrorCategory.TYPE),
            ("import json; json.dumps(object())", TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME),
            ("import no_such_module", TestOutcome.RUNTIME_ERROR, ErrorCategory.DEPENDENCY),
            ("from os import no_such", TestOutcome.RUNTIME_ERROR, ErrorCategory.DEPENDENCY),
            ("assert 1 == 2, 'unequal'", TestOutcome.RUNTIME_ERROR, ErrorCategory.LOGIC),
            ("raise TimeoutError", TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME),
            ("raise KeyboardInterrupt", TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME),
            ("raise GeneratorExit", TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME),
            ("f = lambda: f(); f()", TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME),
            ("raise MemoryError", TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE),
            (
                "raise ExceptionGroup('two', [TypeError(), MemoryError()])",
                TestOutcome.RUNTIME_ERROR,
                ErrorCategory.RUNTIME,
            ),
        ],
    )
    def test_an_error_is_sorted_by_its_class_and_place(
        self, sandbox: Sandbox, code: str, outcome: TestOutcome, category: ErrorCategory
    ) -> None:
        ended(script(sandbox, code), outcome, category)

    def test_a_call_that_does_not_fit_is_a_type_error(self, sandbox: Sandbox) -> None:
        for params in ({}, {"x": 1, "y": 2}, {"y": 2}):
            execution = sandbox.run(Request(Call("def f(x): return x", "f", params), QUICK))
            ended(execution, TestOutcome.TYPE_ERROR, ErrorCategory.TYPE)

    @pytest.mark.parametrize("code", _ENDLESS.values(), ids=_ENDLESS)
    def test_what_does_not_end_is_stopped(self, sandbox: Sandbox, code: str) -> None:
        execution = script(sandbox, code, limits=SHORT)
        ended(execution, TestOutcome.TIMEOUT, ErrorCategory.TIMEOUT)
        assert execution.output is None
        assert execution.usage.wall_seconds >= SHORT.wall_seconds

    def test_an_endless_import_of_code_is_stopped(self, sandbox: Sandbox) -> None:
        limits = Limits(wall_seconds=0.3)
        ended(call(sandbox, "while True: pass", limits=limits), TestOutcome.TIMEOUT)

    @pytest.mark.parametrize(("code", "outcome"), _NO_ANSWER.values(), ids=_NO_ANSWER)
    def test_silence_is_never_success(
        self, sandbox: Sandbox, code: str, outcome: TestOutcome
    ) -> None:
        execution = script(sandbox, code + "\n_result = 1")
        ended(execution, outcome)
        assert execution.output is None

    @pytest.mark.parametrize("number", ["SIGTERM", "SIGKILL"])
    def test_a_signal_to_its_own_group_hits_nobody_else(
        self, sandbox: Sandbox, number: str
    ) -> None:
        code = f"import os, signal; os.kill(0, signal.{number})"
        assert not script(sandbox, code).succeeded
        ended(script(sandbox, "_result = 1"), TestOutcome.SUCCESS)

    def test_leaving_by_sys_exit_is_no_result_of_a_function(self, sandbox: Sandbox) -> None:
        execution = call(sandbox, "import sys\ndef f(): sys.exit(0)")
        ended(execution, TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME)

    @pytest.mark.parametrize("body", _HOSTILE_ERRORS.values(), ids=_HOSTILE_ERRORS)
    def test_an_error_that_resists_description_is_still_one(
        self, sandbox: Sandbox, body: str
    ) -> None:
        code = f"class Hostile(Exception):\n    {body}\nraise Hostile"
        execution = script(sandbox, code)
        ended(execution, TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME)
        assert execution.error is not None
        assert execution.error.message.startswith("Hostile")
        assert len(execution.error.message) <= 4000

    def test_an_error_whose_class_resists_description_is_still_one(self, sandbox: Sandbox) -> None:
        execution = script(
            sandbox,
            """
            class Meta(type):
                __name__ = property(lambda cls: 1 / 0)
                __mro__ = property(lambda cls: 1 / 0)
                __module__ = 7
            class Hostile(Exception, metaclass=Meta): pass
            raise Hostile('really')
            """,
        )
        ended(execution, TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME)

    def test_a_huge_message_is_cut(self, sandbox: Sandbox) -> None:
        execution = script(sandbox, "raise ValueError('x' * 30_000_000)")
        ended(execution, TestOutcome.RUNTIME_ERROR, ErrorCategory.RUNTIME)
        assert execution.error is not None
        assert 1000 < len(execution.error.message) <= 4000


_NOT_JSON = {
    "nan": "float('nan')",
    "infinity": "[1.0, -float('inf')]",
    "set": "{1, 2}",
    "bytes": "b'x'",
    "object": "object()",
    "function": "len",
    "number_key": "{1: 2}",
    "subclass_of_int": "True.__class__.__base__.__subclasses__() and type('I', (int,), {})(1)",
    "subclass_of_dict": "type('D', (dict,), {'items': lambda self: [('forged', 1)]})(a=1)",
    "subclass_of_str": "type('S', (str,), {})('x')",
    "lone_surrogate": "'\\ud800'",
    "surrogate_key": "{'\\udfff': 1}",
    "nested_500": "__import__('functools').reduce(lambda inner, _: [inner], range(500), 0)",
    "nested_100000": "__import__('functools').reduce(lambda inner, _: [inner], range(100000), 0)",
    "cycle": "(lambda x: (x.append(x), x)[1])([])",
    "endless_number": "10 ** 6000",
    "generator": "(x for x in 'abc')",
    "coroutine_function": "__import__('asyncio').sleep",
}

_ROUND_TRIPS: dict[str, Any] = {
    "scalars": [None, True, False, 0, -1, 2**63, -(10**40), 0.1, 1e308, 5e-324, -0.0],
    "texts": ["", "é", "日本", "😀", "\0\x01\x7f\x1b[31m", "\u2028\u2029", '"\\/', "x" * 100_000],
    "nested": {"a": [{"b": [[], {}, [None]]}], "": {"é": 1}},
    "wide": list(range(5000)),
    "deep": [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]],
}


class ResultsContract(SandboxHarness):
    """A result is what the function returned, or it is no result."""

    @pytest.mark.parametrize("value", _ROUND_TRIPS.values(), ids=_ROUND_TRIPS)
    def test_parameters_go_in_and_come_back_unchanged(self, sandbox: Sandbox, value: Any) -> None:
        execution = call(sandbox, "def f(value): return value", value=value)
        ended(execution, TestOutcome.SUCCESS)
        assert execution.output == value
        assert repr(execution.output) == repr(value)

    def test_a_tuple_comes_back_as_a_list(self, sandbox: Sandbox) -> None:
        assert call(sandbox, "def f(): return (1, (2, 3))").output == [1, [2, 3]]

    @pytest.mark.parametrize("expression", _NOT_JSON.values(), ids=_NOT_JSON)
    def test_what_json_cannot_carry_unchanged_is_refused(
        self, sandbox: Sandbox, expression: str
    ) -> None:
        execution = call(sandbox, f"def f(): return {expression}")
        ended(execution, TestOutcome.OUTPUT_VALIDATION_FAILED, ErrorCategory.VALIDATION)
        assert execution.output is None

    def test_a_result_that_is_too_large_is_refused(self, sandbox: Sandbox) -> None:
        limits = replace(QUICK, result_bytes=10_000)
        assert call(sandbox, "def f(): return 'x' * 9_000", limits=limits).succeeded
        for size in (10_001, 30_000_000):
            execution = call(sandbox, f"def f(): return 'x' * {size}", limits=limits)
            ended(execution, TestOutcome.OUTPUT_VALIDATION_FAILED, ErrorCategory.VALIDATION)
            assert execution.output is None

    def test_size_is_counted_after_encoding(self, sandbox: Sandbox) -> None:
        limits = replace(QUICK, result_bytes=10_000)
        execution = call(sandbox, "def f(): return '\\x01' * 9_000", limits=limits)
        ended(execution, TestOutcome.OUTPUT_VALIDATION_FAILED)

    @pytest.mark.parametrize(
        ("expression", "declared", "fits"),
        [
            ("1", "int", True),
            ("True", "int", False),
            ("1.5", "float", True),
            ("'x'", "int", False),
            ("[1, 2]", "list[int]", True),
            ("[1, 'x']", "list[int]", False),
            ("(1, 'x')", "tuple[int, str]", True),
            ("[1, 'x']", "tuple[int, str]", False),
            ("{'a': [1]}", "dict[str, list[int]]", True),
            ("{'a': ['x']}", "dict[str, list[int]]", False),
            ("None", "int | None", True),
            ("None", "Optional[int]", True),
            ("'x'", "Optional[int]", False),
        ],
    )
    def test_the_declared_type_is_checked(
        self, sandbox: Sandbox, expression: str, declared: str, fits: bool
    ) -> None:
        execution = call(sandbox, f"def f(): return {expression}", expected=declared)
        if fits:
            ended(execution, TestOutcome.SUCCESS)
        else:
            ended(execution, TestOutcome.OUTPUT_VALIDATION_FAILED, ErrorCategory.VALIDATION)
            assert execution.output is None

    def test_a_declaration_that_is_no_type_is_refused_before_anything_runs(
        self, sandbox: Sandbox
    ) -> None:
        with pytest.raises(RequestError, match="not a type"):
            call(sandbox, "def f(): return 1", expected="list[")

    def test_parameters_that_json_cannot_carry_are_refused_before_anything_runs(
        self, sandbox: Sandbox
    ) -> None:
        with pytest.raises(RequestError, match="JSON"):
            sandbox.run(Request(Call("def f(x): return x", "f", {"x": {1, 2}}), QUICK))
