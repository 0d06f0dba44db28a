"""How large arguments may be: versions that were too slow for large ones get smaller ones."""

import re

from reverie.instruments.equivalence.scenario import Scenario

_NUMBER = re.compile(r"\d+")
_POWER = re.compile(r"\b10 \*\* (\d+)")
_MOST_DIGITS = 500
_READ_DIGITS = 80
_TAMED = 16
"""Numbers up to this are always tried."""


class Pace:
    """Learns from scenarios that did not end in time."""

    def __init__(self, is_recursive: bool) -> None:
        self.is_recursive = is_recursive
        self.largest: int | None = None
        """None as long as nothing was slow for the number of its steps."""
        self._digits = _MOST_DIGITS

    def allows(self, scenario: Scenario) -> bool:
        """Whether a scenario is smaller than what was too slow."""
        if _most_digits(scenario) > self._digits:
            return False
        return self.largest is None or _largest(scenario) <= self.largest

    def slow_down(self, scenario: Scenario) -> None:
        """Smaller numbers from now on; recursive code can be slow for quite small ones."""
        self._digits = min(self._digits, max(4, _most_digits(scenario) // 2))
        if self.is_recursive:
            tamed = max(_TAMED, _largest(scenario) * 2 // 3)
            self.largest = min(tamed, tamed if self.largest is None else self.largest)


def _largest(scenario: Scenario) -> int:
    """The largest number among the arguments, signs aside."""
    found = (_NUMBER.findall(each.call.arguments) for each in scenario.steps)
    return max((int(number[:_READ_DIGITS]) for numbers in found for number in numbers), default=0)


def _most_digits(scenario: Scenario) -> int:
    """The length of the longest number among the arguments."""
    texts = [each.call.arguments for each in scenario.steps]
    plain = (len(number) for text in texts for number in _NUMBER.findall(text))
    powers = (int(number) for text in texts for number in _POWER.findall(text))
    return max((*plain, *powers), default=0)
