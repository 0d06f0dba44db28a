"""Shorter forms of chosen scenarios: without the lines that no check needs, if that still holds.

Whether a line was needed is not guessed: every form is tried on unchanged code and on the mutants,
and the chooser has the last word.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from reverie.dreamers.enrich.writing.candidates import Candidate
from reverie.dreamers.enrich.writing.checks import Check
from reverie.dreamers.enrich.writing.threads import names_in
from reverie.model.scenario import Scenario, StepForm

_FEW_CALLS = 3
_KEPT = (StepForm.CHANGE, StepForm.ENTER)


def shorter_forms(
    candidates: Sequence[Candidate], chosen: Mapping[int, Sequence[int]]
) -> list[Candidate]:
    """The chosen candidates as they are, and in every shorter form, numbered anew."""
    found: list[Candidate] = []
    seen: set[tuple[tuple[str, ...], tuple[Check, ...]]] = set()
    number = 0
    for place in sorted(chosen):
        for scenario, checks in _forms(candidates[place], chosen[place]):
            key = tuple(step.line.source for step in scenario.steps), checks
            if key in seen or not checks:
                continue
            seen.add(key)
            found.append(Candidate(scenario, checks, number))
            number += len(checks)
    return found


def _forms(
    candidate: Candidate, numbers: Sequence[int]
) -> Iterator[tuple[Scenario, tuple[Check, ...]]]:
    yield candidate.scenario, candidate.checks
    if len(candidate.scenario.steps) == 1:
        return
    checks = tuple(candidate.check(number) for number in numbers)
    wanted = [checks, *((check,) for check in checks)] if len(checks) > 1 else [checks]
    for some in wanted:
        for kept in _kept_calls(candidate.scenario, some):
            yield _trimmed(candidate.scenario, some, kept)


def _kept_calls(scenario: Scenario, checks: tuple[Check, ...]) -> Iterator[frozenset[int]]:
    """Which of the calls that nobody looks at stay: none, all, and where they are few, some."""
    checked = {check.step for check in checks}
    calls = [
        place
        for place in range(max(checked))
        if scenario.steps[place].form is StepForm.CALL and place not in checked
    ]
    yield frozenset()
    if len(calls) <= _FEW_CALLS:
        for count in range(1, len(calls)):
            yield from map(frozenset, combinations(calls, count))
    if calls:
        yield frozenset(calls)


def _trimmed(
    scenario: Scenario, checks: tuple[Check, ...], calls: frozenset[int]
) -> tuple[Scenario, tuple[Check, ...]]:
    """The steps that are checked, that change something, or whose result those use."""
    checked = {check.step for check in checks}
    last = max(checked)
    kept: list[int] = []
    used: set[str] = set()
    for place in range(last, -1, -1):
        step = scenario.steps[place]
        if place in checked or place in calls or step.form in _KEPT or step.name in used:
            kept.insert(0, place)
            used |= names_in(step.line.source)
    moved = {place: number for number, place in enumerate(kept)}
    shorter = replace(
        scenario,
        steps=tuple(scenario.steps[place] for place in kept),
        seen=tuple(scenario.seen[place] for place in kept if place < len(scenario.seen)),
    )
    return shorter, tuple(replace(check, step=moved[check.step]) for check in checks)
