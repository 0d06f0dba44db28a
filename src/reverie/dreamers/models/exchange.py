"""Questions to a model and their answers, and the two protocols that carry them."""

import json
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

from reverie.errors import ModelFailed
from reverie.model.settings.cycle import ModelProtocol


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question: what the model is to be, and what it is asked."""

    system: str
    text: str
    key: str = ""
    """Known by on a tape; empty: by its text."""
    begun: str = ""
    """How the answer begins, for a model that goes on from there."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Which model is asked, and how."""

    model: str
    reply_tokens: int
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call."""

    asked: int
    answered: int
    is_estimated: bool = False
    """Whether the endpoint did not tell, so that they were counted by length."""

    @property
    def total(self) -> int:
        """Both together."""
        return self.asked + self.answered


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered."""

    text: str
    usage: Usage
    is_cut: bool = False
    """Whether it ended because of its length."""
    is_cached: bool = False


@dataclass(frozen=True, slots=True)
class Posted:
    """A request as it goes over the wire, but for the key."""

    path: str
    """Below the endpoint."""
    body: bytes
    key: str = ""
    """What a tape knows it by: the same for every length of answer."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What an endpoint sent back."""

    status: int
    body: bytes
    retry_seconds: float | None = None
    """How long it wants to be left alone."""


_CHARACTERS_PER_TOKEN = 3
"""Fewer than usual, so that an estimate is rather too high."""
_MOST_TOKENS = 10**9


class Speech(Protocol):
    """One protocol."""

    @property
    def endpoint(self) -> str:
        """The vendor's own."""
        ...

    @property
    def key_variable(self) -> str:
        """Where its key usually is."""
        ...

    def headers(self, key: str | None) -> dict[str, str]:
        """What says who is asking."""
        ...

    def request(self, prompt: Prompt, asking: Asking) -> Posted:
        """A prompt as it is asked."""
        ...

    def reply(self, body: bytes, prompt: Prompt) -> Reply:
        """An answer as it is meant; `ModelFailed` when it is none of this protocol."""
        ...


@dataclass(frozen=True, slots=True)
class OpenAISpeech:
    """Chat completions, as many servers offer them."""

    endpoint: str = "https://api.openai.com/v1"
    key_variable: str = "OPENAI_API_KEY"

    def headers(self, key: str | None) -> dict[str, str]:
        """A bearer token."""
        return {} if key is None else {"Authorization": f"Bearer {key}"}

    def request(self, prompt: Prompt, asking: Asking) -> Posted:
        """One system message and one of the user."""
        messages = [{"role": "system", "content": prompt.system}, *_spoken(prompt)]
        body = _body(asking, messages) | ({"stop": [_CLOSED]} if prompt.begun else {})
        return Posted("/chat/completions", _encode(body))

    def reply(self, body: bytes, prompt: Prompt) -> Reply:
        """The first choice."""
        document = _decode(body)
        choice = _first(document.get("choices"), "choices")
        message = choice.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str):
            raise ModelFailed("the answer has no choices[0].message.content")
        usage = _usage(document, "prompt_tokens", "completion_tokens", prompt, text)
        is_cut = choice.get("finish_reason") == "length"
        return Reply(_whole(prompt, text, is_cut=is_cut), usage, is_cut)


@dataclass(frozen=True, slots=True)
class AnthropicSpeech:
    """The messages protocol."""

    endpoint: str = "https://api.anthropic.com"
    key_variable: str = "ANTHROPIC_API_KEY"

    def headers(self, key: str | None) -> dict[str, str]:
        """The key in a header of its own, and the protocol's version."""
        known = {"anthropic-version": "2023-06-01"}
        return known if key is None else {**known, "x-api-key": key}

    def request(self, prompt: Prompt, asking: Asking) -> Posted:
        """One message of the user below the system text."""
        body = _body(asking, _spoken(prompt)) | {"system": prompt.system}
        body |= {"stop_sequences": [_CLOSED]} if prompt.begun else {}
        return Posted("/v1/messages", _encode(body))

    def reply(self, body: bytes, prompt: Prompt) -> Reply:
        """All blocks of text."""
        document = _decode(body)
        blocks = document.get("content")
        texts = [
            each["text"]
            for each in (blocks if isinstance(blocks, list) else ())
            if isinstance(each, dict) and isinstance(each.get("text"), str)
        ]
        if not texts:
            raise ModelFailed("the answer has no block of text in its content")
        text = "".join(texts)
        usage = _usage(document, "input_tokens", "output_tokens", prompt, text)
        is_cut = document.get("stop_reason") == "max_tokens"
        return Reply(_whole(prompt, text, is_cut=is_cut), usage, is_cut)


@dataclass(frozen=True, slots=True)
class ProgramSpeech:
    """Plain text, as a program reads and prints it."""

    endpoint: str = ""
    key_variable: str = ""

    def headers(self, key: str | None) -> dict[str, str]:
        """None: there is no connection."""
        return {}

    def request(self, prompt: Prompt, asking: Asking) -> Posted:
        """What the program finds on its standard input."""
        return Posted("", f"{prompt.system}\n\n{prompt.text}\n".encode("utf-8", "replace"))

    def reply(self, body: bytes, prompt: Prompt) -> Reply:
        """All that it printed; tokens are counted by length."""
        text = body.decode("utf-8", "replace")
        asked = estimated_tokens(prompt.system + prompt.text)
        return Reply(text, Usage(asked, estimated_tokens(text), is_estimated=True))


SPEECHES: dict[ModelProtocol, Speech] = {
    ModelProtocol.OPENAI: OpenAISpeech(),
    ModelProtocol.ANTHROPIC: AnthropicSpeech(),
    ModelProtocol.PROGRAM: ProgramSpeech(),
}


_CLOSED = "\n```"
"""Where an answer ends that was begun inside of a block: what comes after it is chatter."""


def _spoken(prompt: Prompt) -> list[dict[str, str]]:
    question = {"role": "user", "content": prompt.text}
    begun = [{"role": "assistant", "content": prompt.begun}] if prompt.begun else []
    return [question, *begun]


def _body(asking: Asking, messages: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "model": asking.model,
        "messages": messages,
        "max_tokens": asking.reply_tokens,
        "temperature": asking.temperature or 0,
    }


def _whole(prompt: Prompt, text: str, *, is_cut: bool) -> str:
    """An answer with its beginning, which some servers repeat, and the end where it stopped."""
    if not prompt.begun:
        return text
    whole = text if text.startswith(prompt.begun) else prompt.begun + text
    return whole if is_cut else f"{whole}{_CLOSED}\n"


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def _encode(body: dict[str, Any]) -> bytes:
    return json.dumps(body, sort_keys=True).encode("ascii")


def _decode(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ModelFailed("the answer is no JSON") from error
    if not isinstance(document, dict):
        raise ModelFailed(f"the answer is no JSON object, but {type(document).__name__}")
    return document


def _first(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        raise ModelFailed(f"the answer has no {what}[0]")
    return value[0]


def _usage(document: dict[str, Any], asked: str, answered: str, prompt: Prompt, text: str) -> Usage:
    """What the endpoint says, if that can be; otherwise by length."""
    told = document.get("usage")
    counts = {} if not isinstance(told, dict) else told
    first, second = counts.get(asked), counts.get(answered)
    if _is_count(first) and _is_count(second):
        return Usage(first, second)
    estimate = estimated_tokens(prompt.system + prompt.text)
    return Usage(estimate, estimated_tokens(text), is_estimated=True)


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= _MOST_TOKENS
