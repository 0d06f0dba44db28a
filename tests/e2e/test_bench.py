"""Two callables compared through the real sandbox. Ratios here are far from every bound."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reverie import Sandbox, SandboxSection
from reverie.instruments.benchmark.instrument import compare_speed, measure_growth
from reverie.instruments.benchmark.rounds import Comparison, Effort
from reverie.instruments.benchmark.target import inputs_from_expression, parse_target
from reverie.model.measurements.benchmark import Benchmark, BenchmarkClock, SpeedVerdict
from reverie.model.sections import TierChoice

SOURCE = """
import functools, os, time

def linear(n):
    total = 0
    for each in range(n):
        total += each
    return total

def quadratic(n):
    total = 0
    for each in range(n):
        for _ in range(n):
            pass
        total += each
    return total

def triple(n):
    return (linear(n), linear(n), linear(n))[0]

cached = functools.lru_cache(None)(triple)

async def awaited(n):
    return linear(n)

def naps(n):
    time.sleep(0.012)
    return n

def dozes(n):
    time.sleep(0.002)
    return n

def dies(n):
    os._exit(1)

def hangs(n):
    while True:
        pass

def formula(n):
    return n * (n - 1) // 2
"""
WRONG = "different_results"
LIAR = """
import time
for name in ("process_time_ns", "thread_time_ns", "perf_counter_ns", "clock_gettime_ns"):
    setattr(time, name, lambda *_: 0)
def triple(n):
    total = 0
    for _ in range(3):
        total = 0
        for each in range(n):
            total += each
    return total
"""

FORKING = """
import mmap, os, struct
def worked_out(n):
    total = 0
    for _ in range(3):
        total = 0
        for each in range(n):
            total += each
    return total
answers = mmap.mmap(-1, 8 * 1200)  # shared with the child, which does the work
try:
    pid = os.fork()
except OSError:
    pid = None
if pid == 0:
    for n in range(1000, 1200):
        struct.pack_into("<q", answers, 8 * n, worked_out(n))
    os._exit(0)
if pid:
    os.waitpid(pid, 0)
def triple(n):
    return worked_out(n) if pid is None else struct.unpack_from("<q", answers, 8 * n)[0]
"""
THREADING = """
import queue, threading
def work():
    while True:
        n, done = todo.get()
        total = 0
        for _ in range(3):
            total = sum(range(n))
        done.put(total)
todo = queue.Queue()
try:
    threading.Thread(target=work, daemon=True).start()
except RuntimeError:
    todo = None
def triple(n):
    if todo is None:
        return [sum([each for each in range(n)]) for _ in range(9)][0]
    done = queue.Queue()
    todo.put((n, done))
    return done.get()
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSection(timeout_seconds=5)) as opened:
        yield opened


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "case.py").write_text(SOURCE)
    (folder / "liar.py").write_text(LIAR)
    (folder / "forking.py").write_text(FORKING)
    (folder / "threading_one.py").write_text(THREADING)
    return folder


def comparison(files: Path, old: str, new: str, call: str = "f(n + seed % 97)") -> Comparison:
    named = [name if ":" in name else f"case.py:{name}" for name in (old, new)]
    targets = [parse_target(f"{files}/{name}") for name in named]
    return Comparison(targets[0], targets[1], inputs_from_expression(call), 1000, 1)


@pytest.fixture
def compare(sandbox: Sandbox, files: Path) -> Callable[..., Benchmark]:
    def run(old: str, new: str, call: str = "f(n + seed % 97)") -> Benchmark:
        effort = Effort(most_slots=12, budget_seconds=20)
        return compare_speed(sandbox, comparison(files, old, new, call), effort=effort)

    return run


def test_a_gain_is_recognised_with_its_figures(compare: Callable[..., Benchmark]) -> None:
    found = compare("triple", "linear")
    assert found.judgement.verdict is SpeedVerdict.FASTER, found.judgement.reason
    assert found.clock is BenchmarkClock.CPU
    assert found.has_watch_of_its_own
    assert found.distinct_inputs
    assert found.judgement.pairs >= 30
    assert found.old is not None
    assert found.new is not None
    assert found.old.cpu_seconds > found.new.cpu_seconds > 0
    assert found.old.rss_bytes is not None
    assert found.memory_ratio is not None


def test_a_gain_of_hundreds_of_times_is_recognised(compare: Callable[..., Benchmark]) -> None:
    found = compare("quadratic", "formula")
    assert found.judgement.verdict is SpeedVerdict.FASTER, found.judgement.reason


def test_a_loss_is_recognised(compare: Callable[..., Benchmark]) -> None:
    assert compare("linear", "triple").judgement.verdict is SpeedVerdict.SLOWER


def test_a_cache_does_not_help_where_inputs_differ(compare: Callable[..., Benchmark]) -> None:
    found = compare("triple", "cached", "f(n + seed)")
    assert found.judgement.verdict is not SpeedVerdict.FASTER, found.judgement.reason


