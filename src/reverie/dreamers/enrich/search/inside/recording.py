"""What one try did: the ways it took, and what was compared with what on the way."""

import operator
import re
import zlib
from typing import Any

_MATCHING = frozenset({"match", "fullmatch", "search", "findall", "finditer", "sub", "split"})
ASKING = frozenset({"startswith", "endswith"}) | _MATCHING
"""Methods whose answer depends on a text that can be made to fit."""
_COMPARE: "dict[str, Any]" = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "is": operator.is_, "is not": operator.is_not,
    "in": lambda left, right: left in right, "not in": lambda left, right: left not in right,
}  # fmt: skip
ORDERED = frozenset({"<", "<=", ">", ">="})
"""Comparisons with an edge: both sides equal is a way of its own, by the negative number."""
_ORDERLY = frozenset({int, float, str})
_PLAIN = frozenset({str, bytes, int, float, bool, type(None)})
_HOLDERS = frozenset({tuple, list, set, frozenset, dict, type({}.keys())})
_MOST_MEMBERS = 24
_LONGEST = 300
_VARIANTS, _FIRST_VARIANT = 64, 1 << 40
_MOST_PATTERNS = 200
FOUND, ASKED, LOOKED_UP, IS_OF, HAS = "_rv_mark", "_rv_ask", "_rv_item", "_rv_isa", "_rv_has"
TRUTH, COMPARED = "_rv_truth", "_rv_compare"


class Recorder:
    """What one try did."""

    def __init__(self) -> None:
        self.hits: set[int] = set()
        self.open: set[int] = set()
        """Ways that no try has taken yet: only for these it is worth knowing what was compared."""
        self.pairs: dict[int, tuple[str, Any, Any]] = {}
        self.patterns: set[str] = set()
        """Those that a text was held against, and did not match."""

    def clear(self) -> None:
        """Before the next try."""
        self.hits.clear()
        self.pairs.clear()

    def functions(self) -> "dict[str, Any]":
        """What the probes call, by name."""
        return {
            FOUND: self.hits.add, TRUTH: self.truth, COMPARED: self.compare, ASKED: self.ask,
            IS_OF: self.isa, HAS: self.has, LOOKED_UP: self.item,
        }  # fmt: skip

    def truth(self, way: int, value: Any) -> Any:
        """A condition without more to it."""
        self.hits.add(way if value else way + 1)
        return value

    def compare(self, way: int, how: str, left: Any, right: Any) -> Any:
        """A comparison, done as the code would."""
        result = _COMPARE[how](left, right)
        if result is True or result is False:
            self.hits.add(way if result else way + 1)
            if how in ORDERED and type(left) in _ORDERLY and type(right) in _ORDERLY:
                if left == right:
                    self.hits.add(-way)
                elif -way in self.open:
                    self._remember(way, how, left, right)
            if (way + 1 if result else way) in self.open:
                self._remember(way, how, left, right)
        return result

    def ask(self, way: int, held: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        """A method that says how a text begins, ends, or whether a pattern is in it."""
        result = getattr(held, name)(*args, **kwargs)
        self.hits.add(way if result else way + 1)
        if name in _MATCHING and args:
            self._note_pattern(way, _pattern_of(held, args), is_found=bool(result))
        if (way + 1 if result else way) in self.open and args:
            if name in _MATCHING:
                self._remember_pattern(way, held, args)
            else:
                self._remember(way, name, held, args[0])
        return result

    def isa(self, way: int, value: Any, kinds: Any) -> Any:
        """`isinstance`."""
        result = isinstance(value, kinds)
        self.hits.add(way if result else way + 1)
        if not result and way in self.open:
            self.pairs[way] = ("isinstance", value if type(value) in _PLAIN else None, kinds)
        return result

    def has(self, way: int, value: Any, name: str, *default: Any) -> Any:
        """`hasattr`."""
        result = hasattr(value, name)
        self.hits.add(way if result else way + 1)
        if not result and way in self.open:
            self.pairs[way] = ("hasattr", None, name)
        return result

    def item(self, way: int, held: Any, key: Any) -> Any:
        """A subscript; a key that is not there has others beside it."""
        if type(held) is dict and way in self.open and type(key) in _PLAIN and key not in held:
            self._remember(way, "in", key, held)
        result = held[key]
        self.hits.add(way)
        return result

    def _remember(self, way: int, how: str, left: Any, right: Any) -> None:
        if type(left) in _PLAIN and type(right) in _HOLDERS:
            members = [each for each in list(right)[:_MOST_MEMBERS] if type(each) in _PLAIN]
            self.pairs[way] = (how, left, tuple(members))
        elif _is_telling(left) and _is_telling(right):
            self.pairs[way] = (how, left, right)

    def _remember_pattern(self, way: int, held: Any, args: "tuple[Any, ...]") -> None:
        pattern = _pattern_of(held, args)
        subject = args[0] if isinstance(held, re.Pattern) else args[-1 if len(args) < 2 else 1]
        if pattern is not None and type(subject) is str and _is_short(subject):
            self.pairs[way] = ("matches", subject, pattern)

    def _note_pattern(self, way: int, pattern: "str | None", *, is_found: bool) -> None:
        """Of a table of patterns, each that matches is a way of its own."""
        if pattern is None:
            return
        if is_found:
            number = zlib.crc32(pattern.encode("utf-8", "surrogatepass")) % _VARIANTS
            self.hits.add(_FIRST_VARIANT + abs(way) * _VARIANTS + number)
        elif len(self.patterns) < _MOST_PATTERNS:
            self.patterns.add(pattern)


def _pattern_of(held: Any, args: "tuple[Any, ...]") -> "str | None":
    """The pattern of a search; None for `text.split(",")`, a method of a text."""
    if not isinstance(held, re.Pattern) and len(args) < 2:
        return None
    pattern = held if isinstance(held, re.Pattern) else args[0]
    pattern = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
    return pattern if type(pattern) is str else None


def _is_telling(value: Any) -> bool:
    return type(value) in _PLAIN and _is_short(value)


def _is_short(value: Any) -> bool:
    return not isinstance(value, (str, bytes)) or len(value) <= _LONGEST
