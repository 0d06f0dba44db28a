# entry: wrapped
"""Wrapped words."""

import random


def wrapped(words: list[str], width: int) -> str:
    """Words with a new line where the last one would grow beyond the width."""
    text = ""
    for word in words:
        line = text[text.rfind("\n") + 1 :]
        if line and len(line) + 1 + len(word) > width:
            text += "\n"
        elif line:
            text += " "
        text += word
    return text


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return (["x" * r.randrange(1, 9) for _ in range(n)], 20), {}
