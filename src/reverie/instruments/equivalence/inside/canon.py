"""One text for one value: deep, with types, NaN, negative zero and cycles.

What is private to an object of the code under test (a leading underscore) is not behaviour and
is left out unless it is asked for; its public attributes, its own `repr`, its length and its
items are in.
"""

import collections
import contextlib
import dis
import enum
import functools
import hashlib
import re
import sys
import types
from collections.abc import Callable
from typing import Any

_MOST_ITEMS = 20_000
_MOST_DRAWN = 64
_MOST_CHARACTERS = 3000
_DEEPEST = 200_000
_DEEPEST_PATH = 50
_LOWEST_ADDRESS = 1 << 46
"""Of heaps and of mapped memory, on 64-bit Linux."""
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_WORDS = (type(None), bool, complex, range, slice, type(Ellipsis), type(NotImplemented))
_MUTABLE = (list, dict, set, bytearray, collections.deque)
_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
)


class Canon:
    """Writes values; what can change is remembered in `marked`, in the order it was met."""

    def __init__(
        self,
        own_modules: "tuple[str, ...]" = (),
        on_item: "Callable[[], None]" = lambda: None,
        draws: bool = True,
        most_items: int = _MOST_ITEMS,
        deepest: int = _DEEPEST,
        private: "Callable[[str], bool]" = lambda name: False,
    ) -> None:
        """`on_item` is called after each item of an iterator; without `draws` none is taken.

        `private` says which names with a leading underscore are looked at as well. Of what is
        deeper than `deepest` only the types of what is not plain are told.
        """
        self.own_modules = own_modules
        self.on_item = on_item
        self.draws = draws
        self.most_items = most_items
        self.deepest = deepest
        self.private = private
        self.marked: list[Any] = []
        self.paths: list[str] = []
        """How each of them is reached, as source; with `…` where source cannot."""
        self.repeats: list[tuple[str, str]] = []
        """Paths that lead to something met before, with the path it was met at."""
        self._path: list[str] = []
        self._places: dict[int, int] = {}
        self._parts: list[str] = []
        self._count = 0

    def text(self, value: Any, name: str = "") -> str:
        """The canonical text of what has this name; a long one ends with the hash of all of it."""
        self._parts = []
        self._path = [name]
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(_DEEPEST)
        try:
            self._put(value)
        finally:
            sys.setrecursionlimit(before)
        whole = "".join(self._parts)
        if len(whole) <= _MOST_CHARACTERS:
            return whole
        digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{whole[:_MOST_CHARACTERS]}… {len(whole)} characters, sha256 {digest}"

    def _put(self, value: Any) -> None:
        self._count += 1
        if self._count > self.most_items:
            self._parts.append("…")
            return
        kind = type(value)
        if kind is int:
            self._parts.append(_integer(value))
        elif kind is float or kind in _WORDS:
            self._parts.append(repr(value))
        elif kind is str or kind is bytes:
            self._parts.append(_without_addresses(repr(value)))
        elif isinstance(value, type):
            self._parts.append(f"<class {self._name(value)}>")
        elif kind is types.ModuleType:  # its repr tells where it lies
            self._parts.append(f"<module {value.__name__}>")
        elif kind is re.Pattern:
            self._parts.append(f"<pattern {_meaning(value.pattern, value.flags)}>")
        elif len(self._path) > self.deepest:
            self._parts.append(f"<{self._name(kind)} …>")
        else:
            self._put_compound(value, kind)

    def _put_part(self, step: str, value: Any) -> None:
        self._path.append(step)
        self._put(value)
        self._path.pop()

    def _place(self) -> str:
        """The path to what is being written; only that it is deep, when it is very deep."""
        return "".join(self._path) if len(self._path) <= _DEEPEST_PATH else f"{self._path[0]}…"

    def _put_compound(self, value: Any, kind: type) -> None:
        if _is_mutable(value, kind):
            place = self._places.get(id(value))
            if place is not None:
                self._parts.append(f"<again {place}>")
                self.repeats.append((self._place(), self.paths[place]))
                return
            self._places[id(value)] = len(self.marked)
            self.marked.append(value)
            self.paths.append(self._place())
        if isinstance(value, enum.Enum):
            self._parts.append(f"{self._name(kind)}.{value.name}")
        elif isinstance(value, tuple | list | collections.deque):
            self._put_items(self._label(kind, "list" if kind is list else "tuple"), value)
        elif isinstance(value, dict):
            self._put_mapping(self._label(kind, "dict"), value)
        elif isinstance(value, set | frozenset):
            self._put_set(self._label(kind, "set"), value)
        elif isinstance(value, BaseException):
            self._put_items(self._name(kind), value.args)
        elif isinstance(value, _FUNCTIONS):
            self._parts.append("<callable>")
        elif hasattr(kind, "__next__"):
            self._put_drawn(value)
        else:
            self._put_object(value, kind)

    def _label(self, kind: type, plain: str) -> str:
        return "" if kind.__name__ == plain and kind.__module__ == "builtins" else self._name(kind)

    def _name(self, kind: type) -> str:
        module = getattr(kind, "__module__", "builtins")
        own = module in self.own_modules or module == "builtins"
        return kind.__qualname__ if own else f"{module}.{kind.__qualname__}"

    def _put_items(self, label: str, items: Any) -> None:
        opening, closing = ("[", "]") if isinstance(items, list) else ("(", ")")
        self._parts.append(label + opening)
        for number, item in enumerate(items):
            self._parts.append(", " if number else "")
            self._put_part(f"[{number}]", item)
        self._parts.append(closing)

    def _put_mapping(self, label: str, mapping: Any) -> None:
        self._parts.append(label + "{")
        for number, (key, item) in enumerate(mapping.items()):
            self._parts.append(", " if number else "")
            self._put_part("…", key)
            self._parts.append(": ")
            is_told = type(key) is str or (type(key) is int and not _is_address(key))
            self._put_part(f"[{key!r}]" if is_told else "…", item)
        self._parts.append("}")

    def _put_set(self, label: str, items: Any) -> None:
        """Sets have no order of their own: members are sorted by their text."""
        outer, texts = self._parts, []
        for item in items:
            self._parts = []
            self._put_part("…", item)
            texts.append("".join(self._parts))
        self._parts = outer
        self._parts.append(f"{label}{{{', '.join(sorted(texts))}}}" if texts else f"{label}{{}}set")

    def _put_drawn(self, iterator: Any) -> None:
        """An iterator is what it yields, whatever its type; drawing ends at an error."""
        self._parts.append("<iterator ")
        if not self.draws:
            return
        try:
            for _ in range(_MOST_DRAWN):
                self._put_part("…", next(iterator))
                self.on_item()
                self._parts.append(", ")
            self._parts.append("…")
        except StopIteration as end:
            if end.value is not None:
                self._parts.append("returned ")
                self._put_part("…", end.value)
        except Exception as error:  # noqa: BLE001  what it raises is what it does
            self._parts.append(f"raised {self._name(type(error))}")
        self._parts.append(">")

    def _put_object(self, value: Any, kind: type) -> None:
        has_own_repr = "__repr__" in _own_names(kind)
        if kind.__module__ not in self.own_modules and has_own_repr:
            self._parts.append(f"<{self._name(kind)} {_contents(value)}>")
            return
        self._parts.append(f"<{self._name(kind)}")
        for name in sorted(_attributes(value, self.private)):
            with contextlib.suppress(AttributeError):
                item = getattr(value, name)
                self._parts.append(f" {name}=")
                self._put_part(f".{name}", item)
        if has_own_repr and "__dataclass_params__" not in kind.__dict__:
            self._parts.append(f" repr={_without_addresses(repr(value))}")
        if hasattr(kind, "__len__"):
            self._parts.append(f" len={len(value)}")
        if hasattr(kind, "__iter__"):
            self._parts.append(" items=")
            self._put_drawn(iter(value))
        self._parts.append(">")


