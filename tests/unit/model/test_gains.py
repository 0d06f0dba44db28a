"""What a change brings, in plain units."""

from reverie.model.worth import gains_of, listed


def test_gains_are_told_the_most_telling_first() -> None:
    measures = {"tests.new": 1.0, "mutants.newly_killed": 31.0, "complexity.removed": 0.0}
    assert gains_of(measures) == ("31 more planted faults noticed", "1 new test")


def test_a_speed_is_told_by_its_lower_bound() -> None:
    assert gains_of({"speed.p50": 2.413}) == ("at least 2.4 times as fast",)
    assert gains_of({"speed.p50": 0.9}) == ()


def test_of_many_names_a_few_are_listed() -> None:
    assert [listed(["a", "b", "c", "d"][:count]) for count in range(5)] == [
        "", "a", "a and b", "a, b and c", "a, b and 2 others",
    ]  # fmt: skip
