# entry: primes_below
"""Prime numbers for table sizes."""

import random


def is_prime(number: int) -> bool:
    """Whether nothing but 1 and itself divides it."""
    if number < 2:
        return False
    return all(number % divisor for divisor in range(2, number))


def primes_below(limit: int) -> list[int]:
    """The primes below a limit, ascending."""
    found = []
    for number in range(limit):
        if is_prime(number):
            found.append(number)
    return found


def make_input(n: int, seed: int):
    return (n + random.Random(seed).randrange(3),), {}
