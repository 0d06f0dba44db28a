"""The score tells labelled tests apart, by weights that were fitted without their packages."""

import subprocess
import sys
from pathlib import Path

import benchmarks.keepable
from benchmarks.keepable.calibrating import area, crossed, read_cases
from benchmarks.keepable.cutting import pieces_of
from benchmarks.keepable.packages import Drawn

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


def test_what_a_test_is_about_tells_more_than_its_text_and_than_a_count_of_mutants() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.keepable.subjects"],
        cwd=Path(benchmarks.keepable.__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_test_whose_text_goes_on_further_left_is_cut_out_whole(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def price(text):\n    return text\n", encoding="utf-8")
    source = (
        "class TestPrice:\n"
        "    def test_price(self):\n"
        '        text = """a\n'
        'b"""\n'
        "        assert price(text) == text\n"
    )
    (piece,) = pieces_of(source, Drawn("shop", "shop", "shop.py", None), tmp_path)
    assert piece.raw.startswith("def test_price(self):")
    assert 'b"""' in piece.raw
