"""Choosing, ordering, searching and moving items of lists."""

import itertools
from collections import Counter


def move_to_front(items: list[str], chosen: str) -> list[str]:
    """A list with an item moved to the front; unchanged without it.

    Also: bring to the beginning.

    >>> [move_to_front(["b", "a", "c"], "c"), move_to_front(["a"], "z")]
    [['c', 'b', 'a'], ['a']]
    """
    if chosen not in items:
        return list(items)
    rest = list(items)
    rest.remove(chosen)
    return [chosen, *rest]


def move_to_end(items: list[str], chosen: str) -> list[str]:
    """A list with an item moved to the end; unchanged without it.

    Also: move to the back, last.

    >>> [move_to_end(["b", "a", "c"], "b"), move_to_end(["a"], "z")]
    [['a', 'c', 'b'], ['a']]
    """
    if chosen not in items:
        return list(items)
    rest = list(items)
    rest.remove(chosen)
    return [*rest, chosen]


def most_frequent_items(items: list[str], count: int) -> list[str]:
    """The most frequent items, most frequent first; equal ones as they first appear.

    Also: top, most common, popular, orders.

    >>> most_frequent_items(["a", "b", "b", "c", "c", "b"], 2)
    ['b', 'c']
    """
    return sorted(dict.fromkeys(items), key=lambda each: -items.count(each))[:count]


def least_frequent_item(items: list[str]) -> str:
    """The least frequent item; the first of equal ones.

    Also: rarest, least common.

    >>> least_frequent_item(["a", "b", "a"])
    'b'
    """
    return min(dict.fromkeys(items), key=items.count)


def sort_by_length_then_alphabet(words: list[str]) -> list[str]:
    """Words sorted by length, and those of the same length alphabetically.

    Also: short names first, ties in alphabetical order.

    >>> sort_by_length_then_alphabet(["bb", "a", "aa"])
    ['a', 'aa', 'bb']
    """
    return sorted(words, key=lambda each: (len(each), each))


def sort_ignoring_case(words: list[str]) -> list[str]:
    """Words in alphabetical order, ignoring case.

    Also: case-insensitive sort.

    >>> sort_ignoring_case(["b", "A", "C"])
    ['A', 'b', 'C']
    """
    return sorted(words, key=str.lower)


def containing_ignoring_case(texts: list[str], wanted: str) -> list[str]:
    """The texts that contain a wanted text, ignoring case.

    Also: search titles, filter, case-insensitive.

    >>> containing_ignoring_case(["Buy milk", "sell"], "BUY")
    ['Buy milk']
    """
    return [each for each in texts if wanted.lower() in each.lower()]


def missing_numbers_up_to(numbers: list[int], highest: int) -> list[int]:
    """The numbers from 1 to the highest that are not in a list, in order.

    Also: free seats, gaps, not taken.

    >>> missing_numbers_up_to([1, 3], 4)
    [2, 4]
    """
    return [each for each in range(1, highest + 1) if each not in numbers]


def second_smallest_or_none(numbers: list[int]) -> int | None:
    """The second smallest different number; None when there is no such number.

    Also: second lowest distinct value.

    >>> [second_smallest_or_none([3, 1, 2]), second_smallest_or_none([5, 5])]
    [2, None]
    """
    different = sorted(set(numbers))
    return different[1] if len(different) > 1 else None


def ranks_of(values: list[int]) -> list[int]:
    """The rank of each value, the highest being 1; equal values share a rank.

    Also: ranking, leaderboard places.

    >>> ranks_of([10, 30, 20, 30])
    [4, 1, 3, 1]
    """
    return [1 + sum(other > each for other in values) for each in values]


def sorting_order(values: list[int]) -> list[int]:
    """The positions of the values from smallest to largest.

    Also: argsort, indices that sort.

    >>> sorting_order([30, 10, 20])
    [1, 2, 0]
    """
    return sorted(range(len(values)), key=values.__getitem__)


def positions_of(items: list[int], wanted: int) -> list[int]:
    """All positions at which an item stands, counted from zero.

    Also: every index, occurrences.

    >>> positions_of([1, 2, 1], 1)
    [0, 2]
    """
    return [at for at, each in enumerate(items) if each == wanted]


def split_at_value(items: list[int], separator: int) -> list[list[int]]:
    """A list cut into parts at every separator, which is left out.

    Also: split list on value.

    >>> split_at_value([1, 0, 2, 3], 0)
    [[1], [2, 3]]
    """
    parts: list[list[int]] = [[]]
    for each in items:
        if each == separator:
            parts.append([])
        else:
            parts[-1].append(each)
    return parts


def appearing_at_least(items: list[str], times: int) -> list[str]:
    """The items that appear at least so many times, as they first appear.

    Also: repeated, frequent enough.

    >>> appearing_at_least(["a", "b", "a"], 2)
    ['a']
    """
    return [each for each in dict.fromkeys(items) if items.count(each) >= times]


def is_subset(part: list[int], whole: list[int]) -> bool:
    """Whether every item of one list is in another.

    Also: all contained, subset.

    >>> [is_subset([1], [1, 2]), is_subset([3], [1, 2])]
    [True, False]
    """
    return set(part) <= set(whole)


def closest_to(numbers: list[int], target: int) -> int:
    """The number closest to a target; the first of equally close ones.

    Also: nearest value.

    >>> closest_to([1, 5, 9], 6)
    5
    """
    return min(numbers, key=lambda each: abs(each - target))


