"""Specifications with a reference each: a sentence, a few shown calls, and more that are hidden.

Each was written before anybody looked at how the generator decides about it.
"""

from collections.abc import Callable
from typing import Any

SHOWN = 4
CASES: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = []


def case(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A reference with its calls: the first `SHOWN` are the examples, the others are hidden."""

    def keep(reference: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((reference, list(calls)))
        return reference

    return keep


@case(("hello",), ("Ab",), ("x",), ("",), ("aa b",), ("Zz9",), ("  ",), ("été",))
def doubled_letters(text: str) -> str:
    """Write every character of the text twice in a row."""
    return "".join(letter * 2 for letter in text)


@case((3, 4), (1, 1), (10, 2), (7, 5), (0, 5), (100, 3), (2, 0))
def fence_length(width: int, height: int) -> int:
    """How much fence goes around a rectangular garden of the given width and height."""
    return 2 * (width + height)


@case((0,), (100,), (37,), (-40,), (25,), (10,), (-1,))
def to_fahrenheit(celsius: int) -> float:
    """Convert degrees Celsius to degrees Fahrenheit."""
    return celsius * 9 / 5 + 32


@case(
    (["ann", "Bob", "cy"],), (["x"],), (["Zoe", "al"],), (["to", "be", "or"],),
    ([],), (["A", "B"],), (["long name", "y"],),
)  # fmt: skip
def greet_all(names: list[str]) -> list[str]:
    """Put 'Hello ' before each of the names."""
    return [f"Hello {name}" for name in names]


@case(([1, 5, 2],), ([4, 4],), ([9, -3, 0],), ([7],), ([-1, -9],), ([0, 100, 50],), ([2, 2, 3],))
def spread(readings: list[int]) -> int:
    """The gap separating the biggest reading from the smallest one."""
    return max(readings) - min(readings)


@case(
    ("the cat sat",), ("one",), ("a bb ccc",), ("big red dog",),
    ("",), ("  two  spaces ",), ("x y z w",),
)  # fmt: skip
def shout_last(sentence: str) -> str:
    """Put the words of the sentence in capitals and hang an exclamation mark on the end."""
    return " ".join(sentence.upper().split()) + "!"


@case(
    ([3, 8, 1, 6], 5), ([1, 2], 9), ([10, 20], 5), ([5, 6], 5), ([], 1), ([-1, 0, 1], 0), ([7], 6)
)
def how_many_above(marks: list[int], limit: int) -> int:
    """How many marks lie strictly above the limit."""
    return sum(1 for mark in marks if mark > limit)


@case(
    ({"a": 3, "b": 9},), ({"x": 1},), ({"p": 2, "q": 5, "r": 4},), ({"m": -1, "n": -5},),
    ({"k": 0, "j": 10},), ({"zed": 7, "yam": 6},), ({"one": 1, "two": 2, "three": 3},),
)  # fmt: skip
def winner(votes: dict[str, int]) -> str:
    """Name the candidate who received the most votes (there is never a tie)."""
    return max(votes, key=lambda name: votes[name])


@case(("a-b-c",), ("x",), ("one-two",), ("-",), ("",), ("a--b",), ("end-",))
def kebab_to_snake(label: str) -> str:
    """Turn the dashes of a label into underscores."""
    return label.replace("-", "_")


@case(
    ([1, 2, 3, 4],), ([2],), ([5, 5, 6],), ([1, 3, 5],),
    ([],), ([0, -1, -2],), ([10, 11, 12, 13, 14],),
)  # fmt: skip
def odd_ones_out(numbers: list[int]) -> list[int]:
    """Leave out all even numbers."""
    return [number for number in numbers if number % 2]


@case(
    ("level up", "level down"), ("abc", "abd"), ("x", "y"), ("same", "same"),
    ("", ""), ("longer", "long"), ("a", ""), ("kitten", "kittens"),
)  # fmt: skip
def shared_start(left: str, right: str) -> int:
    """How many characters two texts have in common at the start."""
    count = 0
    for one, two in zip(left, right, strict=False):
        if one != two:
            break
        count += 1
    return count


@case((0,), (59,), (3661,), (86399,), (60,), (3600,), (45296,))
def clock(seconds: int) -> str:
    """Show a number of seconds as a clock HH:MM:SS with two digits each."""
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


@case(
    ([[1, 2], [3, 4]],), ([[5]],), ([[1, 0, 0], [0, 1, 0], [0, 0, 1]],), ([[2, 9], [9, 3]],),
    ([[0, 1], [1, 0]],), ([[-1, 5], [5, -2]],), ([[1, 2, 3], [4, 5, 6], [7, 8, 9]],),
)  # fmt: skip
def main_diagonal_total(square: list[list[int]]) -> int:
    """Add up what stands on the main diagonal of a square matrix."""
    return sum(row[at] for at, row in enumerate(square))


@case(
    ([1, 1, 2, 3, 3, 3],),
    ([4],),
    ([1, 2, 1],),
    ([7, 7, 7],),
    ([],),
    ([0, 0, 1, 1, 0],),
    ([5, 6, 6],),
)
def squeeze(items: list[int]) -> list[int]:
    """Collapse neighbouring equal items into a single one."""
    out: list[int] = []
    for item in items:
        if not out or out[-1] != item:
            out.append(item)
    return out


@case(
    ("user@example.com",), ("a@b.org",), ("x.y@mail.net",), ("me@home",),
    ("first.last@sub.domain.io",), ("q@q",), ("root@localhost",),
)  # fmt: skip
def mail_host(address: str) -> str:
    """Give the part of an e-mail address that stands behind the at sign '@'."""
    return address.split("@")[1]


@case((1,), (4,), (6,), (28,), (12,), (496,), (2,), (97,))
def equals_its_parts(number: int) -> bool:
    """Say whether the positive number is the sum of its proper divisors."""
    return number > 1 and sum(d for d in range(1, number) if number % d == 0) == number


@case(
    (["b", "a", "c"], ["c", "d"]), (["x"], []), ([], ["y"]), (["p", "q"], ["q", "p"]),
    (["m", "m"], ["n"]), ([], []), (["one", "two"], ["two"]),
)  # fmt: skip
def only_in_first(first: list[str], second: list[str]) -> list[str]:
    """The names on the first list that are missing from the second, in their order."""
    return [name for name in first if name not in second]


@case((5,), (1,), (3,), (8,), (0,), (2,), (12,))
def staircase(steps: int) -> int:
    """In how many ways can one climb the steps taking one or two at a time."""
    before, now = 1, 1
    for _ in range(steps - 1):
        before, now = now, before + now
    return now


@case(
    ("3 apples and 12 pears",), ("no digits",), ("7",), ("1a2b3",),
    ("",), ("10 20 30",), ("year 2024!",), ("x0y",),
)  # fmt: skip
def numbers_inside(text: str) -> list[int]:
    """Pull all whole numbers out of a text, left to right."""
    import re

    return [int(each) for each in re.findall(r"\d+", text)]


@case(([1, 2, 3],), ([10],), ([4, -4, 2],), ([0, 0],), ([],), ([5, 5, 5, 5],), ([-1, -2],))
def balance_after_each(payments: list[int]) -> list[int]:
    """The account balance after every payment, starting from nothing."""
    total, out = 0, []
    for payment in payments:
        total += payment
        out.append(total)
    return out


@case(
    ("2024-02-29",), ("2023-01-01",), ("2024-12-25",), ("2000-01-01",),
    ("1999-12-31",), ("2026-11-15",), ("1970-01-01",),
)  # fmt: skip
def day_name(date: str) -> str:
    """The English name of the weekday on which an ISO date falls."""
    from datetime import date as day

    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    return names[day.fromisoformat(date).weekday()]


@case(
    ("hello world",),
    ("a",),
    ("one two three",),
    ("Stay calm",),
    ("",),
    ("  x  y ",),
    ("ab cd ef gh",),
)
def mirror_words(line: str) -> str:
    """Spell each word backwards but leave the words where they are, one space apart."""
    return " ".join(word[::-1] for word in line.split())


@case(([5, 3, 8], 3), ([1, 2], 9), ([7, 7], 7), ([], 1), ([0], 0), ([4, 5, 6], 6), ([-1, -2], -2))
def where_is(items: list[int], wanted: int) -> int:
    """The place of the first such item counted from zero, or -1 if it is not there."""
    return items.index(wanted) if wanted in items else -1


@case(
    ({"a": 1}, {"a": 2, "b": 3}), ({}, {"x": 5}), ({"k": 4}, {}), ({"m": 1, "n": 2}, {"n": 3}),
    ({}, {}), ({"p": -1}, {"p": 1}), ({"a": 0}, {"b": 0}),
)  # fmt: skip
def pooled(mine: dict[str, int], yours: dict[str, int]) -> dict[str, int]:
    """Pour two tallies together, adding up the counts of keys that both have."""
    return {key: mine.get(key, 0) + yours.get(key, 0) for key in {**mine, **yours}}


@case(
    ("4111111111111111",), ("79927398713",), ("79927398710",), ("1234567812345678",),
    ("0",), ("18",), ("4012888888881881",), ("4012888888881882",),
)  # fmt: skip
def card_checksum_ok(digits: str) -> bool:
    """Check a card number by the Luhn formula."""
    total = 0
    for at, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if at % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


@case(
    ([2, 7, 11, 15], 9), ([3, 2, 4], 6), ([3, 3], 6), ([1, 2, 3], 7),
    ([], 0), ([0, 4, 3, 0], 0), ([-1, -2, -3, -4], -6), ([5], 5),
)  # fmt: skip
def pair_reaching(numbers: list[int], goal: int) -> list[int]:
    """Find the places of two numbers that together make the goal; an empty list if none do."""
    seen: dict[int, int] = {}
    for at, number in enumerate(numbers):
        if goal - number in seen:
            return [seen[goal - number], at]
        seen.setdefault(number, at)
    return []


@case(("aabbb",), ("x",), ("abcab",), ("zzz",), ("",), ("Aa",), ("a b a",), ("mississippi",))
def letter_tally(text: str) -> dict[str, int]:
    """For every character of the text, how often it appears."""
    tally: dict[str, int] = {}
    for letter in text:
        tally[letter] = tally.get(letter, 0) + 1
    return tally


@case((10,), (2,), (20,), (1,), (0,), (3,), (30,), (50,))
def primes_up_to(limit: int) -> list[int]:
    """List the primes not exceeding the limit."""
    return [n for n in range(2, limit + 1) if all(n % d for d in range(2, n))]


@case(
    ([[1, 2, 3], [4, 5, 6]],), ([[7]],), ([[1, 2], [3, 4]],), ([[1], [2], [3]],),
    ([[0, 1]],), ([[1, 2, 3], [4, 5, 6], [7, 8, 9]],), ([[5, 6], [7, 8], [9, 0]],),
)  # fmt: skip
def quarter_turn(picture: list[list[int]]) -> list[list[int]]:
    """Turn a picture (rows of pixels) a quarter of a full turn clockwise."""
    return [list(row) for row in zip(*picture[::-1], strict=True)]


@case(("one two two",), ("a a a",), ("x y",), ("No no",), ("",), ("it it is is",), ("b a b a",))
def first_repeated_word(text: str) -> str:
    """The first word that has already been seen before, ignoring case; empty if there is none."""
    seen = set()
    for word in text.lower().split():
        if word in seen:
            return word
        seen.add(word)
    return ""


@case((1234567,), (12,), (1000,), (0,), (-45000,), (999999,), (100,), (-7,))
def with_thousands_commas(amount: int) -> str:
    """Print the whole number with a comma between every three digits."""
    return f"{amount:,}"


@case(
    ([3, 1, 2], [1, 2, 3]), ([1], [1]), ([1, 2], [1, 1]), ([], [0]),
    ([], []), ([2, 2, 1], [1, 2, 2]), ([4, 5], [5, 4, 4]),
)  # fmt: skip
def same_bag(left: list[int], right: list[int]) -> bool:
    """Are the two lists the same when order does not matter but repetition does?"""
    return sorted(left) == sorted(right)


@case(
    ([100, 180, 260, 310, 40, 535, 695],), ([5, 4, 3],), ([1, 2, 3],), ([7, 1, 5, 3, 6, 4],),
    ([],), ([4],), ([2, 2, 2],), ([3, 8, 1, 9],),
)  # fmt: skip
def best_single_trade(prices: list[int]) -> int:
    """The largest gain from buying once and selling later at the listed prices, 0 if none."""
    best, low = 0, None
    for price in prices:
        low = price if low is None else min(low, price)
        best = max(best, price - low)
    return best


@case(
    ([0, 1, 0, 2, 1, 0, 1, 3],), ([3, 0, 3],), ([1, 2, 3],), ([4, 2, 0, 3, 2, 5],),
    ([],), ([5],), ([5, 0, 0, 5],), ([2, 0, 2],),
)  # fmt: skip
def rain_held(heights: list[int]) -> int:
    """How much rain water stays between walls of these heights."""
    return sum(
        max(0, min(max(heights[: at + 1]), max(heights[at:])) - height)
        for at, height in enumerate(heights)
    )


@case(("abcabcbb",), ("bbbbb",), ("pwwkew",), ("",), ("a",), ("abba",), ("dvdf",), ("tmmzuxt",))
def longest_stretch_without_repeats(text: str) -> int:
    """Length of the longest piece of the text in which no character comes twice."""
    start, best, last = 0, 0, {}
    for at, letter in enumerate(text):
        start = max(start, last.get(letter, -1) + 1)
        last[letter] = at
        best = max(best, at - start + 1)
    return best


@case(("Tom & <Jerry>",), ("plain",), ("a < b",), ('say "hi"',), ("",), ("&amp;",), ("x > y & z",))
def safe_for_html(text: str) -> str:
    """Escape a text so that it can stand in a web page."""
    import html

    return html.escape(text)


@case(
    ("#ff0080",), ("#000000",), ("#ffffff",), ("#102030",), ("#0a0b0c",), ("#7f7f7f",), ("#00ff00",)
)
def colour_parts(colour: str) -> list[int]:
    """Take a hexadecimal colour apart into red, green and blue from 0 to 255."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


@case(
    ([[1, 3], [2, 6]],), ([[0, 10]],), ([[1, 2], [5, 8]],), ([[4, 9], [1, 5], [8, 12]],),
    ([],), ([[1, 4], [2, 3]],), ([[10, 11], [1, 2]],), ([[0, 2], [2, 5]],),
)  # fmt: skip
def time_covered(shifts: list[list[int]]) -> int:
    """The total time during which at least one of the [start, end] shifts is running."""
    covered, reached = 0, None
    for start, end in sorted(shifts):
        start = start if reached is None else max(start, reached)
        covered += max(0, end - start)
        reached = end if reached is None else max(reached, end)
    return covered


@case(
    ({"name": "Ann", "age": 30}, "Dear {name}, you are {age}."), ({}, "plain"),
    ({"x": 1}, "{x}{x}"), ({"a": "b"}, "[{a}]"),
    ({"k": "v"}, "no field"), ({"who": "me"}, "it is {who}!"), ({"n": 0}, "{n}"),
)  # fmt: skip
def filled_in(values: dict[str, object], letter: str) -> str:
    """Fill the blanks {like_this} of a letter with the values of the same name."""
    return letter.format(**values)


@case(
    (["eat", "tea", "tan", "ate", "nat", "bat"],), (["x"],), (["ab", "ba", "abc"],),
    (["no", "on", "go"],), ([],), (["a", "a"],), (["cat", "dog", "act", "god"],),
)  # fmt: skip
def word_families(words: list[str]) -> list[list[str]]:
    """Put words made of the same letters together, families in order of first appearance."""
    families: dict[str, list[str]] = {}
    for word in words:
        families.setdefault("".join(sorted(word)), []).append(word)
    return list(families.values())
