"""Do the new tests see more than the old ones did?"""

from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, not_measured, ruled
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling


@dataclass(frozen=True, slots=True)
class WorthGate:
    """Refuses tests that add nothing: no line, no branch, no mutant that an assertion notices."""

    name: str = "worth"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Coverage up or mutants newly killed, and assertions that make the difference."""
        return ruled(self.name, self._objections(matter), "the new tests see more than the old")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        gained = matter.measured("coverage.gained")
        killed = matter.measured("mutants.newly_killed")
        if gained is None and killed is None:
            yield not_measured(self.name, "coverage.gained")
            return
        if not (gained or 0) > 0 and not (killed or 0) > 0:
            if killed is None:
                yield not_measured(self.name, "mutants.newly_killed")
                return
            said = "no line or branch newly covered, and no mutant newly killed"
            yield Ruling(self.name, Answer.FAIL, "adds_nothing", said, 0, 1)
            return
        yield from self._by_assertion(matter)
        pinned = matter.measured("tests.pinned")
        if killed is not None and pinned is None:
            yield not_measured(self.name, "tests.pinned")
        elif pinned is not None and pinned > 0:
            said = "tests that fail on changes of the code which change nothing: "
            said += ", ".join(matter.named("tests.pinned")[:3])
            yield Ruling(self.name, Answer.FAIL, "pinned_code", said, pinned, 0)
        blunt = matter.measured("tests.blunt")
        if blunt is None:
            yield not_measured(self.name, "tests.blunt")
        elif blunt > 0:
            said = "tests that notice no change of the code they run: "
            said += ", ".join(matter.named("tests.blunt")[:3])
            yield Ruling(self.name, Answer.FAIL, "blunt_test", said, blunt, 0)

    def _by_assertion(self, matter: Matter) -> Iterator[Ruling]:
        """Covered code whose every mutant lives on is run, but not tested."""
        reached = matter.measured("mutants.reached")
        if reached is None:
            yield not_measured(self.name, "mutants.reached")
        elif reached > 0:
            noticed = matter.measured("mutants.killed_by_assertion")
            if noticed is None:
                yield not_measured(self.name, "mutants.killed_by_assertion")
            elif noticed < 1:
                said = "no assertion of the new tests notices any change of the code they run"
                yield Ruling(self.name, Answer.FAIL, "coverage_without_assertion", said, noticed, 1)


@dataclass(frozen=True, slots=True)
class MutationGate:
    """Refuses a change after which the suite notices fewer of the same mutants.

    Where code was rewritten, the suite may notice them elsewhere: that is for a person.
    """

    name: str = "mutation"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """The score after is not below the score before."""
        return ruled(self.name, self._objections(matter), self._said(matter))

    def _said(self, matter: Matter) -> str:
        before, after = (matter.measured(f"mutants.score.{when}") for when in ("before", "after"))
        shown = "no mutants" if before is None or after is None else f"{before:.0%} to {after:.0%}"
        return f"mutation score {shown}"

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        judged = matter.measured("mutants.judged")
        if matter.measured("mutants.doubted"):
            said = "fresh processes judge mutants otherwise: "
            said += ", ".join(matter.named("mutants.doubted")[:3])
            doubted = matter.measured("mutants.doubted")
            yield Ruling(self.name, Answer.HOLD, "mutants_doubted", said, doubted, 0)
            return
        if judged is None:
            yield not_measured(self.name, "mutants.judged")
            return
        before, after = (matter.measured(f"mutants.score.{when}") for when in ("before", "after"))
        if judged > 0 and (before is None or after is None):
            yield not_measured(self.name, "mutants.score.after")
        elif before is not None and after is not None and after < before:
            said = "the suite notices fewer of the same mutants than before"
            if lost := matter.named("mutants.no_longer_killed"):
                said += ", among them " + "; ".join(lost[:2])
            answer = Answer.FAIL if matter.stage is Stage.A else Answer.HOLD
            yield Ruling(self.name, answer, "mutation_score_down", said, after, before)
