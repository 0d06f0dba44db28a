"""The circumstances in which one value is drawn."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from reverie.inputs.dice import Dice
from reverie.inputs.literals import Literals
from reverie.inputs.scope import ClassRef, TypeRef

DEEPEST = 4
MOST_HOPS = 24
_REMEMBERED = 0.15


class Theme(StrEnum):
    """What kind of value is wanted, where the type has one of that kind."""

    TYPICAL = "typical"
    EMPTY = "empty"
    SINGLE = "single"
    BOUNDARY = "boundary"
    LARGE = "large"
    UNICODE = "unicode"
    SPECIAL = "special"  # NaN and infinities


class Tactic(StrEnum):
    """How instances of the code's own classes come to be."""

    SPARE = "spare"
    """With what their constructors need."""
    RICH = "rich"
    """With more than that, for classes that need what they do not ask for."""
    MOCKED = "mocked"
    """Arguments as mocks of their class, for classes that cannot be made."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance, theme and what is known about the place where the value goes."""

    dice: Dice
    theme: Theme = Theme.TYPICAL
    tactic: Tactic = Tactic.SPARE
    hints: Literals = field(default_factory=Literals)
    role: str = ""
    """The name of the parameter or field."""
    depth: int = 0
    hops: int = 0
    """Names followed on the way to this type: aliases may lead in a circle."""
    owner: ClassRef | None = None
    """What `Self` means here."""
    memory: list[object] = field(default_factory=list)
    """Plain values drawn for this call so far: parameters often speak of one another."""
    bindings: dict[str, TypeRef] = field(default_factory=dict)
    """What each type variable stands for, the same throughout one call."""

    def inner(self, role: str | None = None) -> "Draw":
        """The draw of a part: one level deeper, and large only at the top."""
        theme = Theme.TYPICAL if self.theme in (Theme.LARGE, Theme.EMPTY) else self.theme
        return replace(
            self, depth=self.depth + 1, theme=theme, role=self.role if role is None else role
        )

    def remembered(self, kind: type) -> object:
        """Now and then a value that the call already has; None mostly."""
        known = [each for each in self.memory if type(each) is kind]
        if not known or self.theme is not Theme.TYPICAL or not self.dice.chance(_REMEMBERED):
            return None
        return self.dice.pick(known)

    @property
    def is_deep(self) -> bool:
        """Whether it is time to come to an end."""
        return self.depth >= DEEPEST
