"""`DreamSandbox` with the real engine and a real journal."""

import asyncio
import gc
import tempfile
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from reverie import (
    DreamSandbox,
    DreamTestResult,
    ErrorCategory,
    Journal,
    Sandbox,
    TestOutcome,
    UsageError,
    journal_url,
)
from reverie.errors import PolicyError, RequestError
from reverie.store import failure_patterns, history


@pytest.fixture(scope="module")
def engine() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(journal_url(tmp_path)) as journal:
        yield journal


def dream(
    sandbox: DreamSandbox, code: str, params: dict[str, Any] | None = None, kind: str | None = None
) -> DreamTestResult:
    return asyncio.run(sandbox.execute_dream(7, code, params or {}, kind))


@pytest.fixture
def sandbox(engine: Sandbox, journal: Journal) -> Iterator[DreamSandbox]:
    sandbox = DreamSandbox(timeout_seconds=5, memory_limit_mb=128, sandbox=engine, journal=journal)
    yield sandbox
    sandbox.close()


@pytest.mark.parametrize(
    ("code", "params", "kind", "outcome", "category"),
    [
        ("def f(x): return x + 1", {"x": 1}, "int", "success", None),
        ("def f(x) return x", {"x": 1}, None, "syntax_error", "syntax"),
        ("def f(x): return x + 'a'", {"x": 1}, None, "type_error", "type"),
        ("def f(x): return x", {"y": 1}, None, "type_error", "type"),
        ("def f(x): return 1 / x", {"x": 0}, None, "runtime_error", "runtime"),
        ("import not_there_at_all", {}, None, "runtime_error", "dependency"),
        ("def f(): assert False", {}, None, "runtime_error", "logic"),
        ("def f(): return 'a' * (1 << 30)", {}, None, "resource_exhaustion", "resource"),
        ("def f(): return 'text'", {}, "int", "output_validation_failed", "validation"),
        ("import os\ndef f(): os._exit(0)", {}, None, "unknown_error", "unknown"),
    ],
)
def test_outcomes(
    sandbox: DreamSandbox,
    code: str,
    params: dict[str, Any],
    kind: str | None,
    outcome: str,
    category: str | None,
) -> None:
    result = dream(sandbox, code, params, kind)
    assert (result.test_outcome, result.error_category) == (outcome, category)
    assert result.success is (outcome == "success")
    assert (result.failure_signature is None) is result.success
    assert (result.error is None) is result.success


def test_a_dream_that_never_ends(engine: Sandbox, journal: Journal) -> None:
    sandbox = DreamSandbox(timeout_seconds=0.2, sandbox=engine, journal=journal)
    result = dream(sandbox, "def f():\n    while True: pass")
    assert result.test_outcome is TestOutcome.TIMEOUT
    assert result.execution_time_ms >= 200
    sandbox.close()


def test_the_result_says_what_was_asked_and_when(sandbox: DreamSandbox) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    result = dream(sandbox, "def f(x, y=2):\n    print('hello')\n    return [x, y]", {"x": 1})
    assert (result.dream_id, result.entry, result.input_params) == (7, "f", {"x": 1})
    assert (result.output, result.stdout, result.stderr) == ([1, 2], "hello\n", "")
    assert before < result.timestamp < datetime.now(UTC)
    assert result.usage.peak_rss_bytes
    with pytest.raises(FrozenInstanceError):
        result.output = "forged"  # type: ignore[misc]


def test_an_async_function_is_awaited(sandbox: DreamSandbox) -> None:
    code = "import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return x"
    assert dream(sandbox, code, {"x": 3}).output == 3


def test_code_without_a_function_is_a_script(sandbox: DreamSandbox) -> None:
    result = dream(sandbox, "_result = base * 2", {"base": 21})
    assert (result.output, result.entry) == (42, None)


def test_long_output_is_cut_and_says_so(engine: Sandbox, journal: Journal) -> None:
    sandbox = DreamSandbox(max_output_lines=3, sandbox=engine, journal=journal)
    result = dream(sandbox, "for n in range(10): print(n)")
    assert result.success
    assert result.output_truncated
    assert result.stdout == "0\n1\n2\n[7 more lines]\n"
    assert not dream(sandbox, "print(1)").output_truncated
    sandbox.close()


