import pytest

from roomplan.prices import discount, lookup, price_of


def test_discount():
    assert discount(8, True) == 25
    assert discount(4, False) == 10


def test_price_of():
    assert price_of(1000, 2) == 2000
    with pytest.raises(ValueError):
        price_of(1000, 0)


def test_lookup():
    assert lookup(["b", "x"], [("a", 1), ("b", 2), ("b", 3)]) == [2, -1]
