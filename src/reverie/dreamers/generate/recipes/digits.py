"""The digits of a number."""

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
