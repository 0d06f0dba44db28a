"""Mutants that a task names."""

from pathlib import Path

from reverie.model.measurements.suite import JudgedMutant, Mutant, MutantVerdict
from reverie.stages.authoring.evidence import gaps_of

SOURCE = "SIGNS = 1\n\n\ndef total(count):\n    return count * 2\n"


def survivor(old: str, new: str, scope: str, line: int) -> JudgedMutant:
    start = SOURCE.index(old)
    unit = scope or None
    place = Mutant(
        f"shop.py::{scope}::{new}", "shop.py", line, "number", scope, unit, line, line, start,
        start + len(old), new, line,
    )  # fmt: skip
    return JudgedMutant(place, MutantVerdict.SURVIVED)


def test_only_what_a_call_runs_is_named_as_a_gap(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SOURCE)
    alive = (survivor("1", "2", "", 1), survivor("count * 2", "count * 3", "total", 5))
    (gap,) = gaps_of(alive, str(tmp_path))
    assert gap.function == "total"
    assert "+    return count * 3" in gap.survivors[0]
