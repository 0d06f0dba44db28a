"""Prices, shares and growth."""

import math
from itertools import pairwise


def price_with_tax(price: float, percent: float) -> float:
    """A net price with tax added, rounded to two digits.

    Also: gross price, VAT, sales tax.

    >>> price_with_tax(100, 19)
    119.0
    """
    return round(price * (100 + percent) / 100, 2)


def net_price(price: float, percent: float) -> float:
    """A gross price without the tax that is in it, rounded to two digits.

    Also: remove VAT, before tax.

    >>> net_price(119, 19)
    100.0
    """
    return round(price * 100 / (100 + percent), 2)


def percent_change(before: float, after: float) -> float:
    """By how many percent a value has grown or fallen.

    Also: growth, percentage increase, decrease.

    >>> percent_change(100, 110)
    10.0
    """
    return (after - before) / before * 100


def growth_percentages(values: list[int]) -> list[float]:
    """By how many percent each value is larger than the one before it.

    Also: percentage change, period over period growth.

    >>> growth_percentages([50, 25, 50])
    [-50.0, 100.0]
    """
    return [(new - old) / old * 100 for old, new in pairwise(values)]


def biggest_drop(values: list[int]) -> int:
    """The biggest fall from one value to the very next; 0 when none falls.

    Also: largest decrease between neighbours, price drop.

    >>> [biggest_drop([5, 3, 8, 1]), biggest_drop([1, 2])]
    [7, 0]
    """
    return max([0, *(old - new for old, new in pairwise(values))])


def biggest_rise(values: list[int]) -> int:
    """The biggest rise from one value to the very next; 0 when none rises.

    Also: largest increase, jump between neighbours.

    >>> [biggest_rise([5, 3, 8, 1]), biggest_rise([2, 1])]
    [5, 0]
    """
    return max([0, *(new - old for old, new in pairwise(values))])


def truncate_number(number: float, digits: int) -> float:
    """A number cut off after so many digits behind the point, without rounding.

    Also: truncate decimals.

    >>> [truncate_number(3.14159, 3), truncate_number(-2.79, 1)]
    [3.141, -2.7]
    """
    scale = 10.0**digits
    return math.trunc(number * scale) / scale


def split_bill(total: float, people: int) -> float:
    """The share of each person of a total, rounded to two digits.

    Also: split the bill evenly, per head.

    >>> split_bill(100, 3)
    33.33
    """
    return round(total / people, 2)


def bill_with_tip(total: float, percent: float) -> float:
    """A bill with a tip in percent added, rounded to two digits.

    Also: gratuity.

    >>> bill_with_tip(50, 10)
    55.0
    """
    return round(total * (1 + percent / 100), 2)


def body_mass_index(kilograms: float, metres: float) -> float:
    """The body mass index, rounded to one digit.

    Also: BMI from weight and height.

    >>> body_mass_index(70, 1.75)
    22.9
    """
    return round(kilograms / metres**2, 1)


def total_of_cart(quantities: list[int], prices: list[float]) -> float:
    """Each quantity times its price, added up.

    Also: order total, shopping cart.

    >>> total_of_cart([2, 1], [3, 5])
    11
    """
    return sum(count * price for count, price in zip(quantities, prices, strict=False))


def simple_interest(amount: float, percent: float, years: int) -> float:
    """The interest of an amount over years without compounding.

    Also: simple interest.

    >>> simple_interest(100, 5, 2)
    10.0
    """
    return amount * percent * years / 100
