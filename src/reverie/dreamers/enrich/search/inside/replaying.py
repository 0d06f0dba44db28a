"""Found tries run again on the module as it is, their values as source; and the entry.

The last module of the search's program: its `answer` is what the host calls.
"""

import collections.abc
import datetime
import decimal
import enum
import fractions
import functools
import math
import os
import sys
import traceback
import types
from contextlib import ExitStack
from typing import Any

from reverie.instruments.mutation.inside.recorder import Recorder

from .searching import Unimportable, load_plain, namespace_of, search
from .trying import Conditions, OutOfTime, Teller, driven, guarded, in_child, listen

_LONGEST = 1200
_DEEPEST = 6
_MOST_PARTS = 16
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_ADDRESS = " at 0x"


class Viewer:
    """Looks at values; knows the names that a test could use."""

    def __init__(self, namespace: "dict[str, Any]") -> None:
        self.namespace = namespace

    def look(self, value: Any) -> "dict[str, Any]":
        """The literal of a value, or else its parts."""
        kind = type(value)
        seen: dict[str, Any] = {"type": f"{kind.__module__}.{kind.__qualname__}"}
        literal = self.literal(value)
        if literal is not None and len(literal) <= _LONGEST:
            seen["literal"] = literal
        else:
            seen["parts"] = self._parts(value)
        return seen

    def literal(self, value: Any, depth: int = 0) -> "str | None":
        """Source of an equal value of the same type; None where there is none."""
        kind = type(value)
        if kind in _PLAIN:
            return _plain(value)
        if depth > _DEEPEST:
            return None
        if kind in (list, tuple, set, frozenset):
            return self._items(value, depth)
        if kind is dict:
            pairs = [(self.literal(key, depth + 1), self.literal(each, depth + 1))
                     for key, each in value.items()]  # fmt: skip
            if any(None in pair for pair in pairs):
                return None
            return "{" + ", ".join(f"{key}: {each}" for key, each in pairs) + "}"
        return self._by_repr(value)

    def _items(self, value: Any, depth: int) -> "str | None":
        items = [self.literal(each, depth + 1) for each in value]
        if None in items:
            return None
        known = [each for each in items if each is not None]
        kind = type(value)
        if kind is list:
            return f"[{', '.join(known)}]"
        if kind is tuple:
            return f"({', '.join(known)}{',' if len(known) == 1 else ''})"
        text = f"{{{', '.join(sorted(known))}}}" if known else ""
        if kind is set:
            return text or "set()"
        return f"frozenset({text})"

    def _by_repr(self, value: Any) -> "str | None":
        """The text by which a value shows itself, when that makes an equal one."""
        kind = type(value)
        text: str | None
        if isinstance(value, enum.Enum):
            text = f"{kind.__name__}.{value.name}"
        elif kind.__module__ in ("decimal", "fractions", "collections", "uuid", "pathlib"):
            text = f"{kind.__module__}.{value!r}"
        elif isinstance(value, (type, types.BuiltinFunctionType)):
            text = value.__name__
        else:
            text = _text_of(repr, value)
        if not text or _ADDRESS in text or len(text) > _LONGEST:
            return None
        try:
            again = eval(text, dict(self.namespace))
            is_same = type(again) is kind and again == value and repr(again) == repr(value)
        except Exception:  # noqa: BLE001  a text of the code under test
            return None
        if is_same is not True or (again is value and not isinstance(value, (enum.Enum, type))):
            return None
        return text

    def _parts(self, value: Any) -> "dict[str, str]":
        found: dict[str, str] = {}
        for text, read in _READERS:
            got = _tried(read, value)
            if got is not None and type(got) in (*_PLAIN, list, dict):
                self._put(found, text, got)
        for name in _attributes(value):
            if len(found) >= _MOST_PARTS:
                break
            got = _tried(lambda held, name=name: getattr(held, name), value)
            if got is not None and not callable(got):
                self._put(found, f"{{}}.{name}", got)
        return found

    def _put(self, found: "dict[str, str]", text: str, value: Any) -> None:
        literal = self.literal(value)
        if literal is not None and len(literal) <= 300 and _ADDRESS not in literal:
            found[text] = literal


def _str_of(value: Any) -> "str | None":
    return str(value) if _defines(value, "__str__") else None


def _repr_of(value: Any) -> "str | None":
    return repr(value) if _defines(value, "__repr__") else None


def _defines(value: Any, name: str) -> bool:
    return getattr(type(value), name) is not getattr(object, name)


def _len_of(value: Any) -> "int | None":
    return len(value) if hasattr(type(value), "__len__") else None


def _items_of(value: Any) -> "list[Any] | None":
    """Of a sequence or a set; of a mapping these are the keys alone, and a field has a name."""
    kind = type(value)
    if isinstance(value, collections.abc.Mapping) or _fields_of(kind):
        return None
    if hasattr(kind, "__iter__") and hasattr(kind, "__len__") and len(value) < 50:
        return list(value)
    return None


def _pairs_of(value: Any) -> "dict[Any, Any] | None":
    is_mapping = isinstance(value, collections.abc.Mapping)
    return dict(value) if is_mapping and len(value) < 50 else None


def _fields_of(kind: type) -> "tuple[str, ...]":
    """Of a named tuple."""
    return tuple(getattr(kind, "_fields", ())) if issubclass(kind, tuple) else ()


_READERS: "tuple[tuple[str, Any], ...]" = (
    ("str({})", _str_of), ("repr({})", _repr_of), ("len({})", _len_of), ("list({})", _items_of),
    ("dict({})", _pairs_of),
)  # fmt: skip


