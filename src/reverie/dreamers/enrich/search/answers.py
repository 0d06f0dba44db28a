"""What the far side claims to have found and seen, as values; whatever is amiss is left out.

The code under test shares the interpreter with the search: every source is parsed again here and
may only use names that exist, and no text becomes part of a test unless it did so.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from reverie.dreamers.enrich.search.naming import Names
from reverie.model.call import Expression
from reverie.model.scenario import Scenario, Seen, Step, StepForm

_FORMS = {each.value: each for each in StepForm}
_MOST_TEXT = 4000
_MOST_STEPS = 16


def read_steps(claim: Any, names: Names) -> tuple[Step, ...] | None:
    """The steps of a scenario; None when one of them cannot be."""
    if not isinstance(claim, dict) or not isinstance(claim.get("steps"), list):
        return None
    steps: list[Step] = []
    bound: list[str] = []
    for each in claim["steps"][:_MOST_STEPS]:
        step = _step(each, names, bound)
        if step is None:
            return None
        steps.append(step)
        bound += [step.name] if step.name is not None else []
    return tuple(steps) or None


def _step(claim: Any, names: Names, bound: Sequence[str]) -> Step | None:
    if not isinstance(claim, dict) or not isinstance(claim.get("source"), str):
        return None
    form = _FORMS.get(str(claim.get("form")))
    line = names.expression(claim["source"], bound)
    if form is None or line is None or len(line.source) > _MOST_TEXT:
        return None
    name = claim.get("name")
    callee = claim.get("callee")
    if name is not None and not (isinstance(name, str) and name.isidentifier()):
        return None
    return Step(line, form, callee if isinstance(callee, str) else None, name,
                claim.get("is_awaited") is True)  # fmt: skip


def worth_replaying(claims: Sequence[Any], most: int) -> list[Mapping[str, Any]]:
    """Of all searches together: first what takes every way, then other paths of each function."""
    known = sorted((each for each in claims if _has_ways(each)), key=lambda each: each["rank"])
    left = {way for each in known for way in each["ways"]}
    needed: list[Mapping[str, Any]] = []
    others: list[Mapping[str, Any]] = []
    for each in known:
        (needed if left & set(each["ways"]) else others).append(each)
        left -= set(each["ways"])
    paths = {_path(each) for each in needed}
    by_callee: dict[str, list[Mapping[str, Any]]] = {}
    for each in others:
        path = _path(each)
        if path not in paths:
            paths.add(path)
            by_callee.setdefault(path[0], []).append(each)
    return [*needed, *_in_turn(by_callee.values())][: max(most, len(needed))]


def _has_ways(claim: Any) -> bool:
    if not isinstance(claim, dict):
        return False
    ways, rank = claim.get("ways"), claim.get("rank")
    if not isinstance(ways, list) or not isinstance(rank, list) or len(rank) != 2:
        return False
    return all(type(each) is int for each in ways) and all(isinstance(each, int) for each in rank)


def _path(claim: Mapping[str, Any]) -> tuple[str, tuple[int, ...], str]:
    return _callee(claim), tuple(claim["ways"]), str(claim.get("outcome"))


def _callee(claim: Mapping[str, Any]) -> str:
    steps = claim.get("steps")
    last = steps[-1] if isinstance(steps, list) and steps else None
    return str(last.get("callee")) if isinstance(last, dict) else ""


def _in_turn(several: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[Mapping[str, Any]]:
    """One of each, then the next of each."""
    for row in itertools.zip_longest(*several):
        yield from (each for each in row if each is not None)


def read_scenario(
    steps: tuple[Step, ...], claims: Sequence[Any], names: Names, origin: str
) -> Scenario | None:
    """A scenario from replays that agree; None when they do not, or make no sense."""
    if not claims or not all(isinstance(each, dict) for each in claims):
        return None
    views = [each.get("seen") for each in claims]
    if not all(isinstance(each, list) and 0 < len(each) <= len(steps) for each in views):
        return None
    if len({len(each) for each in views}) != 1:
        return None
    seen = [_agreed([view[place] for view in views], names) for place in range(len(views[0]))]
    if any(each is None for each in seen):
        return None
    known = tuple(each for each in seen if each is not None)
    if any(each.is_exception for each in known[:-1]):
        return None
    if len(known) < len(steps) and not known[-1].is_exception:
        return None
    arcs = frozenset.intersection(*(read_arcs(each) for each in claims))
    return Scenario(steps[: len(known)], known, arcs, origin) if arcs else None


def read_arcs(claim: Mapping[str, Any]) -> frozenset[tuple[int, int]]:
    """Steps from line to line, as far as they are such."""
    found = claim.get("arcs")
    return frozenset(
        (each[0], each[1])
        for each in (found if isinstance(found, list) else ())
        if isinstance(each, list) and len(each) == 2 and all(type(part) is int for part in each)
    )


def _agreed(views: Sequence[Any], names: Names) -> Seen | None:
    """What all replays saw; what differs between them is left out of it."""
    if not all(isinstance(each, dict) and isinstance(each.get("type"), str) for each in views):
        return None
    first, *rest = views
    if any(each["type"] != first["type"] for each in rest):
        return None
    if ("raised" in first) != all("raised" in each for each in views):
        return None
    if "raised" in first:
        is_same = all(each["raised"] == first["raised"] for each in rest)
        where = first.get("where")
        return Seen(
            first["type"],
            raised=str(first["raised"])[:_MOST_TEXT] if is_same else "",
            raised_in=where if isinstance(where, str) else None,
        )
    printed = {str(each.get("printed", "")) for each in views}
    return Seen(
        first["type"],
        literal=_shared(views, "literal", names),
        parts=_parts(views, names),
        printed=printed.pop()[:_MOST_TEXT] if len(printed) == 1 else "",
    )


def _shared(views: Sequence[Mapping[str, Any]], key: str, names: Names) -> Expression | None:
    texts = {each.get(key) for each in views if isinstance(each.get(key), str | None)}
    text = texts.pop() if len(texts) == 1 else None
    return None if text is None else names.expression(text)


def _parts(views: Sequence[Mapping[str, Any]], names: Names) -> dict[str, Expression]:
    several = [each["parts"] for each in views if isinstance(each.get("parts"), dict)]
    if len(several) != len(views):
        return {}
    found: dict[str, Expression] = {}
    for reading, text in several[0].items():
        if not isinstance(reading, str) or any(each.get(reading) != text for each in several):
            continue
        if names.expression(reading.format("object()")) is None or not isinstance(text, str):
            continue
        value = names.expression(text)
        if value is not None:
            found[reading] = value
    return found
