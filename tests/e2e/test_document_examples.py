"""The code examples of the source documents run here, with our import path and nothing else."""

import ast
import asyncio
import inspect
from dataclasses import fields
from pathlib import Path
from typing import Any

import reverie
from reverie import (
    DreamSandbox,
    DreamTestResult,
    ErrorCategory,
    FailurePattern,
    Limits,
    Request,
    Sandbox,
    TestOutcome,
    WorkflowSandboxRunner,
)

# dream_sandbox_testing.md, "DreamSandbox Class"
CONSTRUCTOR = """
sandbox = DreamSandbox(
    timeout_seconds=30,      # Max execution time per test
    memory_limit_mb=512,     # Max memory allocation
    max_output_lines=1000,   # Max output to capture
    enable_network=False,    # No network access
    enable_filesystem=False, # Minimal filesystem access
)
"""
KEY_METHODS = """
# Execute a single dream test
result = await sandbox.execute_dream(
    dream_id=1,
    code="def func(x: int) -> int: _result = x * 2; return _result",
    input_params={"x": 5},
    expected_output_type="int"
)
# Returns: DreamTestResult with outcome, stdout, stderr, etc.

# Get accumulated failure patterns
patterns = sandbox.get_failure_patterns()
# Returns: Dict[pattern_key, FailurePattern]

# Get test statistics
stats = sandbox.get_test_statistics()
"""
STATISTICS = {
    "total_tests": 10,
    "successful_tests": 8,
    "success_rate": 0.8,
    "average_execution_time_ms": 45.2,
    "outcomes": {"success": 8, "timeout": 2},
    "failure_patterns_count": 1,
}

# dream_sandbox_testing.md, "Code Wrapping Example"
WRAPPED = """
def add(a: int, b: int) -> int:
    _result = a + b
    return _result
"""

# code_generation.md, "Generated Code Sample" and "Generated Test Sample"
IS_PRIME = '''
def is_prime(n: int) -> bool:
    """
    Check if a number is prime

    Args:
        n: Number to check

    Returns:
        Result of is_prime
    """
    if n < 2:
        return False
    for i in range(2, int(n ** 0.5) + 1):
        if n % i == 0:
            return False
    return True
'''
GENERATED_TEST = '''
import pytest

def calculate_average(numbers):
    return sum(numbers) / len(numbers) if numbers else 0.0

def test_calculate_average_basic():
    """Test calculate_average with basic inputs"""
    # Arrange
    numbers = None

    # Act
    result = calculate_average(numbers)

    # Assert
    assert result is not None
'''


