"""What a repository's settings should say, from how it looks; each value with its reason."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reverie.index.outlook import Outlook, runs_elsewhere

_MODULE_SECONDS = 60
_LEAST_NIGHT_SECONDS = 15 * 60
_LONGEST_NIGHT_SECONDS = 4 * 60 * 60
_NIGHT_STEP_SECONDS = 5 * 60

Value = str | int | float | tuple[str, ...] | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One setting, what it should be here, and why."""

    key: str
    value: Value
    why: str


@dataclass(frozen=True, slots=True)
class Past:
    """What git knows that settings depend on."""

    commits_per_week: float | None
    """None: too little is known of it."""
    taken_prefix: bool
    """Whether a branch has the name that ours would start with."""


def propose(outlook: Outlook, past: Past) -> tuple[Proposal, ...]:
    """The settings that depend on the repository; what every repository has alike is no matter."""
    return (
        *_of_code(outlook),
        *_of_tests(outlook),
        *_of_past(outlook, past),
        *_of_nights(outlook),
    )


def _of_code(outlook: Outlook) -> Iterator[Proposal]:
    if outlook.roots and not (outlook.is_told and len(outlook.roots) > 1):
        origin = "project files say so" if outlook.is_told else "seen by what the code imports"
        why = f"Imports start here ({origin})."
        yield Proposal("index.roots", outlook.roots, why)
    if outlook.strangers:
        why = "Copied here or generated: what changes there is lost with the next copy."
        yield Proposal("guard.protected", outlook.strangers, why)


def _of_tests(outlook: Outlook) -> Iterator[Proposal]:
    if not outlook.test_roots:
        return
    counted = f"{outlook.test_files} file{'s' * (outlook.test_files != 1)} of {outlook.framework}"
    why = f"The tests ({counted}): stage A writes only here, stages B and C never do."
    yield Proposal("guard.test_roots", outlook.test_roots, why)
    paths = {
        pattern: "testing"
        for each in outlook.test_roots
        for pattern in ([f"{each}/*"] if "/" in each else [f"{each}/*", f"*/{each}/*"])
    }
    why = "Tests may do more than production code before a safety rule objects."
    yield Proposal("safety.paths", paths, why)


def _of_past(outlook: Outlook, past: Past) -> Iterator[Proposal]:
    if past.taken_prefix:
        why = "A branch is called reverie, which leaves no room for reverie/2026-11-15-1."
        yield Proposal("promotion.branch_prefix", "reverie-night", why)
    if past.commits_per_week is not None and runs_elsewhere(outlook):
        runs = max(1, round(past.commits_per_week))
        why = "Runs of the suite in a week: continuous integration has one for every commit."
        yield Proposal("roi.runs_per_week", runs, why)


def _of_nights(outlook: Outlook) -> Iterator[Proposal]:
    why = "When a night begins, once `reverie nightly install` was run."
    yield Proposal("nightly.time", "02:00", why)
    wanted = outlook.modules * _MODULE_SECONDS
    wanted += -wanted % _NIGHT_STEP_SECONDS
    seconds = min(max(wanted, _LEAST_NIGHT_SECONDS), _LONGEST_NIGHT_SECONDS)
    counted = f"{outlook.modules} module{'s' * (outlook.modules != 1)}"
    why = f"Seconds of a night: a minute for each of {counted}, within 15 minutes and 4 hours."
    yield Proposal("nightly.budget_seconds", seconds, why)
