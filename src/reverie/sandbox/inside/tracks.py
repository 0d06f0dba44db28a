"""Leaves nothing to see of the sandbox's own program: an ordinary interpreter, an ordinary stack.

Called once, when everything is loaded: what is hidden here cannot be imported again by name.
"""

import ctypes
import os
import sys
import types
from typing import Any

from . import report

_FOLDER = __file__.rpartition("/")[0] + "/"
_PACKAGE = __name__.partition(".")[0]
_LAST_PID = "/proc/sys/kernel/ns_last_pid"
_ORDINARY_FLAGS = {
    "no_user_site": 0,
    "no_site": 0,
    "safe_path": False,
    "utf8_mode": 0,
    "hash_randomization": 1,
    "dont_write_bytecode": 0,
}
_ARGUMENTS_START, _ARGUMENTS_END = 47, 48
"""Fields of /proc/self/stat, counted from 0."""


def start_pids_at(number: int, proc: str) -> None:
    """The next process of this pid namespace gets this number; only where the kernel lets us."""
    try:
        descriptor = os.open(proc + _LAST_PID, os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return  # /proc/sys is read-only in many containers; small numbers are no danger
    try:
        os.write(descriptor, b"%d" % (number - 1))
    except PermissionError:
        return
    finally:
        os.close(descriptor)


def rename_functions() -> None:
    """Own functions look like those of `runpy`, which starts every program that has a name.

    Before any of them is called: a frame keeps the names that its code had then.
    """
    for module in _own_modules():
        for value in list(vars(module).values()):
            _rename(value)


def cover(config: "dict[str, Any]") -> None:
    """Own modules, arguments, streams and flags: none is left to be found."""
    names = [name for name, module in sys.modules.items() if module in _own_modules()]
    for module in [sys.modules.pop(name) for name in names]:
        module.__dict__.update({"__name__": "runpy", "__file__": report.OWN_FILE})
        for name in ("__spec__", "__loader__", "__cached__", "__package__", "__path__"):
            module.__dict__.pop(name, None)
    sys.modules["__main__"] = types.ModuleType("__main__")
    executable = config["executable"]
    if hasattr(sys, "orig_argv"):  # from Python 3.10 on
        sys.orig_argv[:] = [executable]
    _overwrite_arguments(executable)
    _set_flags()
    for name in ("stdin", "stdout", "stderr"):
        getattr(sys, name).buffer.raw.name = f"<{name}>"


def _own_modules() -> "list[types.ModuleType]":
    return [
        module
        for module in list(sys.modules.values())
        if str(getattr(module, "__file__", "")).startswith(_FOLDER)
    ]


def _rename(value: Any) -> None:
    if isinstance(value, types.FunctionType) and value.__code__.co_filename.startswith(_FOLDER):
        value.__code__ = _renamed(value.__code__)
        value.__module__ = "runpy"
    elif isinstance(value, type) and value.__module__.partition(".")[0] == _PACKAGE:
        value.__module__ = "runpy"
        for each in list(vars(value).values()):
            _rename(getattr(each, "__func__", getattr(each, "fget", each)))


def _renamed(code: types.CodeType) -> types.CodeType:
    constants = tuple(
        _renamed(each) if isinstance(each, types.CodeType) else each for each in code.co_consts
    )
    return code.replace(co_filename=report.OWN_FILE, co_consts=constants)


def _overwrite_arguments(executable: str) -> None:
    """What /proc/self/cmdline shows is memory of this process."""
    try:
        with open("/proc/self/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return  # without /proc nobody can read it either
    start, end = (int(fields[place - 2]) for place in (_ARGUMENTS_START, _ARGUMENTS_END))
    size = end - start
    text = os.fsencode(executable)[: size - 1]
    if start > 0 and size > 1:
        ctypes.memmove(start, text.ljust(size, b"\0"), size)


def _set_flags() -> None:
    """`sys.flags` has no constructor, so its places are written where they lie."""
    names = [name for name in dir(sys.flags) if not name.startswith("_")]
    flags = sys.flags
    places: Any = (ctypes.py_object * len(flags)).from_address(id(flags) + tuple.__basicsize__)
    before = {name: getattr(flags, name) for name in names if name in _ORDINARY_FLAGS}
    order = [part.partition("=")[0] for part in str(flags)[len("sys.flags(") : -1].split(", ")]
    for name in before:
        places[order.index(name)] = _ORDINARY_FLAGS[name]