def _attributes(value: Any) -> "list[str]":
    kind = type(value)
    home = str(kind.__module__).partition(".")[0]
    if isinstance(value, (type, types.FunctionType, types.ModuleType)):
        return []
    if home in getattr(sys, "stdlib_module_names", ()) and home != "types":
        return []
    names = [*_fields_of(kind), *getattr(value, "__dict__", ())]
    for each in kind.__mro__:
        names += [name for name, held in vars(each).items()
                  if isinstance(held, (property, types.MemberDescriptorType))]  # fmt: skip
    return [name for name in dict.fromkeys(names) if not str(name).startswith("_")]


def _plain(value: Any) -> "str | None":
    if type(value) is float and not math.isfinite(value):
        return f"float({str(value)!r})" if not math.isnan(value) else None
    if type(value) is int and abs(value) >= 10**400:
        return None
    return repr(value)


def _text_of(read: Any, value: Any) -> "str | None":
    text = _tried(read, value)
    return text if type(text) is str else None


def _tried(read: Any, value: Any) -> Any:
    try:
        return read(value)
    except Exception:  # noqa: BLE001  of the code under test
        return None


NEEDED = (datetime, decimal, fractions)
"""Modules that literals are written with."""


_SECONDS = 30.0
_PATIENCE = 12.0
_ITEMS = "[each async for each in "


def replay(request: "dict[str, Any]") -> "dict[str, Any]":
    """Every scenario of the request: what was seen and which ways were taken.

    Several share a fork where the request says so; one that ends its fork, or what comes after
    it, is run once more in a fork of its own.
    """
    listen()
    conditions = Conditions()
    conditions.change(other=request["other"])
    path = request["path"]
    recorder = Recorder(frozenset({path}))
    recorder.start()
    try:
        module = load_plain(request["module"], request["paths"])
    finally:
        recorder.stop()
    _, arcs = recorder.take()
    namespace = namespace_of(module, request)
    replayer = Replayer(namespace, path, request["root"], conditions)
    scenarios = request["scenarios"]
    found: list[Any] = [None] * len(scenarios)
    for group in request["groups"]:
        several = [(place, scenarios[place]) for place in group]
        told, _ = in_child(functools.partial(replayer.tell_all, scenarios=several), _SECONDS)
        for place, view in told:
            found[place] = view
        for place in group[len(told) :] if len(group) > 1 else ():
            alone = [(place, scenarios[place])]
            told, _ = in_child(functools.partial(replayer.tell_all, scenarios=alone), _SECONDS)
            found[place] = told[0][1] if told else None
    return {"seen": found, "arcs": sorted(arcs.get(path, ()))}


class Replayer:
    """Replays scenarios, in a fork that may not live on."""

    def __init__(
        self, namespace: "dict[str, Any]", path: str, root: str, conditions: Conditions
    ) -> None:
        self.namespace = namespace
        self.conditions = conditions
        self.path = path
        self.root = root
        self.recorder = Recorder(frozenset({path}))
        self.space: dict[str, Any] = {}
        self.views: list[dict[str, Any]] = []

    def tell_all(self, teller: Teller, scenarios: "list[tuple[int, dict[str, Any]]]") -> None:
        """One scenario after the other, each with names of its own."""
        for place, scenario in scenarios:
            self.space, self.views = dict(self.namespace), []
            self.recorder.take()
            self.conditions.begin()
            teller.tell((place, self._view(scenario)))

    def _view(self, scenario: "dict[str, Any]") -> "dict[str, Any] | None":
        """What is seen of a scenario; None when it takes too long."""
        viewer = Viewer(dict(self.namespace))
        try:
            with guarded(_PATIENCE) as said:
                self._run(scenario["steps"], viewer, said)
        except OutOfTime:
            return None
        except BaseException as raised:  # noqa: BLE001  whatever the code raises is what it did
            self.views.append(self._raised(raised))
        lines, arcs = self.recorder.take()
        return {
            "seen": self.views,
            "arcs": sorted(arcs.get(self.path, ())),
            "lines": sorted(set().union(*lines.values())),
        }

    def _run(self, steps: "list[dict[str, Any]]", viewer: Viewer, said: Any) -> None:
        with ExitStack() as entered:
            for step in steps:
                before = len(said.getvalue())
                self.recorder.start()
                try:
                    value = self._value(step, entered)
                finally:
                    self.recorder.stop()
                if step["name"] is not None:
                    self.space[step["name"]] = value
                view = viewer.look(value)
                view["printed"] = said.getvalue()[before:]
                self.views.append(view)

    def _value(self, step: "dict[str, Any]", entered: ExitStack) -> Any:
        source = step["source"]
        if step["form"] == "change":
            exec(compile(source, "<step>", "exec"), self.space)  # noqa: S102
            return None
        if source.startswith(_ITEMS):
            made = eval(source.removeprefix(_ITEMS).removesuffix("]"), self.space)
            return driven(_gathered(made))
        value = eval(compile(source, "<step>", "eval"), self.space)
        if step["form"] == "enter":
            return entered.enter_context(value)
        return driven(value) if step["is_awaited"] else value

    def _raised(self, error: BaseException) -> "dict[str, Any]":
        kind = type(error)
        try:
            message = str(error)
        except Exception:  # noqa: BLE001  of the code under test
            message = ""
        frames = [
            each for each in traceback.extract_tb(error.__traceback__)
            if each.filename.startswith(self.root + os.sep)
        ]  # fmt: skip
        where = f"{frames[-1].filename}:{frames[-1].name}:{frames[-1].lineno}" if frames else None
        return {"type": f"{kind.__module__}.{kind.__qualname__}", "raised": message, "where": where}


async def _gathered(items: Any) -> "list[Any]":
    return [each async for each in items]


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """The answer as plain values."""
    try:
        return {"search": search, "replay": replay}[request["mode"]](request)
    except Unimportable as error:
        return {"unimportable": str(error)}
