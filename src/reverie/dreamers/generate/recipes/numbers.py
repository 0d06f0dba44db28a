"""Whole numbers and simple arithmetic."""

import math


def absolute_value(number: int) -> int:
    """The absolute value of a number.

    Also: magnitude, distance from zero, without its sign.

    >>> absolute_value(-3)
    3
    """
    return abs(number)


def sign(number: int) -> int:
    """The sign of a number: -1, 0 or 1.

    Also: signum.

    >>> [sign(-5), sign(0), sign(9)]
    [-1, 0, 1]
    """
    return (number > 0) - (number < 0)


def is_even(number: int) -> bool:
    """Whether a number is even.

    Also: divisible by two.

    >>> [is_even(4), is_even(7)]
    [True, False]
    """
    return number % 2 == 0


def is_odd(number: int) -> bool:
    """Whether a number is odd.

    Also: not even.

    >>> [is_odd(4), is_odd(7)]
    [False, True]
    """
    return number % 2 == 1


def is_divisible(number: int, divisor: int) -> bool:
    """Whether a number is divisible by another without remainder.

    Also: multiple of, divides evenly.

    >>> [is_divisible(9, 3), is_divisible(9, 2)]
    [True, False]
    """
    return divisor != 0 and number % divisor == 0


def clamp(number: int, low: int, high: int) -> int:
    """A number limited to the range from low to high.

    Also: clip, restrict to bounds, value never below the lowest and never above the highest.

    >>> [clamp(5, 0, 3), clamp(-1, 0, 3), clamp(2, 0, 3)]
    [3, 0, 2]
    """
    return max(low, min(number, high))


def power(base: int, exponent: int) -> int:
    """A number raised to a power.

    Also: exponentiation.

    >>> power(2, 10)
    1024
    """
    result: int = base**exponent
    return result


def power_modulo(base: int, exponent: int, modulus: int) -> int:
    """A number raised to a power, modulo another.

    Also: modular exponentiation.

    >>> power_modulo(2, 10, 1000)
    24
    """
    return pow(base, exponent, modulus)


def is_perfect_square(number: int) -> bool:
    """Whether a number is the square of an integer.

    Also: perfect square.

    >>> [is_perfect_square(16), is_perfect_square(15), is_perfect_square(-4)]
    [True, False, False]
    """
    return number >= 0 and math.isqrt(number) ** 2 == number


def is_power_of_two(number: int) -> bool:
    """Whether a number is a power of two.

    Also: single bit set.

    >>> [is_power_of_two(8), is_power_of_two(6), is_power_of_two(0)]
    [True, False, False]
    """
    return number > 0 and number & (number - 1) == 0


def integer_square_root(number: int) -> int:
    """The largest integer whose square is not above a number.

    Also: floor of the square root.

    >>> integer_square_root(17)
    4
    """
    return math.isqrt(number)


def is_leap_year(year: int) -> bool:
    """Whether a year is a leap year of the Gregorian calendar.

    Also: has 366 days.

    >>> [is_leap_year(2000), is_leap_year(1900), is_leap_year(2024)]
    [True, False, True]
    """
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def hamming_weight(number: int) -> int:
    """How many bits of a number are set.

    Also: count the ones in binary, popcount.

    >>> hamming_weight(13)
    3
    """
    return abs(number).bit_count()


def bit_length(number: int) -> int:
    """How many bits a number takes in binary.

    Also: number of binary digits.

    >>> bit_length(13)
    4
    """
    return number.bit_length()


def hamming_distance_of_numbers(first: int, second: int) -> int:
    """In how many bits two numbers differ.

    Also: bit difference, xor distance.

    >>> hamming_distance_of_numbers(1, 4)
    2
    """
    return (first ^ second).bit_count()


def round_to_multiple(number: int, step: int) -> int:
    """A number rounded to the nearest multiple of a step.

    Also: nearest multiple.

    >>> [round_to_multiple(17, 5), round_to_multiple(18, 5)]
    [15, 20]
    """
    return step * round(number / step)


def ceiling_division(number: int, divisor: int) -> int:
    """The quotient of two numbers, rounded up.

    Also: how many groups are needed, round up division, number of pages.

    >>> [ceiling_division(7, 3), ceiling_division(6, 3)]
    [3, 2]
    """
    return -(-number // divisor)


def fizz_buzz(count: int) -> list[str]:
    """The FizzBuzz texts from 1 to a number.

    Also: fizz for multiples of three, buzz for five.

    >>> fizz_buzz(5)
    ['1', '2', 'Fizz', '4', 'Buzz']
    """
    return [("Fizz" * (n % 3 == 0) + "Buzz" * (n % 5 == 0)) or str(n) for n in range(1, count + 1)]


def greatest_common_divisor(first: int, second: int) -> int:
    """The greatest common divisor of two numbers.

    Also: gcd, highest common factor, hcf.

    >>> greatest_common_divisor(12, 18)
    6
    """
    return math.gcd(first, second)


def greatest_common_divisor_of_all(numbers: list[int]) -> int:
    """The greatest common divisor of all numbers in a list; an empty list gives 0.

    Also: gcd of a list, highest common factor of many.

    >>> greatest_common_divisor_of_all([12, 18, 30])
    6
    """
    return math.gcd(*numbers)


def least_common_multiple(first: int, second: int) -> int:
    """The least common multiple of two numbers.

    Also: lcm, smallest common multiple, lowest.

    >>> least_common_multiple(4, 6)
    12
    """
    return math.lcm(first, second)


def least_common_multiple_of_all(numbers: list[int]) -> int:
    """The least common multiple of all numbers in a list; an empty list gives 1.

    Also: lcm of a list.

    >>> least_common_multiple_of_all([2, 3, 4])
    12
    """
    return math.lcm(*numbers)
