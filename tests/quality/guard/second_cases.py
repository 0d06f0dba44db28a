"""More changes of the same kinds, made after the judge was mended by the first ones."""

from .case import Case

T = "src/roomplan/times.py"
N = "src/roomplan/names.py"
P = "src/roomplan/prices.py"
C = "shopkit/cart.py"
S = "shopkit/stats.py"

CASES = (
    Case(
        "d01",
        "shopkit",
        "A",
        True,
        "plain functions with a table",
        {
            "tests/test_more.py": """import pytest

from shopkit.stats import common, median, moving_sums


@pytest.mark.parametrize("width", [0, -1])
def test_width_is_checked(width):
    with pytest.raises(ValueError, match="width"):
        moving_sums([1, 2], width)


def test_median_of_nothing():
    with pytest.raises(ValueError):
        median([])


def test_common_keeps_order():
    assert common(["c", "a", "b"], ["a", "b", "c"]) == ["c", "a", "b"]
"""
        },
    ),
    Case(
        "d02",
        "roomplan",
        "A",
        True,
        "class of tests with a fixture",
        {
            "tests/test_free.py": """import pytest

from roomplan.times import free_slots


class TestFreeSlots:
    @pytest.fixture
    def busy(self):
        return [(60, 120), (180, 240)]

    def test_between(self, busy):
        assert free_slots(busy, 0, 300) == [(0, 60), (120, 180), (240, 300)]

    def test_cut_at_the_end(self, busy):
        assert free_slots(busy, 100, 200) == [(120, 180)]

    def test_nothing_left(self):
        assert free_slots([(0, 10)], 0, 10) == []
"""
        },
    ),
    Case(
        "d03",
        "roomplan",
        "A",
        True,
        "mock of a neighbour",
        {
            "tests/test_price_parts.py": """from unittest import mock

from roomplan import prices


def test_price_uses_the_discount():
    with mock.patch.object(prices, "discount", return_value=50) as asked:
        assert prices.price_of(1001, 3) == 1502
    asked.assert_called_once_with(3, False)
"""
        },
    ),
    Case(
        "d04",
        "roomplan",
        "A",
        False,
        "mutable default hides order",
        {
            "tests/test_slug_more.py": """from roomplan.names import shorten


def remember(text, _seen=[]):
    _seen.append(shorten(text, 4))
    return _seen


def test_first():
    assert remember("meeting") == ["mee…"]


def test_second():
    assert remember("kitchen") == ["mee…", "kit…"]
"""
        },
    ),
    Case(
        "d05",
        "roomplan",
        "A",
        False,
        "compares with a recomputed value",
        {
            "tests/test_share.py": """from roomplan.prices import share_out


def test_share_out():
    for cents in (10, 11, 12):
        parts = share_out(cents, [1, 2])
        assert parts == share_out(cents, [1, 2])
        assert parts is not None
"""
        },
    ),
    Case(
        "d06",
        "roomplan",
        "A",
        False,
        "expected from the code in a variable",
        {
            "tests/test_share.py": """from roomplan.prices import share_out

EXPECTED = share_out(10, [1, 2])


def test_share_out():
    assert share_out(10, [1, 2]) == EXPECTED
"""
        },
    ),
    Case(
        "d07",
        "roomplan",
        "A",
        False,
        "always-true helper",
        {
            "tests/test_share.py": """from roomplan.prices import share_out


def same(a, b):
    return a == b or str(a) != ""


def test_share_out():
    assert same(share_out(10, [1, 2]), [4, 6])
"""
        },
    ),
    Case(
        "d08",
        "roomplan",
        "A",
        False,
        "uses the clock of the machine",
        {
            "tests/test_share.py": """import time

from roomplan.prices import share_out


def test_share_out_is_quick():
    started = time.perf_counter()
    parts = share_out(1000, list(range(1, 100)))
    assert sum(parts) == 1000 and time.perf_counter() - started < 0.5
"""
        },
    ),
    Case(
        "d09",
        "roomplan",
        "A",
        False,
        "environment decides",
        {
            "tests/test_share.py": """import os

import pytest

from roomplan.prices import share_out


@pytest.mark.skipif("HOME" in os.environ, reason="only without a home")
def test_share_out():
    assert share_out(10, [1, 2]) == [99, 99]
"""
        },
    ),
    Case(
        "d10",
        "roomplan",
        "A",
        False,
        "async test that is never awaited",
        {
            "tests/test_share.py": """from roomplan.prices import share_out


async def test_share_out():
    assert share_out(10, [1, 2]) == [99, 99]
"""
        },
    ),
    Case(
        "d11",
        "roomplan",
        "A",
        False,
        "deletes and adds",
        {
            "tests/test_names.py": None,
            "tests/test_shorten.py": """from roomplan.names import shorten


def test_shorten():
    assert shorten("meeting room", 5) == "meet…"
""",
        },
    ),
    Case(
        "d12",
        "roomplan",
        "A",
        False,
        "subtest swallowed by a generator",
        {
            "tests/test_share.py": """from roomplan.prices import share_out


def test_share_out():
    any(share_out(cents, [1, 2]) == [0, 0] for cents in range(3))
    checks = (share_out(9, [1, 2]) == [3, 6] for _ in range(2))
    assert checks
"""
        },
    ),
    Case(
        "e01",
        "roomplan",
        "B",
        True,
        "early return",
        {
            N: [
                (
                    """    if len(text) <= width:
        return text
    return text[: width - 1] + "…"
""",
                    """    return text if len(text) <= width else text[: width - 1] + "…"
""",
                ),
            ]
        },
    ),
    Case(
        "e02",
        "roomplan",
        "B",
        True,
        "named tuple parts",
        {
            T: [
                (
                    """            last = result.pop()
            result.append((last[0], max(last[1], end)))
""",
                    """            first, last = result.pop()
            result.append((first, max(last, end)))
""",
                ),
            ]
        },
    ),
    Case(
        "e03",
        "shopkit",
        "B",
        True,
        "conditional expression",
        {
            S: [
                (
                    """    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2
""",
                    """    is_odd = len(ordered) % 2
    return ordered[middle] if is_odd else (ordered[middle - 1] + ordered[middle]) / 2
""",
                ),
            ]
        },
    ),
    Case(
        "e11",
        "roomplan",
        "B",
        True,
        "strip both ends at once",
        {
            N: [
                (
                    """        elif out and not out.endswith("-"):
            out += "-"
    return out.rstrip("-")
""",
                    """        elif not out.endswith("-"):
            out += "-"
    return out.strip("-_")
""",
                ),
            ]
        },
    ),
    Case(
        "e12",
        "roomplan",
        "B",
        False,
        "min and max swapped at one edge",
        {
            T: [
                (
                    "            slots.append((at, min(first, end)))\n",
                    "            slots.append((at, first))\n",
                ),
            ]
        },
    ),
    Case(
        "e13",
        "shopkit",
        "B",
        False,
        "state shared by instances",
        {
            C: [
                (
                    """    def __init__(self) -> None:
        self._items: list[Item] = []
""",
                    """    _items: list[Item] = []

    def __init__(self) -> None:
        pass
""",
                ),
            ]
        },
    ),
    Case(
        "e14",
        "shopkit",
        "B",
        False,
        "remove stops at the first",
        {
            C: [
                (
                    """        kept = [item for item in self._items if item.sku != sku]
        gone = len(self._items) - len(kept)
        self._items = kept
        return gone
""",
                    """        before = len(self._items)
        for item in self._items:
            if item.sku == sku:
                self._items.remove(item)
        return before - len(self._items)
""",
                ),
            ]
        },
    ),
    Case(
        "e15",
        "roomplan",
        "B",
        False,
        "integer division",
        {
            P: [
                (
                    "    parts = [cents * weight // total for weight in weights]\n",
                    "    parts = [int(cents * weight / total) for weight in weights]\n",
                ),
            ]
        },
    ),
    Case(
        "f01",
        "roomplan",
        "C",
        True,
        "sweep instead of all pairs by bisect",
        {
            T: [
                (
                    '"""Intervals of minutes, as pairs of start and end."""\n',
                    '"""Intervals of minutes, as pairs of start and end."""\n\nfrom collections import Counter\n',
                ),
                (
                    """    order: list[str] = []
    for day in days:
        if day not in order:
            order.append(day)
    return sorted(order, key=lambda day: -days.count(day))
""",
                    """    return [day for day, _ in Counter(days).most_common()]
""",
                ),
            ]
        },
    ),
    Case(
        "f11",
        "shopkit",
        "C",
        False,
        "wrong for ties of many",
        {
            S: [
                (
                    """    places = []
    for score in scores:
        place = 1
        for other in scores:
            if other > score:
                place += 1
        places.append(place)
    return places
""",
                    """    order = {score: place for place, score in enumerate(sorted(scores, reverse=True), 1)}
    return [order[score] for score in scores]
""",
                ),
            ]
        },
    ),
    Case(
        "f12",
        "shopkit",
        "C",
        False,
        "bounded cache on a hot path, gain only when repeated",
        {
            S: [
                (
                    '"""Figures about sales."""\n',
                    '"""Figures about sales."""\n\nfrom functools import lru_cache\n',
                ),
                (
                    """    result = []
    for value in first:
        if value in second:
            result.append(value)
    return result
""",
                    """    return list(_common(tuple(first), tuple(second)))


@lru_cache(maxsize=64)
def _common(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    result = []
    for value in first:
        if value in second:
            result.append(value)
    return tuple(result)
""",
                ),
            ]
        },
    ),
    Case(
        "f13",
        "shopkit",
        "C",
        False,
        "float sums by differences",
        {
            S: [
                (
                    """    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
""",
                    """    if not values:
        raise ValueError("no values")
    ordered = sorted(map(float, values))
""",
                ),
            ]
        },
    ),
    Case(
        "f14",
        "roomplan",
        "C",
        False,
        "wrong beyond a thousand",
        {
            T: [
                (
                    """    total = 0
    for i in range(len(spans)):
        for j in range(i + 1, len(spans)):
            if overlaps(spans[i], spans[j]):
                total += 1
    return total
""",
                    """    from bisect import bisect_left

    spans = [span for span in spans if span[0] < span[1]]
    starts = sorted(start for start, _ in spans)
    total = sum(bisect_left(starts, end) for _, end in spans)
    return total - len(spans) * (len(spans) + 1) // 2
""",
                ),
            ]
        },
    ),
    Case(
        "d13",
        "roomplan",
        "A",
        False,
        "mixed: one good, one equal to everything",
        {
            "tests/test_shorten.py": """from unittest.mock import ANY

from roomplan.names import shorten
from roomplan.prices import share_out


def test_shorten():
    assert shorten("meeting room", 5) == "meet…"


def test_share_out():
    assert share_out(10, [1, 2]) == ANY
"""
        },
    ),
)
