"""Means, spreads and shares."""

import math
import statistics


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
