"""Run one request in this process and make a claim about how it went.

The functions here are called by code that is about to run somebody else's program in the
same interpreter: whatever they need afterwards is captured before.
"""

import builtins
import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar

from . import report

_T = TypeVar("_T")
_COROUTINE_FLAG, _GENERATOR_FLAG = 0x80, 0x20
_COMPILE_ERRORS = (SyntaxError, ValueError, RecursionError, OverflowError, UnicodeError)


def perform(request: "dict[str, Any]") -> "dict[str, Any]":
    """The claim for one request; never raises."""
    action = _guard_compilation(lambda: _KINDS[request["kind"]](request))
    return action if isinstance(action, dict) else attempt(action)


def compiled(code: str) -> "types.CodeType | dict[str, Any]":
    """A module's code, or the claim that it does not compile."""
    return _guard_compilation(lambda: compile_dream(code, "exec"))


def _guard_compilation(prepare: "Callable[[], _T]") -> "_T | dict[str, Any]":
    try:
        return prepare()
    except MemoryError as error:
        return {"claim": "raised", "error": report.describe(error)}
    except _COMPILE_ERRORS as error:
        return {"claim": "not_compiled", "error": report.describe(error)}


def attempt(action: "Callable[[], dict[str, Any]]") -> "dict[str, Any]":
    """The claim of `action`, or of the error it raised."""
    try:
        return action()
    except report.NotPlain as error:
        return {"claim": "not_plain", "error": report.describe(error)}
    except BaseException as error:  # noqa: BLE001  it is the code under test that raises
        return {"claim": "raised", "error": report.describe(error)}


def returned(value: Any) -> "dict[str, Any]":
    """The claim of a value, refused when JSON cannot carry it."""
    return {"claim": "returned", "value": report.plain(value), "type": type(value).__name__[:200]}


def new_module(name: str) -> types.ModuleType:
    """An empty module under `name`, importable by the code that will fill it."""
    module = types.ModuleType(name)
    module.__dict__["__builtins__"] = builtins
    sys.modules[name] = module
    return module


def compile_dream(code: str, mode: str, path: str = report.FILE_INSIDE) -> types.CodeType:
    """Compile without inheriting this file's own future statements."""
    compiled: types.CodeType = compile(code, path, mode, dont_inherit=True)
    return compiled


def load_entry(code: types.CodeType, entry: str) -> "Callable[..., Any]":
    """Execute a module's code and find its entry (dotted names reach into classes)."""
    module = new_module("dream")
    exec(code, module.__dict__)  # noqa: S102  inside the sandbox, this is the job
    found: Any = module
    for part in entry.split("."):
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]


def call(entry: "Callable[..., Any]", params: "dict[str, Any]") -> Any:
    """The result of an entry; an async function is awaited, a generator function exhausted."""
    value = entry(**params)
    flags = getattr(getattr(entry, "__code__", None), "co_flags", 0)
    if flags & _COROUTINE_FLAG:
        import asyncio

        return asyncio.run(value)
    if flags & _GENERATOR_FLAG:
        return list(value)
    return value


def _prepare_expression(request: "dict[str, Any]") -> "Callable[[], dict[str, Any]]":
    code = compile_dream(request["code"].strip(), "eval")
    scope = new_module("dream").__dict__
    return lambda: returned(eval(code, scope))


def _prepare_call(request: "dict[str, Any]") -> "Callable[[], dict[str, Any]]":
    code = compile_dream(request["code"], "exec")
    entry, params = request["entry"], request["params"]
    return lambda: returned(call(load_entry(code, entry), params))


def _prepare_script(request: "dict[str, Any]") -> "Callable[[], dict[str, Any]]":
    path = request["path"]
    code = compile_dream(request["code"], "exec", path)
    params, argv = request["params"], [path, *request["argv"]]

    def action() -> "dict[str, Any]":
        module = new_module("__main__")
        module.__file__ = path
        module.__dict__.update(params)
        sys.argv[:] = argv
        return exiting(lambda: exec(code, module.__dict__), module)  # noqa: S102

    return action


def exiting(run: "Callable[[], Any]", module: "types.ModuleType | None" = None) -> "dict[str, Any]":
    """Run to the end of a program: threads joined, exit handlers called, exit code claimed."""
    code: Any = 0
    try:
        run()
    except SystemExit as error:
        code = error.code
    _finish_program()
    if code is None:
        code = 0
    if not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
        code = 1
    value = module.__dict__.get("_result") if module is not None else None
    return {**returned(value), "exit_code": int(code) & 0xFF}


def _finish_program() -> None:
    import atexit
    import threading

    threading._shutdown()  # type: ignore[attr-defined]  # waits for non-daemon threads
    atexit._run_exitfuncs()


def _prepare_module(request: "dict[str, Any]") -> "Callable[[], dict[str, Any]]":
    import runpy

    name, argv = request["name"], request["argv"]

    def action() -> "dict[str, Any]":
        sys.argv[:] = [name, *argv]
        return exiting(lambda: runpy.run_module(name, run_name="__main__", alter_sys=True))

    return action


def _prepare_pytest(request: "dict[str, Any]") -> "Callable[[], dict[str, Any]]":
    arguments = ["-p", "no:cacheprovider", *request["args"]]

    def action() -> "dict[str, Any]":
        import pytest

        code = int(pytest.main(arguments))
        return {"claim": "returned", "value": None, "type": "NoneType", "exit_code": code}

    return action


_KINDS: "dict[str, Callable[[dict[str, Any]], Callable[[], dict[str, Any]]]]" = {
    "expression": _prepare_expression,
    "call": _prepare_call,
    "script": _prepare_script,
    "module": _prepare_module,
    "pytest": _prepare_pytest,
}
