"""How natural a line is: values that nobody would write, and how familiar the others are."""

import ast
import builtins
import collections
import datetime
import io
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from reverie.dreamers.enrich.naturalising.inside.naturalness import (
    YEARS,
    Familiar,
    is_mild_edit,
    is_off_calendar,
)
from reverie.dreamers.enrich.naturalising.inside.pool import LIBRARY
from reverie.dreamers.enrich.naturalising.known import Known
from reverie.dreamers.enrich.naturalising.parameters import Slot, everyday_texts
from reverie.model.call import Step
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse

_ODD_NAMES = frozenset({"Ellipsis", "NotImplemented", "failing", "memoryview", "complex"})
_ODD_CALLS = frozenset(
    {"object", "bytearray", "SimpleNamespace", "memoryview", "complex", "set", "frozenset", "iter"}
)
_TYPES = frozenset({"int", "str", "float", "bool", "bytes", "list", "dict", "tuple", "set", "type"})
_LIBRARY_KINDS = (
    str, bytes, int, float, list, dict, set, tuple, datetime.datetime, datetime.timedelta,
    re.Pattern, re.Match, collections.OrderedDict, collections.deque, io.BytesIO, io.StringIO,
)  # fmt: skip
_CONVERTING = frozenset({"str", "bool", "bytes", "int"})
_LIMITS = ("nan", "inf", "-inf", "infinity", "Infinity", "NaN")
_FRESH, _EDITED, _SPOILT, _FURTHER = 0.25, 0.5, 0.9, 0.03
_NO_LIMIT = 1.5
"""Nobody sets a limit of nothing: a line more, which reaches a real one, reads better. Nor does
anybody say what holds unless something else is said."""
_UNDOING = re.compile(
    r"(?:^|_|\d)(?:decode|loads?|unpack|decompress|decrypt|deseriali[sz]e|unmarshal|unescape|unquote)"
)
_MOST_FURTHER = 10
_NEAR_DAYS, _DAY_PARTS = 400, 3


@dataclass(frozen=True, slots=True)
class _Role:
    """What a value is for: known whole values in their order, and the plain parts of them."""

    name: str = ""
    """Of the parameter."""
    wholes: tuple[str, ...] = ()
    parts: frozenset[Any] = frozenset()
    kinds: frozenset[str] = frozenset()
    """Types of the values that somebody has shown, or that docs and code ask for; empty where
    nothing tells."""
    keys: frozenset[Any] = frozenset()
    """Of the dictionaries among them."""
    held: frozenset[str] = frozenset()
    """Types of what those, and lists, hold."""
    given: frozenset[str] = frozenset()
    """What people have given this callable itself."""
    is_foreign: bool = False
    """Whether it is annotated with classes alone."""
    is_made: bool = False
    """Whether it is for making an object."""
    default: int | None = None
    """The whole number that it is unless something else is said."""
    unsaid: str = ""
    """What it is unless something else is said, as source."""
    is_undone: bool = False
    """Whether the callable takes back what another has made."""
    is_whole: bool = False
    """Whether it makes an object for another call: then nothing about it may be wrong."""
    is_unknown: bool = False
    """Whether no value has a source: nobody shows one, and nobody wrote down of what type it is."""

    @property
    def is_of_objects(self) -> bool:
        """Whether all that is known of it is made by calls, but for what is empty."""
        full = [each for each in self.wholes if each not in ("{}", "[]", "()", "None")]
        return bool(full) and all(each[0].isalpha() and each.endswith(")") for each in full)

    @property
    def is_unshown(self) -> bool:
        """Whether nobody gives it anything but its default."""
        return self.default is not None and self.given <= {str(self.default)}


