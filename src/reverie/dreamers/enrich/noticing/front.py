"""Scenarios for mutants that known ones reach and none notices: the program, its answer."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from reverie.dreamers.enrich.naturalising.front import (
    Naturalised,
    is_plain,
    line_of,
)
from reverie.dreamers.enrich.search.answers import read_steps
from reverie.dreamers.enrich.search.program import ENTRY, searching_program
from reverie.dreamers.enrich.search.search import (
    MOST_TEXTS,
    PRELOADED,
    common_request,
    in_parallel,
    replay_steps,
)
from reverie.dreamers.enrich.target import Target, told_by, trying_policy, trying_request
from reverie.model.call import Scenario, Step
from reverie.model.execution import Call
from reverie.sandbox.engine import Sandbox


@cache
def noticing_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    return searching_program("reverie.dreamers.enrich.noticing.inside.noticing")


_WORKERS = 2
_SPARE_SECONDS = 60.0
_UNHURRIED_SECONDS = 600.0
_RESULT_MB = 16
_MOST_SCENARIOS = 240


def notice_survivors(
    sandbox: Sandbox,
    target: Target,
    natural: Naturalised,
    survivors: frozenset[int],
    seconds: float | None,
    seed: int,
) -> tuple[Scenario, ...]:
    """Scenarios that seem to set some of these mutants apart, by their numbers in the file."""
    findings = natural.findings
    seeds = findings.seeds
    tries = [_try(each) for each in findings.scenarios if is_plain(each)]
    if seeds is None or not survivors or not tries:
        return ()
    request = {
        **common_request(target, seeds.names),
        "path": target.path,
        "tries": tries,
        "survivors": sorted(survivors),
        "known": natural.known.document(),
        "constants": seeds.constants,
        "texts": seeds.texts[:MOST_TEXTS],
        "seconds": seconds,
        "seed": seed,
    }

    def work(number: int) -> dict[str, Any]:
        asked = {**request, "share": [number, _WORKERS]}
        call = Call(noticing_program(), ENTRY, {"request": asked})
        policy = trying_policy(sandbox, target, 0, PRELOADED)
        wall = _SPARE_SECONDS + (_UNHURRIED_SECONDS if seconds is None else seconds)
        return told_by(sandbox.run(trying_request(sandbox, call, policy, wall, _RESULT_MB)), target)

    texts: dict[tuple[Step, ...], str] = {}
    known = {_sources(each.steps) for each in findings.scenarios}
    for answer in in_parallel(work, _WORKERS):
        claims = answer.get("scenarios")
        for claim in claims if isinstance(claims, list) else ():
            steps = read_steps(claim, seeds.names)
            if steps is not None and _sources(steps) not in known and len(texts) < _MOST_SCENARIOS:
                texts.setdefault(steps, "search")
    if not texts:
        return ()
    scenarios, _ = replay_steps(sandbox, target, texts, seeds.names)
    return scenarios


def _try(scenario: Scenario) -> dict[str, Any]:
    """A scenario as lines to read, and the lines of the module that it runs."""
    return {
        "lines": [line_of(step) for step in scenario.steps],
        "reached": sorted({line for arc in scenario.arcs for line in arc if line > 0}),
    }


def _sources(steps: Sequence[Step]) -> tuple[str, ...]:
    return tuple(step.line.source for step in steps)
