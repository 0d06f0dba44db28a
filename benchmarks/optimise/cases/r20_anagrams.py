# entry: anagram_groups
"""Words made of the same letters."""

import random


def anagram_groups(words: list[str]) -> list[list[str]]:
    """Words in groups of anagrams, in order of first appearance."""
    groups: list[list[str]] = []
    for word in words:
        for group in groups:
            if sorted(group[0]) == sorted(word):
                group.append(word)
                break
        else:
            groups.append([word])
    return groups


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return (["".join(r.choice("abcdef") for _ in range(5)) for _ in range(n)],), {}
