# entry: index_terms
"""Terms of a text for the search index."""

import random

STOP_WORDS = [
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "but", "by", "can", "come", "could", "day", "do", "even", "find", "first", "for", "from",
    "get", "give", "go", "have", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into",
    "it", "its", "just", "know", "like", "look", "make", "man", "many", "me", "more", "my", "new",
    "no", "not", "now", "of", "on", "one", "only", "or", "other", "our", "out", "people", "say",
]


def index_terms(text: str) -> list[str]:
    """The words of a text in lower case, stop words left out."""
    return [word for word in text.lower().split() if word not in STOP_WORDS]


def make_input(n: int, seed: int):
    r = random.Random(seed)
    words = [r.choice(["the", "night", "train", "of", "people", "river", "New"]) for _ in range(n)]
    return (" ".join(words),), {}