class NaturalTaste:
    """Judges lines by what is known of a module's values."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.signatures = known.signatures
        self.familiar: Familiar = known.familiar
        self.speaks_of_limits = known.speaks_of_limits
        self.everyday = everyday_texts()
        self._roles: dict[tuple[str, str], _Role] = {}
        self._judge = lru_cache(maxsize=8192)(self._judged)

    def oddities(self, step: Step) -> tuple[str, ...]:
        """Values of a step that nobody would write there; classes made up for it among them."""
        return (*self._judge(step.line.source)[0], *step.line.definitions)

    def strangeness(self, step: Step) -> float:
        """What its values cost a reader, in lines: the best known ones nothing."""
        return self._judge(step.line.source)[1]

    def spoilt(self, step: Step) -> tuple[str, ...]:
        """Values of a step that are right but for one thing: what comes of them is a refusal."""
        return self._judge(step.line.source)[2]

    def knows(self, text: str) -> bool:
        """Whether somebody has written a text: in docs, tests or calls, given or expected."""
        return any(text in each for each in self.known.written)

    def asks(self, kind: str, name: str) -> bool:
        """Whether somebody looks at a field, as far as people show objects of its class at all."""
        return kind not in self.known.calls or name in self.known.asked

    def _judged(self, source: str) -> tuple[tuple[str, ...], float, tuple[str, ...]]:
        odd: list[str] = []
        spoilt: list[str] = []
        cost = 0.0
        for value, role in self._values(parse_module(source), _Role()):
            text = unparse(value)
            if (text == _WRONG_NUMBER and -1 not in role.parts) or (
                is_off_calendar(role.name, _literal(value)) and text not in role.wholes
            ):
                spoilt.append(text)
            elif not self._is_natural(value, role):
                odd.append(text)
            elif _is_strange(value, text, role) and not self._is_plain_sequence(value, role):
                (spoilt if _is_like_given(value, role) else odd).append(text)
            elif _is_spoilt(_literal(value), role.parts):
                spoilt.append(text)
            cost += self._cost(value, text, role)
        return tuple(odd), cost, tuple(spoilt)

    def _values(self, node: ast.AST, role: _Role) -> Iterator[tuple[ast.expr, _Role]]:
        """Values of a line, each with its role; the arguments of other calls keep the outer one."""
        if isinstance(node, ast.Call):
            if unparse(node) in self.known.lines:
                return  # as somebody wrote it
            if not isinstance(node.func, ast.Name):  # `list(…)` gives no type to anything
                yield from self._values(node.func, _Role())
            if self._called(node.func) in _ODD_CALLS or _is_conversion(node):
                yield node, role
                return
            if _is_far_date(node, role) or not _is_made_alike(node, role):
                yield node, role
                return
            roles = self._roles_of(node)
            # parts of another thing than is shown
            inner = replace(
                role,
                name="",
                kinds=frozenset(),
                keys=frozenset(),
                held=frozenset(),
                given=frozenset(),
                is_foreign=False,
            )
            if self._is_beyond(node) or self._is_thrown_together(node):
                yield node, _Role("", is_unknown=True)
            if self._is_untold(node):
                inner = _Role("", is_unknown=True)
            is_setting = role.name != ""  # an object is made as people make it
            for value in (*node.args, *(each.value for each in node.keywords)):
                found = roles.get(id(value), inner)
                yield from self._values(
                    value, replace(found, is_whole=found.is_whole or is_setting)
                )
        elif isinstance(node, ast.Lambda):
            yield node, role
        elif isinstance(node, ast.JoinedStr | ast.ListComp | ast.GeneratorExp):
            return
        elif isinstance(node, ast.expr) and (_is_value(node) or _is_tool(node, role)):
            yield node, role
        elif isinstance(node, ast.Attribute) and node.attr.startswith("__"):
            yield node, role  # `count().__next__`, where a function would do
        elif isinstance(node, ast.Attribute) and role.wholes and _is_of_library(node):
            yield node, role  # `datetime.timezone.utc`, where nobody gives that
        elif isinstance(node, ast.Subscript) and _is_odd_key(node.slice):
            yield node.slice, _Role()
        elif isinstance(node, ast.Starred):
            yield node, role  # nobody unpacks what could be written out
        else:
            for each in ast.iter_child_nodes(node):
                yield from self._values(each, role)

    def _is_untold(self, call: ast.Call) -> bool:
        """Whether something is given to what is no library's, and nothing says what it takes."""
        if self.signatures.of(call) is not None:
            return True
        match call.func:
            case ast.Name(id=name):
                return name in self.known.own
            case ast.Attribute(value=ast.Name(id=held)) if held in sys.stdlib_module_names:
                return False
            case ast.Attribute(value=ast.Name() | ast.Call(), attr=name):
                return not any(hasattr(kind, name) for kind in _LIBRARY_KINDS)
        return False

    def _roles_of(self, call: ast.Call) -> dict[int, _Role]:
        signature = self.signatures.of(call)
        if signature is None:
            return {}
        return {
            id(value): self._role(signature.callee, slot.name)
            for slot, value in signature.bound(call)
        }

    def _is_beyond(self, call: ast.Call) -> bool:
        signature = self.signatures.of(call)
        names = None if signature is None else {slot.name for slot in signature.slots}
        given = [each.arg or "" for each in call.keywords]
        return any(
            each.startswith("_") or (names is not None and each not in names) for each in given
        )

    def _is_thrown_together(self, call: ast.Call) -> bool:
        """Whether more than one thing in it is another than in every call that people show."""
        signature = self.signatures.of(call)
        shown = [] if signature is None else self.known.calls.get(signature.callee, ())
        if signature is None or not shown:
            return False
        mine = {
            slot.name: unparse(value)
            for slot, value in signature.bound(call)
            if not isinstance(value, ast.Name) or value.id in self.known.own
        }
        return len(mine) > 1 and all(
            sum(text not in one.get(name, ()) for name, text in mine.items()) > 1 for one in shown
        )

    def _called(self, node: ast.expr) -> str:
        return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")

    def _role(self, callee: str, parameter: str) -> _Role:
        key = callee, parameter
        if key not in self._roles:
            wholes = self.known.roles.get(key, ())
            parts: set[Any] = set()
            kinds: set[str] = set()
            keys: set[Any] = set()
            held: set[str] = set()
            for source in wholes:
                value = _literal(parse_expression(source))
                kinds.add("()" if value is _NOTHING else type(value).__name__)
                parts.update(() if value is _NOTHING else _parts(value))
                keys.update(value if isinstance(value, dict) else ())
                held.update(type(each).__name__ for each in _held(value))
            if self._may_be_none(callee, parameter):
                kinds.add("NoneType")
            is_firm = key in self.known.firm
            self._roles[key] = _Role(
                parameter,
                wholes,
                frozenset(parts),
                frozenset(kinds),
                frozenset(keys if is_firm else ()),
                frozenset(held if is_firm else ()),
                self.known.given.get(key, frozenset()),
                key in self.known.foreign,
                callee[:1].isupper(),
                self._default(callee, parameter),
                self._unsaid(callee, parameter),
                _UNDOING.search(callee) is not None,
                is_unknown=self._slot(callee, parameter) is not None and not wholes,
            )
        return self._roles[key]

    def _slot(self, callee: str, parameter: str) -> Slot | None:
        signature = self.signatures.by_name.get(callee)
        slots = signature.slots if signature is not None else ()
        return next((each for each in slots if each.name == parameter), None)

    def _may_be_none(self, callee: str, parameter: str) -> bool:
        """Whether the annotation says so, or the default is None."""
        slot = self._slot(callee, parameter)
        if slot is None:
            return False
        is_default = isinstance(slot.default, ast.Constant) and slot.default.value is None
        return is_default or "None" in slot.annotation or "Optional" in slot.annotation

    def _default(self, callee: str, parameter: str) -> int | None:
        slot = self._slot(callee, parameter)
        value = slot.default.value if slot and isinstance(slot.default, ast.Constant) else None
        return value if type(value) is int else None

    def _unsaid(self, callee: str, parameter: str) -> str:
        slot = self._slot(callee, parameter)
        return unparse(slot.default) if slot is not None and slot.default is not None else ""

    def _is_natural(self, node: ast.expr, role: _Role) -> bool:
        if role.is_unknown:
            return False  # whatever the code makes of it, nobody has said that it may be given
        if role.is_undone and self._is_everyday(node, role):
            return False
        if isinstance(node, ast.Lambda | ast.Name | ast.Call | ast.Starred | ast.Attribute):
            return unparse(node) in role.wholes
        value = _literal(node)
        if value is None and role.kinds and "NoneType" not in role.kinds:
            return False
        if isinstance(node, ast.UnaryOp) and value == 0:
            return False  # minus nothing
        if role.kinds and isinstance(value, bool) and "bool" not in role.kinds:
            return False  # a number, to Python
        if isinstance(value, str) and value in _LIMITS and value not in role.parts:
            return self.speaks_of_limits  # of float('nan')
        if role.kinds and value is not None and not isinstance(value, bool):
            kind = type(value).__name__
            is_number = kind in ("int", "float") and role.kinds & {"int", "float"}
            is_items = kind in ("list", "tuple") and role.kinds & {"list", "tuple"}
            if kind not in role.kinds and not is_number and not is_items:
                return False
        if role.is_of_objects and isinstance(value, dict | list | tuple) and value:
            return unparse(node) in role.wholes  # another function makes these
        if role.is_foreign and value not in (None, [], (), {}) and not isinstance(value, bool):
            return unparse(node) in role.given
        if not _is_held_alike(value, role) or _holds_nothing(value, role):
            return False
        if isinstance(value, str) and value.strip() and not any(map(str.isalnum, value)):
            return unparse(node) in role.wholes or value in self.familiar.texts
        if role.is_whole and any(
            _as_text(each) and each not in role.parts for each in _parts(value)
        ):
            return False
        return self.familiar.is_value(value, role.parts)

    def _is_everyday(self, node: ast.expr, role: _Role) -> bool:
        """Whether it is a word that stands for any text, where nobody has given it."""
        return _as_text(_literal(node)) in self.everyday and unparse(node) not in role.given

    def _is_plain_sequence(self, node: ast.expr, role: _Role) -> bool:
        """Whether it is what anybody gives to what takes any sequence: a few numbers, a word."""
        value = _literal(node)
        is_meant = bool(role.kinds & _SEQUENCES) and isinstance(value, list | tuple)
        if not is_meant or not 1 < len(value) <= _MOST_PLAIN:
            return False
        is_nested = role.held & _SEQUENCES and all(isinstance(each, list | tuple) for each in value)
        if is_nested:
            return all(_is_counting(each) for each in value)
        return _is_counting(value) or all(
            isinstance(each, str | int | float) and each in role.parts for each in value
        )

    def _cost(self, node: ast.expr, text: str, role: _Role) -> float:
        value = _literal(node)
        if (role.default or 0) > 0 and type(value) is int and value <= 0:
            return _NO_LIMIT
        if role.unsaid and text == role.unsaid:
            return _NO_LIMIT
        if text in role.wholes:
            return _FURTHER * min(role.wholes.index(text), _MOST_FURTHER)
        if value is None or isinstance(value, bool):
            return 0.0
        if isinstance(value, (int, float)):
            return 0.0 if value in self.familiar.numbers else _FRESH / 2
        held = list(map(repr, _held(value)))
        twice = 4 * _FRESH * (len(held) - len(set(held)))
        is_whole = isinstance(value, str | bytes) and value in role.parts
        if is_whole or not role.wholes:
            return _FRESH + twice
        return twice + (_SPOILT if _is_spoilt(value, role.parts) else _EDITED)


