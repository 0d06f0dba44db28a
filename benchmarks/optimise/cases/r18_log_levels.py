# entry: errors_by_module
"""Errors by module, from a log."""

import random
import re


def errors_by_module(lines: list[str]) -> dict[str, int]:
    """Number of ERROR lines of each module."""
    found: dict[str, int] = {}
    for line in lines:
        match = re.match(r"(\d+) (ERROR|WARN|INFO) \[(\w+)\]", line)
        if match and match.group(2) == "ERROR":
            found[match.group(3)] = found.get(match.group(3), 0) + 1
    return found


def make_input(n: int, seed: int):
    r = random.Random(seed)
    levels = ["ERROR", "WARN", "INFO"]
    return ([f"{i} {r.choice(levels)} [m{r.randrange(7)}] text" for i in range(n)],), {}
