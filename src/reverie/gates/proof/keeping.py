"""Would a maintainer keep the tests that were written here?"""

from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, not_measured, ruled
from reverie.model.ruling import Answer, Ruling


@dataclass(frozen=True, slots=True)
class KeepingGate:
    """Refuses tests by Reverie's own dreamers that nobody would want; people's are not refused."""

    name: str = "keeping"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """No new test scores below the bar."""
        return ruled(self.name, self._objections(matter), self._said(matter))

    def _said(self, matter: Matter) -> str:
        if not matter.is_own:
            return "not written here: how a test looks is no reason to refuse it"
        return f"every new test scores {matter.section.keepability:g} or more"

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        below = matter.measured("tests.unkeepable")
        if below is None:
            yield not_measured(self.name, "tests.unkeepable")
        elif below > 0 and matter.is_own:
            said = "tests that a maintainer would hardly keep as they are: "
            said += ", ".join(matter.named("tests.unkeepable")[:3])
            least, bar = matter.measured("tests.keepability"), matter.section.keepability
            yield Ruling(self.name, Answer.FAIL, "unkeepable_test", said, least, bar)
