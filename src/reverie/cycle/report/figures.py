"""Figures of a report, each from evidence or not at all; and one plain line for every change.

A line says what a change is good for, or how that was proven.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.cycle.report.document import failed_reason, kept_chance
from reverie.cycle.report.plots import BeforeAfter
from reverie.gates.remedies import gravest_first, remedies
from reverie.model.outcome import counted
from reverie.model.ruling import Need, NeedKind
from reverie.model.worth import at_least

NEW = (
    ("mutants.newly_killed", "more planted faults noticed"),
    ("coverage.new_branches", "more branches run"),
)
MUTANTS = ("mutants.score.before", "mutants.score.after")


def ready_and_merged(
    document: Mapping[str, Any],
) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """The accepted changes that can be merged, and those that the branch checked out has."""
    merged = frozenset(document.get("merged", ()))
    found: tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]] = ([], [])
    for each in document["promoted"]:
        found[each["dream_id"] in merged].append(each)
    return found


def taking_back(name: str, branch: str | None) -> str:
    """The one line that undoes what is merged: it is reverted on a branch, which is merged too."""
    prefix = str(branch).rpartition("/")[0]
    return f"reverie rollback {name} && git merge {prefix}/rollback-{name}"


@dataclass(frozen=True, slots=True)
class Figures:
    """Reads one report document."""

    document: Mapping[str, Any]

    @property
    def headline(self) -> str:
        """One sentence for somebody who reads nothing else."""
        kept = [each for each in self.document["promoted"] if each["status"] != "rolled_back"]
        with_tests = [each for each in kept if _measure(each, "tests.new")]
        promoted, found = len(kept), len(self.document["found"])
        waiting = len(self.document.get("waiting") or ())
        if with_tests:
            tests = int(sum(_measure(each, "tests.new") or 0 for each in with_tests))
            modules = counted(len({each["module"] for each in with_tests}), "module")
            others = promoted - len(with_tests)
            more = f" and {counted(others, 'other change')}" if others else ""
            said = f"{counted(tests, 'test')} for {modules}{more}, each proven useful"
        elif promoted:
            said = f"{counted(promoted, 'improvement')}, each proven"
        elif self.document.get("taken_back"):
            said = f"{counted(len(self.document['taken_back']), 'change')} taken back"
        elif not waiting and is_nothing_new(self.document):
            said = "Nothing has changed since it was looked at: `reverie run --fresh` looks again"
        elif not waiting and self.document.get("state") == "interrupted":
            said = "Stopped before anything was proven"
        elif not waiting:
            refused = sum(each["trial"] is not None for each in self.document["refused"])
            said = "No change was accepted" + (f": {refused} refused" if refused else "")
        else:
            said = ""
        later = f"{counted(waiting, 'proven change')} waiting for your approval" if waiting else ""
        looked = f"{counted(found, 'finding')} for you to look at" if found else ""
        return "; ".join(filter(None, (said, later, looked)))

    def tiles(self) -> Iterator[tuple[str, str, str | None]]:
        """Figure, label, and what it was before."""
        ready, merged = ready_and_merged(self.document)
        for changes, noun in (
            (ready, "ready to merge"),
            (merged, "merged"),
            (self.document["waiting"], "waiting for approval"),
            (self.document["found"], "findings to judge"),
        ):
            if changes:
                yield f"{len(changes)}", noun, None
        for name, noun in (("line_coverage", "lines"), ("branch_coverage", "branches")):
            share = self.overall(name)
            if share is not None:
                yield share[1], f"of the {noun} run by tests", share[0]
        pair = self._mutants()
        if pair is not None:
            before, after = (f"{100 * share:.0f} %" for share in pair)
            yield after, "of planted faults noticed, in these modules", before
        for name, noun in NEW:
            count = self._sum(name)
            if count is not None and pair is None:
                yield f"{count:g}", noun, None

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


Document = Mapping[str, Any]
_KNOWN = ("tried before: ", "dreamt about before: ")
"""The second stands in older journals."""
_LISTED = 3


def better(change: Document, figures: Figures | None = None) -> str:
    """What a change brings, and how likely people keep it."""
    kept = kept_probability(change)
    likely = "" if kept is None else f"; {100 * kept:.0f} % likely to be kept"
    return f"{brings(change, figures)}{likely}"


def in_a_line(change: Document, figures: Figures | None = None) -> str:
    """A change among others: its title first, but for new tests, which say more by what they hold.

    "1 lint finding fixed" alone tells nobody what would be taken.
    """
    said = better(change, figures)
    if measures_of(change).get("tests.new") or change["title"] in said:
        return said
    module = f"{change['module']}: "
    return f"{module}{change['title']}; {said.removeprefix(module)}"


def brings(change: Document, figures: Figures | None = None) -> str:
    """What is protected, clearer or faster with a change; its title where nothing was measured."""
    measures = measures_of(change)
    branches = None if figures is None else figures.covered(change["module"], "branches")
    told = [
        *_tests(measures),
        *_shares(measures, branches),
        *_speed(measures),
        *_clarity(measures),
    ]
    return f"{change['module']}: {', '.join(told) or change['title']}"


def kept_probability(change: Document) -> float | None:
    """How likely people keep a change as it is, whichever document it stands in."""
    found = change.get("kept")
    if found is None and change.get("trial") is not None:
        return kept_chance(change["trial"]["score"])
    return found if isinstance(found, float) else None


def asked_of_people(needs: Iterable[str]) -> str:
    """What people have to do for a change that waits; the rest of its needs Reverie does itself."""
    own = (NeedKind.DECISION_RECORD, NeedKind.CANARY_PLAN, NeedKind.TESTED_ROLLBACK)
    return "; ".join(each for each in needs if Need.from_text(each).kind not in own) or "your word"


def proof(change: Document) -> str:
    """How it was proven: what ran, and how many checks it passed."""
    trial, measures = change.get("trial"), measures_of(change)
    told = []
    if measures.get("tests.runs"):
        told.append(f"each test passed {measures['tests.runs']:g} runs in random order, and alone")
    if measures.get("equivalence.equivalent"):
        is_proven = measures.get("equivalence.proven") == measures.get("equivalence.callables")
        searched = "no difference found on generated inputs"
        told.append("proven to take the same steps" if is_proven else searched)
    if measures.get("suite.tests") and measures.get("suite.newly_failing") == 0:
        many = measures["suite.tests"]
        pass_on = "the one test still passes" if many == 1 else f"all {many:g} tests still pass"
        left_out = int(measures.get("suite.files_left_out") or 0)
        beside = f" ({counted(left_out, 'test file')} not run)" if left_out else ""
        told.append(pass_on + beside)
    if trial is not None:
        passed = sum(each["verdict"] == "pass" for each in trial["rulings"])
        told.append(f"{passed} of {counted(len(trial['rulings']), 'check')} passed")
    return "; ".join(told)


def objections(change: Document) -> str:
    """Why a change was refused: the reason of every check that did not pass."""
    trial = change.get("trial")
    if trial is None:
        return "not tried: the time was up"
    rulings = gravest_first(trial["rulings"])
    found = [objection(each) for each in rulings if each["verdict"] != "pass"]
    return "; ".join(found) or "proven by itself, put aside beside other changes"


def objection(ruling: Document) -> str:
    """A reason with those of its figures that it does not say itself, where both are numbers."""
    reason, measured, required = str(ruling["reason"]), ruling["measured"], ruling["required"]
    if not all(isinstance(each, int | float) for each in (measured, required)):
        return reason
    figures = {"measured": f"{measured:.4g}", "required": f"{required:.4g}"}
    if figures["measured"] in reason.split():
        return reason
    missing = (f"{name}: {each}" for name, each in figures.items() if each not in reason.split())
    return f"{reason} ({', '.join(missing)})"


def would_help(change: Document) -> list[str]:
    """What would help a change that was refused: a line for each reason."""
    trial = change.get("trial")
    return [] if trial is None else [remedy for _, remedy in remedies(trial["rulings"])]


def skipped_reason(note: str | None) -> str:
    """Why a module was passed over, for somebody who does not know the inner words."""
    if note is None:
        return "nothing to do"
    for known in _KNOWN:
        if note.startswith(known):
            return f"unchanged since cycle {note.removeprefix(known)} (--fresh looks again)"
    return note


def passed_over(modules: Iterable[Document]) -> dict[str, str]:
    """Why modules were passed over: each once, though every stage has its step for it.

    A failure is told in any case; what one stage skipped only where no other did anything.
    """
    steps = list(modules)
    failed = (each for each in steps if each["state"] == "failed")
    found = {each["module"]: failed_reason(each["note"]) for each in failed}
    done = {each["module"] for each in steps if each["state"] == "done"}
    for each in steps:
        if each["state"] == "skipped" and each["module"] not in done:
            found.setdefault(each["module"], skipped_reason(each["note"]))
    return found


def is_nothing_new(document: Document) -> bool:
    """Whether a run found everything as it had looked at it before, and so did nothing."""
    steps = document.get("modules") or ()
    return bool(steps) and all(
        each["state"] == "skipped" and (each["note"] or "").startswith(_KNOWN) for each in steps
    )


def few(names: list[str]) -> str:
    """Some names and how many more there are."""
    rest = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def measures_of(change: Document) -> Document:
    """What was measured of a change, whichever document it stands in."""
    found = change.get("measures")
    if found is None:
        trial = change.get("trial")
        found = {} if trial is None else trial["measures"]
    return {name: value for name, value in found.items() if isinstance(value, int | float)}


def _tests(measures: Document) -> Iterator[str]:
    if measures.get("tests.new"):
        yield counted(measures["tests.new"], "new test")
    if measures.get("conditions.protected"):
        yield f"{counted(measures['conditions.protected'], 'condition')} newly protected"


def _shares(measures: Document, branches: BeforeAfter | None) -> Iterator[str]:
    after = measures.get("mutants.score.after")
    if after is not None and measures.get("mutants.newly_killed"):
        yield f"{_rise(measures.get('mutants.score.before'), after)} of planted faults noticed"
    if branches is not None and branches.after is not None and branches.after != branches.before:
        yield f"{_rise(branches.before, branches.after)} of branches run"


def _speed(measures: Document) -> Iterator[str]:
    if measures.get("speed.p50"):
        yield f"at least {at_least(measures['speed.p50'])} times as fast"
    if measures.get("speed.growth_classes"):
        yield "its time grows more slowly with the input"


def _clarity(measures: Document) -> Iterator[str]:
    if measures.get("complexity.removed"):
        removed = measures["complexity.removed"]
        yield f"{counted(removed, 'branch')} less in the code"
    if measures.get("lint.mended"):
        yield f"{counted(measures['lint.mended'], 'lint finding')} fixed"


def _rise(before: float | None, after: float) -> str:
    was = "" if before is None else f"{100 * before:.0f} → "
    return f"{was}{100 * after:.0f} %"
