"""Types as annotations write them, and whether what one function returns fits another."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from reverie.model.code import Module
from reverie.workflows.discovery.catalogue import Catalogue, imported_names

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
            node = ast.parse(annotation, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
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
                return self._plain(ast.unparse(node), module)
        return None

    def _generic(self, value: ast.expr, inside: ast.expr, module: Module) -> Type | None:
        head = self._plain(ast.unparse(value), module)
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
