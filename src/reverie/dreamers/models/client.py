"""Asks a model: within the budget, from the cache if it was asked before, again if it was busy."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from reverie.dreamers.models.budget import Budget
from reverie.dreamers.models.exchange import Answered, Posted, Prompt, Reply
from reverie.dreamers.models.protocols import SPEECHES, Speech, estimated_tokens
from reverie.dreamers.models.redaction import redact, secrets_of
from reverie.dreamers.models.tapes import (
    AnswerCache,
    RecordingTransport,
    ReplayTransport,
    fingerprint,
)
from reverie.dreamers.models.transport import HttpTransport, Transport
from reverie.errors import ConfigError, ModelFailed
from reverie.model.model_sections import ModelProtocol, ModelsSection

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
    ) -> None:
        if section.protocol not in SPEECHES:
            raise ConfigError(f"models.protocol is {section.protocol}: there is no endpoint to ask")
        if not section.name:
            raise ConfigError("models.name: no model is named")
        self.section = section
        self.budget = Budget(section)
        self._speech: Speech = SPEECHES[ModelProtocol(section.protocol)]
        self._endpoint = section.endpoint or self._speech.endpoint
        self._secrets = secrets_of(environ)
        self._transport = self._carrier(environ)
        self._cache = AnswerCache(cache if section.cache else None)
        self._wait = wait

    def clean(self, prompt: Prompt) -> Prompt:
        """A question as it is sent: without secrets."""
        return Prompt(redact(prompt.system, self._secrets), redact(prompt.text, self._secrets))

    def ask(self, prompt: Prompt) -> Reply:
        """What the model answers; `Refused` when the budget is spent, `ModelFailed` otherwise."""
        clean = self.clean(prompt)
        asked = estimated_tokens(clean.system + clean.text)
        # The length of an answer follows the budget, so it is no part of what the cache knows.
        plain = self._speech.request(clean, self.section.name, self.section.reply_tokens)
        key = fingerprint(plain, self._endpoint)
        known_as = fingerprint(plain)
        kept = self._cache.find(key)
        if kept is not None:
            return replace(self._speech.reply(kept.body, clean), is_cached=True)
        answered = self._ask_until_answered(clean, asked, known_as)
        reply = self._speech.reply(answered.body, clean)
        self.budget.spend(reply.usage)
        if not reply.is_cut:
            self._cache.keep(key, answered)
        return reply

    def _ask_until_answered(self, prompt: Prompt, asked: int, known_as: str) -> Answered:
        complaint = "it was never asked"
        for attempt in range(self.section.attempts):
            seconds = self.budget.admit(asked)
            tokens = self.budget.answer_tokens(asked)
            posted = self._speech.request(prompt, self.section.name, tokens)
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

    def _carrier(self, environ: Mapping[str, str]) -> Transport:
        section = self.section
        if section.replay:
            return ReplayTransport(Path(section.replay))
        variable = section.key_variable or self._speech.key_variable
        headers = self._speech.headers(environ.get(variable) or None)
        if any("\n" in value or "\r" in value for value in headers.values()):
            raise ConfigError(f"{variable}: a key is one line")
        carrier = HttpTransport(self._endpoint, headers, section.reply_bytes)
        return RecordingTransport(carrier, Path(section.record)) if section.record else carrier


def _complaint(found: Answered | ModelFailed) -> tuple[str, float | None]:
    if isinstance(found, ModelFailed):
        return str(found), None
    return f"the endpoint answers with status {found.status}", found.retry_seconds
