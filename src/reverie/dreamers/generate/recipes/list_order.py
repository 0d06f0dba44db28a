"""Lists in order: sorted, searched, largest and smallest."""

import itertools
from collections import Counter


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
