"""Count what the engine repairs by itself: slots lost and jobs repeated on another one."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reverie.errors import SandboxLost


@contextmanager
def counting_losses() -> Iterator[Counter[str]]:
    """Reasons of every `SandboxLost` made while this is open; the engine hides most of them."""
    reasons: Counter[str] = Counter()
    original = SandboxLost.__init__

    def counted(self: SandboxLost, tier: str, detail: str) -> None:
        reasons[detail] += 1
        original(self, tier, detail)

    replaced: Any = SandboxLost
    replaced.__init__ = counted
    try:
        yield reasons
    finally:
        replaced.__init__ = original
