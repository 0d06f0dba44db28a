"""The circumstances in which one value is drawn."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from reverie.inputs.dice import Dice
from reverie.inputs.literals import Literals
from reverie.inputs.scope import ClassRef, TypeRef

DEEPEST = 4


class Theme(StrEnum):
    """What kind of value is wanted, where the type has one of that kind."""

    TYPICAL = "typical"
    EMPTY = "empty"
    SINGLE = "single"
    BOUNDARY = "boundary"
    LARGE = "large"
    UNICODE = "unicode"
    SPECIAL = "special"  # NaN and infinities


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance, theme and what is known about the place where the value goes."""

    dice: Dice
    theme: Theme = Theme.TYPICAL
    hints: Literals = field(default_factory=Literals)
    role: str = ""
    """The name of the parameter or field."""
    depth: int = 0
    owner: ClassRef | None = None
    """What `Self` means here."""
    bindings: dict[str, TypeRef] = field(default_factory=dict)
    """What each type variable stands for, the same throughout one call."""

    def inner(self, role: str | None = None) -> "Draw":
        """The draw of a part: one level deeper, and large only at the top."""
        theme = Theme.TYPICAL if self.theme in (Theme.LARGE, Theme.EMPTY) else self.theme
        return replace(
            self, depth=self.depth + 1, theme=theme, role=self.role if role is None else role
        )

    @property
    def is_deep(self) -> bool:
        """Whether it is time to come to an end."""
        return self.depth >= DEEPEST
