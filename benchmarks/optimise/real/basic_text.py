"""For `CbmBasicV2Lexer.analyse_text` of Pygments (`pygments/lexers/basic.py`)."""

import random
from typing import Any

LINES = ('PRINT "HELLO"', "GOTO 10", "FOR I = 1 TO 10", "NEXT I", "REM A REMARK", "END")


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """A program of n lines, every other one of them with numbers in front of the lines."""
    chance = random.Random(seed)
    lines = [chance.choice(LINES) for _ in range(n)]
    if seed % 2:
        lines = [f"{10 * number} {line}" for number, line in enumerate(lines, 1)]
    return ["\n".join(lines)], {}
