"""Figures about sales."""


def median(values: list[float]) -> float:
    """The middle value, or the mean of the two in the middle."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def moving_sums(values: list[int], width: int) -> list[int]:
    """Sums of every run of `width` neighbours."""
    if width < 1:
        raise ValueError("width must be positive")
    return [sum(values[i : i + width]) for i in range(len(values) - width + 1)]


def common(first: list[str], second: list[str]) -> list[str]:
    """What is in both, in the order of the first, duplicates kept."""
    result = []
    for value in first:
        if value in second:
            result.append(value)
    return result


def histogram(words: list[str]) -> dict[str, int]:
    """How often each word occurs, in the order of first use."""
    counts: dict[str, int] = {}
    for word in words:
        if word in counts:
            counts[word] = counts[word] + 1
        else:
            counts[word] = 1
    return counts


def rank(scores: list[int]) -> list[int]:
    """The place of each score, 1 for the highest; equal scores share a place."""
    places = []
    for score in scores:
        place = 1
        for other in scores:
            if other > score:
                place += 1
        places.append(place)
    return places
