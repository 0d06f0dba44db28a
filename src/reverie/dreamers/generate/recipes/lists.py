"""Lists: picked, cut, ordered, combined."""

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


def pairwise_differences(numbers: list[int]) -> list[int]:
    """The difference of each number to the one before.

    Also: deltas, consecutive differences.

    >>> pairwise_differences([1, 4, 9])
    [3, 5]
    """
    return [b - a for a, b in itertools.pairwise(numbers)]


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


def trapped_water(heights: list[int]) -> int:
    """How much water is trapped between bars.

    Also: trapping rain water.

    >>> trapped_water([0, 1, 0, 2, 1, 0, 1, 3, 2, 1, 2, 1])
    6
    """
    left = list(itertools.accumulate(heights, max))
    right = list(itertools.accumulate(reversed(heights), max))[::-1]
    return sum(min(a, b) - h for a, b, h in zip(left, right, heights, strict=True))


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


def every_nth(items: list[int], step: int) -> list[int]:
    """Every so-many-th item of a list, beginning with the first.

    Also: skip, stride.

    >>> every_nth([1, 2, 3, 4, 5], 2)
    [1, 3, 5]
    """
    return items[::step]


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


def dot_product(first: list[int], second: list[int]) -> int:
    """The dot product of two vectors.

    Also: scalar product, sum of products.

    >>> dot_product([1, 2], [3, 4])
    11
    """
    return sum(a * b for a, b in zip(first, second, strict=False))


def majority_vote(ballots: list[str]) -> str:
    """The most frequent text of a list; ties go to the alphabetically first; empty for none.

    Also: winner of an election, most common item, mode of words.

    >>> [majority_vote(["b", "a", "b"]), majority_vote([])]
    ['b', '']
    """
    counts = Counter(ballots)
    return min(counts, key=lambda each: (-counts[each], each), default="")
