"""A population kept in a file, so that a later run goes on with it.

Nothing in the file is believed: texts are parsed and raced anew, and whatever is offered in the end
is proven in the run that offers it. A forged file can hide a variant or waste time, no more.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.dreamers.evolve.population import ISLANDS, Population
from reverie.dreamers.evolve.traits import identity_of
from reverie.errors import UsageError, reason_of
from reverie.model.evolution import Fate, Individual

_VERSION = 1
_MOST_MEMBERS = 64
_MOST_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class Kept:
    """Somebody of an earlier run."""

    id: str
    source: str
    parents: tuple[str, ...]
    operator: str
    island: int
    is_refuted: bool


def keep_population(path: Path, population: Population) -> None:
    """Write down who is fit and who was refuted, with all their ancestors."""
    wanted = _wanted(population)
    document = {
        "version": _VERSION,
        "original": population.original.id,
        "entry": population.entry,
        "generation": population.generation,
        "members": [_document(each) for each in population.members.values() if each.id in wanted],
    }
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(document), "utf-8")
        os.replace(beside, path)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _wanted(population: Population) -> set[str]:
    elites = [each.id for each in population.elites()[:_MOST_MEMBERS]]
    refuted = [each.id for each in population.members.values() if each.fate is Fate.REFUTED]
    found, waiting = set[str](), [*elites, *refuted[:_MOST_MEMBERS]]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += population.members[each].parents
    return found


def _document(each: Individual) -> dict[str, Any]:
    return {
        "id": each.id,
        "source": each.source,
        "parents": list(each.parents),
        "operator": each.operator,
        "island": each.island,
        "refuted": each.fate is Fate.REFUTED,
    }


def read_population(path: Path, original: Individual, entry: str) -> list[Kept]:
    """The members that were kept, parents before children; `UsageError` where it is no such file.

    Nobody where the file is not there yet.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UsageError(f"{str(path)!r} is no state of an evolution: it is too large")
        document = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read the state {str(path)!r}: {reason_of(error)}") from error
    match document:
        case {"version": 1, "original": str(first), "entry": str(of), "members": [*members]}:
            if (first, of) != (original.id, entry):
                said = f"of another text or callable ({of!r:.80})"
                raise UsageError(f"the state {str(path)!r} is {said}; name another file")
            return list(_ordered(list(map(_kept, members)), original.id))
    raise UsageError(f"{str(path)!r} is no state of an evolution")


def _kept(member: Any) -> Kept | None:
    match member:
        case {
            "id": str(identity),
            "source": str(source),
            "parents": [*parents],
            "operator": str(operator),
            "island": int(island),
            "refuted": bool(refuted),
        } if all(isinstance(each, str) for each in parents) and identity == identity_of(source):
            return Kept(identity, source, tuple(parents), operator[:80], island % ISLANDS, refuted)
    return None


def _ordered(members: list[Kept | None], original: str) -> Iterator[Kept]:
    """Parents first; whoever has none that is known is left out."""
    known, left = {original}, [each for each in members if each is not None]
    while left:
        ready = [each for each in left if each.parents and known.issuperset(each.parents)]
        if not ready:
            return
        yield from ready
        known |= {each.id for each in ready}
        left = [each for each in left if each not in ready]


def restore(population: Population, members: list[Kept]) -> list[Individual]:
    """Take members into a population; those that are to be raced again."""
    found, known = [], {population.original.id}
    for each in members:
        if not known.issuperset(each.parents):
            continue
        made = population.adopt(each.source, each.parents, each.operator, each.island)
        if made is None:
            continue
        known.add(made.id)
        if each.is_refuted:
            population.members[made.id] = made.with_fate(Fate.REFUTED)
        else:
            found.append(made)
    return found
