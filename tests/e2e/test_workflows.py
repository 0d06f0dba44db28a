"""Workflows of a small package from the command line, in the real sandbox, with a journal."""

from collections.abc import Callable
from pathlib import Path

import pytest

PACKAGE = """
def parse(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def weigh(amount: int) -> int:
    total = 0
    for rate in range(300):
        total += amount * rate % 7
    return total


def weigh_all(amounts: list[int]) -> list[int]:
    known = {amount: weigh(amount) for amount in dict.fromkeys(amounts)}
    return [known[amount] for amount in amounts]


def total(values: list[int]) -> int:
    return sum(values)


def broken(values: list[int]) -> int:
    raise ValueError("no \\x1b[31m good")


if __name__ == "__main__":
    print(total(parse("1,2")))
"""
TESTS = """
from scales.core import parse, total

def test_total():
    assert total(parse("1,2,3")) == 6
"""
PYPROJECT = """
[tool.reverie.workflows]
fails = ["scales.core:parse", "scales.core:broken"]
copy = ["scales.core:parse", {{call = "scales.core:weigh", each = true}}, "scales.core:total"]

[tool.reverie.workflows.weights]
steps = ["scales.core:parse", {{call = "scales.core:weigh", each = true}}, "scales.core:total"]
params = {{text = "{text}"}}
expected_outputs = {{"scales.core:total" = {total}}}
"""


def weigh(amount: int) -> int:
    return sum(amount * rate % 7 for rate in range(300))


@pytest.fixture
def scales(repository: Path, cli: Callable) -> Path:
    numbers = [number % 10 for number in range(200)]
    text, total = ",".join(map(str, numbers)), sum(map(weigh, numbers))
    files = {
        "scales/__init__.py": "",
        "scales/core.py": PACKAGE,
        "tests/test_core.py": TESTS,
        "pyproject.toml": PYPROJECT.format(text=text, total=total),
    }
    for name, content in files.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(content)
    assert cli("init", "--repo", str(repository)).code == 0
    return repository


def test_workflows_are_listed_run_and_compared(scales: Path, cli: Callable) -> None:
    place = ("--repo", str(scales))
    listed = cli("workflow", "list", "--json", *place).document["workflows"]
    assert {each["name"]: (each["origin"], each["missing"]) for each in listed} == {
        "fails": ("declared", ["text"]),
        "copy": ("declared", ["text"]),
        "weights": ("declared", []),
        "scales.core": ("main_block", []),
        "test_core.test_total": ("test_chain", []),
    }
    for name in ("weights", "test_core.test_total", "scales.core"):
        ran = cli("workflow", "run", name, "--json", *place)
        assert (ran.code, ran.document["outcome"], ran.document["version"]) == (0, "success", 1)
        assert all(each["cpu_seconds"] > 0 for each in ran.document["steps"])
    failed = cli("workflow", "run", "fails", "--params", '{"text": "1"}', *place)
    assert failed.code == 1
    assert "no \\x1b[31m good" in failed.out
    assert cli("workflow", "run", "weigths", *place).code == 2
    assert cli("workflow", "run", "weights", "--params", "[1]", *place).code == 2

    merged = cli("workflow", "compare", "weights", "copy", "--merge", "--json", *place)
    assert merged.document["duplicate"] is True
    assert merged.document["merged"] is True
    after = cli("workflow", "list", "--declared", "--json", *place).document["workflows"]
    assert {each["name"]: each["merged_into"] for each in after}["copy"] == "weights"
    assert cli("workflow", "run", "copy", "--json", *place).document["workflow"] == "weights"


def test_a_faster_variant_is_proven_and_kept(scales: Path, cli: Callable) -> None:
    place = ("--repo", str(scales))
    evolved = cli("workflow", "evolve", "weights", "--limit", "1", "--json", *place)
    document = evolved.document
    (variant,) = document["variants"]
    assert variant["kind"] == "batch"
    assert variant["verdict"] == "better", variant
    assert variant["equivalence"]["verdict"] == "equivalent"
    assert variant["compared_runs"] == 1
    assert variant["speedup"]["p50"]["low"] > 1.1
    assert (evolved.code, document["status"]) == (0, "promoted")
    assert document["roi_delta"] > 0
    name = document["promoted"]["name"]
    ran = cli("workflow", "run", name, "--json", *place)
    assert [each["name"] for each in ran.document["steps"]] == [
        "scales.core:parse",
        "scales.core:weigh_all",
        "scales.core:total",
    ]
    assert ran.document["outcome"] == "success"
