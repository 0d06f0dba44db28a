"""Measures are shown in words, in groups, with their units."""

from reverie.cycle.report.inert import inert_words
from reverie.cycle.report.measure_words import grouped, measure_value, measure_words


def test_measures_are_grouped_in_words() -> None:
    told = grouped({"suite.tests": 49.0, "tests.new": 3.0, "mutants.score.after": 0.925})
    assert list(told) == ["New tests", "Existing tests", "Planted faults"]
    assert told["Planted faults"] == {"share noticed, after": "92.5 %"}
    assert told["New tests"] == {"new tests": "3"}


def test_a_measure_that_nobody_named_is_readable_all_the_same() -> None:
    assert measure_words("odd.some_thing.low") == "some thing, low"
    assert grouped({"odd.some_thing": 1.5}) == {"Odd": {"some thing": "1.5"}}


def test_a_number_of_tests_is_no_share() -> None:
    assert measure_value("suite.passing.after", 1.0) == "1"


def test_code_between_backticks_is_code_and_stays_harmless() -> None:
    assert inert_words("return `a < b` now") == "return <code>a &lt; b</code> now"
    assert inert_words("`<script>`") == "<code>&lt;script&gt;</code>"
    assert inert_words("one ` alone") == "one ` alone"