@functools.lru_cache(maxsize=200)
def _meaning(pattern: "str | bytes", flags: int) -> str:
    """What a regular expression means, however it is spelled."""
    parser = getattr(re, "_parser", None) or __import__("sre_parse")
    try:
        read = parser.parse(pattern, flags)
    except (re.error, RecursionError):
        return f"{flags} {pattern!r}"
    return f"{flags} {type(pattern).__name__} {read} {read.state.groupdict}"


def _own_names(kind: type) -> "set[str]":
    """What a class and its bases define, but for `object`."""
    return {name for each in kind.__mro__[:-1] for name in each.__dict__}


def _is_address(value: int) -> bool:
    """Whether a number is where an object may lie: it is another in every process."""
    return _LOWEST_ADDRESS <= value < 2 * _LOWEST_ADDRESS and value % 16 == 0


def _integer(value: int) -> str:
    if _is_address(value):
        return "<address>"
    return repr(value) if abs(value) < 1 << 10_000 else hex(value)


def _without_addresses(text: str) -> str:
    return _ADDRESS.sub("0x…", text) if "0x" in text else text


def _is_mutable(value: Any, kind: type) -> bool:
    if isinstance(value, _MUTABLE):
        return True
    if isinstance(value, type | tuple | frozenset | enum.Enum | BaseException | types.ModuleType):
        return False
    own_hash = vars(kind).get("__hash__", getattr(kind, "__hash__", None))
    is_value = own_hash is not None and own_hash is not vars(object)["__hash__"]
    return hasattr(value, "__dict__") and not callable(value) and not is_value


def _attributes(value: Any, private: "Callable[[str], bool]") -> "set[str]":
    """The public ones, and those that `private` lets pass."""
    names = set(getattr(value, "__dict__", ()))
    for each in type(value).__mro__:
        slots = each.__dict__.get("__slots__", ())
        names.update((slots,) if isinstance(slots, str) else slots)
    told = {name for name in names if isinstance(name, str)}
    told |= _plain_properties(type(value))  # type: ignore[arg-type]
    return {name for name in told if not name.startswith("_") or private(name)}


@functools.lru_cache(maxsize=500)
def _plain_properties(kind: type) -> "frozenset[str]":
    """Properties that give what an attribute holds: public ones, though the attribute is private.

    Others may work something out, or change what they are asked of.
    """
    every = {name: found for each in kind.__mro__[::-1] for name, found in each.__dict__.items()}
    return frozenset(name for name, found in every.items() if _is_plain_property(found))


def _is_plain_property(found: object) -> bool:
    code = getattr(getattr(found, "fget", None), "__code__", None)
    if type(found) is not property or code is None or len(code.co_names) != 1:
        return False
    return not any("CALL" in each.opname for each in dis.get_instructions(code))


def _contents(value: Any) -> str:
    """What a value of somebody else's class holds: by its text, its array or its `repr`."""
    kind = type(value)  # an object may have every attribute that it is asked for
    if hasattr(kind, "getvalue"):
        return repr(value.getvalue()) if not value.closed else "closed"
    if hasattr(kind, "tolist") and hasattr(kind, "dtype"):
        return f"{value.dtype} {getattr(value, 'shape', '')} {value.tolist()!r}"
    return _without_addresses(repr(value))
