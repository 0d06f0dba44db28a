"""Notes with what a suite calls some functions. Read as text, and run inside the sandbox."""

import ast
import base64
import os
import pickle
import re
import sys
import threading
from collections.abc import Generator
from typing import Any

import pytest

_MOST_TEXT = 2000
_MOST_BYTES = 12_000
_MOST_ALIKE = 3
"""Calls of one function that are kept of one test: a suite's first ones are often all alike."""
_MOST_TRIED = 60
"""Calls of one function that are looked at in one test: to pack a large object takes its time."""
_MOST_SHOWN = 200
_ADDRESS = re.compile(" at 0x[0-9a-fA-F]+")
_GENERATOR = 0x20 | 0x80 | 0x200
"""Flags of functions whose frames are entered more than once."""


class _Untellable(Exception):
    """A value that cannot be made again elsewhere."""


class _Notes:
    """The calls of every wanted function, each kind of argument once."""

    def __init__(self, root: str, wanted: "dict[str, list[str]]", most: int) -> None:
        self.most = most
        self.found: dict[tuple[str, str], dict[str, Any]] = {
            (f"{root}/{file}", name): {} for file, names in wanted.items() for name in names
        }
        self._kept: dict[tuple[tuple[str, str], str], int] = {}
        self._tried: dict[tuple[tuple[str, str], str], int] = {}
        self._is_busy = False

    def look(self, frame: Any, event: str, given: Any) -> None:
        """A profiler: what it does itself is not looked at."""
        key = (frame.f_code.co_filename, _name(frame.f_code))
        known = self.found.get(key)
        if event != "call" or known is None or self._is_busy or len(known) >= self.most:
            return
        code = frame.f_code
        if code.co_flags & _GENERATOR and frame.f_lineno != code.co_firstlineno:
            return  # it goes on after a yield or await
        test = key, os.environ.get("PYTEST_CURRENT_TEST", "")
        tried = self._tried[test] = self._tried.get(test, 0) + 1
        if self._kept.get(test, 0) >= _MOST_ALIKE or tried > _MOST_TRIED:
            return
        self._is_busy = True
        try:
            told = _told(frame)
            self._kept[test] = self._kept.get(test, 0) + (repr(told) not in known)
            known.setdefault(repr(told), told)
        except _Untellable:
            return
        finally:
            self._is_busy = False


def _name(code: Any) -> str:
    """The qualified name; before Python 3.11 the plain one, so that methods are not noted."""
    return str(getattr(code, "co_qualname", code.co_name))


def _told(frame: Any) -> "dict[str, Any]":
    code, values = frame.f_code, frame.f_locals
    names = code.co_varnames
    positional = list(names[: code.co_argcount])
    keywords = names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    place = code.co_argcount + code.co_kwonlyargcount
    rest: list[Any] = []
    more: dict[str, Any] = {}
    if code.co_flags & 4:
        rest = list(values[names[place]])
        place += 1
    if code.co_flags & 8:
        more = dict(values[names[place]])
    is_method = "." in _name(code) and bool(positional)
    receiver = positional.pop(0) if is_method and positional[0] in ("self", "cls") else None
    return {
        "receiver": _source(values[receiver]) if receiver == "self" else None,
        "args": [_source(values[name]) for name in positional] + [_source(each) for each in rest],
        "kwargs": [[name, _source(values[name])] for name in keywords]
        + [[name, _source(value)] for name, value in more.items()],
    }


def _source(value: Any) -> "list[str]":
    """A literal, or the bytes that a value is pickled to, and how it reads."""
    text = ""
    try:
        text = repr(value)
        if len(text) <= _MOST_TEXT and _is_same(ast.literal_eval(text), value):
            return ["literal", text]
    except Exception:  # noqa: BLE001  a `repr` of the code under test, or no literal
        pass
    try:
        data = pickle.dumps(value, 4)
        if len(data) > _MOST_BYTES:
            raise _Untellable
        pickle.loads(data)  # noqa: S301  what was pickled a line before, inside the sandbox
    except Exception as error:
        raise _Untellable from error
    return ["pickle", base64.b64encode(data).decode(), _readable(value, text)]


def _readable(value: Any, text: str) -> str:
    """The `repr` without addresses; that of a plain object has its attributes."""
    if getattr(type(value), "__repr__", None) is object.__repr__:
        try:
            given = ", ".join(f"{name}={each!r}" for name, each in vars(value).items())
        except Exception:  # noqa: BLE001  a `repr` of the code under test, or no attributes
            given = "…"
        text = f"{type(value).__name__}({given})"
    return _ADDRESS.sub("", text)[:_MOST_SHOWN]


def _is_same(made: Any, value: Any) -> bool:
    if type(made) is not type(value):
        return False
    if isinstance(made, (list, tuple)):
        return len(made) == len(value) and all(map(_is_same, made, value))
    if isinstance(made, dict):
        pairs = zip(made.items(), value.items())  # noqa: B905  of one length, as the next line says
        return len(made) == len(value) and all(_is_same(one, two) for one, two in pairs)
    if isinstance(made, (set, frozenset)):
        return bool(made == value)
    return bool(made == value) and repr(made) == repr(value)


class _Chosen:
    """A plugin that leaves out tests; all cases of a function whose names change are kept."""

    def __init__(self, tests: "list[str]") -> None:
        self._functions = {each.partition("[")[0] for each in tests}

    def pytest_collection_modifyitems(self, items: "list[Any]") -> None:
        """When all are collected."""
        items[:] = [each for each in items if each.nodeid.partition("[")[0] in self._functions]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session: Any) -> "Generator[None, None, None]":
        """After the tests nobody calls, or reads a summary: plugins import half a world for it."""
        yield
        _look_no_more()
        session.config.pluginmanager.unregister(name="terminalreporter")


def record_suite(
    root: str,
    paths: "list[str]",
    arguments: "list[str]",
    wanted: "dict[str, list[str]]",
    tests: "list[str]",
    most: int,
) -> "list[list[Any]]":
    """File, function and calls: run some tests of the suite once."""
    os.chdir(root)
    sys.path[:0] = [path for path in paths if path not in sys.path]
    notes = _Notes(root, wanted, most)
    threading.setprofile(notes.look)
    sys.setprofile(notes.look)
    try:
        options = ["-q", "--assert=plain", "-p", "no:cacheprovider", f"--rootdir={root}"]
        pytest.main([*options, *arguments], plugins=[_Chosen(tests)])
    finally:
        _look_no_more()
    return [
        [file[len(root) + 1 :], name, list(calls.values())]
        for (file, name), calls in notes.found.items()
    ]


def _look_no_more() -> None:
    sys.setprofile(None)
    threading.setprofile(None)
