"""Asks a model: without secrets, within the budget, from the cache, again if it was busy."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie.dreamers.models.exchange import (
    SPEECHES,
    Answered,
    Asking,
    Posted,
    Prompt,
    Reply,
    Speech,
    Usage,
    estimated_tokens,
)
from reverie.dreamers.models.transport import (
    AnswerCache,
    HttpTransport,
    Transport,
    fingerprint,
    redact,
    secrets_of,
    taped,
)
from reverie.errors import ConfigError, ModelFailed, Refused
from reverie.model.codec import pick
from reverie.model.settings.cycle import ModelProtocol, ModelsSection

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

    def admit(self, tokens: int, *, is_whole: bool = False) -> float:
        """Count a call that asks so many tokens; returns the seconds it may take.

        `is_whole`: a call may take all the time that is left, as an agent at its work does.
        """
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
            left = section.most_seconds - self.seconds
            return left if is_whole else min(section.call_seconds, left)

    @property
    def is_spent(self) -> bool:
        """Whether nothing more can be asked in this run."""
        section = self._section
        is_paid_out = bool(section.most_money) and (self.money or 0.0) >= section.most_money
        return (
            self.calls >= section.most_calls
            or self.tokens >= section.most_tokens
            or self.seconds >= section.most_seconds
            or is_paid_out
        )

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


_BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FIRST_WAIT_SECONDS = 1.0
_MOST_WAIT_SECONDS = 60.0


class ModelClient:
    """One endpoint, with the budget of one run."""

    def __init__(
        self,
        section: ModelsSection,
        environ: Mapping[str, str],
        cache: Path | None = None,
        wait: Callable[[float], None] = time.sleep,
        carrier: Transport | None = None,
    ) -> None:
        if section.protocol not in SPEECHES:
            raise ConfigError(f"models.protocol is {section.protocol}: there is no endpoint to ask")
        if not section.name and section.protocol is not ModelProtocol.PROGRAM:
            raise ConfigError("models.name: no model is named")
        self.section = section
        self.budget = Budget(section)
        self._speech: Speech = SPEECHES[ModelProtocol(section.protocol)]
        self._endpoint = section.endpoint or self._speech.endpoint
        self._secrets = secrets_of(environ)
        self._transport = self._taped(environ, carrier)
        is_kept = section.cache and not section.temperature
        self._cache = AnswerCache(cache if is_kept else None)
        self._wait = wait

    def clean(self, prompt: Prompt) -> Prompt:
        """A question as it is sent: without secrets."""
        every = (prompt.system, prompt.text, prompt.begun)
        system, text, begun = (redact(each, self._secrets) for each in every)
        return replace(prompt, system=system, text=text, begun=begun)

    def ask(self, prompt: Prompt, seconds: float | None = None) -> Reply:
        """What the model answers; `Refused` when the budget is spent, `ModelFailed` otherwise.

        All tries together take so many seconds at most, where the settings allow more.
        """
        clean = self.clean(prompt)
        asked = estimated_tokens(clean.system + clean.text)
        # The length of an answer follows the budget, so it is no part of what the cache knows.
        plain = self._speech.request(clean, self._asking(self.section.reply_tokens))
        key = fingerprint(plain, self._endpoint)
        known_as = prompt.key or fingerprint(plain)
        kept = self._cache.find(key)
        if kept is not None:
            return replace(self._speech.reply(kept.body, clean), is_cached=True)
        answered = self._ask_until_answered(clean, asked, known_as, seconds)
        reply = self._speech.reply(answered.body, clean)
        self.budget.spend(reply.usage)
        if not reply.is_cut:
            self._cache.keep(key, answered)
        return reply

    def _asking(self, tokens: int) -> Asking:
        return Asking(self.section.name, tokens, self.section.temperature)

    def _ask_until_answered(
        self, prompt: Prompt, asked: int, known_as: str, most: float | None
    ) -> Answered:
        complaint = "it was never asked"
        ends_at = None if most is None else time.monotonic() + most
        for attempt in range(self.section.attempts):
            left = None if ends_at is None else ends_at - time.monotonic()
            if attempt and left is not None and left <= 0:
                raise ModelFailed(f"no answer within {most:.0f} s: {complaint}")
            seconds = self.budget.admit(asked)
            seconds = seconds if left is None else min(seconds, max(left, 1.0))
            tokens = self.budget.answer_tokens(asked)
            posted = self._speech.request(prompt, self._asking(tokens))
            began = time.monotonic()
            try:
                found = self._try(replace(posted, key=known_as), seconds)
            finally:
                self.budget.took(time.monotonic() - began)
            if isinstance(found, Answered) and found.status == 200:
                return found
            complaint, wanted = _complaint(found)
            if attempt + 1 < self.section.attempts:
                self._pause(attempt, wanted)
        raise ModelFailed(f"no answer after {self.section.attempts} tries: {complaint}")

    def _try(self, posted: Posted, seconds: float) -> Answered | ModelFailed:
        """An answer, or why there was none this time; raises what trying again does not mend."""
        try:
            answered = self._transport.post(posted, seconds)
        except ModelFailed as error:
            return error
        if answered.status != 200 and answered.status not in _BUSY:
            raise ModelFailed(f"the endpoint answers with status {answered.status}")
        return answered

    def _pause(self, attempt: int, wanted: float | None) -> None:
        seconds = min(max(_FIRST_WAIT_SECONDS * 2**attempt, wanted or 0.0), _MOST_WAIT_SECONDS)
        left = self.section.most_seconds - self.budget.seconds
        pause = min(seconds, max(left, 0.0))
        self._wait(pause)
        self.budget.took(pause)

    def _taped(self, environ: Mapping[str, str], carrier: Transport | None) -> Transport:
        return taped(self.section, lambda: carrier or self._endpoint_of(environ), self._secrets)

    def _endpoint_of(self, environ: Mapping[str, str]) -> Transport:
        variable = self.section.key_variable or self._speech.key_variable
        headers = self._speech.headers(environ.get(variable) or None)
        if any("\n" in value or "\r" in value for value in headers.values()):
            raise ConfigError(f"{variable}: a key is one line")
        return HttpTransport(self._endpoint, headers, self.section.reply_bytes)


def _complaint(found: Answered | ModelFailed) -> tuple[str, float | None]:
    if isinstance(found, ModelFailed):
        return str(found), None
    return f"the endpoint answers with status {found.status}", found.retry_seconds
