"""What a change is good for and how that was proven, in one plain line each."""

from collections.abc import Iterator, Mapping
from typing import Any

from reverie.cycle.report.figures import Figures
from reverie.cycle.report.plots import BeforeAfter
from reverie.model.words import counted

Document = Mapping[str, Any]
_KNOWN = "dreamt about before: "
_LISTED = 3


def better(change: Document, figures: Figures | None = None) -> str:
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


def proof(change: Document) -> str:
    """How it was proven: what ran, and how many checks it passed."""
    trial, measures = change.get("trial"), measures_of(change)
    told = []
    if measures.get("tests.runs"):
        told.append(f"each test passed {measures['tests.runs']:g} runs in random order, and alone")
    if measures.get("equivalence.equivalent"):
        told.append("no difference found on generated inputs")
    if measures.get("suite.tests") and measures.get("suite.newly_failing") == 0:
        told.append(f"all {counted(measures['suite.tests'], 'test')} still pass")
    if trial is not None:
        passed = sum(each["verdict"] == "pass" for each in trial["rulings"])
        told.append(f"{passed} of {counted(len(trial['rulings']), 'check')} passed")
    return "; ".join(told)


def objections(change: Document) -> str:
    """Why a change was refused: the reason of every check that did not pass."""
    trial = change.get("trial")
    if trial is None:
        return "not tried: the time was up"
    found = [each["reason"] for each in trial["rulings"] if each["verdict"] != "pass"]
    return "; ".join(found) or "proven by itself, put aside beside other changes"


def skipped_reason(note: str | None) -> str:
    """Why a module was passed over, for somebody who does not know the inner words."""
    if note is None:
        return "nothing to do"
    if note.startswith(_KNOWN):
        return f"unchanged since cycle {note.removeprefix(_KNOWN)} (--fresh looks again)"
    return note


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


def _shares(measures: Document, branches: BeforeAfter | None) -> Iterator[str]:
    after = measures.get("mutants.score.after")
    if after is not None and measures.get("mutants.newly_killed"):
        yield f"{_rise(measures.get('mutants.score.before'), after)} of planted faults noticed"
    if branches is not None and branches.after is not None:
        yield f"{_rise(branches.before, branches.after)} of branches run"


def _speed(measures: Document) -> Iterator[str]:
    if measures.get("speed.p50"):
        yield f"at least {measures['speed.p50']:.2g} times as fast"


def _clarity(measures: Document) -> Iterator[str]:
    if measures.get("complexity.removed"):
        removed = measures["complexity.removed"]
        yield f"complexity lower by {removed:g}"


def _rise(before: float | None, after: float) -> str:
    was = "" if before is None else f"{100 * before:.0f} → "
    return f"{was}{100 * after:.0f} %"
