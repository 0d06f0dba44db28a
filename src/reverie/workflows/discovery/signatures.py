"""Chains by signatures: what one function returns fits what the next takes.

Types are read as annotations write them.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reverie.model.repository.code import Module
from reverie.model.workflow import Step, Workflow, WorkflowOrigin
from reverie.syntax.parsing import NOT_PYTHON, parse_expression
from reverie.syntax.unparsing import unparse
from reverie.workflows.discovery.catalogue import Catalogue, Known, imported_names

_SAME = {
    "List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple",
    "Type": "type", "Text": "str",
}  # fmt: skip
_OPEN = frozenset({"Any", "object", "Self", "TypeVar", "Callable"})
_SCALARS = frozenset({"str", "int", "float", "bool", "bytes", "complex", "None"})
_LISTS = frozenset({"list", "tuple", "set", "frozenset", "deque", "Sequence", "Collection"})
_ACCEPTED = {
    "Iterable": _LISTS | {"Iterator", "Generator", "Iterable", "Mapping", "dict"},
    "Iterator": frozenset({"Iterator", "Generator"}),
    "Collection": _LISTS | {"dict", "Mapping"},
    "Sequence": frozenset({"list", "tuple", "Sequence", "deque"}),
    "MutableSequence": frozenset({"list", "deque"}),
    "Mapping": frozenset({"dict", "Mapping", "defaultdict", "OrderedDict", "Counter"}),
    "MutableMapping": frozenset({"dict", "defaultdict", "OrderedDict", "Counter"}),
    "Set": frozenset({"set", "frozenset"}),
    "float": frozenset({"int", "float"}),
    "complex": frozenset({"int", "float", "complex"}),
}
"""What an annotation takes besides itself."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type: its head, and what is in its brackets. A union has the head `|`."""

    head: str
    arguments: tuple["Type", ...] = ()

    @property
    def weight(self) -> int:
        """How much it says: 3 for the repository's own classes, 0 for what everything is."""
        if ":" in self.head:
            return 3
        inner = max((each.weight for each in self.arguments), default=0)
        if self.head in _SCALARS | _OPEN:
            return 0
        if self.head == "|":
            return inner
        return 3 if inner == 3 else 2 if self.arguments else 1


class TypeReader:
    """Reads annotations in the terms of the module that they stand in."""

    def __init__(self, catalogue: Catalogue, trees: Mapping[str, ast.Module]) -> None:
        self._catalogue = catalogue
        self._trees = trees
        self._names: dict[str, Mapping[str, str]] = {}

    def read(self, annotation: str | None, module: Module) -> Type | None:
        """The type of an annotation; None where there is none or it says nothing."""
        if not annotation:
            return None
        try:
            node = parse_expression(annotation)
        except NOT_PYTHON:
            return None
        return self._type(node, module)

    def _type(self, node: ast.expr, module: Module) -> Type | None:
        match node:
            case ast.Constant(value=None):
                return Type("None")
            case ast.Constant(value=str() as quoted):
                return self.read(quoted, module)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return _union([self._type(left, module), self._type(right, module)])
            case ast.Subscript(value=value, slice=inside):
                return self._generic(value, inside, module)
            case ast.Name() | ast.Attribute():
                return self._plain(unparse(node), module)
        return None

    def _generic(self, value: ast.expr, inside: ast.expr, module: Module) -> Type | None:
        head = self._plain(unparse(value), module)
        parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
        arguments = [self._type(each, module) for each in parts]
        if head is None or head.head == "Annotated":
            return arguments[0] if head is not None else None
        if head.head == "Optional":
            return _union([*arguments, Type("None")])
        if head.head == "Union":
            return _union(arguments)
        return Type(head.head, tuple(each or Type("Any") for each in arguments))

    def _plain(self, written: str, module: Module) -> Type | None:
        names = self._names.get(module.name)
        if names is None:
            tree = self._trees.get(module.name)
            names = {} if tree is None else imported_names(tree, module)
            self._names[module.name] = names
        top, _, rest = written.partition(".")
        known = self._catalogue.resolve(names.get(top, top) + (f".{rest}" if rest else ""))
        if known is not None and known.is_class:
            return Type(known.target)
        short = written.rpartition(".")[2]
        return Type(_SAME.get(short, short))


def fits(given: Type | None, taken: Type | None) -> bool | None:
    """Whether a value of one type can be given where another is taken; None: nobody says."""
    if given is None or taken is None or given.head in _OPEN or taken.head in _OPEN:
        return None
    if given.head == "|":
        return _all([fits(each, taken) for each in given.arguments])
    if taken.head == "|":
        return _any([fits(given, each) for each in taken.arguments])
    if given.head != taken.head and given.head not in _ACCEPTED.get(taken.head, ()):
        return False
    if not given.arguments or not taken.arguments:
        return True
    pairs = zip(given.arguments, taken.arguments, strict=False)
    return not any(fits(one, other) is False for one, other in pairs)


def _union(members: list[Type | None]) -> Type | None:
    there = [each for each in members if each is not None]
    if len(there) != len(members):
        return None
    return there[0] if len(there) == 1 else Type("|", tuple(there))


def _all(answers: list[bool | None]) -> bool | None:
    return False if False in answers else None if None in answers else True


def _any(answers: list[bool | None]) -> bool | None:
    return True if True in answers else None if None in answers else False


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
