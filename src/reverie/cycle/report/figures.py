"""The figures of a report: what changed over all modules, each from evidence or not at all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.cycle.report.plots import BeforeAfter

BRANCHES = ("coverage.branches.before", "coverage.branches.after")
MUTANTS = ("mutants.score.before", "mutants.score.after")


@dataclass(frozen=True, slots=True)
class Figures:
    """Reads one report document."""

    document: Mapping[str, Any]

    @property
    def headline(self) -> str:
        """One sentence for somebody who reads nothing else."""
        tests = self._sum("tests.new")
        promoted, found = len(self.document["promoted"]), len(self.document["found"])
        if not promoted:
            said = "Nothing new was worth promoting"
        elif tests:
            modules = counted(promoted, "module")
            said = f"{counted(int(tests), 'test')} for {modules}, each proven worth having"
        else:
            said = f"{counted(promoted, 'improvement')}, each proven"
        return f"{said}; {counted(found, 'finding')} for you to look at" if found else said

    def tiles(self) -> Iterator[tuple[str, str, str | None]]:
        """Figure, label, and what it was before."""
        for names, label in ((BRANCHES, "branches taken"), (MUTANTS, "mutants noticed")):
            pair = self._mean(*names)
            if pair is not None:
                yield (
                    f"{100 * pair[1]:.0f} %",
                    f"{label}, in these modules",
                    f"{100 * pair[0]:.0f} %",
                )
        killed = self._sum("mutants.newly_killed")
        if killed is not None:
            yield f"{killed:g}", "mutants newly noticed", None
        worth = [each["promotion"]["raroi"] for each in self.document["promoted"]]
        known = [each for each in worth if each is not None]
        if known:
            yield f"{sum(known):+.0f} min", "of a maintainer's time, risk counted", None
        yield duration(self.document["seconds"]), "of this machine's time", None

    def branch_rows(self) -> list[BeforeAfter]:
        """Branch coverage by module."""
        return self._rows(*BRANCHES)

    def mutation_rows(self) -> list[BeforeAfter]:
        """Mutation score by module."""
        return self._rows(*MUTANTS)

    def _rows(self, before: str, after: str) -> list[BeforeAfter]:
        return [
            BeforeAfter(each["module"], _measure(each, before), _measure(each, after))
            for each in self.document["promoted"]
        ]

    def _mean(self, before: str, after: str) -> tuple[float, float] | None:
        """Over the promoted dreams that have both; None when none has."""
        pairs = [
            (first, last)
            for each in self.document["promoted"]
            if (first := _measure(each, before)) is not None
            and (last := _measure(each, after)) is not None
        ]
        if not pairs:
            return None
        return sum(p[0] for p in pairs) / len(pairs), sum(p[1] for p in pairs) / len(pairs)

    def _sum(self, name: str) -> float | None:
        found = [_measure(each, name) for each in self.document["promoted"]]
        known = [value for value in found if value is not None]
        return sum(known) if known else None


def _measure(dream: Mapping[str, Any], name: str) -> float | None:
    value = None if dream["trial"] is None else dream["trial"]["measures"].get(name)
    return value if isinstance(value, int | float) else None


def duration(seconds: float) -> str:
    """A length of time as people say it."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.1f} min"


def counted(number: float, noun: str) -> str:
    """A number with its noun."""
    return f"{number:g} {noun}{'' if number == 1 else 's'}"