_NOTHING = object()
_SEQUENCES = frozenset({"list", "tuple"})
_MOST_PLAIN, _SMALL = 6, 10
SIZES = frozenset({1, 2, 3, 4, 5, 10})
"""Numbers that anybody gives an object to begin with."""
_LIKE = 0.7
_WRONG_NUMBER = "-1"
"""What people write where a number must not be negative: it shows what is refused."""


def _is_spoilt(value: Any, known: frozenset[Any]) -> bool:
    """Whether a text in it is none that somebody has shown, nor as good as one."""
    texts = [text for each in known if (text := _as_text(each))]
    if value in ("", b"") and texts and value not in known:
        return True
    return any(
        text not in texts and not any(is_mild_edit(other, text) for other in texts)
        for each in (() if value is _NOTHING else _parts(value))
        if (text := _as_text(each)) and texts
    )


def _is_strange(node: ast.expr, text: str, role: _Role) -> bool:
    """Whether people give a callable other values than this one there.

    A number may lie at a bound that nobody has tried, unless it only makes an object for which
    people give others.
    """
    if isinstance(node, ast.Name):
        return bool(role.given) and text not in role.given
    value = _literal(node)
    is_number = isinstance(value, bool | int | float | None)
    is_edge = is_number and (not role.is_made or role.is_unshown or value in SIZES)
    is_free = is_edge or value is None or value is _NOTHING or value in ("", [], {}, ())
    shown = [each for each in role.given if not hasattr(builtins, each)]
    return bool(shown) and text not in shown and not is_free


