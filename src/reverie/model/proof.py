"""Whether an instrument may be believed: what was planted for it, and what it saw."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sighting:
    """One thing planted, the answer an honest instrument gives, and the answer it gave."""

    name: str
    required: str
    seen: str

    @property
    def passed(self) -> bool:
        """Whether the instrument saw what was there."""
        return self.seen == self.required


@dataclass(frozen=True, slots=True)
class Proof:
    """An instrument held against everything planted for it."""

    instrument: str
    sightings: tuple[Sighting, ...]

    @property
    def passed(self) -> bool:
        """Whether it saw all of it. An instrument that nothing was planted for has no proof."""
        return bool(self.sightings) and all(each.passed for each in self.sightings)
