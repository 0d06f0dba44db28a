"""Is it really faster, and at what price in memory?"""

from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, not_measured, ruled
from reverie.model.ruling import Answer, Ruling


@dataclass(frozen=True, slots=True)
class SpeedGate:
    """Refuses what is not faster by the stage's bounds at the lower end of the interval."""

    name: str = "speed"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """At least one callable faster at p50, p95 and p99, and none slower."""
        gain = matter.measured("speed.p50")
        said = "" if gain is None else f"{gain:.2f}x at the median, at least"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        counts = [matter.measured(f"speed.{w}") for w in ("faster", "slower", "same", "unknown")]
        faster, slower, same, unknown = counts
        if faster is None or slower is None or same is None or unknown is None:
            yield not_measured(self.name, "speed.faster")
        elif slower > 0:
            said = "; ".join(matter.named("speed.slower"))
            yield Ruling(self.name, Answer.FAIL, "slower", said, slower, 0)
        elif unknown > 0:
            said = "; ".join(matter.named("speed.unknown"))
            yield Ruling(self.name, Answer.HOLD, "speed_unknown", said, unknown, 0)
        elif faster < 1:
            said = "; ".join(matter.named("speed.same")) or "nothing is faster"
            yield Ruling(self.name, Answer.FAIL, "not_faster", said, faster, 1)


@dataclass(frozen=True, slots=True)
class MemoryGate:
    """Refuses what needs more memory than the stage allows."""

    name: str = "memory"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """The worst ratio of what calls allocate at most."""
        return ruled(self.name, self._objections(matter), "memory is as before, or nearly")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        ratio = matter.measured("memory.ratio")
        most = 1 + matter.section.memory
        if ratio is None:
            yield not_measured(self.name, "memory.ratio")
        elif ratio > most:
            said = "calls need more memory: " + "; ".join(matter.named("memory.ratio"))
            yield Ruling(self.name, Answer.FAIL, "memory_up", said, round(ratio, 3), round(most, 3))
