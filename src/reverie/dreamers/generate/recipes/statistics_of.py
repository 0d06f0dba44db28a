"""Means, spreads and shares; prices and growth."""

import math
import statistics
from itertools import pairwise


def average(numbers: list[float]) -> float:
    """The average of the numbers of a list; 0 for an empty list.

    Also: arithmetic mean, calculate average.

    >>> [average([1, 2, 3]), average([])]
    [2.0, 0.0]
    """
    return sum(numbers) / len(numbers) if numbers else 0.0


def rounded_average(numbers: list[float]) -> float:
    """The mean of a list that is not empty, rounded to two decimals.

    Also: average to 2 decimal places.

    >>> rounded_average([1.0, 1.0, 2.0])
    1.33
    """
    return round(sum(numbers) / len(numbers), 2)


def median(numbers: list[int]) -> float:
    """The median of a list that is not empty, as a float.

    Also: middle value.

    >>> [median([3, 1, 2]), median([1, 2, 3, 4])]
    [2.0, 2.5]
    """
    return float(statistics.median(numbers))


def mode(numbers: list[int]) -> int:
    """The most frequent number of a list that is not empty; the first of equals.

    Also: most common value.

    >>> mode([1, 2, 2, 3])
    2
    """
    return max(numbers, key=numbers.count)


def modes(numbers: list[int]) -> list[int]:
    """All numbers that occur most often, ascending.

    Also: multimode.

    >>> modes([1, 1, 2, 2, 3])
    [1, 2]
    """
    return sorted(statistics.multimode(numbers))


def value_range(numbers: list[int]) -> int:
    """The difference between the largest and the smallest number of a list.

    Also: spread, range.

    >>> value_range([3, 9, 4])
    6
    """
    return max(numbers) - min(numbers)


def variance(numbers: list[float]) -> float:
    """The population variance of a list.

    Also: mean squared deviation.

    >>> variance([1, 2, 3, 4])
    1.25
    """
    mean = sum(numbers) / len(numbers)
    return sum((number - mean) ** 2 for number in numbers) / len(numbers)


def standard_deviation(numbers: list[float]) -> float:
    """The population standard deviation of a list.

    Also: sigma, spread.

    >>> standard_deviation([2, 4, 4, 4, 5, 5, 7, 9])
    2.0
    """
    mean = sum(numbers) / len(numbers)
    return math.sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers))


def moving_average(numbers: list[float], size: int) -> list[float]:
    """The averages of all windows of a size.

    Also: rolling mean, smoothing.

    >>> moving_average([1, 2, 3, 4], 2)
    [1.5, 2.5, 3.5]
    """
    return [sum(numbers[at : at + size]) / size for at in range(len(numbers) - size + 1)]


def weighted_average(numbers: list[float], weights: list[float]) -> float:
    """The average of numbers by their weights.

    Also: weighted mean.

    >>> weighted_average([1, 3], [3, 1])
    1.5
    """
    return sum(n * w for n, w in zip(numbers, weights, strict=True)) / sum(weights)


def geometric_mean(numbers: list[float]) -> float:
    """The geometric mean of positive numbers.

    Also: nth root of the product.

    >>> geometric_mean([2, 8])
    4.0
    """
    return math.prod(numbers) ** (1 / len(numbers))


def harmonic_mean(numbers: list[float]) -> float:
    """The harmonic mean of positive numbers.

    Also: reciprocal mean, average speed.

    >>> harmonic_mean([40, 60])
    48.0
    """
    return statistics.harmonic_mean(numbers)


def normalize(numbers: list[float]) -> list[float]:
    """Numbers scaled so that the smallest is 0 and the largest 1.

    Also: min-max scaling.

    >>> normalize([1, 2, 3])
    [0.0, 0.5, 1.0]
    """
    low, high = min(numbers), max(numbers)
    return [(number - low) / (high - low) if high != low else 0.0 for number in numbers]


def shares(numbers: list[float]) -> list[float]:
    """Each number as a share of the total.

    Also: proportions, relative frequencies.

    >>> shares([1, 3])
    [0.25, 0.75]
    """
    total = sum(numbers)
    return [number / total for number in numbers]


def euclidean_distance(first: list[float], second: list[float]) -> float:
    """The straight-line distance of two points.

    Also: euclidean distance.

    >>> euclidean_distance([0, 0], [3, 4])
    5.0
    """
    return math.dist(first, second)


def manhattan_distance(first: list[int], second: list[int]) -> int:
    """The sum of the absolute differences of two points.

    Also: taxicab, city block distance.

    >>> manhattan_distance([1, 2], [4, 0])
    5
    """
    return sum(abs(a - b) for a, b in zip(first, second, strict=True))


def correlation(first: list[float], second: list[float]) -> float:
    """Pearson's correlation of two lists.

    Also: correlation coefficient.

    >>> round(correlation([1, 2, 3], [2, 4, 6]), 6)
    1.0
    """
    return statistics.correlation(first, second)


def compound_interest(principal: float, rate: float, years: int) -> float:
    """What a principal grows to at a yearly rate in percent, rounded to cents.

    Also: future value, savings.

    >>> compound_interest(100, 10, 2)
    121.0
    """
    return round(principal * (1 + rate / 100) ** years, 2)


def discounted_price(price: float, percent: float) -> float:
    """A price less a percentage, rounded to cents.

    Also: apply a discount.

    >>> discounted_price(200, 15)
    170.0
    """
    return round(price * (1 - percent / 100), 2)


def hypotenuse(first: float, second: float) -> float:
    """The length of the hypotenuse of a right triangle.

    Also: Pythagoras.

    >>> hypotenuse(3, 4)
    5.0
    """
    return math.hypot(first, second)


def circle_area(radius: float) -> float:
    """The area of a circle.

    Also: pi r squared.

    >>> round(circle_area(1), 4)
    3.1416
    """
    return math.pi * radius**2


def percentile(numbers: list[float], percent: float) -> float:
    """A percentile of a list, interpolated between neighbours.

    Also: quantile.

    >>> percentile([1, 2, 3, 4], 50)
    2.5
    """
    ordered = sorted(numbers)
    place = (len(ordered) - 1) * percent / 100
    low = math.floor(place)
    high = math.ceil(place)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


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