def test_no_network_and_no_file_of_the_host(sandbox: DreamSandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hush")
    call = "import socket\ndef f():\n    socket.create_connection(('192.0.2.1', 80), 1)"
    assert dream(sandbox, call).test_outcome is TestOutcome.RUNTIME_ERROR
    read = dream(sandbox, "def f(path): return open(path).read()", {"path": str(secret)})
    assert read.test_outcome is TestOutcome.RUNTIME_ERROR
    assert "hush" not in str(read)
    assert "no file of the host" in (read.suggested_fix or "")


def test_a_folder_is_a_private_copy(engine: Sandbox, journal: Journal, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.txt").write_text("before")
    sandbox = DreamSandbox(
        enable_filesystem=True, folders=[folder], sandbox=engine, journal=journal
    )
    code = "def f(path):\n    open(path, 'w').write('after')\n    return open(path).read()"
    result = dream(sandbox, code, {"path": str(folder / "a.txt")})
    assert result.output == "after"
    assert [(each.path, each.kind) for each in result.changes] == [
        (str(folder / "a.txt"), "modified")
    ]
    assert (folder / "a.txt").read_text() == "before"
    sandbox.close()


def test_patterns_are_rows_shared_between_sandboxes(engine: Sandbox, journal: Journal) -> None:
    first, second = (DreamSandbox(sandbox=engine, journal=journal) for _ in range(2))
    for sandbox in (first, second, second):
        result = dream(sandbox, "def f(d): return d['name']", {"d": {}})
        sandbox.get_test_statistics()  # commits
    for sandbox in (first, second):
        patterns = sandbox.get_failure_patterns()
        assert list(patterns) == [result.failure_signature]
        pattern = patterns[str(result.failure_signature)]
        assert pattern.frequency == 3
        assert pattern.error_category is ErrorCategory.RUNTIME
        assert pattern.code_snippet == "def f(d): return d['name']"
        assert "'name'" in (pattern.suggested_fix or "")
        assert pattern.suggested_fix == result.suggested_fix
        sandbox.close()
    assert len(history(journal)) == 3


def test_an_engine_that_records_for_itself_is_not_counted_twice(
    engine: Sandbox, journal: Journal
) -> None:
    from reverie.store import ExecutionRecorder

    with ExecutionRecorder(journal) as recorder, Sandbox(recorder=recorder) as recording:
        sandbox = DreamSandbox(sandbox=recording, journal=journal)
        dream(sandbox, "def f(): return 1 / 0")
        recorder.flush()
        assert sandbox.get_test_statistics()["total_tests"] == 1
        assert [each.frequency for each in sandbox.get_failure_patterns().values()] == [1]
        sandbox.close()
    assert [each.frequency for each in failure_patterns(journal)] == [1]


def test_a_stored_fix_is_better_than_a_suggested_one(
    sandbox: DreamSandbox, journal: Journal
) -> None:
    dream(sandbox, "def f(): return 1 / 0")
    sandbox.get_failure_patterns()
    with journal.writing() as connection:
        connection.exec_driver_sql("UPDATE failure_patterns SET suggested_fix = 'known to help'")
    (pattern,) = sandbox.get_failure_patterns().values()
    assert pattern.suggested_fix == "known to help"


def test_statistics_without_tests_have_no_rate(sandbox: DreamSandbox) -> None:
    expected = {
        "total_tests": 0,
        "successful_tests": 0,
        "success_rate": None,
        "average_execution_time_ms": None,
        "outcomes": {},
        "failure_patterns_count": 0,
    }
    assert sandbox.get_test_statistics() == expected
    with_nothing = DreamSandbox()
    assert with_nothing.get_test_statistics() == expected
    assert with_nothing.get_failure_patterns() == {}


def test_statistics_since(sandbox: DreamSandbox) -> None:
    dream(sandbox, "_result = 1")
    later = datetime.now(UTC)
    assert sandbox.get_test_statistics()["total_tests"] == 1
    assert sandbox.get_test_statistics(since=later)["total_tests"] == 0


def test_many_dreams_at_once(sandbox: DreamSandbox) -> None:
    async def run_all() -> list[DreamTestResult]:
        code = "def f(n): return n * n"
        return await asyncio.gather(*(sandbox.execute_dream(n, code, {"n": n}) for n in range(20)))

    results = asyncio.run(run_all())
    assert [(each.dream_id, each.output) for each in results] == [(n, n * n) for n in range(20)]
    assert sandbox.get_test_statistics()["outcomes"] == {"success": 20}


def leftovers() -> set[str]:
    return {path.name for path in Path(tempfile.gettempdir()).glob("reverie-journal-*")}


def test_closing_leaves_nothing_and_ends_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # others may use the usual one
    before = leftovers()

    async def use() -> DreamSandbox:
        async with DreamSandbox() as sandbox:
            assert (await sandbox.execute_dream("d", "_result = 1", {})).output == 1
            assert len(leftovers()) == len(before) + 1
        return sandbox

    sandbox = asyncio.run(use())
    sandbox.close()
    assert leftovers() == before
    with pytest.raises(UsageError, match="closed"):
        dream(sandbox, "_result = 1")
    with pytest.raises(UsageError, match="closed"):
        sandbox.get_test_statistics()


def test_a_forgotten_sandbox_cleans_up_after_itself() -> None:
    before = leftovers()
    sandbox = DreamSandbox()
    assert dream(sandbox, "_result = 1").success
    assert leftovers() != before
    del sandbox
    gc.collect()
    assert leftovers() == before


def test_what_is_given_stays_open(engine: Sandbox, journal: Journal) -> None:
    sandbox = DreamSandbox(sandbox=engine, journal=journal)
    dream(sandbox, "_result = 1")
    sandbox.close()
    assert len(history(journal)) == 1
    again = DreamSandbox(sandbox=engine, journal=journal)
    assert dream(again, "_result = 2").output == 2
    again.close()


def test_a_callers_mistake_is_raised_and_blames_no_dream(
    sandbox: DreamSandbox, engine: Sandbox, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="max_output_lines"):
        DreamSandbox(max_output_lines=0)
    for _ in range(3):  # more often than there are slots: none may be lost
        with pytest.raises(RequestError, match="JSON"):
            dream(sandbox, "def f(x): return x", {"x": {1, 2}})
    with pytest.raises(RequestError, match="not a type"):
        dream(sandbox, "_result = 1", kind="no such type!")
    narrow = DreamSandbox(folders=[tmp_path], sandbox=engine)
    with pytest.raises(PolicyError, match="enable_filesystem"):
        dream(narrow, "_result = 1")
    assert sandbox.get_test_statistics()["total_tests"] == 0
