"""A measure held against a bound: the form that most gates on evidence have."""

from dataclasses import dataclass

from reverie.gates.gate import Matter, not_measured
from reverie.model.ruling import Answer, Ruling


@dataclass(frozen=True, slots=True)
class Bound:
    """A measure, what it must not pass, and the words for it."""

    measure: str
    reason_code: str
    reason: str
    most: float | None = None
    least: float | None = None
    answer: Answer = Answer.FAIL
    is_optional: bool = False
    """Whether nothing is wrong where nobody measured it."""

    def objection(self, gate: str, matter: Matter) -> Ruling | None:
        """Its answer when the bound is passed, a `hold` when nobody measured; else None."""
        value = matter.measured(self.measure)
        if value is None:
            return None if self.is_optional else not_measured(gate, self.measure)
        is_within = (self.most is None or value <= self.most) and (
            self.least is None or value >= self.least
        )
        if is_within:
            return None
        names = ", ".join(matter.named(self.measure)[:3])
        said = f"{self.reason}: {names}" if names else self.reason
        required = self.most if self.most is not None else self.least
        return Ruling(gate, self.answer, self.reason_code, said, value, required)


def objections(gate: str, matter: Matter, bounds: tuple[Bound, ...]) -> tuple[Ruling, ...]:
    """Those of several bounds; the holds only where nothing fails."""
    found = [each for bound in bounds if (each := bound.objection(gate, matter)) is not None]
    failed = tuple(each for each in found if each.verdict is Answer.FAIL)
    return failed or tuple(found)
