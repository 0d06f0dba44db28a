"""For `CsoundOrchestraLexer.name_callback` of Pygments (`pygments/lexers/csound.py`)."""

import re
from types import SimpleNamespace
from typing import Any

NAMES = (
    "aout", "kfreq", "ifn", "gSname", "oscili", "out", "myopcode", "value", "Left", "giTable:i",
    "array:k", "n", "amplitude", "kenv", "linseg:a", "fsig", "x1", "asig", "level", "myopcode:a",
)  # fmt: skip
NAME = re.compile(r"([a-zA-Z_]\w*)(?:(:)([A-Za-z]))?")


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """A name of an orchestra and its lexer, which has seen one opcode defined."""
    place = seed + 4 * (n.bit_length() - 1)
    lexer = SimpleNamespace(user_defined_opcodes={"myopcode"})
    return [lexer, NAME.match(NAMES[place % len(NAMES)])], {}
