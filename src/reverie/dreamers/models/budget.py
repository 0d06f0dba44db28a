"""What asking may cost in one run, and what it has cost."""

import threading
import time
from collections.abc import Callable
from typing import Any

from reverie.dreamers.models.exchange import Usage
from reverie.errors import ConfigError, Refused
from reverie.model.codec import pick
from reverie.model.model_sections import ModelsSection

_MILLION = 1_000_000


class Budget:
    """Counts calls, tokens, money and time, and refuses what would pass a bound. Thread-safe."""

    def __init__(self, section: ModelsSection, clock: Callable[[], float] = time.monotonic) -> None:
        self._section = section
        self._clock = clock
        self._lock = threading.Lock()
        self.calls = 0
        self.tokens = 0
        self.seconds = 0.0
        self.is_estimated = False
        self.money: float | None = 0.0 if section.input_price and section.output_price else None
        """None where no prices are known."""
        if section.most_money and self.money is None:
            raise ConfigError("models.most_money needs models.input_price and models.output_price")

    def admit(self, tokens: int) -> float:
        """Count a call that asks so many tokens; returns the seconds it may take."""
        section = self._section
        with self._lock:
            self._require(self.calls < section.most_calls, "calls", section.most_calls)
            within = self.tokens + tokens < section.most_tokens
            self._require(within, "tokens", section.most_tokens)
            if section.most_money and self.money is not None:
                price = tokens * section.input_price / _MILLION
                self._require(self.money + price < section.most_money, "money", section.most_money)
            self._require(self.seconds < section.most_seconds, "seconds", section.most_seconds)
            self.calls += 1
            return min(section.call_seconds, section.most_seconds - self.seconds)

    def answer_tokens(self, asked: int) -> int:
        """How long an answer may be, for the bounds of tokens and money to hold."""
        section = self._section
        most = min(section.reply_tokens, section.most_tokens - self.tokens - asked)
        if section.most_money and self.money is not None:
            left = section.most_money - self.money - asked * section.input_price / _MILLION
            most = min(most, int(left * _MILLION / section.output_price))
        return max(most, 0)

    def spend(self, usage: Usage) -> None:
        """Count what a call came to."""
        section = self._section
        with self._lock:
            self.tokens += usage.total
            self.is_estimated |= usage.is_estimated
            if self.money is not None:
                asked, answered = usage.asked, usage.answered
                cost = asked * section.input_price + answered * section.output_price
                self.money += cost / _MILLION

    def took(self, seconds: float) -> None:
        """Count the time of a call, waiting included."""
        with self._lock:
            self.seconds += seconds

    def document(self) -> dict[str, Any]:
        """What was spent, as JSON values."""
        return pick(self, "calls tokens tokens_estimated=is_estimated money:6 seconds:3")

    @staticmethod
    def _require(holds: bool, what: str, most: float) -> None:
        if not holds:
            raise Refused(f"the budget of {what} is spent: models.most_{what} is {most:g}")
