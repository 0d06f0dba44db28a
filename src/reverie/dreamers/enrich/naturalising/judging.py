"""How natural a line is: values that nobody would write, and how familiar the others are."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from reverie.dreamers.enrich.naturalising.inside.naturalness import YEARS, Familiar
from reverie.dreamers.enrich.naturalising.known import Known
from reverie.model.scenario import Step

_ODD_NAMES = frozenset({"Ellipsis", "NotImplemented", "failing", "memoryview", "complex"})
_ODD_CALLS = frozenset({"object", "bytearray", "SimpleNamespace", "memoryview", "complex"})
_LIBRARY = ("datetime", "decimal", "fractions", "uuid", "re", "pathlib", "collections", "array")
_LIMITS = ("nan", "inf", "-inf", "infinity", "Infinity", "NaN")
_FRESH, _EDITED, _FURTHER = 0.25, 0.5, 0.03
_MOST_FURTHER = 10


@dataclass(frozen=True, slots=True)
class _Role:
    """What a value is for: known whole values in their order, and the plain parts of them."""

    wholes: tuple[str, ...] = ()
    parts: frozenset[Any] = frozenset()
    kinds: frozenset[str] = frozenset()
    """Types of the values that somebody has shown; empty where nobody has."""


class NaturalTaste:
    """Judges lines by what is known of a module's values."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.signatures = known.signatures
        self.familiar: Familiar = known.familiar
        self.speaks_of_limits = known.speaks_of_limits
        self._roles: dict[tuple[str, str], _Role] = {}
        self._judge = lru_cache(maxsize=8192)(self._judged)

    def oddities(self, step: Step) -> tuple[str, ...]:
        """Values of a step that nobody would write there."""
        return self._judge(step.line.source)[0]

    def strangeness(self, step: Step) -> float:
        """What its values cost a reader, in lines: the best known ones nothing."""
        return self._judge(step.line.source)[1]

    def _judged(self, source: str) -> tuple[tuple[str, ...], float]:
        odd: list[str] = []
        cost = 0.0
        for value, role in self._values(ast.parse(source), _Role()):
            text = ast.unparse(value)
            if not self._is_natural(value, role):
                odd.append(text)
            cost += self._cost(value, text, role)
        return tuple(odd), cost

    def _values(self, node: ast.AST, role: _Role) -> Iterator[tuple[ast.expr, _Role]]:
        """Values of a line, each with its role; the arguments of other calls keep the outer one."""
        if isinstance(node, ast.Call):
            yield from self._values(node.func, _Role())
            if self._called(node.func) in _ODD_CALLS:
                yield node, role
                return
            if _is_far_date(node) or not _is_made_alike(node, role):
                yield node, role
                return
            roles = self._roles_of(node)
            inner = replace(role, kinds=frozenset())  # parts of another thing than is shown
            for value in (*node.args, *(each.value for each in node.keywords)):
                yield from self._values(value, roles.get(id(value), inner))
        elif isinstance(node, ast.Lambda | ast.JoinedStr | ast.ListComp | ast.GeneratorExp):
            return
        elif isinstance(node, ast.expr) and _is_value(node):
            yield node, role
        elif isinstance(node, ast.Starred):
            yield node, role  # nobody unpacks what could be written out
        else:
            for each in ast.iter_child_nodes(node):
                yield from self._values(each, role)

    def _roles_of(self, call: ast.Call) -> dict[int, _Role]:
        signature = self.signatures.of(call)
        if signature is None:
            return {}
        return {
            id(value): self._role(signature.callee, slot.name)
            for slot, value in signature.bound(call)
        }

    def _called(self, node: ast.expr) -> str:
        return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")

    def _role(self, callee: str, parameter: str) -> _Role:
        key = callee, parameter
        if key not in self._roles:
            wholes = self.known.roles.get(key, ())
            parts: set[Any] = set()
            kinds: set[str] = set()
            for source in wholes:
                value = _literal(ast.parse(source, mode="eval").body)
                kinds.add("()" if value is _NOTHING else type(value).__name__)
                parts.update(() if value is _NOTHING else _parts(value))
            is_firm = key in self.known.firm
            self._roles[key] = _Role(wholes, frozenset(parts), frozenset(kinds if is_firm else ()))
        return self._roles[key]

    def _is_natural(self, node: ast.expr, role: _Role) -> bool:
        if isinstance(node, ast.Name | ast.Call | ast.Starred):
            return ast.unparse(node) in role.wholes
        value = _literal(node)
        if isinstance(value, str) and value in _LIMITS and value not in role.parts:
            return self.speaks_of_limits  # of float('nan')
        if role.kinds and value is not None and not isinstance(value, bool):
            kind = type(value).__name__
            is_number = kind in ("int", "float") and role.kinds & {"int", "float"}
            is_items = kind in ("list", "tuple") and role.kinds & {"list", "tuple"}
            if kind not in role.kinds and not is_number and not is_items:
                return False
        return self.familiar.is_value(value, role.parts)

    def _cost(self, node: ast.expr, text: str, role: _Role) -> float:
        if text in role.wholes:
            return _FURTHER * min(role.wholes.index(text), _MOST_FURTHER)
        value = _literal(node)
        if value is None or isinstance(value, bool):
            return 0.0
        if isinstance(value, (int, float)):
            return 0.0 if value in self.familiar.numbers else _FRESH / 2
        is_whole = isinstance(value, str | bytes) and value in role.parts
        return _FRESH if is_whole or not role.wholes else _EDITED


_NOTHING = object()


def _is_far_date(call: ast.Call) -> bool:
    """Whether it makes a date of a year that nobody has in mind."""
    name = ast.unparse(call.func).rpartition(".")[2]
    year = _literal(call.args[0]) if call.args else None
    return name in ("date", "datetime") and isinstance(year, int) and year not in YEARS


def _is_made_alike(call: ast.Call, role: _Role) -> bool:
    """Whether known values of a role are made by the same: a `date`, and no `datetime`."""
    made = ast.unparse(call.func)
    known = {each.partition("(")[0] for each in role.wholes if each[0].isalpha() and "(" in each}
    is_library = made.partition(".")[0] in _LIBRARY
    return not is_library or made in known or not (known or role.kinds)


def _is_value(node: ast.expr) -> bool:
    """Whether it is a literal, or a name that stands for an odd one."""
    return _literal(node) is not _NOTHING or (isinstance(node, ast.Name) and node.id in _ODD_NAMES)


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value if node.value is not Ellipsis else _NOTHING
    if not isinstance(node, ast.UnaryOp | ast.List | ast.Tuple | ast.Dict | ast.Set | ast.BinOp):
        return _NOTHING
    try:
        value = ast.literal_eval(node)
        hash(repr(value))
        return value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return _NOTHING


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for pair in value.items():
            for each in pair:
                yield from _parts(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _parts(each)
    else:
        yield value
