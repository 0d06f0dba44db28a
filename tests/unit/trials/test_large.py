import pytest

from reverie.trials.more_calls import new_numbers


@pytest.mark.parametrize(
    ("before", "after", "numbers"),
    [
        ("x = xs", "x = xs[:5000]", (5000,)),
        ("x = xs", "x = xs[:5 * 1000]", (5000,)),
        ("x = xs", "x = xs[:10 ** 4]", (10_000,)),
        ("x = xs", "x = xs[:1 << 13]", (8192,)),
        ("x = xs", "x = xs[:1e4]", (10_000,)),
        ("x = xs[:5000]", "y = xs[:5000]", ()),
        ("x = xs", "x = xs[:500]", ()),
        ("x = xs", "x = xs if True else -9999", (9999,)),
        ("x = 1", "x = 2000 + 1", (2000, 2001)),
        ("x = 1", "x = 9 ** 9 ** 9", (387_420_489,)),
    ],
)
def test_numbers_that_a_change_brings_in_are_gone_beyond(
    before: str, after: str, numbers: tuple[int, ...]
) -> None:
    assert new_numbers(before, after) == numbers
