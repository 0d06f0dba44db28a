"""Chains by signatures: what one function returns fits what the next takes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reverie.model.workflow import Step, Workflow, WorkflowOrigin
from reverie.workflows.discovery.annotations import Type, TypeReader, fits
from reverie.workflows.discovery.catalogue import Catalogue, Known

LIMIT = 20
_MOST_STEPS = 5
_LEAST_WEIGHT = 2
_MOST_PATHS = 2000


@dataclass(frozen=True, slots=True)
class _Link:
    """A function that can stand in a chain."""

    known: Known
    takes: Type | None
    """What flows in; None when nothing does."""
    returns: Type


def find_signature_chains(
    catalogue: Catalogue,
    types: TypeReader,
    groups: Iterable[Iterable[str]] = (),
    limit: int = LIMIT,
) -> Iterator[Workflow]:
    """The best chains of two and more steps, within a group of modules; longest first.

    `groups` are names of modules that belong together; without any, every module is in one.
    """
    group_of = {name: at for at, group in enumerate(groups) for name in group}
    links = [
        link for known in catalogue.known.values() if (link := _link(known, types)) is not None
    ]
    after = {link.known.target: _followers(link, links, group_of) for link in links}
    by_target = {link.known.target: link for link in links}
    fed = {target for targets in after.values() for target in targets}
    starts = [target for target in after if target not in fed and after[target]]
    paths = sorted(
        (path for path in _paths(starts or [t for t in after if after[t]], after) if len(path) > 1),
        key=lambda path: (-_worth(path, by_target), path),
    )
    used: list[frozenset[str]] = []
    for path in paths:
        if len(used) >= limit:
            return
        # The same steps in another order, or fewer of them, are nothing new.
        if not any(frozenset(path) <= other for other in used):
            used.append(frozenset(path))
            yield _workflow(path)


def _link(known: Known, types: TypeReader) -> _Link | None:
    function = known.function
    private = function is None or function.name.startswith("_") or known.owner is not None
    if private or known.module.is_test or function is None:
        return None
    returns = types.read(function.returns, known.module)
    if returns is None or returns.head == "None":
        return None
    first = known.positional[:1]
    takes = types.read(first[0].annotation, known.module) if first else None
    others = [name for name in known.required if not first or name != first[0].name]
    return None if others else _Link(known, takes, returns)


def _followers(link: _Link, links: Sequence[_Link], group_of: Mapping[str, int]) -> list[str]:
    if link.returns.weight < _LEAST_WEIGHT:
        return []
    here = group_of.get(link.known.module.name)
    return sorted(
        other.known.target
        for other in links
        if other is not link
        and group_of.get(other.known.module.name) == here
        and fits(link.returns, other.takes)
    )


def _paths(starts: Sequence[str], after: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Simple paths that go as far as they can."""
    waiting: list[tuple[str, ...]] = [(start,) for start in sorted(starts, reverse=True)]
    seen = 0
    while waiting and seen < _MOST_PATHS:
        path = waiting.pop()
        seen += 1
        onwards = [each for each in after[path[-1]] if each not in path]
        if not onwards or len(path) == _MOST_STEPS:
            yield path
            continue
        waiting += [(*path, each) for each in reversed(onwards)]


def _worth(path: Sequence[str], links: Mapping[str, _Link]) -> float:
    """What is said by the types on the way, and a little for every step."""
    return sum(links[each].returns.weight for each in path[:-1]) + 0.1 * len(path)


def _workflow(path: Sequence[str]) -> Workflow:
    names = [target.rpartition(":")[2] for target in path]
    return Workflow(
        "dynamic." + "-".join(names)[:150],
        tuple(Step(target) for target in path),
        WorkflowOrigin.SIGNATURE_CHAIN,
        source="compatible signatures",
    )
