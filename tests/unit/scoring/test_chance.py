from collections import Counter
from itertools import islice

from reverie.scoring.samples import draws, estimate, quantile


def test_the_same_seed_draws_the_same_numbers_everywhere() -> None:
    assert list(islice(draws(1, 10), 12)) == list(islice(draws(1, 10), 12))
    assert list(islice(draws(1, 1000), 5)) != list(islice(draws(2, 1000), 5))
    assert list(islice(draws(42, 100), 6)) == [78, 50, 96, 51, 85, 90]


def test_every_number_is_drawn_about_equally_often() -> None:
    counts = Counter(islice(draws(3, 7), 14_000))
    assert set(counts) == set(range(7))
    assert all(1800 < count < 2200 for count in counts.values())


def test_quantiles_are_interpolated() -> None:
    assert quantile([5.0], 0.95) == 5.0
    assert quantile([1.0, 2.0, 3.0], 0.5) == 2.0
    assert quantile([1.0, 2.0], 0.25) == 1.25
    assert quantile([1.0, 2.0, 3.0], 1.0) == 3.0


def test_an_interval_leaves_a_fortieth_out_at_each_end() -> None:
    found = estimate(0.5, [each / 1000 for each in range(1001)])
    assert (found.low, found.high) == (0.025, 0.975)
