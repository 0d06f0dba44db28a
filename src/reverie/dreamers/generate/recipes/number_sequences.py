"""Numbers that follow from numbers: sequences, sums and counts of choices."""

import math


def factorial(number: int) -> int:
    """The factorial of a number.

    Also: product of all integers up to n.

    >>> factorial(5)
    120
    """
    return math.factorial(number)


def fibonacci(position: int) -> int:
    """The Fibonacci number at a position, where the first two are 0 and 1.

    Also: nth fibonacci number.

    >>> [fibonacci(n) for n in range(7)]
    [0, 1, 1, 2, 3, 5, 8]
    """
    current, following = 0, 1
    for _ in range(position):
        current, following = following, current + following
    return current


def fibonacci_sequence(count: int) -> list[int]:
    """The first numbers of the Fibonacci sequence, beginning with 0 and 1.

    Also: list of the first n fibonacci numbers.

    >>> fibonacci_sequence(6)
    [0, 1, 1, 2, 3, 5]
    """
    numbers = []
    current, following = 0, 1
    for _ in range(count):
        numbers.append(current)
        current, following = following, current + following
    return numbers


def collatz_steps(number: int) -> int:
    """How many Collatz steps lead from a positive number to 1.

    Also: halve if even, triple plus one if odd, hailstone.

    >>> collatz_steps(6)
    8
    """
    steps = 0
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        steps += 1
    return steps


def collatz_sequence(number: int) -> list[int]:
    """The Collatz sequence from a positive number down to 1.

    Also: hailstone sequence.

    >>> collatz_sequence(6)
    [6, 3, 10, 5, 16, 8, 4, 2, 1]
    """
    sequence = [number]
    while number != 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        sequence.append(number)
    return sequence


def binomial(items: int, chosen: int) -> int:
    """The binomial coefficient: in how many ways so many items can be chosen.

    Also: combinations, n choose k.

    >>> binomial(5, 2)
    10
    """
    return math.comb(items, chosen)


def count_permutations(items: int, chosen: int) -> int:
    """In how many orders so many items can be chosen.

    Also: permutations count, nPr.

    >>> count_permutations(5, 2)
    20
    """
    return math.perm(items, chosen)


def sum_to(number: int) -> int:
    """The sum of the whole numbers from 1 to a number.

    Also: triangular number, add 1 to n.

    >>> sum_to(10)
    55
    """
    return number * (number + 1) // 2


def sum_of_squares_to(number: int) -> int:
    """The sum of the squares of the whole numbers from 1 to a number.

    Also: pyramidal number.

    >>> sum_of_squares_to(3)
    14
    """
    return number * (number + 1) * (2 * number + 1) // 6


def multiples_sum(limit: int, first: int, second: int) -> int:
    """The sum of all numbers below a limit that are multiples of one of two numbers.

    Also: sum of multiples of 3 or 5.

    >>> multiples_sum(10, 3, 5)
    23
    """
    return sum(n for n in range(limit) if n % first == 0 or n % second == 0)


def pascal_row(index: int) -> list[int]:
    """A row of Pascal's triangle, counted from 0.

    Also: binomial coefficients row.

    >>> pascal_row(4)
    [1, 4, 6, 4, 1]
    """
    return [math.comb(index, column) for column in range(index + 1)]


def happy_number(number: int) -> bool:
    """Whether repeatedly summing the squares of its digits leads a number to 1.

    Also: happy number.

    >>> [happy_number(19), happy_number(2)]
    [True, False]
    """
    seen: set[int] = set()
    while number != 1 and number not in seen:
        seen.add(number)
        number = sum(int(digit) ** 2 for digit in str(number))
    return number == 1
