"""How far a generation run goes."""

from enum import StrEnum


class Strategy(StrEnum):
    """How many variants of a procedure are kept per way of imagining them."""

    LIGHT = "light"
    BALANCED = "balanced"
    DEEP = "deep"

    @property
    def variants(self) -> int:
        """Per category."""
        return {"light": 5, "balanced": 15, "deep": 30}[self.value]
