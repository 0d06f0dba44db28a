"""The figures of a report: what changed over all modules, each from evidence or not at all."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.cycle.report.plots import BeforeAfter
from reverie.model.words import counted

NEW = (
    ("mutants.newly_killed", "mutants newly noticed"),
    ("coverage.new_branches", "branches newly taken"),
)
MUTANTS = ("mutants.score.before", "mutants.score.after")


@dataclass(frozen=True, slots=True)
class Figures:
    """Reads one report document."""

    document: Mapping[str, Any]

    @property
    def headline(self) -> str:
        """One sentence for somebody who reads nothing else."""
        kept = [each for each in self.document["promoted"] if each["status"] != "rolled_back"]
        tests = sum(_measure(each, "tests.new") or 0 for each in kept)
        promoted, found = len(kept), len(self.document["found"])
        waiting = len(self.document.get("waiting") or ())
        if promoted and tests:
            modules = counted(promoted, "module")
            said = f"{counted(int(tests), 'test')} for {modules}, each proven worth having"
        elif promoted:
            said = f"{counted(promoted, 'improvement')}, each proven"
        elif not waiting:
            said = "Nothing new was worth promoting"
        else:
            said = ""
        more = f"{counted(waiting, 'proven change')} waiting for your approval" if waiting else ""
        looked = f"{counted(found, 'finding')} for you to look at" if found else ""
        return "; ".join(filter(None, (said, more, looked)))

    def tiles(self) -> Iterator[tuple[str, str, str | None]]:
        """Figure, label, and what it was before."""
        for name, noun in (("line_coverage", "lines run"), ("branch_coverage", "branches taken")):
            share = self.overall(name)
            if share is not None:
                yield share[1], f"of the {noun} by tests", share[0]
        pair = self._mutants()
        if pair is not None:
            before, after = (f"{100 * share:.0f} %" for share in pair)
            yield after, "of the mutants noticed, in these modules", before
        for name, noun in NEW:
            count = self._sum(name)
            if count is not None:
                yield f"{count:g}", noun, None
        yield duration(self.document["seconds"]), "of this machine's time", None

    def overall(self, name: str) -> tuple[str | None, str] | None:
        """A share of the whole before, and with all promotions together."""
        before = self.document["baseline"].get(name)
        after = (self.document["result"] or {}).get(name)
        if after is None:
            return None
        return None if before is None else f"{100 * before:.0f} %", f"{100 * after:.0f} %"

    def covered(self, module: str, what: str) -> BeforeAfter:
        """The coverage of one module; `what` is lines or branches."""
        baseline, result = self.document["baseline"], self.document["result"] or {}
        before = (baseline.get("covered") or {}).get(module) or {}
        after = (result.get("covered") or {}).get(module) or {}
        return BeforeAfter(module, before.get(what), after.get(what))

    def branch_rows(self) -> list[BeforeAfter]:
        """Branch coverage of the modules with promotions."""
        modules = dict.fromkeys(each["module"] for each in self.document["promoted"])
        return [self.covered(name, "branches") for name in modules]

    def mutation_rows(self) -> list[BeforeAfter]:
        """Mutation score by module."""
        return self._rows(*MUTANTS)

    def _rows(self, before: str, after: str) -> list[BeforeAfter]:
        return [
            BeforeAfter(each["module"], _measure(each, before), _measure(each, after))
            for each in self.document["promoted"]
        ]

    def _mutants(self) -> tuple[float, float] | None:
        """Shares over all mutants of the promoted dreams' trials; None when none were judged."""
        found = [
            (judged, before, after)
            for each in self.document["promoted"]
            if (judged := _measure(each, "mutants.judged"))
            and (before := _measure(each, MUTANTS[0])) is not None
            and (after := _measure(each, MUTANTS[1])) is not None
        ]
        total = sum(judged for judged, _, _ in found)
        if not total:
            return None
        before, after = (sum(each[0] * each[n] for each in found) / total for n in (1, 2))
        return before, after

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
