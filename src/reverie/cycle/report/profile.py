"""Where the time of a night went: by who dreamt, by module, and what was done there.

    profile_of(record)      # {"name": "night", "seconds": 61.2, "parts": [{"name": "tests", …}]}

Seconds of all workers together. What no step took is told as well: the survey, plans, and waiting.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from reverie.cycle.report.plots import duration
from reverie.model.cycle import CycleRecord

Span = Mapping[str, Any]
"""`name`, `seconds`, and its `parts`, the longest first."""
WRITING, PROVING, REST = "writing", "proving", "survey, plans, waiting"
_LEAST_SHARE = 0.01
"""Of the whole: what took less has no line of its own."""


def profile_of(record: CycleRecord) -> Span:
    """One night, from the steps and trials that its journal holds."""
    found: defaultdict[str, defaultdict[str, defaultdict[str, float]]]
    found = defaultdict(lambda: defaultdict(lambda: defaultdict(float)))
    for step in record.steps:
        found[step.dreamer][step.module][WRITING] += step.seconds
    for each in record.dreams:
        if each.trial is not None:
            found[each.dream.dreamer][each.dream.module][PROVING] += each.trial.seconds
    dreamers = [
        _span(
            dreamer, [_span(m, [_leaf(*each) for each in done.items()]) for m, done in by.items()]
        )
        for dreamer, by in found.items()
    ]
    rest = record.header.seconds - sum(each["seconds"] for each in dreamers)
    return _span("night", [*dreamers, _leaf(REST, max(0.0, rest))])


def profile_lines(profile: Span, depth: int = 0, whole: float | None = None) -> Iterator[str]:
    """Its parts as lines, each further in than what it is a part of."""
    whole = profile["seconds"] if whole is None else whole
    for part in profile["parts"]:
        if part["seconds"] >= _LEAST_SHARE * whole:
            share = f"{part['seconds'] / whole:.0%}"
            yield f"{'  ' * depth}{share:>4} {duration(part['seconds']):>8}  {part['name']}"
            yield from profile_lines(part, depth + 1, whole)


def _leaf(name: str, seconds: float) -> Span:
    return {"name": name, "seconds": round(seconds, 3), "parts": []}


def _span(name: str, parts: list[Span]) -> Span:
    longest = sorted((e for e in parts if e["seconds"]), key=lambda each: -float(each["seconds"]))
    seconds = round(sum(float(each["seconds"]) for each in parts), 3)
    return {"name": name, "seconds": seconds, "parts": longest}