def _is_like_given(node: ast.expr, role: _Role) -> bool:
    """Whether a text is nearly one that people have given: right but for one thing."""
    text = _as_text(_literal(node))
    given = [_as_text(_literal(parse_expression(each))) for each in role.given]
    return bool(text) and any(
        SequenceMatcher(None, text, each).ratio() >= _LIKE for each in given if each
    )


def _is_counting(value: Sequence[Any]) -> bool:
    """Whether it holds small numbers in their order, each once."""
    numbers = [each for each in value if type(each) is int and 0 <= each <= _SMALL]
    return len(numbers) == len(value) and numbers == sorted(set(numbers))


def _is_odd_key(node: ast.expr) -> bool:
    """Whether nobody looks up by it: what a call makes, a truth, nothing, `None` written out."""
    return unparse(node) in ("()", "''") or any(
        isinstance(each, ast.Call | ast.Lambda)
        or (isinstance(each, ast.Constant) and (each.value is None or isinstance(each.value, bool)))
        for each in ast.walk(node)
    )


def _as_text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else ""


def _is_conversion(call: ast.Call) -> bool:
    """Whether it makes a value of another that could be written: `str([1, 2])`."""
    is_plain = isinstance(call.func, ast.Name) and call.func.id in _CONVERTING
    return is_plain and bool(call.args) and _literal(call.args[0]) is not _NOTHING


