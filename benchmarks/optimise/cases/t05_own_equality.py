# entry: distinct
"""Tags without repeats."""

import random


class Tag:
    """A word that is equal in any case; its hash is that of an object."""

    def __init__(self, word: str) -> None:
        self.word = word

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tag) and self.word.lower() == other.word.lower()

    __hash__ = object.__hash__


def distinct(words: list[str]) -> list[str]:
    """The words, each once whatever its case."""
    kept: list[Tag] = []
    for word in words:
        tag = Tag(word)
        if tag not in kept:
            kept.append(tag)
    return [tag.word for tag in kept]


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([r.choice(["a", "A", "b", "B"]) + str(r.randrange(n + 1)) for _ in range(n)],), {}
