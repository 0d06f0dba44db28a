"""Ranges and intervals: joined, spread out, overlapping."""

import itertools


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
