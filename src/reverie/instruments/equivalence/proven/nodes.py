"""A function as a graph of small steps on registers; what it is written like is gone."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from reverie.instruments.equivalence.proven.scopes import FunctionNames


class Unproven(Exception):
    """Nothing can be said: the code has something in it that is not understood here."""


class Kind(StrEnum):
    """What a step does."""

    PURE = "pure"  # makes a value of values; nobody can notice
    LOAD = "load"  # reads a local, which may be missing
    MOVE = "move"
    EVENT = "event"  # may run other code, or raise
    BRANCH = "branch"  # on a value of type bool
    RETURN = "return"
    RAISE = "raise"  # hands an exception on, as it is


@dataclass(slots=True, eq=False)
class Node:
    """One step, and what comes after it."""

    kind: Kind
    data: tuple[Any, ...] = ()
    arguments: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    next: "Node | None" = None
    otherwise: "Node | None" = None
    """After a branch that is not taken."""
    catch: "Catch | None" = None
    handling: str | None = None
    """The register of the exception that is being handled meanwhile."""
    live: frozenset[str] = frozenset()
    """Registers that are read from here on before they are written."""


@dataclass(frozen=True, slots=True)
class Catch:
    """Where an exception goes, and the register that it is put into."""

    node: Node
    register: str
    is_prepared: bool = False
    """Whether an `except` is on the way: what happens there shows which steps can fail."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The function that a piece of code is part of; one that is put into another has a prefix."""

    names: FunctionNames
    prefix: str = ""
    inner: tuple[tuple[str, str], ...] = ()
    """Names of comprehensions around, with their registers."""
    depth: int = 0
    is_comprehension: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """Where control goes other than to the next step."""

    frame: Frame
    catch: Catch | None = None
    handling: str | None = None
    leave: "Exits" = field(default_factory=lambda: Exits())


@dataclass(frozen=True, slots=True)
class Exits:
    """Steps for `return`, `break` and `continue`; what has to run before is in them."""

    returned: "Node | None" = None
    broken: "Node | None" = None
    continued: "Node | None" = None
    value: str = ""
    """The register of what is returned."""


def mark_live(start: Node) -> int:
    """Work out which registers are read later; the number of steps."""
    nodes = _reachable(start)
    before: dict[Node, list[Node]] = {}
    for node in nodes:
        for each in _after(node):
            before.setdefault(each, []).append(node)
    pending = list(nodes)
    while pending:
        node = pending.pop()
        found = set(node.arguments)
        if node.handling is not None:
            found.add(node.handling)
        for way in (node.next, node.otherwise):
            if way is not None:
                found |= way.live - {*node.results}
        if node.catch is not None:
            found |= node.catch.node.live - {node.catch.register}
        if frozenset(found) != node.live:
            node.live = frozenset(found)
            pending += before.get(node, [])
    return len(nodes)


def _after(node: Node) -> list[Node]:
    ways = [node.next, node.otherwise, None if node.catch is None else node.catch.node]
    return [each for each in ways if each is not None]


def _reachable(start: Node) -> list[Node]:
    found, pending = {start: None}, [start]
    while pending:
        for each in _after(pending.pop()):
            if each not in found:
                found[each] = None
                pending.append(each)
    return list(found)
