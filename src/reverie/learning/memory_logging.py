"""Exchanges with models, kept under standard tags so that they can be found again.

log_with_tags(memory, prompt, response, tags=[FEEDBACK])
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Protocol

from reverie.model.events import Interaction, normalised_tags


class Memory(Protocol):
    """Where exchanges are kept: `InteractionMemory` of the store, or a list."""

    def append(self, interaction: Interaction) -> None:
        """Keep one."""


def log_with_tags(
    memory: Memory, prompt: str, response: str, tags: Iterable[str] = ()
) -> Interaction:
    """Keep one exchange; labels that are no standard tag are left out."""
    kept = Interaction(prompt, response, normalised_tags(tags), datetime.now(UTC))
    memory.append(kept)
    return kept
