"""Does the code still do what it did, and does the suite still watch it as closely?"""

from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, not_measured, ruled
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling


@dataclass(frozen=True, slots=True)
class EquivalenceGate:
    """Refuses a change of behaviour; holds what is not known to behave alike."""

    name: str = "equivalence"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Every changed callable has to be equivalent."""
        alike = matter.measured("equivalence.equivalent")
        said = f"{alike or 0:g} callables behave as before"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        asked = matter.measured("equivalence.callables")
        different = matter.measured("equivalence.different")
        alike = matter.measured("equivalence.equivalent")
        if asked is None or different is None or alike is None:
            yield not_measured(self.name, "equivalence.callables")
        elif different > 0:
            said = "; ".join(matter.named("equivalence.different")[:2])
            yield Ruling(self.name, Answer.FAIL, "behaviour_changed", said, different, 0)
        elif asked < 1:
            said = "no callable was found that the change could be seen in"
            yield Ruling(self.name, Answer.HOLD, "nothing_to_compare", said, asked, 1)
        elif alike < asked:
            said = "; ".join(matter.named("equivalence.unknown")[:2])
            yield Ruling(self.name, Answer.HOLD, "equivalence_unknown", said, alike, asked)


@dataclass(frozen=True, slots=True)
class WatchGate:
    """Refuses where tests run too little of the code, or less of it than before."""

    name: str = "watch"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """The precondition of the stage, then nothing lost."""
        share = matter.measured("coverage.lines.before")
        said = f"tests run {share or 0:.0%} of the lines"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        section = matter.section
        is_c = matter.stage is Stage.C
        least = section.coverage_optimise if is_c else section.coverage_refactor
        share = matter.measured("coverage.lines.before")
        lost = matter.measured("coverage.lost")
        if share is None or lost is None:
            yield not_measured(self.name, "coverage.lines.before")
        elif share < least:
            said = f"stage {matter.stage} needs tests that run more of the code"
            yield Ruling(self.name, Answer.FAIL, "coverage_too_low", said, round(share, 4), least)
        elif lost > 0:
            places = ", ".join(matter.named("coverage.lost")[:3])
            said = f"code that no test runs stands where tests ran it ({places}): add tests first"
            yield Ruling(self.name, Answer.HOLD, "coverage_down", said, lost, 0)
