"""Forty more specifications of what people need at work, written as those of `blind.py` were."""

import math
import re
from collections.abc import Callable
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

CASES: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = []


def case(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A reference with its calls: the first four are the examples, the others are hidden."""

    def keep(reference: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((reference, list(calls)))
        return reference

    return keep


@case((100, 20), (50, 10), (80, 25), (10, 100), (60, 0), (200, 5), (1, 50))
def price_after_discount(price: int, percent: int) -> float:
    """The price that is left after a discount of the given percentage."""
    return price * (100 - percent) / 100


@case((["a@x.com", "b@y.org"],), (["q@x.com"],), (["m@a.de", "n@a.de"],), ([],),
      (["x@one.net", "y@two.net", "z@one.net"],), (["k@k.k"],))  # fmt: skip
def mail_domains(addresses: list[str]) -> list[str]:
    """The domains of the e-mail addresses, each once, in alphabetical order."""
    return sorted({address.split("@")[1] for address in addresses})


@case((3661,), (59,), (60,), (7325,), (0,), (86399,), (600,))
def hours_minutes(seconds: int) -> str:
    """Write a number of seconds as hours and minutes, like 1h 01m, leaving the seconds off."""
    return f"{seconds // 3600}h {seconds % 3600 // 60:02d}m"


@case((["b", "a", "c"], "b"), (["x", "y"], "y"), (["one"], "one"), (["p", "q", "r"], "r"),
      (["m", "n", "o", "m"], "m"), (["a", "b"], "z"))  # fmt: skip
def moved_to_front(items: list[str], chosen: str) -> list[str]:
    """The list with the chosen item moved to the front; unchanged when it is not in the list."""
    if chosen not in items:
        return list(items)
    rest = list(items)
    rest.remove(chosen)
    return [chosen, *rest]


@case(([3, 1, 2],), ([5, 5],), ([9],), ([4, 8, 6, 2],), ([-1, 0, 1],), ([10, 7, 7, 3],))
def second_smallest_or_none(numbers: list[int]) -> int | None:
    """The second smallest different number, or None when there is no such number."""
    different = sorted(set(numbers))
    return different[1] if len(different) > 1 else None


@case(("2024-01-31",), ("2023-12-25",), ("2024-02-28",), ("2024-06-30",), ("2023-02-28",),
      ("2024-12-31",), ("2024-02-29",))  # fmt: skip
def next_day(day: str) -> str:
    """The date of the day after the given date, both written as YYYY-MM-DD."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


@case(("report.final.pdf",), ("photo.JPG",), ("README",), ("archive.tar.gz",), (".bashrc",),
      ("a.b.c",), ("noext.",))  # fmt: skip
def file_ending(name: str) -> str:
    """The part of a file name after its last dot in lower case, or an empty text without a dot."""
    return name.rpartition(".")[2].lower() if "." in name else ""


@case((["alice", "bob"], [3, 5]), (["x"], [1]), ([], []), (["k", "l", "m"], [7, 8, 9]),
      (["p", "q"], [0, 0]), (["a", "a"], [1, 2]))  # fmt: skip
def name_to_score(names: list[str], scores: list[int]) -> dict[str, int]:
    """A dictionary from each name to the score at the same position."""
    return dict(zip(names, scores, strict=False))


@case(([1, 2, 3, 4, 5], 2), ([1, 2, 3], 1), ([7, 8, 9], 3), ([4, 5], 0), ([1, 2, 3, 4], 6),
      ([], 2), ([6], 1))  # fmt: skip
def rotated_left(items: list[int], steps: int) -> list[int]:
    """Rotate the list to the left by the given number of steps."""
    if not items:
        return []
    at = steps % len(items)
    return items[at:] + items[:at]


@case((["buy milk", "BUY eggs", "sell car"], "buy"), (["Hi", "there"], "hi"), (["x"], "q"),
      (["Inbox", "in box"], "IN"), ([], "a"), (["Able", "cable", "ABLE"], "able"))  # fmt: skip
def titles_containing(titles: list[str], wanted: str) -> list[str]:
    """The titles that contain the wanted text, ignoring case."""
    return [title for title in titles if wanted.lower() in title.lower()]


@case((1234,), (0,), (7,), (999,), (10203,), (-45,), (100000,))
def digit_total(number: int) -> int:
    """The sum of the decimal digits of the number, without its sign."""
    return sum(map(int, str(abs(number))))


@case(([12, 5, 8], 10), ([1, 2], 5), ([10, 20, 30], 10), ([], 3), ([11, 11, 9], 10), ([100], 99))
def over_limit_total(amounts: list[int], limit: int) -> int:
    """The sum of the amounts that are greater than the limit."""
    return sum(amount for amount in amounts if amount > limit)


@case(("the cat sat",), ("one",), ("a bb ccc dd",), ("red green blue",), ("to be or not",),
      ("same size word",))  # fmt: skip
def longest_word_length(sentence: str) -> int:
    """The number of letters of the longest word of the sentence."""
    return max(map(len, sentence.split()))


@case((10, 1, 5), (0, 1, 5), (3, 1, 5), (-4, -2, 2), (7, 7, 7), (100, 0, 255), (256, 0, 255))
def held_between(value: int, lowest: int, highest: int) -> int:
    """The value, but never below the lowest and never above the highest allowed value."""
    return max(lowest, min(value, highest))


@case(([1, 2, 3], [4, 5, 6]), ([0], [9]), ([2, 2], [3, 4]), ([1, -1], [5, 5]), ([], []),
      ([10, 20], [1, 2]))  # fmt: skip
def weighted_total(values: list[int], weights: list[int]) -> int:
    """Multiply every value with its weight and add up the products."""
    return sum(value * weight for value, weight in zip(values, weights, strict=False))


@case(("a=1;b=2",), ("x=hello",), ("k=v;m=n;o=p",), ("q=",), ("one=1;two=22",), ("z=0;z=1",))
def settings_of_line(line: str) -> dict[str, str]:
    """Read a line like name=value;other=thing into a dictionary of names and values."""
    return dict(part.split("=", 1) for part in line.split(";"))


@case((2024, 2), (2023, 2), (2024, 4), (2023, 12), (1900, 2), (2000, 2), (2021, 11))
def days_of_month(year: int, month: int) -> int:
    """How many days the given month of the given year has."""
    first = date(year, month, 1)
    after = date(year + month // 12, month % 12 + 1, 1)
    return (after - first).days


@case(([[1, 2], [3]],), ([[4, 5, 6]],), ([[], [7]],), ([[8], [9, 9], [1]],), ([],), ([[], []],))
def all_in_one(groups: list[list[int]]) -> list[int]:
    """All numbers of all groups in one list."""
    return [number for group in groups for number in group]


@case((["pear", "fig", "apple"],), (["bb", "a"],), (["same", "size"],), (["x"],),
      (["dddd", "cc", "bb", "a"],), ([],))  # fmt: skip
def short_names_first(names: list[str]) -> list[str]:
    """Sort the names by length, and names of the same length alphabetically."""
    return sorted(names, key=lambda name: (len(name), name))


@case(("+49 (30) 123-456",), ("555 1234",), ("12",), ("tel: 0800-11 22",), ("",), ("(0)1/2.3",))
def only_digits(phone: str) -> str:
    """Keep only the digits of a phone number."""
    return "".join(letter for letter in phone if letter.isdigit())


@case(([3, 5, 2, 8],), ([1],), ([9, 9, 1],), ([2, 4, 6],), ([-3, -1, -2],), ([0, 0, 5, 5],))
def place_of_highest(values: list[int]) -> int:
    """The position of the highest value, counted from zero; the first one if several are equal."""
    return values.index(max(values))


@case(("level",), ("Noon",), ("abc",), ("A man a plan",), ("Was it a car or a cat I saw",),
      ("",), ("No lemon, no melon",), ("almost tsomla!",))  # fmt: skip
def reads_both_ways(text: str) -> bool:
    """Whether the text reads the same backwards, looking only at letters and ignoring case."""
    letters = [letter.lower() for letter in text if letter.isalpha()]
    return letters == letters[::-1]


@case((1.005, 2), (2.5, 0), (3.14159, 3), (10.0, 1), (0.125, 2), (2.675, 1), (99.99, 1))
def cut_off(number: float, digits: int) -> float:
    """Cut the number off after so many digits behind the point, without rounding."""
    scale = 10**digits
    return math.trunc(number * scale) / scale


@case(([5, 3, 8, 1],), ([2, 2],), ([1],), ([10, 4, 6],), ([7, 1, 7, 2],), ([-1, -5, 0],))
def biggest_drop(prices: list[int]) -> int:
    """The biggest fall from one price to the very next one, or 0 when no price falls."""
    falls = [one - two for one, two in pairwise(prices)]
    return max([0, *falls])


@case(("hello world",), ("a-b c",), ("Python is fun",), ("x",), ("two  spaces",), ("ALREADY UP",))
def initials(name: str) -> str:
    """The first letters of all words in upper case, each followed by a dot."""
    return "".join(f"{word[0].upper()}." for word in name.split())


@case(([4, 8, 15, 16, 23, 42], 4), ([1, 2, 3], 2), ([5], 3), ([1, 2, 3, 4], 2), ([], 3),
      ([9, 8, 7, 6, 5], 2), ([1, 2], 5))  # fmt: skip
def pages(items: list[int], size: int) -> list[list[int]]:
    """Split the items into pages of the given size; the last page may be shorter."""
    return [items[at : at + size] for at in range(0, len(items), size)]


@case((["v1.2.10", "v1.2.9"],), (["v2.0.0", "v10.0.0"],), (["v0.1.0"],),
      (["v1.0.0", "v1.0.1", "v0.9.9"],), (["v3.1.4", "v3.1.5", "v3.0.9"],),
      (["v1.10.0", "v1.9.99"],))  # fmt: skip
def newest_version(versions: list[str]) -> str:
    """The newest of the versions written like v1.2.10, compared number by number."""
    return max(versions, key=lambda each: [int(part) for part in each[1:].split(".")])


@case((["10:00", "10:30"],), (["08:15", "09:00"],), (["00:00", "23:59"],), (["12:00", "12:00"],),
      (["06:45", "18:15"],), (["09:59", "10:01"],))  # fmt: skip
def minutes_between(times: list[str]) -> int:
    """How many minutes lie between the first and the second time of the day, both HH:MM."""
    start, end = (int(each[:2]) * 60 + int(each[3:]) for each in times)
    return end - start


@case(("password1",), ("Secret12!",), ("short",), ("NoDigitsHere",), ("Aa1aaaaa",), ("12345678",),
      ("aB3aB3aB",), ("ALLCAPS99",))  # fmt: skip
def is_strong_password(password: str) -> bool:
    """Whether the password has at least 8 characters, an upper-case letter and a digit."""
    has_upper = any(letter.isupper() for letter in password)
    has_digit = any(letter.isdigit() for letter in password)
    return len(password) >= 8 and has_upper and has_digit


@case(([[1, 2], [3, 4]],), ([[5, 6, 7]],), ([[1], [2], [3]],), ([[0, 0], [1, 1]],), ([[9]],),
      ([[1, 2, 3], [4, 5, 6], [7, 8, 9]],))  # fmt: skip
def column_totals(table: list[list[int]]) -> list[int]:
    """The sum of every column of the table."""
    return [sum(column) for column in zip(*table, strict=True)]


@case(("3d4h",), ("2h",), ("1d",), ("10d12h",), ("0d5h",), ("30d",), ("23h",))
def total_hours(period: str) -> int:
    """How many hours a period written like 3d4h is, a day having 24 hours."""
    parts = {unit: int(count) for count, unit in re.findall(r"(\d+)([dh])", period)}
    return parts.get("d", 0) * 24 + parts.get("h", 0)


@case((["a", "b", "a", "c", "b", "a"], 2), (["x", "y"], 1), (["q", "q", "r"], 1), (["m"], 1),
      (["one", "two", "two", "three", "three", "three"], 2), ([], 3))  # fmt: skip
def most_wanted(orders: list[str], count: int) -> list[str]:
    """The most frequent orders, the most frequent first and equal ones as they first appear."""
    first = list(dict.fromkeys(orders))
    return sorted(first, key=lambda each: -orders.count(each))[:count]


@case(([100, 110, 121],), ([50, 25],), ([10, 10, 10],), ([200, 100, 150],), ([4, 5],), ([8],))
def growth_percentages(values: list[int]) -> list[float]:
    """By how many percent each value is larger than the one before it."""
    return [(new - old) / old * 100 for old, new in pairwise(values)]


@case(([[1, 3], [2, 6], [8, 10]],), ([[1, 4], [4, 5]],), ([[5, 6]],), ([[1, 2], [3, 4]],), ([],),
      ([[6, 8], [1, 9], [2, 4]],), ([[1, 4], [0, 2], [3, 5]],))  # fmt: skip
def merged_bookings(bookings: list[list[int]]) -> list[list[int]]:
    """Merge bookings [start, end] that overlap or touch, in order of their start."""
    merged: list[list[int]] = []
    for start, end in sorted(bookings):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


@case(("first,second,third",), ('"a,b",c',), ("x",), ('1,"2 3",4',), ('"",y',), ('a,"b ""c"" d"',),
      ("p,,q",))  # fmt: skip
def csv_fields(line: str) -> list[str]:
    """The fields of one line of CSV; a field in quotes may hold commas."""
    import csv

    return next(csv.reader([line]))


@case((5,), (1,), (0,), (10,), (16,), (255,), (2,))
def ones_in_binary(number: int) -> int:
    """How many ones the number has when it is written in binary."""
    return number.bit_count()


@case(([1, 2, 4], 5), ([2, 3], 4), ([1], 3), ([1, 3], 3), ([4, 2, 5], 6), ([], 2), ([2], 1))
def missing_seats(taken: list[int], seats: int) -> list[int]:
    """The numbers from 1 to the number of seats that are not taken, in order."""
    return [seat for seat in range(1, seats + 1) if seat not in taken]


@case(({"a": 1, "b": 2}, {"b": 3, "c": 4}), ({}, {"x": 1}), ({"k": 0}, {"k": 0}),
      ({"m": 1}, {"m": 2}), ({"p": 1, "q": 2}, {}), ({"z": 5, "y": 6}, {"y": 6, "z": 7}),
)  # fmt: skip
def changed_keys(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """The names in alphabetical order that are in both dictionaries with different values."""
    return sorted(key for key in before if key in after and before[key] != after[key])


@case(("/home/me/../you/./file",), ("/a/b",), ("/x/../y",), ("/",), ("/a/./b/../../c",), ("/../q",),
      ("/a//b/",))  # fmt: skip
def plain_path(path: str) -> str:
    """The absolute path without . and .. and without double slashes."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


@case((1000, 5, 2), (200, 10, 1), (100, 0, 10), (500, 3, 3), (50, 100, 2), (1, 1, 1), (1200, 7, 4))
def with_interest(amount: int, percent: int, years: int) -> float:
    """What an amount has grown to after so many years of compound interest, to two digits."""
    return round(amount * (1 + percent / 100) ** years, 2)