@pytest.mark.parametrize("call", ["f(5 * n)", "f(60 * n)"])
def test_a_cache_on_equal_inputs_is_held(compare: Callable[..., Benchmark], call: str) -> None:
    found = compare("triple", "cached", call)
    assert found.judgement.reason_code == "only_when_repeated", found.judgement.reason


def test_lying_about_the_time_gains_nothing(compare: Callable[..., Benchmark]) -> None:
    found = compare("triple", "liar.py:triple")
    assert found.judgement.verdict is not SpeedVerdict.FASTER
    assert compare("linear", "liar.py:triple").judgement.verdict is SpeedVerdict.SLOWER


@pytest.mark.parametrize("name", ["forking", "threading_one"])
def test_an_answer_from_elsewhere_is_no_gain(compare: Callable[..., Benchmark], name: str) -> None:
    found = compare("triple", f"{name}.py:triple")
    assert found.judgement.verdict is not SpeedVerdict.FASTER


def test_a_coroutine_is_awaited(compare: Callable[..., Benchmark]) -> None:
    found = compare("triple", "awaited")
    assert found.difference is None
    assert found.calls > 0


def test_what_mostly_waits_is_judged_on_wall_time(compare: Callable[..., Benchmark]) -> None:
    found = compare("naps", "dozes")
    assert found.clock is BenchmarkClock.WALL
    assert found.judgement.pairs >= 120
    assert "wall time" in found.judgement.reason
    assert found.judgement.verdict is SpeedVerdict.FASTER, found.judgement.reason


@pytest.mark.parametrize("new", ["dies", "hangs"])
def test_what_does_not_get_through_is_held(compare: Callable[..., Benchmark], new: str) -> None:
    found = compare("linear", new)
    assert (found.judgement.verdict, found.judgement.reason_code) == ("hold", "not_measured")


def test_the_growth_of_both_is_told_apart(sandbox: Sandbox, files: Path) -> None:
    found = measure_growth(
        sandbox,
        Comparison(
            parse_target(f"{files}/case.py:quadratic"),
            parse_target(f"{files}/case.py:linear"),
            inputs_from_expression("f(n)"),
            100,
            1,
        ),
        Effort(budget_seconds=5),
    )
    assert found is not None
    assert found.old.value > 1.5 > found.new.value
    assert len(found.sizes) >= 3


def test_where_larger_sizes_take_too_long_smaller_ones_show_the_growth(
    sandbox: Sandbox, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reverie.instruments.benchmark.instrument._MOST_SLOT_SECONDS", 0.0)
    found = measure_growth(
        sandbox, comparison(files, "quadratic", "linear", "f(n)"), Effort(budget_seconds=10)
    )
    assert found is not None
    # Small sizes tell less exactly: what counts is that the two cannot be taken for each other.
    assert found.old.low > found.new.high
    assert len(found.sizes) == 3


def test_where_a_second_process_is_forbidden_both_share_one(files: Path) -> None:
    with Sandbox(SandboxSection(tier=TierChoice.LANDLOCK, slots=1)) as sandbox:
        effort = Effort(most_slots=12, budget_seconds=20)
        found = compare_speed(sandbox, comparison(files, "triple", "linear"), effort=effort)
    assert not found.has_watch_of_its_own
    assert found.judgement.verdict is SpeedVerdict.FASTER, found.judgement.reason


def test_the_command_answers_and_exports(
    cli: Callable, files: Path, repository: Path, root: Path, tmp_path: Path
) -> None:
    exported = tmp_path / "exported.json"
    ran = cli(
        *("bench", f"{files}/case.py:quadratic", f"{files}/case.py:linear"),
        *("--call", "f(n + seed % 40)", "--n", "240", "--repo", str(repository), "--json"),
        *("--pytest-benchmark", str(exported)),
    )
    assert ran.code == 0, ran.out
    document = ran.document
    assert document["verdict"] == "faster"
    assert document["speedup"]["p50"]["low"] > 1.1
    assert {"name": "a wrong result", "required": WRONG, "seen": WRONG} in document["proof"]
    planted = {each["required"]: each["seen"] for each in document["proof"]}
    assert set(planted) == {"no_difference", "slower", "faster", WRONG}
    assert all(required == seen for required, seen in planted.items())
    stats = json.loads(exported.read_text())["benchmarks"]
    assert [each["name"] for each in stats] == ["old", "new"]
    assert stats[0]["stats"]["median"] > stats[1]["stats"]["median"]


def test_a_difference_is_exit_code_1(cli: Callable, files: Path, repository: Path) -> None:
    line = ("bench", f"{files}/case.py:linear", f"{files}/case.py:naps", "--repo", str(repository))
    ran = cli(*line, "--call", "f(n)", "--json")
    assert ran.code == 1
    assert ran.document["reason_code"] == "different_results"
    assert ran.document["difference"].startswith("old gave 499500, new gave 1000")
    assert ran.document["speedup"] == {"p50": None, "p95": None, "p99": None}
