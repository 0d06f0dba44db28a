"""Which entries of a module's tables the tests look up: a change to any other one survives.

A table of constants has a mutant or two for each entry, and tests ask for few of them. One run of
all tests with tables that note what they are asked for says which. A mutant that leaves all of
those as they are makes no difference to any test: what it would do was seen in that run.

Whoever goes through a table, copies, prints, compares or replaces it has asked for everything, and
so has who asks with a key that is no plain value, or forks. Where a test fails because a table is
no ordinary one, nothing is known.
"""

import os
from collections.abc import Callable, Iterable
from typing import Any

_PLAIN = (str, bytes, int, float, bool, type(None))
_BY_KEY = ("__getitem__", "__contains__", "get", "setdefault", "pop", "__setitem__", "__delitem__")
_WHOLE = (
    *("__iter__", "__reversed__", "keys", "values", "items", "copy", "update", "clear", "popitem"),
    *("__eq__", "__ne__", "__or__", "__ror__", "__ior__", "__repr__", "__reduce_ex__"),
    *("__reduce__", "__sizeof__"),
)
_SIZE = "__len__"
_OVERRIDDEN = frozenset({*_BY_KEY, *_WHOLE, _SIZE})


class Asked:
    """What was asked of a table."""

    def __init__(self) -> None:
        self.keys: set[Any] = set()
        self.is_whole = False
        self.is_counted = False

    def note(self, key: Any) -> None:
        """Somebody asks for one entry."""
        if type(key) in _PLAIN:
            self.keys.add(key)
        else:
            self.is_whole = True  # its `__eq__` may say anything about any entry

    def tells_apart(self, before: "dict[Any, Any]", after: "dict[Any, Any]") -> bool:
        """Whether any answer would have been another one."""
        if self.is_whole or (self.is_counted and len(before) != len(after)):
            return True
        return any(_differ(before, after, key) for key in self.keys)


def _differ(before: "dict[Any, Any]", after: "dict[Any, Any]", key: Any) -> bool:
    if key not in before or key not in after:
        return (key in before) != (key in after)
    old, new = dict.__getitem__(before, key), dict.__getitem__(after, key)
    return old is not new and not _is_same_plain(old, new)


def _is_same_plain(old: Any, new: Any) -> bool:
    return type(old) is type(new) and type(old) in _PLAIN and repr(old) == repr(new)


def noting(table: Any, asked: Asked) -> "dict[Any, Any] | None":
    """The same table, which notes what it is asked for; None for what is no ordinary one."""
    kind = type(table)
    if kind is not dict:
        is_near = kind.__mro__[1:] == (dict, object) and not _OVERRIDDEN & vars(kind).keys()
        if not is_near or getattr(table, "__dict__", None) or "__slots__" in vars(kind):
            return None
    methods = {name: _note_key(name, asked) for name in _BY_KEY}
    for name in _WHOLE:
        if hasattr(dict, name):  # the operators came with Python 3.9
            methods[name] = _note_flag(name, asked, "is_whole")
    methods[_SIZE] = _note_flag(_SIZE, asked, "is_counted")
    made: dict[Any, Any] = dict.__new__(type(kind.__name__, (kind,), methods))
    dict.update(made, table)
    return made


def _note_key(name: str, asked: Asked) -> "Callable[..., Any]":
    original = getattr(dict, name)

    def method(self: "dict[Any, Any]", key: Any, *more: Any) -> Any:
        asked.note(key)
        return original(self, key, *more)

    return method


def _note_flag(name: str, asked: Asked, flag: str) -> "Callable[..., Any]":
    original = getattr(dict, name)

    def method(self: "dict[Any, Any]", *more: Any, **named: Any) -> Any:
        setattr(asked, flag, True)
        return original(self, *more, **named)

    return method


class Tables:
    """The tables of one module, in a process that has no other use: put in place, then asked."""

    def __init__(self, spaces: "list[dict[str, Any]]", names: "Iterable[str]") -> None:
        self._spaces = spaces
        self._space = spaces[0]
        self._before = {name: self._space[name] for name in names}
        self._content = {
            name: dict(value) for name, value in self._before.items() if isinstance(value, dict)
        }
        self._asked: dict[str, Asked] = {}
        self._noting: dict[str, dict[Any, Any]] = {}
        self._put_in_place()
        os.register_at_fork(before=self._ask_for_all)

    def _put_in_place(self) -> None:
        known: dict[int, str] = {}
        for name, value in self._before.items():
            same = known.setdefault(id(value), name)
            if same in self._noting:  # two names of one table
                self._asked[name], self._noting[name] = self._asked[same], self._noting[same]
            else:
                asked = Asked()
                made = noting(value, asked)
                if made is None:
                    continue
                self._asked[name], self._noting[name] = asked, made
            self._space[name] = self._noting[name]

    def _ask_for_all(self) -> None:
        for asked in self._asked.values():
            asked.is_whole = True

    def is_unnoticed(
        self, anew: "Callable[[dict[str, Any]], None]", names: "Iterable[str]"
    ) -> bool:
        """Whether no test could have noticed these names being bound by other statements."""
        if len(self._spaces) != 1:
            return False  # it was loaded once more: nobody has seen what that one was asked
        space = {**self._space, **self._before}
        try:
            anew(space)
        except BaseException:  # noqa: BLE001  the import would have raised it
            return False
        return not any(self._is_noticed(name, space.get(name)) for name in names)

    def _is_noticed(self, name: str, after: Any) -> bool:
        before = self._before[name]
        if name not in self._noting:
            return not _is_same_plain(before, after)
        if type(after) is not type(before) or self._space.get(name) is not self._noting[name]:
            return True
        return self._asked[name].tells_apart(self._content[name], after)
