"""The weights in use tell labelled tests apart that they were not fitted on."""

from pathlib import Path

import benchmarks.keepable
from benchmarks.keepable.calibrating import area, read_cases

LABELLED = Path(benchmarks.keepable.__file__).parent / "labelled"


def test_kept_tests_score_above_the_others() -> None:
    cases = read_cases(LABELLED / "before.json")
    ours = [each for each in cases if each.author == "reverie"]
    assert (area([(each.score, each.is_kept) for each in cases]) or 0) >= 0.8
    assert (area([(each.score, each.is_kept) for each in ours]) or 0) >= 0.85


def test_the_two_labelled_sets_share_no_module() -> None:
    first, second = (
        {each.module for each in read_cases(LABELLED / f"{name}.json")}
        for name in ("before", "calibration")
    )
    assert not first & second
