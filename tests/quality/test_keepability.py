"""The score tells labelled tests apart, by weights that were fitted without their packages."""

from pathlib import Path

import benchmarks.keepable
from benchmarks.keepable.calibrating import area, crossed, read_cases

LABELLED = Path(benchmarks.keepable.__file__).parent / "labelled"


SETS = ("final", "calibration", "before")


def test_kept_tests_score_above_the_others_where_no_test_of_the_package_was_fitted_on() -> None:
    several = {name: read_cases(LABELLED / f"{name}.json") for name in SETS}
    waiting = iter(crossed([case for cases in several.values() for case in cases]))
    found = {}
    for name, cases in several.items():
        scores = [(next(waiting), case) for case in cases]
        ours = [(score, case.is_kept) for score, case in scores if case.author == "reverie"]
        found[name] = area([(score, case.is_kept) for score, case in scores]), area(ours)
    assert (found["before"][0] or 0) >= 0.8
    assert (found["calibration"][0] or 0) >= 0.8
    # of tests that a score has chosen already there is little left to tell
    assert (found["final"][1] or 0) >= 0.55


def test_the_two_labelled_sets_share_no_module() -> None:
    first, second = (
        {each.module for each in read_cases(LABELLED / f"{name}.json")}
        for name in ("before", "calibration")
    )
    assert not first & second
