"""Rows and groups: grouped, indexed, sorted and summed by what they share."""

from collections import Counter


def group_by_length(words: list[str]) -> dict[str, list[str]]:
    """Words grouped by their length as text, in order.

    Also: bucket by length.

    >>> group_by_length(["a", "bb", "c"])
    {'1': ['a', 'c'], '2': ['bb']}
    """
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(str(len(word)), []).append(word)
    return groups


def group_by_first_letter(words: list[str]) -> dict[str, list[str]]:
    """Words grouped by their first letter, in order.

    Also: index by initial.

    >>> group_by_first_letter(["ab", "b", "ac"])
    {'a': ['ab', 'ac'], 'b': ['b']}
    """
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(word[:1], []).append(word)
    return groups


def group_anagrams(words: list[str]) -> list[list[str]]:
    """Words grouped with their anagrams, in order of first appearance.

    Also: group anagrams together.

    >>> group_anagrams(["eat", "tan", "ate"])
    [['eat', 'ate'], ['tan']]
    """
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault("".join(sorted(word)), []).append(word)
    return list(groups.values())


def group_by_field(rows: list[dict], field: str) -> dict[str, list[dict]]:  # type: ignore[type-arg]
    """Records grouped by the text of a field, in order.

    Also: group rows by key.

    >>> group_by_field([{"k": "a"}, {"k": "b"}], "k")
    {'a': [{'k': 'a'}], 'b': [{'k': 'b'}]}
    """
    groups: dict[str, list[dict]] = {}  # type: ignore[type-arg]
    for row in rows:
        groups.setdefault(str(row[field]), []).append(row)
    return groups


def pluck(rows: list[dict], field: str) -> list:  # type: ignore[type-arg]
    """The values of one field of all records.

    Also: column, map field.

    >>> pluck([{"a": 1}, {"a": 2}], "a")
    [1, 2]
    """
    return [row[field] for row in rows]


def sum_by_key(rows: list[dict], key: str, value: str) -> dict[str, int]:  # type: ignore[type-arg]
    """The totals of a field by another field of records.

    Also: aggregate, pivot, total per group.

    >>> sum_by_key([{"k": "a", "n": 1}, {"k": "a", "n": 2}], "k", "n")
    {'a': 3}
    """
    totals: dict[str, int] = {}
    for row in rows:
        totals[row[key]] = totals.get(row[key], 0) + row[value]
    return totals


def index_by(rows: list[dict], field: str) -> dict:  # type: ignore[type-arg]
    """Records by the value of a field; later ones win.

    Also: key by, lookup table.

    >>> index_by([{"id": "x", "n": 1}], "id")
    {'x': {'id': 'x', 'n': 1}}
    """
    return {row[field]: row for row in rows}


def sort_by_field(rows: list[dict], field: str) -> list[dict]:  # type: ignore[type-arg]
    """Records in ascending order of a field.

    Also: order rows by key.

    >>> sort_by_field([{"n": 2}, {"n": 1}], "n")
    [{'n': 1}, {'n': 2}]
    """
    return sorted(rows, key=lambda row: row[field])


def count_items(items: list[str]) -> dict[str, int]:
    """How often each item of a list occurs, in order of first appearance.

    Also: tally, frequencies, histogram.

    >>> count_items(["a", "b", "a"])
    {'a': 2, 'b': 1}
    """
    return dict(Counter(items))


def inverted_index(documents: dict[str, str]) -> dict[str, list[str]]:
    """For each lower-case word the sorted names of the documents that hold it.

    Also: word index, full text index.

    >>> inverted_index({"x": "a b", "y": "B"})
    {'a': ['x'], 'b': ['x', 'y']}
    """
    index: dict[str, set[str]] = {}
    for name, text in documents.items():
        for word in text.lower().split():
            index.setdefault(word, set()).add(name)
    return {word: sorted(names) for word, names in sorted(index.items())}
