"""For `RebolLexer.word_callback` of Pygments (`pygments/lexers/rebol.py`)."""

import re
from typing import Any

WORDS = (
    "foo:", "if", "either", "print", "add", "copy", "first", "help", "probe", "layout", "quit",
    "load", "REBOL", "to-string", ">=", "+", "and", "empty?", "string!", "'quoted", "#issue",
    "%file", "name", "other-word",
)  # fmt: skip


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """A word of a script, as the lexer hands it over."""
    place = seed + 4 * (n.bit_length() - 1)
    return [None, re.match(r"\S+", WORDS[place % len(WORDS)])], {}
