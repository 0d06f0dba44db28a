"""A grade that is worth something: better figures never make it worse."""

from hypothesis import given
from hypothesis import strategies as st

from reverie.gates.quality import grade_quality
from reverie.model.repository.quality import Measure, Part
from reverie.model.settings.analysis import QualitySection

SECTION = QualitySection()
FIGURES = st.one_of(st.none(), st.floats(0, 100))
SETS = st.fixed_dictionaries({part: FIGURES for part in Part if part is not Part.SYNTAX})


def measures(figures: dict[Part, float | None]) -> list[Measure]:
    return [Measure(part, "", figure) for part, figure in figures.items()]


@given(SETS, st.sampled_from(sorted(set(Part) - {Part.SYNTAX})), st.floats(0, 100))
def test_a_better_figure_never_gives_a_worse_grade(
    figures: dict[Part, float | None], part: Part, gain: float
) -> None:
    before = figures[part]
    if before is None:
        return
    better = before + gain if part is Part.DOCSTRINGS else max(0.0, before - gain)
    old = grade_quality(measures(figures), SECTION)
    new = grade_quality(measures({**figures, part: better}), SECTION)
    assert old.grade is not None
    assert new.grade is not None
    assert new.grade.points >= old.grade.points
    assert new.score >= old.score  # type: ignore[operator]


@given(SETS, st.randoms(use_true_random=False))
def test_the_order_of_the_parts_does_not_matter(
    figures: dict[Part, float | None],
    chance: "st.random.Random",  # type: ignore[name-defined]
) -> None:
    shuffled = measures(figures)
    chance.shuffle(shuffled)
    first = grade_quality(measures(figures), SECTION)
    second = grade_quality(shuffled, SECTION)
    assert first.grade is second.grade
    assert (first.score is None) == (second.score is None)


@given(SETS)
def test_the_whole_is_never_better_than_security(figures: dict[Part, float | None]) -> None:
    verdict = grade_quality(measures(figures), SECTION)
    security = next(each for each in verdict.parts if each.measure.part is Part.SECURITY)
    if verdict.grade is not None and security.grade is not None:
        assert verdict.grade.points <= security.grade.points
