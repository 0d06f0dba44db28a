"""What `reverie bench` refuses, prints and exports; measuring is tested in e2e."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.instruments.benchmark.instrument import to_pytest_benchmark
from reverie.instruments.benchmark.rounds import Comparison
from reverie.instruments.benchmark.target import CallableTarget, Inputs
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.views.figures import show_benchmark
from reverie.model.measurements.benchmark import (
    Benchmark,
    BenchmarkClock,
    Estimate,
    Growth,
    PairedTimes,
    RequiredGain,
    SideFigures,
    SpeedJudgement,
    Speedup,
    SpeedVerdict,
)

HALF = Estimate(2.0, 1.9, 2.1)
OLD = SideFigures(2e-6, 3e-3, 4.0, 5e-9, 2048, 1 << 20)
NEW = replace(OLD, cpu_seconds=1e-6, peak_bytes=1024)
FOUND = Benchmark(
    SpeedJudgement(SpeedVerdict.FASTER, "faster", "p50 2.00x", Speedup(HALF, HALF, None), 30, 0.9),
    BenchmarkClock.CPU,
    PairedTimes(((2.0, 3.0, 2.0, 9.0),), ((1.0, 1.0, 1.0, 1.0),)),
    calls=1200,
    calls_per_sample=10,
    distinct_inputs=True,
    old=OLD,
    new=NEW,
    memory_ratio=0.5,
    difference=None,
    growth=Growth(HALF, Estimate(1.0, 0.9, 1.1), (10, 20, 40)),
    seconds=1.5,
    has_watch_of_its_own=True,
)


def test_people_see_the_verdict_and_what_it_rests_on(
    capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]
) -> None:
    show_benchmark(FOUND, RequiredGain(0.1, 0.15))
    golden("bench.txt", capsys.readouterr().out)


def test_a_hold_before_measuring_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    held = SpeedJudgement(SpeedVerdict.HOLD, "every_call_raised", "every\x1bcall", None, 0, None)
    show_benchmark(replace(FOUND, judgement=held, old=None, new=None), RequiredGain())
    assert capsys.readouterr().out == "hold: every\\x1bcall\n"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (["old.py", "{file}:f"], "expected FILE:callable, not 'old.py'"),
        (["{file}:f", "nowhere.py:f"], "no such file: 'nowhere.py'"),
        (["{file}:f", "{file}:f", "--call", "1 +"], "--call is not an expression"),
        (["{file}:f", "{file}:f", "--call", "7"], "--call must be a call"),
        (["{file}:f", "{file}:f", "--inputs", "{file}"], "expected FILE:callable"),
        (["{file}:f", "{file}:f", "--inputs", "{file}:f", "--call", "f()"], "exclude one another"),
        (["{file}:f", "{file}:f", "--gain", "much"], "--gain: expected percentages"),
        (["{file}:f", "{file}:f", "--gain", "1,2,3,4"], "--gain: expected percentages"),
        (["{file}:f", "{file}:f", "--gain", "100"], "--gain: expected percentages"),
        (
            ["{file}:f", "{file}:f", "--budget", "soon"],
            "--budget: expected a time such as 90s",
        ),
        (["{file}:f", "{file}:f", "--pairs", "3"], "--pairs"),
        (["{file}:g", "{file}:f"], "'g'"),
    ],
)
def test_wrong_usage_is_one_line_that_names_the_value(
    cli: Callable, tmp_path: Path, repository: Path, line: list[str], complaint: str
) -> None:
    file = tmp_path / "case.py"
    file.write_text("def f(n: int) -> int: return n\n")
    given = [part.format(file=file) for part in line]
    ran = cli("bench", *given, "--repo", str(repository))
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "seconds"), [("45", 45), ("45s", 45), ("2m", 120), ("1.5h", 5400), ("250ms", 0.25)]
)
def test_durations_are_read_as_people_write_them(text: str, seconds: float) -> None:
    assert parse_duration(text, "--budget") == seconds


@pytest.mark.parametrize("text", ["", "0", "-1", "1d", "s", "nan", "99h", "1e3"])
def test_what_is_no_duration_is_named(text: str) -> None:
    with pytest.raises(UsageError, match="--budget"):
        parse_duration(text, "--budget")


def test_the_export_has_the_form_of_pytest_benchmark() -> None:
    targets = [CallableTarget(f"/x/{name}.py", name, "/x", "f") for name in ("old", "new")]
    document = to_pytest_benchmark(FOUND, Comparison(targets[0], targets[1], Inputs(), 10, 1))
    old, new = document["benchmarks"]
    assert (old["name"], new["fullname"]) == ("old", "/x/new.py::f")
    stats = old["stats"]
    assert (stats["min"], stats["max"], stats["median"], stats["mean"]) == (2.0, 9.0, 2.5, 4.0)
    assert (stats["q1"], stats["q3"], stats["iqr"]) == (2.0, 4.5, 2.5)
    assert (stats["rounds"], stats["iterations"], stats["total"]) == (4, 10, 16.0)
    assert (stats["ld15iqr"], stats["hd15iqr"], stats["outliers"]) == (2.0, 3.0, "1;1")
    assert stats["ops"] == 0.25
