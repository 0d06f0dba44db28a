"""The same work, done at once, done half as much again, and done wrong."""


def make_input(n: int, seed: int) -> "tuple[tuple[list[int]], dict[str, int]]":
    """Numbers that differ by seed."""
    return (list(range(seed % 1000, seed % 1000 + n)),), {}


def steady(numbers: "list[int]") -> int:
    """A sum of squares."""
    total = 0
    for number in numbers:
        total += number * number
    return total


def slowed(numbers: "list[int]") -> int:
    """The same, and half of it once more."""
    steady(numbers[: len(numbers) // 2])
    return steady(numbers)


def wrong(numbers: "list[int]") -> int:
    """The same, but for one."""
    return steady(numbers) + 1
