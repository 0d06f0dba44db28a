"""Whole numbers, their digits, and simple arithmetic."""

import math


def digit_sum(number: int) -> int:
    """The sum of the decimal digits of a number, ignoring its sign.

    Also: add the digits, cross sum.

    >>> digit_sum(-123)
    6
    """
    return sum(int(digit) for digit in str(abs(number)))


def digit_product(number: int) -> int:
    """The product of the decimal digits of a number, ignoring its sign.

    Also: multiply the digits.

    >>> digit_product(234)
    24
    """
    return math.prod(int(digit) for digit in str(abs(number)))


def digital_root(number: int) -> int:
    """The digital root: digits are summed again and again until one digit is left.

    Also: repeated digit sum.

    >>> digital_root(9875)
    2
    """
    number = abs(number)
    while number > 9:
        number = sum(int(digit) for digit in str(number))
    return number


def count_digits(number: int) -> int:
    """How many decimal digits a number has, ignoring its sign.

    Also: number of digits, length of an integer.

    >>> [count_digits(0), count_digits(-120)]
    [1, 3]
    """
    return len(str(abs(number)))


def digits_of(number: int) -> list[int]:
    """The decimal digits of a number as a list, ignoring its sign.

    Also: split a number into its digits.

    >>> digits_of(504)
    [5, 0, 4]
    """
    return [int(digit) for digit in str(abs(number))]


def reverse_number(number: int) -> int:
    """A number with its decimal digits reversed, keeping its sign.

    Also: reverse the digits of an integer.

    >>> [reverse_number(120), reverse_number(-45)]
    [21, -54]
    """
    turned = int(str(abs(number))[::-1])
    return -turned if number < 0 else turned


def is_palindrome_number(number: int) -> bool:
    """Whether a number reads the same in both directions.

    Also: palindromic integer.

    >>> [is_palindrome_number(121), is_palindrome_number(-121)]
    [True, False]
    """
    return str(number) == str(number)[::-1]


def is_armstrong_number(number: int) -> bool:
    """Whether a number equals the sum of its digits, each to the power of their count.

    Also: narcissistic number, Armstrong.

    >>> [is_armstrong_number(153), is_armstrong_number(154)]
    [True, False]
    """
    digits = str(number)
    total: int = sum(int(digit) ** len(digits) for digit in digits)
    return number == total


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


def clamp_both_ways(number: int, most: int) -> int:
    """A number held between minus a limit and the limit.

    Also: clamp to plus or minus, cap in both directions.

    >>> [clamp_both_ways(7, 5), clamp_both_ways(-9, 5), clamp_both_ways(3, 5)]
    [5, -5, 3]
    """
    return max(-most, min(number, most))


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
