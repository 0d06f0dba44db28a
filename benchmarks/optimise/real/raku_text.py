"""For `Perl6Lexer.analyse_text` of Pygments (`pygments/lexers/perl.py`)."""

import random
from typing import Any

LINES = ("sub add($x, $y) {", "    return $x + $y;", "}", "# a remark", "say add 1, 2;", "")
FIRST = ("", "use v6;", "my class Point {", "class Point {", "#!/usr/bin/env raku", "my $x := 1;")


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """Source text of n lines, some of them documentation, that begins in one of many ways."""
    chance = random.Random(seed)
    lines = [chance.choice(FIRST)] if n > 1 else []
    while len(lines) < n:
        if chance.random() < 0.05:
            lines += ["=begin pod", "A paragraph of words.", "=end pod"]
        else:
            lines.append(chance.choice(LINES))
    return ["\n".join(lines)], {}
