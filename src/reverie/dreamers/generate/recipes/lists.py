"""Lists: cut, turned, merged, flattened, and seen as sets."""

import itertools
from collections import Counter


def flatten_once(lists: list[list[int]]) -> list[int]:
    """The items of several lists in one list.

    Also: flatten one level, concatenate lists.

    >>> flatten_once([[1, 2], [3]])
    [1, 2, 3]
    """
    return [item for each in lists for item in each]


def flatten_deep(items: list) -> list:  # type: ignore[type-arg]
    """An arbitrarily nested list as one list.

    Also: deep flatten, recursive.

    >>> flatten_deep([1, [2, [3]], 4])
    [1, 2, 3, 4]
    """
    flat = []
    for item in items:
        flat.extend(flatten_deep(item) if isinstance(item, list) else [item])
    return flat


def nesting_depth(items: list) -> int:  # type: ignore[type-arg]
    """How deeply a list is nested; a flat list has depth 1.

    Also: depth of nested lists.

    >>> nesting_depth([1, [2, [3]]])
    3
    """
    return 1 + max((nesting_depth(each) for each in items if isinstance(each, list)), default=0)


def chunks(items: list[int], size: int) -> list[list[int]]:
    """A list cut into consecutive chunks of a size; the last may be shorter.

    Also: split into batches, groups of n.

    >>> chunks([1, 2, 3, 4, 5], 2)
    [[1, 2], [3, 4], [5]]
    """
    return [items[at : at + size] for at in range(0, len(items), size)]


def sliding_windows(items: list[int], size: int) -> list[list[int]]:
    """All consecutive windows of a size.

    Also: moving window, n-grams of a list.

    >>> sliding_windows([1, 2, 3, 4], 2)
    [[1, 2], [2, 3], [3, 4]]
    """
    return [items[at : at + size] for at in range(len(items) - size + 1)]


def rotate_right(items: list[int], places: int) -> list[int]:
    """A list rotated to the right by a number of places.

    Also: cyclic shift right.

    >>> [rotate_right([1, 2, 3], 1), rotate_right([], 3)]
    [[3, 1, 2], []]
    """
    if not items:
        return []
    cut = -places % len(items)
    return items[cut:] + items[:cut]


def rotate_left(items: list[int], places: int) -> list[int]:
    """A list rotated to the left by a number of places.

    Also: cyclic shift left.

    >>> rotate_left([1, 2, 3], 1)
    [2, 3, 1]
    """
    if not items:
        return []
    cut = places % len(items)
    return items[cut:] + items[:cut]


def interleave(first: list[int], second: list[int]) -> list[int]:
    """The items of two lists in turn; what is left over comes at the end.

    Also: alternate items, zip merge, weave.

    >>> interleave([1, 3, 5], [2, 4])
    [1, 2, 3, 4, 5]
    """
    size = min(len(first), len(second))
    mixed = [item for pair in zip(first, second, strict=False) for item in pair]
    return mixed + first[size:] + second[size:]


def merge_sorted(first: list[int], second: list[int]) -> list[int]:
    """Two ascending lists merged into one ascending list.

    Also: merge step of merge sort.

    >>> merge_sorted([1, 3], [2, 4])
    [1, 2, 3, 4]
    """
    return sorted(first + second)


def move_zeros_to_end(numbers: list[int]) -> list[int]:
    """A list with its zeros moved to the end.

    Also: shift zeros right.

    >>> move_zeros_to_end([0, 1, 0, 3])
    [1, 3, 0, 0]
    """
    kept = [number for number in numbers if number != 0]
    return kept + [0] * (len(numbers) - len(kept))


def partition_even_odd(numbers: list[int]) -> list[list[int]]:
    """The even numbers and the odd numbers, in order.

    Also: split by parity.

    >>> partition_even_odd([1, 2, 3, 4])
    [[2, 4], [1, 3]]
    """
    return [[n for n in numbers if n % 2 == 0], [n for n in numbers if n % 2]]


def every_nth(items: list[int], step: int) -> list[int]:
    """Every so-many-th item of a list, beginning with the first.

    Also: skip, stride.

    >>> every_nth([1, 2, 3, 4, 5], 2)
    [1, 3, 5]
    """
    return items[::step]


def product_except_self(numbers: list[int]) -> list[int]:
    """For each number the product of all others.

    Also: product of array except self.

    >>> product_except_self([1, 2, 3, 4])
    [24, 12, 8, 6]
    """
    out, left = [1] * len(numbers), 1
    for at, number in enumerate(numbers):
        out[at] *= left
        left *= number
    right = 1
    for at in range(len(numbers) - 1, -1, -1):
        out[at] *= right
        right *= numbers[at]
    return out


def product(numbers: list[int]) -> int:
    """The product of the numbers of a list.

    Also: multiply all together.

    >>> product([2, 3, 4])
    24
    """
    total = 1
    for number in numbers:
        total *= number
    return total


def dot_product(first: list[int], second: list[int]) -> int:
    """The dot product of two vectors.

    Also: scalar product, sum of products, multiply values with weights and add up.

    >>> dot_product([1, 2], [3, 4])
    11
    """
    return sum(a * b for a, b in zip(first, second, strict=False))


def pairwise_differences(numbers: list[int]) -> list[int]:
    """The difference of each number to the one before.

    Also: deltas, consecutive differences.

    >>> pairwise_differences([1, 4, 9])
    [3, 5]
    """
    return [b - a for a, b in itertools.pairwise(numbers)]


def trapped_water(heights: list[int]) -> int:
    """How much water is trapped between bars.

    Also: trapping rain water.

    >>> trapped_water([0, 1, 0, 2, 1, 0, 1, 3, 2, 1, 2, 1])
    6
    """
    left = list(itertools.accumulate(heights, max))
    right = list(itertools.accumulate(reversed(heights), max))[::-1]
    return sum(min(a, b) - h for a, b, h in zip(left, right, heights, strict=True))


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

    Also: subtract lists, exclude, remove all of, missing from another.

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
