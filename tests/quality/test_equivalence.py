"""How well equivalence tells the same from the different, on labelled pairs in the real sandbox.

A few of each split; `python -m benchmarks.equivalence` measures all of them.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie.instruments.equivalence import compare_versions, version_of
from reverie.model.measurements.equivalence import Equivalence, EquivalenceVerdict
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.engine import Sandbox

BUNDLED = Path(__file__).with_name("equivalence_pairs.jsonl")
DIFFERENT = (
    "callback_order", "lazy_eager_side", "dict_mutation", "clock_cache", "file_write",
    "returned_function", "float_order", "short_circuit", "generator_close", "private_state",
    "module_state_read", "thread_global_total", "flag_array", "time_zone", "far_length",
    "regex_dotall", "swallowed_key_error", "unhashable", "kwargs_order",
)  # fmt: skip
PATIENT = EquivalenceSection(budget_seconds=120)
"""The verdict is asked for here, not how long it takes on a busy machine."""
SAME = ("method_private", "yield_from", "binary_search_left", "callback")


def _pairs() -> dict[str, dict[str, Any]]:
    rows = (json.loads(line) for line in BUNDLED.read_text("utf-8").splitlines())
    return {row["family"]: row for row in rows}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as engine:
        yield engine


def judged(sandbox: Sandbox, pair: dict[str, Any]) -> Equivalence:
    versions = (version_of(pair[side], pair["entry"]) for side in ("old", "new"))
    return compare_versions(sandbox, *versions, section=PATIENT, is_searched=True)


def test_there_are_pairs_of_both_kinds_in_both_splits() -> None:
    rows = list(_pairs().values())
    for split in ("dev", "held", "sceptic-dev", "sceptic-held", "third", "fourth", "fifth"):
        labels = [row["label"] for row in rows if row["split"] == split]
        assert labels.count("different") >= 15
        assert labels.count("same") >= 9


@pytest.mark.parametrize("family", DIFFERENT)
def test_a_difference_is_found(sandbox: Sandbox, family: str) -> None:
    answer = judged(sandbox, _pairs()[family])
    assert answer.verdict is EquivalenceVerdict.DIFFERENT
    assert answer.counterexample is not None


def test_what_grows_with_every_call_is_not_called_equivalent(sandbox: Sandbox) -> None:
    answer = judged(sandbox, _pairs()["unbounded_cache"])
    assert answer.verdict is EquivalenceVerdict.UNKNOWN
    assert "keeps something of every call" in (answer.reason or "")


def test_a_history_that_takes_too_long_to_look_at_is_unknown(sandbox: Sandbox) -> None:
    pair = _pairs()["history_list"]
    versions = (version_of(pair[side], pair["entry"]) for side in ("old", "new"))
    answer = compare_versions(sandbox, *versions, section=EquivalenceSection(budget_seconds=5))
    assert answer.verdict is EquivalenceVerdict.UNKNOWN


@pytest.mark.parametrize("family", SAME)
def test_a_likeness_is_believed(sandbox: Sandbox, family: str) -> None:
    answer = judged(sandbox, _pairs()[family])
    assert (answer.verdict, answer.reason) == (EquivalenceVerdict.EQUIVALENT, None)
    assert answer.inputs >= 1000
    assert min(answer.branch_coverage.old or 0, answer.branch_coverage.new or 0) >= 0.75


def test_the_expression_shows_the_difference_in_a_fresh_interpreter(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    pair = _pairs()["matrix_alias"]
    answer = judged(sandbox, pair)
    assert answer.counterexample is not None
    said = []
    for side in ("old", "new"):
        script = f"{pair[side]}\nprint({answer.counterexample.expression})\n"
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        said.append(ran.stdout)
    assert said == ["False\n", "True\n"]
