"""Lists seen as runs: totals so far, longest stretches, best slices; ranges and intervals."""

import itertools
from collections import Counter


def running_totals(numbers: list[int]) -> list[int]:
    """The running totals of a list.

    Also: cumulative sum, prefix sums.

    >>> running_totals([1, 2, 3])
    [1, 3, 6]
    """
    return list(itertools.accumulate(numbers))


def running_maximum(numbers: list[int]) -> list[int]:
    """The running maximum of a list.

    Also: cumulative max, record highs.

    >>> running_maximum([1, 3, 2, 5])
    [1, 3, 3, 5]
    """
    return list(itertools.accumulate(numbers, max))


def running_minimum(numbers: list[int]) -> list[int]:
    """The running minimum of a list.

    Also: cumulative min, record lows.

    >>> running_minimum([3, 4, 1])
    [3, 3, 1]
    """
    return list(itertools.accumulate(numbers, min))


def longest_increasing_run(numbers: list[int]) -> int:
    """The length of the longest strictly increasing run of consecutive items.

    Also: longest rise, longest streak.

    >>> [longest_increasing_run([1, 2, 2, 3, 4]), longest_increasing_run([])]
    [3, 0]
    """
    best = current = 0
    for at, number in enumerate(numbers):
        current = current + 1 if at and number > numbers[at - 1] else 1
        best = max(best, current)
    return best


def longest_equal_run(items: list[int]) -> int:
    """The length of the longest run of equal consecutive items.

    Also: longest streak of the same value.

    >>> longest_equal_run([1, 1, 2, 2, 2])
    3
    """
    return max((len(list(group)) for _, group in itertools.groupby(items)), default=0)


def longest_true_run(flags: list[bool]) -> int:
    """The length of the longest run of items in a row that are true; 0 when none is.

    Also: greatest number of days in a row, longest spell, winning streak.

    >>> [longest_true_run([True, True, False, True]), longest_true_run([False])]
    [2, 0]
    """
    return max(
        (len(list(group)) for is_true, group in itertools.groupby(flags) if is_true), default=0
    )


def longest_consecutive_sequence(numbers: list[int]) -> int:
    """The length of the longest run of consecutive numbers, in any order in the list.

    Also: longest consecutive sequence.

    >>> longest_consecutive_sequence([100, 4, 200, 1, 3, 2])
    4
    """
    known = set(numbers)
    best = 0
    for number in known:
        if number - 1 not in known:
            end = number
            while end in known:
                end += 1
            best = max(best, end - number)
    return best


def longest_increasing_subsequence(numbers: list[int]) -> int:
    """The length of the longest strictly increasing subsequence.

    Also: lis length.

    >>> longest_increasing_subsequence([10, 9, 2, 5, 3, 7, 101, 18])
    4
    """
    from bisect import bisect_left

    tails: list[int] = []
    for number in numbers:
        at = bisect_left(tails, number)
        tails[at : at + 1] = [number]
    return len(tails)


def largest_slice_sum(numbers: list[int]) -> int:
    """The largest sum of a contiguous part, not empty, of a list that is not empty.

    Also: maximum subarray sum, Kadane.

    >>> [largest_slice_sum([-2, 1, -3, 4, -1, 2, 1, -5, 4]), largest_slice_sum([-3, -1])]
    [6, -1]
    """
    best = current = numbers[0]
    for number in numbers[1:]:
        current = max(number, current + number)
        best = max(best, current)
    return best


def largest_slice_product(numbers: list[int]) -> int:
    """The largest product of a contiguous part, not empty, of a list that is not empty.

    Also: maximum product subarray.

    >>> largest_slice_product([2, 3, -2, 4])
    6
    """
    best = high = low = numbers[0]
    for number in numbers[1:]:
        options = (number, high * number, low * number)
        high, low = max(options), min(options)
        best = max(best, high)
    return best


def best_profit(prices: list[int]) -> int:
    """The best profit of buying once and selling later; 0 when there is none.

    Also: best time to buy and sell stock, maximum difference.

    >>> [best_profit([7, 1, 5, 3, 6, 4]), best_profit([3, 2])]
    [5, 0]
    """
    best, lowest = 0, float("inf")
    for price in prices:
        lowest = min(lowest, price)
        best = max(best, int(price - lowest))
    return best


def pair_with_sum(numbers: list[int], target: int) -> list[int]:
    """The positions of two numbers that add up to a target; empty when there are none.

    Also: two sum.

    >>> pair_with_sum([2, 7, 11, 15], 9)
    [0, 1]
    """
    places: dict[int, int] = {}
    for at, number in enumerate(numbers):
        if target - number in places:
            return [places[target - number], at]
        places.setdefault(number, at)
    return []


def count_pairs_with_sum(numbers: list[int], target: int) -> int:
    """How many pairs of positions have numbers that add up to a target.

    Also: count pairs adding up to.

    >>> count_pairs_with_sum([1, 3, 2, 2], 4)
    2
    """
    seen: Counter[int] = Counter()
    pairs = 0
    for number in numbers:
        pairs += seen[target - number]
        seen[number] += 1
    return pairs


def to_ranges(numbers: list[int]) -> str:
    """Ascending distinct integers written as comma separated ranges such as '1-3,5'.

    Also: compress into ranges, page ranges.

    >>> to_ranges([1, 2, 3, 5])
    '1-3,5'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def from_ranges(text: str) -> list[int]:
    """The integers that comma separated ranges such as '1-3,5' stand for.

    Also: expand ranges, parse page ranges.

    >>> from_ranges("1-3,5")
    [1, 2, 3, 5]
    """
    numbers: list[int] = []
    for part in text.split(","):
        if part.strip():
            first, _, last = part.strip().partition("-")
            numbers.extend(range(int(first), int(last or first) + 1))
    return numbers


def merge_intervals(intervals: list[list[int]]) -> list[list[int]]:
    """Overlapping or touching [start, end] intervals merged, in ascending order.

    Also: union of intervals.

    >>> merge_intervals([[1, 3], [2, 6], [8, 10]])
    [[1, 6], [8, 10]]
    """
    merged: list[list[int]] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def intervals_overlap(first: list[int], second: list[int]) -> bool:
    """Whether two [start, end] intervals share a point.

    Also: ranges intersect.

    >>> [intervals_overlap([1, 3], [3, 4]), intervals_overlap([1, 2], [3, 4])]
    [True, False]
    """
    return first[0] <= second[1] and second[0] <= first[1]


def most_overlapping(intervals: list[list[int]]) -> int:
    """How many [start, end) intervals overlap at most.

    Also: meeting rooms needed, peak concurrency.

    >>> most_overlapping([[0, 30], [5, 10], [15, 20]])
    2
    """
    events = sorted([(s, 1) for s, _ in intervals] + [(e, -1) for _, e in intervals])
    return max(itertools.accumulate((step for _, step in events), initial=0))
