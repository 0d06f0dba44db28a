"""For `RedLexer.word_callback` of Pygments (`pygments/lexers/rebol.py`)."""

import re
from typing import Any

WORDS = (
    "foo:", "if", "foreach", "make", "random", "yes", "null", "#include", "#if", "halt", "quit",
    "block?", "zero?", "stdcall", "to-string", "+", "<=", "string!", "'quoted", "#issue", "%file",
    ":word", "name", "other-word",
)  # fmt: skip


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """A word of a script, as the lexer hands it over."""
    place = seed + 4 * (n.bit_length() - 1)
    return [None, re.match(r"\S+", WORDS[place % len(WORDS)])], {}
