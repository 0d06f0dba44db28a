"""Primes, factors and divisors."""

import math


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
