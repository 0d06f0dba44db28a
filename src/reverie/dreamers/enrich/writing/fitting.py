"""Whether values fit the annotations of the function they are given to, as far as source tells."""

import ast
import builtins
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reverie.dreamers.enrich.writing.admission import dotted

_ACCEPTED: dict[str, tuple[type, ...]] = {
    "int": (int,), "float": (int, float), "complex": (int, float, complex), "str": (str,),
    "bytes": (bytes,), "bool": (bool,), "list": (list,), "tuple": (tuple,), "dict": (dict,),
    "set": (set,), "frozenset": (frozenset,), "None": (type(None),), "NoneType": (type(None),),
    "List": (list,), "Tuple": (tuple,), "Dict": (dict,), "Set": (set,), "Mapping": (dict,),
    "MutableMapping": (dict,), "Sequence": (list, tuple, str, bytes), "MutableSequence": (list,),
    "Iterable": (list, tuple, str, bytes, dict, set, frozenset),
    "Sized": (list, tuple, str, dict, set),
    "Collection": (list, tuple, str, bytes, dict, set, frozenset), "Text": (str,),
    "Hashable": (int, float, str, bytes, tuple, frozenset, bool, type(None)),
}  # fmt: skip
_MAKERS = frozenset(
    {"set", "frozenset", "iter", "bytearray", "range", "date", "datetime", "timedelta", "time"}
)
_LIBRARY = frozenset({"date", "datetime", "time", "timedelta", "tzinfo", "Decimal", "Path", "UUID"})
"""Types of the standard library that no literal is of."""
_UNIONS = ("Union", "Optional")
_WRAPPERS = ("Annotated", "Final", "ClassVar", "Required", "ReadOnly")


@dataclass(frozen=True, slots=True)
class Fitting:
    """Annotations of one module, with its aliases resolved."""

    aliases: Mapping[str, ast.expr]
    classes: frozenset[str] = frozenset()
    """The module's own: no literal is one of them."""

    def fits(self, value: ast.expr, annotation: ast.expr | None) -> bool | None:
        """Whether a value is of the annotated type; None when that cannot be told."""
        kinds = self._accepted(annotation, 0)
        if kinds is None:
            return None
        try:
            made: Any = ast.literal_eval(value)
        except (ValueError, SyntaxError, TypeError, MemoryError):
            return _made_otherwise(value, kinds)
        if isinstance(made, bool) and not {"bool", "int", "float", "object"} & kinds:
            return False
        accepted = any(isinstance(made, _ACCEPTED.get(kind, ())) for kind in kinds)
        if accepted and isinstance(made, (list, tuple, dict, set)) and made:
            return None  # who knows what may be in it
        if not accepted and not kinds <= {*_ACCEPTED, *_LIBRARY, *self.classes}:
            return None
        return accepted

    def names(self, annotation: ast.expr | None) -> frozenset[str] | None:
        """The types that an annotation allows, by name; None for anything at all."""
        return self._accepted(annotation, 0)

    def excludes(self, allowed: frozenset[str], kind: str) -> bool:
        """Whether a type is none of the allowed ones; False where that cannot be told."""
        if not allowed <= set(_ACCEPTED):
            return False
        fitting = {made.__name__ for name in allowed for made in _ACCEPTED[name]}
        return kind not in fitting | {"NoneType" if "None" in allowed else ""}

    def _accepted(self, node: ast.expr | None, depth: int) -> frozenset[str] | None:
        if node is None or depth > 8:
            return None
        if isinstance(node, ast.Constant):
            return self._of_constant(node, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._together([node.left, node.right], depth)
        if isinstance(node, ast.Subscript):
            return self._of_subscript(node, depth)
        name = (dotted(node) or "").rpartition(".")[2]
        if name in self.aliases:
            return self._accepted(self.aliases[name], depth + 1)
        if not name or name in ("Any", "object", "Self"):
            return None
        return frozenset({name})

    def _of_constant(self, node: ast.Constant, depth: int) -> frozenset[str] | None:
        if node.value is None:
            return frozenset({"None"})
        if not isinstance(node.value, str):
            return None
        try:
            return self._accepted(ast.parse(node.value, mode="eval").body, depth + 1)
        except SyntaxError:
            return None

    def _of_subscript(self, node: ast.Subscript, depth: int) -> frozenset[str] | None:
        name = (dotted(node.value) or "").rpartition(".")[2]
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in _UNIONS:
            more = [ast.Constant(None)] if name == "Optional" else []
            return self._together([*inner, *more], depth)
        if name in _WRAPPERS:
            return self._accepted(inner[0], depth + 1)
        return None if name in ("Literal", "Callable", "Type", "type") else frozenset({name})

    def _together(self, nodes: list[ast.expr], depth: int) -> frozenset[str] | None:
        found: set[str] = set()
        for node in nodes:
            kinds = self._accepted(node, depth + 1)
            if kinds is None:
                return None
            found |= kinds
        return frozenset(found)


def _made_otherwise(value: ast.expr, kinds: frozenset[str]) -> bool | None:
    """Of what is no literal: by the name of what is called, if all that is asked for is plain."""
    is_plain = kinds <= set(_ACCEPTED)
    if isinstance(value, ast.Lambda):
        return False if is_plain else None
    if isinstance(value, ast.Name) and hasattr(builtins, value.id):
        return None if kinds & {"Callable", "type", "Type", "Hashable"} else False
    if not isinstance(value, ast.Call):
        return None
    name = (dotted(value.func) or "").rpartition(".")[2]
    if name in kinds or (name == "float" and "complex" in kinds):
        return True
    is_told = name in _MAKERS or name[:1].isupper()
    has_wide = bool(kinds & {"Iterable", "Collection", "Hashable", "Sized", "Sequence", "Mapping"})
    return False if is_plain and is_told and not has_wide else None


def fitting_of(tree: ast.Module) -> Fitting:
    """The aliases of a module; type variables and protocols allow anything."""
    aliases: dict[str, ast.expr] = {}
    classes = frozenset(node.name for node in tree.body if isinstance(node, ast.ClassDef))
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            aliases[node.target.id] = node.value
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            anything = isinstance(node.value, ast.Call)
            aliases[node.targets[0].id] = ast.Name("Any") if anything else node.value
        elif isinstance(node, ast.ClassDef) and any(
            "Protocol" in ast.unparse(b) for b in node.bases
        ):
            aliases[node.name] = ast.Name("Any")
    return Fitting(aliases, classes)
