"""Mappings and tables: turned round, merged, nested, grouped and summed."""

from collections import Counter


def invert_mapping(mapping: dict[str, str]) -> dict[str, str]:
    """A dictionary with keys and values swapped.

    Also: reverse lookup.

    >>> invert_mapping({"a": "x"})
    {'x': 'a'}
    """
    return {value: key for key, value in mapping.items()}


def sort_by_value(mapping: dict[str, int]) -> dict[str, int]:
    """A dictionary in ascending order of its values.

    Also: order entries by value.

    >>> sort_by_value({"a": 2, "b": 1})
    {'b': 1, 'a': 2}
    """
    return dict(sorted(mapping.items(), key=lambda entry: entry[1]))


def sort_by_key(mapping: dict[str, int]) -> dict[str, int]:
    """A dictionary in ascending order of its keys.

    Also: order entries by key.

    >>> sort_by_key({"b": 2, "a": 1})
    {'a': 1, 'b': 2}
    """
    return dict(sorted(mapping.items()))


def key_of_largest(mapping: dict[str, int]) -> str:
    """The key with the largest value; the first of equals.

    Also: argmax of a dictionary, winner, best scorer.

    >>> key_of_largest({"a": 1, "b": 3})
    'b'
    """
    return max(mapping, key=lambda key: mapping[key])


def key_of_smallest(mapping: dict[str, int]) -> str:
    """The key with the smallest value; the first of equals.

    Also: argmin of a dictionary, cheapest.

    >>> key_of_smallest({"a": 1, "b": 3})
    'a'
    """
    return min(mapping, key=lambda key: mapping[key])


def top_keys(scores: dict[str, int], count: int) -> list[str]:
    """The keys with the highest values, ties in alphabetical order.

    Also: best k keys, leaderboard.

    >>> top_keys({"a": 1, "b": 3, "c": 3}, 2)
    ['b', 'c']
    """
    return sorted(scores, key=lambda key: (-scores[key], key))[:count]


def merge_mappings(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    """Two dictionaries merged; the second wins.

    Also: combine, update, override.

    >>> merge_mappings({"a": 1, "b": 2}, {"b": 3})
    {'a': 1, 'b': 3}
    """
    return {**first, **second}


def add_mappings(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    """Two dictionaries of numbers added up by key.

    Also: sum counts, combine inventories.

    >>> add_mappings({"a": 1}, {"a": 2, "b": 3})
    {'a': 3, 'b': 3}
    """
    total = dict(first)
    for key, value in second.items():
        total[key] = total.get(key, 0) + value
    return total


def deep_merge(first: dict, second: dict) -> dict:  # type: ignore[type-arg]
    """Two nested dictionaries merged, inner dictionaries too; the second wins.

    Also: recursive merge of settings.

    >>> deep_merge({"a": {"b": 1}}, {"a": {"c": 2}})
    {'a': {'b': 1, 'c': 2}}
    """
    merged = dict(first)
    for key, value in second.items():
        both = isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = deep_merge(merged[key], value) if both else value
    return merged


def flatten_mapping(nested: dict) -> dict:  # type: ignore[type-arg]
    """A nested dictionary with inner keys joined by dots.

    Also: flatten with dotted keys.

    >>> flatten_mapping({"a": {"b": 1}, "c": 2})
    {'a.b': 1, 'c': 2}
    """
    flat = {}
    for key, value in nested.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{inner}": each for inner, each in flatten_mapping(value).items()})
        else:
            flat[key] = value
    return flat


def unflatten_mapping(flat: dict) -> dict:  # type: ignore[type-arg]
    """Dotted keys turned into nested dictionaries.

    Also: expand dotted keys.

    >>> unflatten_mapping({"a.b": 1, "c": 2})
    {'a': {'b': 1}, 'c': 2}
    """
    nested: dict = {}  # type: ignore[type-arg]
    for path, value in flat.items():
        *parents, last = path.split(".")
        place = nested
        for part in parents:
            place = place.setdefault(part, {})
        place[last] = value
    return nested


def keep_values_at_least(mapping: dict[str, int], threshold: int) -> dict[str, int]:
    """The entries whose value is at least a threshold.

    Also: filter a dictionary by value, minimum.

    >>> keep_values_at_least({"a": 1, "b": 5}, 3)
    {'b': 5}
    """
    return {key: value for key, value in mapping.items() if value >= threshold}


def keep_keys(mapping: dict[str, int], keys: list[str]) -> dict[str, int]:
    """The entries whose key is in a list, in the dictionary's order.

    Also: pick, select fields, subset.

    >>> keep_keys({"a": 1, "b": 2}, ["b", "c"])
    {'b': 2}
    """
    return {key: value for key, value in mapping.items() if key in keys}


def drop_keys(mapping: dict[str, int], keys: list[str]) -> dict[str, int]:
    """The entries whose key is not in a list.

    Also: omit fields, without.

    >>> drop_keys({"a": 1, "b": 2}, ["b"])
    {'a': 1}
    """
    return {key: value for key, value in mapping.items() if key not in keys}


def pairs_to_mapping(keys: list[str], values: list[int]) -> dict[str, int]:
    """A dictionary from a list of keys and a list of values.

    Also: zip into a dictionary.

    >>> pairs_to_mapping(["a", "b"], [1, 2])
    {'a': 1, 'b': 2}
    """
    return dict(zip(keys, values, strict=False))


def changed_keys(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """The sorted keys whose value is new, gone or other in a second dictionary.

    Also: diff of dictionaries.

    >>> changed_keys({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4})
    ['b', 'c']
    """
    missing = object()
    keys = sorted(before.keys() | after.keys())
    return [key for key in keys if before.get(key, missing) != after.get(key, missing)]


def keys_with_other_values(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """The keys in alphabetical order that both dictionaries have, with different values.

    Also: names in both, value changed.

    >>> keys_with_other_values({"b": 1, "a": 1, "c": 1}, {"a": 2, "b": 1, "d": 1})
    ['a']
    """
    return sorted(key for key in before if key in after and before[key] != after[key])


def added_keys(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """The keys in alphabetical order that only the second dictionary has.

    Also: new names.

    >>> added_keys({"a": 1}, {"c": 1, "b": 2})
    ['b', 'c']
    """
    return sorted(after.keys() - before.keys())


def removed_keys(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """The keys in alphabetical order that only the first dictionary has.

    Also: names that are gone, missing.

    >>> removed_keys({"b": 1, "a": 1}, {"c": 1})
    ['a', 'b']
    """
    return sorted(before.keys() - after.keys())


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
