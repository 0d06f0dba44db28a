"""Callables of a repository that may do the same as a step."""

import re
from collections.abc import Iterator

from reverie.model.code import Parameter
from reverie.workflows.discovery.annotations import Type, fits
from reverie.workflows.discovery.catalogue import Known
from reverie.workflows.discovery.finding import Surroundings

_MOST = 3
_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*|\d+")
_FILLER = frozenset(
    {"fast", "faster", "slow", "quick", "new", "old", "v", "my", "simple", "naive", "optimised",
     "optimized", "cached", "better", "alt", "the", "of", "and", "impl", "do", "get", "compute",
     "calculate", "batch", "many", "all", "bulk", "each", "every", "list"}
)  # fmt: skip


def equivalents(known: Known, around: Surroundings) -> list[Known]:
    """Functions with parameters that fit and a name that says the same, likeliest first."""
    found = [
        (likeness, other)
        for other in _candidates(known, around)
        if (likeness := _same_name(known, other)) > 0 and _same_shape(known, other, around)
    ]
    return [other for _, other in sorted(found, key=lambda each: (-each[0], each[1].target))][
        :_MOST
    ]


def batch_forms(known: Known, around: Surroundings) -> list[Known]:
    """Functions that take all items at once and return all results."""
    found = [
        (likeness, other)
        for other in _candidates(known, around)
        if (likeness := _same_name(known, other)) > 0 and _is_batch_of(known, other, around)
    ]
    return [other for _, other in sorted(found, key=lambda each: (-each[0], each[1].target))][
        :_MOST
    ]


def _candidates(known: Known, around: Surroundings) -> Iterator[Known]:
    for other in around.catalogue.known.values():
        is_function = other.owner is None and other.function is not None
        if is_function and other.target != known.target and not other.module.is_test:
            yield other


def _same_name(known: Known, other: Known) -> float:
    """Share of the words of both names that both have, fillers and endings aside."""
    one, two = _words(known), _words(other)
    return len(one & two) / len(one | two) if one | two else 0.0


def _words(known: Known) -> set[str]:
    name = known.target.rpartition(":")[2].rpartition(".")[2]
    words = {word.lower() for word in _WORD.findall(name)}
    kept = {word for word in words if word not in _FILLER and not word.isdigit()} or words
    return {word.removesuffix("s") or word for word in kept}


def _same_shape(known: Known, other: Known, around: Surroundings) -> bool:
    if known.function is None or other.function is None:
        return False
    if known.function.is_async != other.function.is_async:
        return False
    ours, theirs = known.positional, other.positional
    if len(known.required) != len(other.required) or len(theirs) < len(known.required):
        return False
    needed = [each for each in ours if each.default is None]
    pairs = zip(needed, theirs, strict=False)
    if any(_differ(one, other_one, known, other, around) for one, other_one in pairs):
        return False
    return fits(_returned(other, around), _returned(known, around)) is not False


def _is_batch_of(known: Known, other: Known, around: Surroundings) -> bool:
    if len(known.required) != 1 or len(other.required) != 1 or not other.positional:
        return False
    taken = around.types.read(other.positional[0].annotation, other.module)
    item = (
        around.types.read(known.positional[0].annotation, known.module)
        if known.positional
        else None
    )
    given = Type("list") if item is None else Type("list", (item,))
    if taken is None or fits(given, taken) is not True:
        return False
    returned, made = _returned(other, around), _returned(known, around)
    wanted = Type("Iterable") if made is None else Type("Iterable", (made,))
    return returned is not None and fits(returned, wanted) is True


def _returned(known: Known, around: Surroundings) -> Type | None:
    return (
        None if known.function is None else around.types.read(known.function.returns, known.module)
    )


def _differ(
    one: Parameter, two: Parameter, known: Known, other: Known, around: Surroundings
) -> bool:
    given = around.types.read(one.annotation, known.module)
    taken = around.types.read(two.annotation, other.module)
    return fits(given, taken) is False
