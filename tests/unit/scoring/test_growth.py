import pytest

from reverie.scoring.speedup import growth_exponent


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
