"""Twenty-five more, written after the mending that `everyday.py` led to; many carry a trap.

A trap is something that the sentence says and no shown example shows.
"""

from collections.abc import Callable
from typing import Any

CASES: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = []


def case(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A reference with its calls: the first four are the examples, the others are hidden."""

    def keep(reference: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((reference, list(calls)))
        return reference

    return keep


@case(([3, 1, 2],), ([9],), ([4, 4],), ([1, 5, 3],), ([],), ([-2, -7],))
def largest_or_zero(numbers: list[int]) -> int:
    """The largest number of the list, or 0 when the list is empty."""
    return max(numbers, default=0)


@case((["b", "a"],), (["x"],), (["c", "b", "a"],), (["m", "n"],), (["B", "a"],), (["a", "A", "b"],))
def sorted_ignoring_case(names: list[str]) -> list[str]:
    """Sort the names alphabetically without regard to upper and lower case."""
    return sorted(names, key=str.lower)


@case(("a,b",), ("x",), ("1,2,3",), ("q,r",), ("a,,b",), (",",), ("",))
def fields_that_are_filled(line: str) -> list[str]:
    """The fields of a line separated by commas, without the empty ones."""
    return [field for field in line.split(",") if field]


@case(([5, 3, 9],), ([1, 2],), ([7],), ([8, 2, 4],), ([3, 3, 1, 1],), ([10, 0],))
def from_high_to_low(scores: list[int]) -> list[int]:
    """The scores from high to low, each only once."""
    return sorted(set(scores), reverse=True)


@case((10, 3), (7, 7), (20, 6), (9, 2), (5, 0), (0, 4), (8, 0))
def how_often_it_fits(big: int, small: int) -> int:
    """How often the small number fits into the big one; 0 when the small number is 0."""
    return big // small if small else 0


@case(("anna",), ("bob",), ("cat",), ("noon",), ("Anna",), ("",), ("ab",), ("Noon",))
def same_backwards(word: str) -> bool:
    """Whether the word is the same backwards; upper and lower case are different."""
    return word == word[::-1]


@case(([1, 2, 3, 4],), ([2, 4],), ([1, 3],), ([6],), ([],), ([0, -2, 5],), ([7, 7],))
def sum_of_even_ones(numbers: list[int]) -> int:
    """The sum of the even numbers."""
    return sum(number for number in numbers if number % 2 == 0)


@case((["ann", "bob"], "-"), (["x"], "+"), (["a", "b", "c"], ", "), (["q", "r"], ""), ([], ";"))
def glued(parts: list[str], glue: str) -> str:
    """Put the parts together with the glue between them."""
    return glue.join(parts)


@case(([2, 4, 6], 4), ([1, 2], 3), ([5], 5), ([9, 8, 7], 8), ([3, 3, 3], 3), ([], 1))
def at_or_below(values: list[int], limit: int) -> int:
    """How many values are not greater than the limit."""
    return sum(value <= limit for value in values)


@case(
    ({"a": 2, "b": 3},), ({"x": 1},), ({"p": 5, "q": 5},), ({"m": 0, "n": 4},), ({},), ({"z": -1},)
)
def total_stock(stock: dict[str, int]) -> int:
    """How many pieces of all goods together are in stock."""
    return sum(stock.values())


@case(
    ({"a": 2, "b": 0},), ({"x": 1},), ({"p": 0, "q": 0},), ({"m": 3, "n": 4},), ({},), ({"k": -1},)
)
def sold_out(stock: dict[str, int]) -> list[str]:
    """The names of the goods of which nothing is left, in alphabetical order."""
    return sorted(name for name, count in stock.items() if count == 0)


@case(("hello world",), ("one",), ("a b c",), ("red fox",), ("",), ("  two  gaps ",))
def first_word_only(text: str) -> str:
    """The first word of the text, or an empty text when it has no word."""
    words = text.split()
    return words[0] if words else ""


@case(([1, 2, 3],), ([5, 5],), ([2],), ([4, 8, 12],), ([1, 1, 2],), ([0, 10],))
def middle_of_range(numbers: list[int]) -> float:
    """Half way between the smallest and the largest number."""
    return (min(numbers) + max(numbers)) / 2


@case((3,), (1,), (0,), (5,), (2,), (8,))
def countdown(start: int) -> list[int]:
    """The numbers from start down to 1."""
    return list(range(start, 0, -1))


@case(("ab12",), ("x",), ("7",), ("a1b2",), ("",), ("Z-9_",), ("é5",))
def letters_then_digits(code: str) -> str:
    """All letters of the code followed by all of its digits."""
    letters = [each for each in code if each.isalpha()]
    digits = [each for each in code if each.isdigit()]
    return "".join(letters + digits)


@case(
    ([1, 2, 3], 2), ([5, 6], 1), ([7], 1), ([1, 2, 3, 4], 3), ([1, 2], 5), ([], 2), ([9, 8, 7], 0)
)
def without_last_ones(items: list[int], count: int) -> list[int]:
    """The list without its last so many items."""
    return items[: max(0, len(items) - count)]


@case(
    ([[1, "a"], [2, "b"]],), ([[3, "c"]],), ([[5, "x"], [4, "y"]],), ([],), ([[1, "p"], [1, "q"]],)
)
def second_parts(pairs: list[list[object]]) -> list[object]:
    """The second part of every pair."""
    return [pair[1] for pair in pairs]


@case(
    (["dog", "cat"], ["cat"]),
    (["a"], ["b"]),
    (["x", "y", "x"], ["x"]),
    ([], ["q"]),
    (["p", "q"], []),
)
def not_on_list(names: list[str], banned: list[str]) -> list[str]:
    """The names that are not banned."""
    return [name for name in names if name not in banned]


@case((5, 2), (3, 3), (2, 9), (10, 4), (-1, 1), (0, 0))
def gap(left: int, right: int) -> int:
    """How far two numbers are apart."""
    return abs(left - right)


@case(([1, 3, 2],), ([5],), ([4, 4],), ([2, 9, 9],), ([7, 7, 7, 1],), ([0, -1],))
def times_of_maximum(values: list[int]) -> int:
    """How many times the highest value occurs."""
    return values.count(max(values))


@case(
    (["3", "x", "5"],),
    (["1"],),
    (["a", "b"],),
    (["10", "2", "z"],),
    ([],),
    (["-4", "7"],),
    (["1.5"],),
)
def sum_of_whole_numbers(words: list[str]) -> int:
    """Add up the words that are whole numbers, also negative ones; leave out the others."""
    return sum(int(word) for word in words if word.lstrip("-").isdigit())


@case(("2024-05-01", "2024-05-03"), ("2024-01-01", "2024-01-01"), ("2023-12-31", "2024-01-02"),
      ("2024-02-27", "2024-03-01"), ("2024-05-03", "2024-05-01"), ("2023-02-27", "2023-03-01"),
)  # fmt: skip
def nights_booked(arrival: str, departure: str) -> int:
    """How many nights lie between arrival and departure, never less than 0."""
    from datetime import date

    nights = (date.fromisoformat(departure) - date.fromisoformat(arrival)).days
    return max(0, nights)


@case((["a", "b", "c"], 1), (["x", "y"], 0), (["p"], 0), (["m", "n", "o"], 2), (["q"], 5), ([], 0))
def at_or_nothing(items: list[str], position: int) -> str:
    """The item at the position counted from zero, or an empty text when there is none."""
    return items[position] if 0 <= position < len(items) else ""


@case(([4, 2, 4],), ([1],), ([3, 3, 5],), ([7, 8],), ([6, 6, 6],), ([9, 1, 9, 1],), ([],))
def only_once(numbers: list[int]) -> list[int]:
    """The numbers that occur exactly once, in their order."""
    return [number for number in numbers if numbers.count(number) == 1]


@case(("the end",), ("Stop",), ("a b",), ("wow",), ("Done.",), ("really?",), ("",))
def with_full_stop(sentence: str) -> str:
    """The sentence with a full stop at its end, unless it ends with . ! or ? already."""
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
