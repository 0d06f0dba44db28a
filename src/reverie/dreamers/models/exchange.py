"""What is asked of a model and what it answers, whatever its protocol."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question: what the model is to be, and what it is asked."""

    system: str
    text: str


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
