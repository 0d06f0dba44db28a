"""Intervals of minutes, as pairs of start and end."""


def overlaps(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether two intervals share a minute; touching ends do not."""
    if first[0] >= second[1]:
        return False
    if second[0] >= first[1]:
        return False
    return True


def merge(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Intervals joined where they touch or overlap, in order."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            last = result.pop()
            result.append((last[0], max(last[1], end)))
        else:
            result.append((start, end))
    return result


def free_slots(busy: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """What is free between start and end."""
    slots = []
    at = start
    for first, last in merge(busy):
        if first > at:
            slots.append((at, min(first, end)))
        at = max(at, last)
    if at < end:
        slots.append((at, end))
    return slots


def count_clashes(spans: list[tuple[int, int]]) -> int:
    """How many pairs of intervals overlap."""
    total = 0
    for i in range(len(spans)):
        for j in range(i + 1, len(spans)):
            if overlaps(spans[i], spans[j]):
                total += 1
    return total


def busiest(days: list[str]) -> list[str]:
    """Days in order of how often they occur, most often first, ties as first seen."""
    order: list[str] = []
    for day in days:
        if day not in order:
            order.append(day)
    return sorted(order, key=lambda day: -days.count(day))