def _is_of_library(node: ast.Attribute) -> bool:
    return unparse(node).partition(".")[0] in LIBRARY


def _is_far_date(call: ast.Call, role: _Role) -> bool:
    """Whether it makes a date that is far from all that people give there, or have in mind."""
    day = _day_of(call)
    if day is None:
        return False
    known = [_day_of(node) for node in map(parse_expression, role.wholes)]
    near = [abs((day - each).days) <= _NEAR_DAYS for each in known if each is not None]
    return not any(near) if near else day.year not in YEARS


def _day_of(node: ast.expr) -> datetime.date | None:
    """The day that a call makes, if it makes one."""
    if not isinstance(node, ast.Call) or len(node.args) < _DAY_PARTS:
        return None
    if unparse(node.func).rpartition(".")[2] not in ("date", "datetime"):
        return None
    parts = [_literal(each) for each in node.args[:_DAY_PARTS]]
    try:
        return datetime.date(*parts)
    except (TypeError, ValueError, OverflowError):
        return None


def _is_made_alike(call: ast.Call, role: _Role) -> bool:
    """Whether known values of a role are made by the same: a `date`, and no `datetime`."""
    made = unparse(call.func)
    known = {each.partition("(")[0] for each in role.wholes if each[0].isalpha() and "(" in each}
    is_library = made.partition(".")[0] in LIBRARY
    return not is_library or made in known or not (known or role.kinds or role.name)


def _is_value(node: ast.expr) -> bool:
    """Whether it is a literal, or a name that stands for an odd one."""
    is_name = isinstance(node, ast.Name) and node.id in _ODD_NAMES | _TYPES
    return _literal(node) is not _NOTHING or is_name


def _is_tool(node: ast.expr, role: _Role) -> bool:
    """Whether it is a function of Python's, given where people have shown what they give."""
    return isinstance(node, ast.Name) and hasattr(builtins, node.id) and bool(role.given)


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


def _held(value: Any) -> list[Any]:
    """What a dictionary or a list holds, one level down."""
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple | set | frozenset) else []


def _is_held_alike(value: Any, role: _Role) -> bool:
    """Whether keys are known ones, and what is held is of a type that somebody has shown there."""
    if isinstance(value, dict) and role.keys and not role.keys.issuperset(value):
        return False
    strange = {type(each).__name__ for each in _held(value)} - role.held
    if strange <= {"int", "float", "bool"} and role.held & {"int", "float", "bool"}:
        return True
    return not role.held or not strange


def _holds_nothing(value: Any, role: _Role) -> bool:
    """Whether None stands in a list or a dictionary where nobody has put it."""
    is_several = isinstance(value, dict | list | tuple | set | frozenset)
    return is_several and None not in role.parts and any(each is None for each in _parts(value))


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
