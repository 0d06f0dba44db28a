"""The benchmark over real history counts what it says it counts."""

import json
from pathlib import Path

import pytest
from benchmarks.history.__main__ import read_results
from benchmarks.history.cases import read_cases
from benchmarks.history.judging import is_right


def test_a_part_of_the_cases_is_no_selection(tmp_path: Path) -> None:
    rows = [{"id": f"{kind}-{number}", "class": kind}
            for kind in ("fault", "refactor", "speedup") for number in range(4)]  # fmt: skip
    orders = []
    for order in (rows, rows[::-1]):
        lines = "\n".join(map(json.dumps, order))
        listed = tmp_path / "cases.jsonl"
        listed.write_text(lines, "utf-8")
        found = [each["id"] for each in read_cases(listed)]
        assert [each.partition("-")[0] for each in found[:3]] == ["fault", "refactor", "speedup"]
        orders.append(found)
        faults = read_cases(listed, ["fault"])
        assert [each["id"] for each in faults] == [e for e in found if e.startswith("fault")]
    assert orders[0] == orders[1]


@pytest.mark.parametrize(
    ("kind", "verdict", "expected"),
    [
        ("fault", "promote", False),
        ("fault", "borderline", True),
        ("fault", "reject", True),
        ("refactor", "promote", True),
        ("refactor", "borderline", False),
        ("refactor", "none", False),
        ("speedup", "promote", True),
        ("speedup", "reject", False),
    ],
)
def test_only_honest_work_is_to_be_promoted(kind: str, verdict: str, expected: bool) -> None:
    assert is_right(kind, verdict) is expected


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert read_results(file) == {}
    rows = [{"question": "judge", "id": "a"}, {"question": "tests", "id": "a"}]
    file.write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")
    assert set(read_results(file)) == {("judge", "a"), ("tests", "a")}