def run_example(*parts: str) -> dict[str, Any]:
    """Execute the parts as one program in which `await` is allowed, our names imported."""
    scope: dict[str, Any] = {}
    source = "from reverie import DreamSandbox\n" + "\n".join(parts)
    code = compile(source, "<example>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)

    async def run() -> None:
        pending = eval(code, scope)
        if inspect.isawaitable(pending):
            await pending

    asyncio.run(run())
    return scope


def test_the_dream_sandbox_as_its_document_shows_it() -> None:
    scope = run_example(CONSTRUCTOR, KEY_METHODS)
    result, stats = scope["result"], scope["stats"]
    assert isinstance(result, DreamTestResult)
    assert (result.dream_id, result.test_outcome, result.output) == (1, "success", 10)
    assert (result.stdout, result.stderr, result.success) == ("", "", True)
    assert scope["patterns"] == {}
    assert stats.keys() == STATISTICS.keys()
    for key, example in STATISTICS.items():
        assert type(stats[key]) is type(example), key
    assert (stats["total_tests"], stats["success_rate"]) == (1, 1.0)
    assert stats["outcomes"] == {"success": 1}
    scope["sandbox"].close()


def test_the_constructor_has_the_documents_defaults() -> None:
    shown = inspect.signature(DreamSandbox).parameters.values()
    assert {each.name: each.default for each in shown if each.kind is not each.KEYWORD_ONLY} == {
        "timeout_seconds": 30,
        "memory_limit_mb": 512,
        "max_output_lines": 1000,
        "enable_network": False,
        "enable_filesystem": False,
    }


def test_ten_tests_eight_of_them_good() -> None:
    async def run() -> tuple[dict[str, Any], dict[str, FailurePattern]]:
        async with DreamSandbox(timeout_seconds=0.3) as sandbox:
            code = "def maybe(n):\n    while n >= 8: pass\n    return n"
            for n in range(10):
                await sandbox.execute_dream(n, code, {"n": n})
            return sandbox.get_test_statistics(), sandbox.get_failure_patterns()

    stats, patterns = asyncio.run(run())
    measured = stats.pop("average_execution_time_ms")
    assert measured > 0
    assert stats == {key: STATISTICS[key] for key in stats}
    (pattern,) = patterns.values()
    assert (pattern.error_category, pattern.frequency) == (ErrorCategory.TIMEOUT, 2)


def test_the_outcomes_and_categories_are_the_documents() -> None:
    assert [each.name for each in TestOutcome] == [
        "SUCCESS",
        "SYNTAX_ERROR",
        "RUNTIME_ERROR",
        "TYPE_ERROR",
        "TIMEOUT",
        "RESOURCE_EXHAUSTION",
        "OUTPUT_VALIDATION_FAILED",
        "UNKNOWN_ERROR",
    ]
    assert [each.name for each in ErrorCategory] == [
        "SYNTAX",
        "RUNTIME",
        "TYPE",
        "LOGIC",
        "RESOURCE",
        "DEPENDENCY",
        "TIMEOUT",
        "VALIDATION",
        "UNKNOWN",
    ]


def test_a_failure_pattern_has_the_documents_fields() -> None:
    names = {each.name for each in fields(FailurePattern)}
    assert names >= {
        "error_category",
        "error_message",
        "code_snippet",
        "frequency",
        "last_seen",
        "suggested_fix",
    }


def test_the_wrapped_and_the_generated_function_run_as_they_are() -> None:
    async def run() -> list[DreamTestResult]:
        async with DreamSandbox() as sandbox:
            added = await sandbox.execute_dream(1, WRAPPED, {"a": 1, "b": 2}, "int")
            primes = [
                await sandbox.execute_dream("is_prime", IS_PRIME, {"n": n}, "bool")
                for n in (1, 2, 9, 97)
            ]
            return [added, *primes]

    results = asyncio.run(run())
    assert [each.output for each in results] == [3, False, True, False, True]
    assert results[0].input_params == {"a": 1, "b": 2}


def test_the_generated_test_runs_under_pytest() -> None:
    with WorkflowSandboxRunner() as runner:

        def run_tests() -> int:
            import pytest

            return int(pytest.main(["-q", "-p", "no:cacheprovider", "test_generated.py"]))

        run = runner.run(run_tests, test_data={"test_generated.py": GENERATED_TEST})
    assert run.error is None
    assert run.output == 0


def test_the_workflow_runner_as_its_document_tells_it() -> None:
    """autonomous_sandbox.md, "Sandboxed workflow execution"."""

    def workflow() -> str:
        with open("/srv/app/input.txt") as file:
            text = file.read()
        with open("output.txt", "w") as file:
            file.write(text.upper())
        return text

    def phones_home() -> None:
        import urllib.request

        urllib.request.urlopen("http://example.org")

    def injector(root: str) -> Any:
        import os

        os.environ["RECORDED"] = root

        def teardown() -> None:
            with open(os.path.join(root, "teardown.txt"), "w") as file:
                file.write("restored")

        return teardown

    with WorkflowSandboxRunner() as runner:
        run = runner.run(
            workflow,
            test_data={"/srv/app/input.txt": "text"},
            expected_outputs={"output.txt": "TEXT", "workflow": "text"},
            mock_injectors=[injector],
        )
        attempt = runner.run(phones_home, safe_mode=True)
    assert run.succeeded
    assert run.files["teardown.txt"] == b"restored"
    assert attempt.error is not None
    assert attempt.error.type_name == "RuntimeError"


def test_the_sandbox_manager_is_the_sandbox() -> None:
    """code_generation.md, demo: a calculation, an error, a timeout."""
    with Sandbox() as sandbox:
        runs = [
            sandbox.run(Request(reverie.Script("_result = sum(range(10))"))),
            sandbox.run(Request(reverie.Script("1 / 0"))),
            sandbox.run(Request(reverie.Script("while True: pass"), Limits(wall_seconds=0.3))),
        ]
    assert [run.outcome for run in runs] == ["success", "runtime_error", "timeout"]
    assert all(run.usage.cpu_seconds is not None for run in runs)


def test_the_synthetic_test_generator_as_its_document_shows_it() -> None:
    from reverie import SyntheticTestGenerator

    generator = SyntheticTestGenerator(seed=42)
    code = "def process(items: list, threshold: int = 10) -> dict:\n    return {'n': len(items)}"
    variants = generator.generate_test_inputs(code=code, num_variants=5)
    edge_cases = generator.generate_edge_case_inputs(code)
    assert generator.get_expected_output_type(code) == "dict"

    async def outcomes() -> list[TestOutcome]:
        async with DreamSandbox(timeout_seconds=5) as sandbox:
            results = [
                await sandbox.execute_dream(1, code, params, expected_output_type="dict")
                for params in (*variants, *edge_cases[:3])
            ]
        return [each.test_outcome for each in results]

    *good, null = asyncio.run(outcomes())
    assert good == [TestOutcome.SUCCESS] * 7
    assert null is TestOutcome.TYPE_ERROR


def test_code_generation_under_the_names_of_its_document(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    (tmp_path / "shop.py").write_text('def total(prices):\n    """Add prices."""\n    return 0\n')
    (hit,) = reverie.CodeIndexer(tmp_path).search("add prices")
    assert hit.found.symbol.qualname == "total"
    assert [each.name for each in reverie.CodeIndexer(tmp_path).index().modules] == ["shop"]
    with reverie.SandboxManager(tmp_path) as manager:
        assert manager.execute("print(6 * 7)").stdout == "42\n"
        assert manager.execute("1 / 0").outcome is TestOutcome.RUNTIME_ERROR
        assert [each.outcome for each in manager.get_execution_history()] == [
            TestOutcome.RUNTIME_ERROR,
            TestOutcome.SUCCESS,
        ]
        assert manager.get_stats().success_rate == 0.5
        generator = reverie.CodeGenerator(manager)
        answer = generator.generate_function("Check if a number is prime")
        told = generator.validate_and_test(answer)
        assert told == {"validated": True, "tested": True, "reason": None}
        assert generator.get_stats() == {"generated": 1, f"generate/{answer.origin}": 1}
