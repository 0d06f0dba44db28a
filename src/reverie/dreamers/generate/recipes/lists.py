"""Lists: cut, turned, merged and flattened."""

import itertools


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
