import pytest

from reverie.scoring.speedup import growth_exponent, is_class_clear


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.0, 3.0])
def test_a_power_is_found_again(exponent: float) -> None:
    times = {
        n: [1e-6 * n**exponent * (1 + wiggle / 100) for wiggle in (0, 1, 2)] for n in (10, 20, 40)
    }
    found = growth_exponent(times, seed=1)
    assert found is not None
    assert found.value == pytest.approx(exponent, abs=0.02)
    assert found.low <= found.value <= found.high


def test_two_sizes_are_not_a_growth() -> None:
    assert growth_exponent({10: [1.0], 20: [2.0]}, seed=1) is None


def test_a_size_that_took_no_time_does_not_count() -> None:
    assert growth_exponent({10: [0.0], 20: [2.0], 40: [4.0]}, seed=1) is None
    found = growth_exponent({10: [0.0], 20: [2.0], 40: [4.0], 80: [8.0]}, seed=1)
    assert found is not None
    assert found.value == pytest.approx(1.0)


def _times(exponent: float, sizes: tuple[int, ...]) -> dict[int, list[float]]:
    return {n: [1e-6 * n**exponent * (1 + wiggle / 100) for wiggle in (0, 1, 2)] for n in sizes}


def test_a_class_is_clear_with_one_size_more_than_an_exponent_needs() -> None:
    assert not is_class_clear(_times(2.0, (10, 20, 40)), seed=1)
    assert is_class_clear(_times(2.0, (10, 20, 40, 80)), seed=1)


def test_a_growth_between_two_classes_is_not_clear() -> None:
    assert not is_class_clear(_times(1.5, (10, 20, 40, 80)), seed=1)


def test_a_growth_that_only_begins_to_show_is_not_clear() -> None:
    flat = {n: [1.0 + n**2 / 5000] for n in (10, 20, 40, 80)}
    assert not is_class_clear(flat, seed=1)


def test_sizes_without_times_make_no_class_clear() -> None:
    assert not is_class_clear({**_times(2.0, (10, 20, 40)), 80: [], 160: [0.0]}, seed=1)
