"""What may come back: exact JSON, of bounded size, of the declared type."""

from dataclasses import replace
from typing import Any

import pytest

from reverie.errors import RequestError
from reverie.model.execution import Call, Request
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import QUICK, SandboxHarness, call, ended

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
