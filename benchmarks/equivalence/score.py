"""The figures of one run over labelled pairs."""

from dataclasses import dataclass

from benchmarks.figures import summarize


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was said about one pair, and what it took."""

    id: str
    label: str
    verdict: str
    inputs: int
    reproduces: bool
    wall_seconds: float
    cpu_seconds: float
    note: str


@dataclass(frozen=True, slots=True)
class Score:
    """All pairs of one set."""

    outcomes: list[Outcome]

    def _count(self, label: str, verdict: str) -> int:
        return sum(each.label == label and each.verdict == verdict for each in self.outcomes)

    def report(self, verbose: bool) -> str:
        """A few lines for people; with `verbose` one per pair as well."""
        different = sum(each.label == "different" for each in self.outcomes)
        same = len(self.outcomes) - different
        confirmed = sum(
            each.label == "different" and each.verdict == "different" and each.reproduces
            for each in self.outcomes
        )
        wall = summarize([each.wall_seconds for each in self.outcomes])
        cpu = summarize([each.cpu_seconds for each in self.outcomes])
        lines = [
            f"  different called equivalent: {self._count('different', 'equivalent')}",
            f"  different found: {self._count('different', 'different')} of {different}, "
            f"reproduced in fresh interpreters: {confirmed}",
            f"  same called equivalent: {self._count('same', 'equivalent')} of {same}, "
            f"called different: {self._count('same', 'different')}",
            f"  seconds per pair: median {wall.median:.2f}, p95 {wall.p95:.2f} wall; "
            f"median {cpu.median:.2f}, p95 {cpu.p95:.2f} CPU, host and sandbox together",
        ]
        wanted = {"same": "equivalent", "different": "different"}
        for each in self.outcomes:
            is_wrong = each.verdict != wanted[each.label]
            is_bare = each.verdict == "different" and not each.reproduces
            if verbose or is_wrong or is_bare:
                mark = "wrong" if is_wrong else "not reproduced" if is_bare else "right"
                lines.append(f"  {each.id} {mark}: {each.label}, {each.verdict}, {each.note[:150]}")
        return "\n".join(lines)