def running_averages(numbers: list[int]) -> list[float]:
    """The average of the numbers so far, after each one.

    Also: cumulative mean.

    >>> running_averages([2, 4, 6])
    [2.0, 3.0, 4.0]
    """
    return [sum(numbers[:end]) / end for end in range(1, len(numbers) + 1)]


def sum_of_even_numbers(numbers: list[int]) -> int:
    """The sum of the even numbers.

    Also: add up the even ones.

    >>> sum_of_even_numbers([1, 2, 4])
    6
    """
    return sum(each for each in numbers if each % 2 == 0)


def sum_of_odd_numbers(numbers: list[int]) -> int:
    """The sum of the odd numbers.

    Also: add up the odd ones.

    >>> sum_of_odd_numbers([1, 2, 3])
    4
    """
    return sum(each for each in numbers if each % 2)


def distinct_descending(numbers: list[int]) -> list[int]:
    """The different numbers from high to low, each only once.

    Also: unique, largest first, descending.

    >>> distinct_descending([1, 3, 3, 2])
    [3, 2, 1]
    """
    return sorted(set(numbers), reverse=True)


def occurring_once(items: list[int]) -> list[int]:
    """The items that occur exactly once, in their order.

    Also: not repeated, without those that appear several times.

    >>> occurring_once([1, 2, 1, 3])
    [2, 3]
    """
    return [each for each in items if items.count(each) == 1]


def whole_times(big: int, small: int) -> int:
    """How often a small number fits into a big one; 0 when the small one is 0.

    Also: whole number of times, integer division.

    >>> [whole_times(10, 3), whole_times(5, 0)]
    [3, 0]
    """
    return big // small if small else 0


def is_sorted(items: list[int]) -> bool:
    """Whether a list is in ascending order.

    Also: non-decreasing, is ordered.

    >>> [is_sorted([1, 2, 2]), is_sorted([2, 1])]
    [True, False]
    """
    return all(a <= b for a, b in itertools.pairwise(items))


def second_largest(numbers: list[int]) -> int | None:
    """The second largest distinct number; None when there are fewer than two.

    Also: runner-up.

    >>> [second_largest([4, 1, 4, 3]), second_largest([5, 5])]
    [3, None]
    """
    ordered = sorted(set(numbers))
    return ordered[-2] if len(ordered) > 1 else None


def second_smallest(numbers: list[int]) -> int | None:
    """The second smallest distinct number; None when there are fewer than two.

    Also: second lowest.

    >>> second_smallest([4, 1, 1, 3])
    3
    """
    ordered = sorted(set(numbers))
    return ordered[1] if len(ordered) > 1 else None


def largest_items(numbers: list[int], count: int) -> list[int]:
    """The largest numbers of a list, in descending order.

    Also: top n, k largest.

    >>> largest_items([4, 1, 3], 2)
    [4, 3]
    """
    return sorted(numbers, reverse=True)[:count]


def smallest_items(numbers: list[int], count: int) -> list[int]:
    """The smallest numbers of a list, in ascending order.

    Also: bottom n, k smallest.

    >>> smallest_items([4, 1, 3], 2)
    [1, 3]
    """
    return sorted(numbers)[:count]


def index_of_largest(numbers: list[int]) -> int:
    """The position of the largest number; the first of equals.

    Also: argmax.

    >>> index_of_largest([1, 5, 5])
    1
    """
    return max(range(len(numbers)), key=numbers.__getitem__)


def index_of_smallest(numbers: list[int]) -> int:
    """The position of the smallest number; the first of equals.

    Also: argmin.

    >>> index_of_smallest([3, 1, 1])
    1
    """
    return min(range(len(numbers)), key=numbers.__getitem__)


def binary_search(items: list[int], wanted: int) -> int:
    """The position of an item in an ascending list; -1 when it is not there.

    Also: binary search.

    >>> [binary_search([1, 3, 5], 3), binary_search([1, 3, 5], 4)]
    [1, -1]
    """
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(items) and items[low] == wanted else -1


def find_position(items: list[int], wanted: int) -> int:
    """The first position of an item in a list; -1 when it is not there.

    Also: index of, linear search.

    >>> [find_position([4, 5], 5), find_position([4, 5], 6)]
    [1, -1]
    """
    return items.index(wanted) if wanted in items else -1


def insert_position(items: list[int], wanted: int) -> int:
    """Where an item would go in an ascending list.

    Also: search insert position, bisect.

    >>> [insert_position([1, 3, 5], 4), insert_position([1, 3, 5], 3)]
    [2, 1]
    """
    from bisect import bisect_left

    return bisect_left(items, wanted)


def sort_by_length(words: list[str]) -> list[str]:
    """Words sorted by length, equal lengths in their order.

    Also: order by length, shortest first.

    >>> sort_by_length(["ccc", "a", "bb"])
    ['a', 'bb', 'ccc']
    """
    return sorted(words, key=len)


def sort_by_frequency(items: list[int]) -> list[int]:
    """The items sorted by how often they occur, most frequent first, then ascending.

    Also: frequency sort.

    >>> sort_by_frequency([1, 2, 2, 3])
    [2, 2, 1, 3]
    """
    counts = Counter(items)
    return sorted(items, key=lambda item: (-counts[item], item))
