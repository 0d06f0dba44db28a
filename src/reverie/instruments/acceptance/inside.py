"""What runs in the sandbox: one call, and whether it was accepted. Standard library only."""

import asyncio
import functools
import importlib
import inspect
import itertools
from typing import Any

_MOST_ITEMS = 50
_MOST_SECONDS = 2.0


def perform(
    module: str,
    qualname: str,
    call: "dict[str, Any]",
    is_async: bool,
) -> "dict[str, Any]":
    """`unmade`: the arguments could not be made; otherwise the error of the call, or None.

    What is asynchronous is made and called inside a running loop.
    """
    if is_async:
        return asyncio.run(_performed(module, qualname, call))
    made = _make(module, qualname, call)
    if isinstance(made, dict):
        return made
    try:
        value = made[0](*made[1], **made[2])
        if inspect.isgenerator(value):
            list(itertools.islice(value, _MOST_ITEMS))
    except (Exception, SystemExit) as error:  # noqa: BLE001  the code under test raises it
        return _answer(False, error)
    return _answer(False, None)


async def _performed(module: str, qualname: str, call: "dict[str, Any]") -> "dict[str, Any]":
    made = _make(module, qualname, call)
    if isinstance(made, dict):
        return made
    try:
        value = made[0](*made[1], **made[2])
        if inspect.isasyncgen(value):
            await asyncio.wait_for(anext(value, None), _MOST_SECONDS)
        elif inspect.isawaitable(value):
            await asyncio.wait_for(value, _MOST_SECONDS)
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return _answer(False, error)
    return _answer(False, None)


def _make(module: str, qualname: str, call: "dict[str, Any]") -> Any:
    try:
        loaded = importlib.import_module(module)
        scope = {name: getattr(loaded, name) for name in call["names"]}
        exec(call["preamble"], scope)  # noqa: S102  inside the sandbox, this is the job
        path = qualname.split(".")
        target: Any = loaded
        if call["receiver"] is not None:
            target, path = eval(call["receiver"], scope), path[-1:]
        args, kwargs = eval(f"(lambda *a, **k: (a, k))({call['arguments']})", scope)
        for part in path[: len(path) - call["is_property"]]:
            target = getattr(target, part)
    except Exception as error:  # noqa: BLE001
        return _answer(True, error)
    if call["is_property"]:
        access = setattr if args or kwargs else getattr
        target = functools.partial(access, target, path[-1])
    return target, args, kwargs


def _answer(unmade: bool, error: "BaseException | None") -> "dict[str, Any]":
    name = None if error is None else type(error).__name__
    message = "" if error is None else str(error)[:300]
    return {"unmade": unmade, "error": name, "message": message}
