"""Lists as sets: repeated, shared and missing items, and every choice of them."""

import itertools
from collections import Counter


def remove_duplicates(items: list[int]) -> list[int]:
    """A list without repeated items, first ones kept in order.

    Also: unique, distinct, dedupe keeping order.

    >>> remove_duplicates([3, 1, 3, 2, 1])
    [3, 1, 2]
    """
    return list(dict.fromkeys(items))


def remove_duplicate_words(words: list[str]) -> list[str]:
    """A list without repeated words, ignoring case, the first spelling kept.

    Also: unique words case-insensitive.

    >>> remove_duplicate_words(["Ab", "aB", "c"])
    ['Ab', 'c']
    """
    kept: dict[str, str] = {}
    for word in words:
        kept.setdefault(word.lower(), word)
    return list(kept.values())


def duplicates(items: list[int]) -> list[int]:
    """The items that occur more than once, each once, in order of first appearance.

    Also: find repeated items.

    >>> duplicates([1, 2, 1, 3, 2])
    [1, 2]
    """
    counts = Counter(items)
    return [item for item in counts if counts[item] > 1]


def has_duplicates(items: list[int]) -> bool:
    """Whether any item occurs more than once.

    Also: contains duplicate.

    >>> [has_duplicates([1, 2, 1]), has_duplicates([1, 2])]
    [True, False]
    """
    return len(set(items)) != len(items)


def intersection(first: list[int], second: list[int]) -> list[int]:
    """The distinct items of a list that are also in another, in the first one's order.

    Also: common items, shared.

    >>> intersection([1, 2, 2, 3], [3, 2])
    [2, 3]
    """
    wanted = set(second)
    return [item for item in dict.fromkeys(first) if item in wanted]


def union(first: list[int], second: list[int]) -> list[int]:
    """The distinct items of two lists in order of first appearance.

    Also: combine without repeats.

    >>> union([1, 2], [2, 3])
    [1, 2, 3]
    """
    return list(dict.fromkeys(first + second))


def difference(first: list[int], second: list[int]) -> list[int]:
    """The items of a list that are not in another.

    Also: subtract lists, exclude, remove all of.

    >>> difference([1, 2, 3, 2], [2])
    [1, 3]
    """
    unwanted = set(second)
    return [item for item in first if item not in unwanted]


def symmetric_difference(first: list[int], second: list[int]) -> list[int]:
    """The items that are in exactly one of two lists, ascending.

    Also: exclusive or of lists.

    >>> symmetric_difference([1, 2], [2, 3])
    [1, 3]
    """
    return sorted(set(first) ^ set(second))


def missing_number(numbers: list[int]) -> int:
    """The number from 0 to n that is missing from a list of n distinct ones.

    Also: find the missing number.

    >>> missing_number([3, 0, 1])
    2
    """
    return len(numbers) * (len(numbers) + 1) // 2 - sum(numbers)


def single_number(numbers: list[int]) -> int:
    """The number that occurs once where all others occur twice.

    Also: find the unpaired element.

    >>> single_number([4, 1, 2, 1, 2])
    4
    """
    found = 0
    for number in numbers:
        found ^= number
    return found


def majority_item(items: list[int]) -> int | None:
    """The item that makes up more than half of a list; None when there is none.

    Also: majority element.

    >>> [majority_item([2, 2, 1]), majority_item([1, 2])]
    [2, None]
    """
    for item, count in Counter(items).items():
        if count * 2 > len(items):
            return item
    return None


def majority_vote(ballots: list[str]) -> str:
    """The most frequent text of a list; ties go to the alphabetically first; empty for none.

    Also: winner of an election, most common item, mode of words.

    >>> [majority_vote(["b", "a", "b"]), majority_vote([])]
    ['b', '']
    """
    counts = Counter(ballots)
    return min(counts, key=lambda each: (-counts[each], each), default="")


def power_set(items: list[int]) -> list[list[int]]:
    """All subsets of a list, by size and then in order.

    Also: power set, subsets.

    >>> power_set([1, 2])
    [[], [1], [2], [1, 2]]
    """
    sizes = range(len(items) + 1)
    return [list(each) for size in sizes for each in itertools.combinations(items, size)]


def combinations_of(items: list[int], size: int) -> list[list[int]]:
    """All combinations of so many items, in order.

    Also: choose k of n.

    >>> combinations_of([1, 2, 3], 2)
    [[1, 2], [1, 3], [2, 3]]
    """
    return [list(each) for each in itertools.combinations(items, size)]


def permutations_of(items: list[int]) -> list[list[int]]:
    """All orders of the items of a list.

    Also: permutations.

    >>> permutations_of([1, 2])
    [[1, 2], [2, 1]]
    """
    return [list(each) for each in itertools.permutations(items)]


def cartesian_product(first: list[int], second: list[int]) -> list[list[int]]:
    """All pairs of an item of one list and an item of another.

    Also: cross product of lists.

    >>> cartesian_product([1, 2], [3])
    [[1, 3], [2, 3]]
    """
    return [[a, b] for a in first for b in second]
