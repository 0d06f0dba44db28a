"""Sequences, sums and counts of choices; primes, factors and divisors."""

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


def is_prime(number: int) -> bool:
    """Whether a number is prime.

    Also: prime number check, has no divisors but one and itself.

    >>> [n for n in range(12) if is_prime(n)]
    [2, 3, 5, 7, 11]
    """
    if number < 2:
        return False
    return all(number % divisor for divisor in range(2, math.isqrt(number) + 1))


def primes_below(limit: int) -> list[int]:
    """All prime numbers below a limit, ascending.

    Also: sieve of Eratosthenes, primes less than n.

    >>> primes_below(12)
    [2, 3, 5, 7, 11]
    """
    sieve = [True] * max(limit, 0)
    found = []
    for number in range(2, limit):
        if sieve[number]:
            found.append(number)
            for multiple in range(number * number, limit, number):
                sieve[multiple] = False
    return found


def primes_up_to(limit: int) -> list[int]:
    """All prime numbers up to and including a limit, ascending.

    Also: primes not greater than n.

    >>> primes_up_to(11)
    [2, 3, 5, 7, 11]
    """
    found: list[int] = []
    for number in range(2, limit + 1):
        if all(number % prime for prime in found):
            found.append(number)
    return found


def nth_prime(position: int) -> int:
    """The prime number at a position, counted from 1.

    Also: nth prime.

    >>> [nth_prime(1), nth_prime(5)]
    [2, 11]
    """
    found: list[int] = []
    number = 2
    while len(found) < position:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found[-1]


def next_prime(number: int) -> int:
    """The smallest prime number greater than a number.

    Also: next prime after.

    >>> [next_prime(7), next_prime(0)]
    [11, 2]
    """
    candidate = max(number + 1, 2)
    while not all(candidate % divisor for divisor in range(2, math.isqrt(candidate) + 1)):
        candidate += 1
    return candidate


def prime_factors(number: int) -> list[int]:
    """The prime factors of a number with repeats, ascending.

    Also: prime factorisation, factorize into primes.

    >>> prime_factors(12)
    [2, 2, 3]
    """
    factors = []
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    if number > 1:
        factors.append(number)
    return factors


def distinct_prime_factors(number: int) -> list[int]:
    """The distinct prime factors of a number, ascending.

    Also: unique primes that divide.

    >>> distinct_prime_factors(60)
    [2, 3, 5]
    """
    factors = []
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            factors.append(divisor)
            while number % divisor == 0:
                number //= divisor
        divisor += 1
    if number > 1:
        factors.append(number)
    return factors


def divisors(number: int) -> list[int]:
    """All positive divisors of a positive number, ascending.

    Also: factors of a number.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    return [each for each in range(1, number + 1) if number % each == 0]


def proper_divisors(number: int) -> list[int]:
    """The divisors of a positive number without the number itself, ascending.

    Also: aliquot parts.

    >>> proper_divisors(12)
    [1, 2, 3, 4, 6]
    """
    return [each for each in range(1, number) if number % each == 0]


def count_divisors(number: int) -> int:
    """How many positive divisors a positive number has.

    Also: number of factors.

    >>> count_divisors(12)
    6
    """
    return sum(1 for each in range(1, number + 1) if number % each == 0)


def is_perfect_number(number: int) -> bool:
    """Whether a number equals the sum of its proper divisors.

    Also: perfect number.

    >>> [is_perfect_number(28), is_perfect_number(12)]
    [True, False]
    """
    return number > 1 and sum(each for each in range(1, number) if number % each == 0) == number
