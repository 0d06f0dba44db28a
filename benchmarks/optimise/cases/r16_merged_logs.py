# entry: merged_logs
"""Log lines of several machines in one list."""

import random


def merged_logs(machines: dict[str, list[str]]) -> list[str]:
    """All lines with the machine in front, machine by machine."""
    lines: list[str] = []
    for machine in sorted(machines):
        own: list[str] = []
        for line in machines[machine]:
            own = own + [f"{machine}: {line}"]
        lines = lines + own
    return lines


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ({f"m{i}": [f"l{r.randrange(99)}" for _ in range(n // 2)] for i in range(2)},), {}
