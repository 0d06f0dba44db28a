# entry: minutes_by_person
"""Minutes worked, from a time sheet."""

import random
from datetime import datetime


class Sheet:
    """Lines of name, start and end."""

    def __init__(self, lines: list[tuple[str, str, str]]) -> None:
        self.lines = lines

    def minutes(self, start: str, end: str) -> int:
        """Minutes between two times of a day."""
        began = datetime.strptime(start, "%H:%M")
        ended = datetime.strptime(end, "%H:%M")
        return int((ended - began).total_seconds()) // 60


def minutes_by_person(lines: list[tuple[str, str, str]]) -> dict[str, int]:
    """Total minutes of each name."""
    sheet = Sheet(lines)
    totals: dict[str, int] = {}
    for name, start, end in sheet.lines:
        totals[name] = totals.get(name, 0) + sheet.minutes(start, end)
    return totals


def make_input(n: int, seed: int):
    r = random.Random(seed)
    starts, ends = ["08:00", "08:30", "09:00"], ["16:00", "16:30", "17:15", "18:00"]
    return ([(f"p{r.randrange(9)}", r.choice(starts), r.choice(ends)) for _ in range(n)],), {}
