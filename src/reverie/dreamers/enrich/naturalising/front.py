"""Scenarios of a search with natural values in them: the program, its request, its answer."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import Any

from reverie.dreamers.enrich.naturalising.judging import NaturalTaste
from reverie.dreamers.enrich.naturalising.known import Known, known_values
from reverie.dreamers.enrich.search.answers import read_steps
from reverie.dreamers.enrich.search.program import ENTRY, searching_program
from reverie.dreamers.enrich.search.search import (
    MOST_TEXTS,
    PRELOADED,
    Findings,
    common_request,
    in_parallel,
    replay_steps,
)
from reverie.dreamers.enrich.target import Target, told_by, trying_policy, trying_request
from reverie.errors import MachineryError, SandboxLost
from reverie.model.call import Scenario, Step, StepForm
from reverie.model.execution import Call
from reverie.sandbox.engine import Sandbox


@cache
def naturalising_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    return searching_program("reverie.dreamers.enrich.naturalising.inside.naturalising")


_WORKERS = 2
_SPARE_SECONDS = 60.0
_UNHURRIED_SECONDS = 600.0
_RESULT_MB = 16
_MOST_SCENARIOS = 260


@dataclass(frozen=True, slots=True)
class Naturalised:
    """What a search has found, natural forms of it first, and what was known of values."""

    findings: Findings
    known: Known
    taste: NaturalTaste
    notes: tuple[str, ...] = ()


def naturalised(
    sandbox: Sandbox,
    target: Target,
    search: Callable[[], Findings],
    seconds: float | None,
    seed: int,
) -> Naturalised:
    """What a search finds, with natural forms of it made in so many seconds.

    What is known of the values is read while the sandbox searches.
    """
    with ThreadPoolExecutor(1) as beside:
        reading = beside.submit(known_values, target)
        findings = search()
        known = reading.result()
    scenarios: tuple[Scenario, ...] = ()
    notes: tuple[str, ...] = ()
    try:
        scenarios, known = natural_scenarios(sandbox, target, findings, known, seconds, seed)
    except SandboxLost:
        raise
    except MachineryError as error:
        notes = (f"no natural forms were made of what was found: {error}"[:300],)
    found = {_sources(each): each for each in (*scenarios, *findings.scenarios)}
    whole = replace(findings, scenarios=tuple(found.values()))
    return Naturalised(whole, known, NaturalTaste(known), notes)


def natural_scenarios(
    sandbox: Sandbox,
    target: Target,
    findings: Findings,
    known: Known,
    seconds: float | None,
    seed: int,
) -> tuple[tuple[Scenario, ...], Known]:
    """Scenarios that go the ways of those found, with values that people use; and those values."""
    seeds = findings.seeds
    if seeds is None:
        return (), known
    request = {
        **common_request(target, seeds.names),
        "tries": [_lines(each) for each in findings.scenarios if is_plain(each)],
        "known": known.document(),
        "constants": seeds.constants,
        "texts": seeds.texts[:MOST_TEXTS],
        "seconds": seconds,
        "seed": seed,
    }

    def work(number: int) -> dict[str, Any]:
        asked = {**request, "share": [number, _WORKERS]}
        call = Call(naturalising_program(), ENTRY, {"request": asked})
        policy = trying_policy(sandbox, target, 0, PRELOADED)
        wall = _SPARE_SECONDS + (_UNHURRIED_SECONDS if seconds is None else 2 * seconds)
        return told_by(sandbox.run(trying_request(sandbox, call, policy, wall, _RESULT_MB)), target)

    texts: dict[tuple[Step, ...], str] = {}
    answers = in_parallel(work, _WORKERS)
    claims = [each.get("scenarios") for each in answers]
    told = [each for each in claims if isinstance(each, list)]
    # what each worker told first comes first: the calls of known values alone
    for claim in (each for row in zip_longest(*told) for each in row if each is not None):
        steps = read_steps(claim, seeds.names)
        if steps is not None and len(texts) < _MOST_SCENARIOS:
            texts.setdefault(steps, "natural")
    known = known.with_texts(answers[0].get("texts"))
    return (replay_steps(sandbox, target, texts, seeds.names)[0] if texts else ()), known


def _sources(scenario: Scenario) -> tuple[str, ...]:
    return tuple(step.line.source for step in scenario.steps)


def _lines(scenario: Scenario) -> list[str]:
    return [line_of(step) for step in scenario.steps]


def line_of(step: Step) -> str:
    """A step as a line to read."""
    source = step.line.source
    return source if step.name is None else f"{step.name} = {source}"


def is_plain(scenario: Scenario) -> bool:
    """Whether its lines can be read as they stand: nothing is awaited, nothing entered."""
    return not any(step.is_awaited or step.form is StepForm.ENTER for step in scenario.steps)
