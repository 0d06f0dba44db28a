"""Did the new version reach for something, when it ran, that the old one did not?"""

from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, not_measured, ruled
from reverie.model.ruling import Answer, Ruling


@dataclass(frozen=True, slots=True)
class EffectsGate:
    """Refuses an effect that was recorded of the new version alone; holds what was not recorded."""

    name: str = "effects"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling on all that is new."""
        return ruled(self.name, self._objections(matter), "it reached for nothing new when it ran")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        found = matter.measured("effects.new")
        unheard = matter.measured("effects.unrecorded")
        if found is None or unheard is None:
            yield not_measured(self.name, "effects.new")
        elif found > 0:
            said = "new effect: " + "; ".join(matter.named("effects.new")[:3])
            yield Ruling(self.name, Answer.FAIL, "new_effect", said, found, 0)
        elif unheard > 0:
            said = "; ".join(matter.named("effects.unrecorded")[:2])
            yield Ruling(self.name, Answer.HOLD, "effects_unknown", said, unheard, 0)
