import pytest

from reverie.model.settings.analysis import QualitySection
from reverie.model.settings.setting import settings_of

LINT = settings_of(QualitySection)["lint"].reader
DOCSTRINGS = settings_of(QualitySection)["docstrings"].reader


def test_thresholds_are_four_numbers_each_worse_than_the_one_before() -> None:
    assert LINT.from_text("1, 2.5,3,4") == (1, 2.5, 3, 4)
    assert DOCSTRINGS.check([0.9, 0.5, 0.2, 0]) == (0.9, 0.5, 0.2, 0)


@pytest.mark.parametrize(
    "value",
    [
        *([1, 2, 3], [1, 2, 3, 4, 5], [1, 1, 2, 3], [4, 3, 2, 1], [1, 2, 3, "4"]),
        *([-1, 2, 3, 4], [1, 2, 3, 1001], [True, 2, 3, 4], [1, 2, 3, float("nan")], 1, None, {}),
    ],
)
def test_anything_else_is_no_list_of_thresholds(value: object) -> None:
    with pytest.raises(ValueError, match="four growing numbers"):
        LINT.check(value)


def test_text_that_is_no_number_is_refused_too() -> None:
    with pytest.raises(ValueError, match="four falling numbers"):
        DOCSTRINGS.from_text("high,low")
