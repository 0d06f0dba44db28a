"""How much a journal of years holds, and what its rows are called."""

from dataclasses import dataclass

START_US = 1_600_000_000_000_000
HOUR_US = 3_600_000_000
MODULES = [f"shop.area{n % 20}.part{n}" for n in range(400)]


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is of everything."""

    cycles: int = 500
    dreams: int = 200
    """In each cycle."""
    executions: int = 5_000_000
    patterns: int = 5_000

    def scaled(self, by: float) -> "Size":
        """Less of it."""
        return Size(
            max(2, int(self.cycles * by)),
            self.dreams,
            max(100, int(self.executions * by)),
            max(10, int(self.patterns * by)),
        )


def cycle_name(number: int) -> str:
    """The id of a cycle."""
    return f"20200913-{number:06d}-{number * 40503 % 65536:04x}"


def dream_name(cycle: int, number: int) -> str:
    """The id of a dream."""
    return f"{(cycle * 1000 + number) * 0x9E3779B97F4A7C15 % (1 << 64):016x}"
