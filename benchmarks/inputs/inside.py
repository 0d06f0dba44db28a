"""What runs in the sandbox: one call of an installed function, and what became of it."""

import asyncio
import importlib
import inspect
import itertools

MODULE, QUALNAME = "@module@", "@qualname@"
_loaded = importlib.import_module(MODULE)


def perform(preamble, names, receiver, arguments, is_async):
    """`unmade`: the arguments could not be made; otherwise the error of the call, or None."""
    if is_async:
        return asyncio.run(_perform_in_loop(preamble, names, receiver, arguments))
    made = _make(preamble, names, receiver, arguments)
    if isinstance(made, dict):
        return made
    target, args, kwargs = made
    try:
        value = target(*args, **kwargs)
        if inspect.isgenerator(value):
            list(itertools.islice(value, 50))
    except (Exception, SystemExit) as error:
        return {"unmade": False, "error": type(error).__name__, "message": str(error)[:300]}
    return {"unmade": False, "error": None, "message": ""}


async def _perform_in_loop(preamble, names, receiver, arguments):
    made = _make(preamble, names, receiver, arguments)
    if isinstance(made, dict):
        return made
    target, args, kwargs = made
    try:
        value = target(*args, **kwargs)
        if inspect.isasyncgen(value):
            await _first(value)
        elif inspect.isawaitable(value):
            await asyncio.wait_for(value, 2)
    except (Exception, SystemExit) as error:
        return {"unmade": False, "error": type(error).__name__, "message": str(error)[:300]}
    return {"unmade": False, "error": None, "message": ""}


def _make(preamble, names, receiver, arguments):
    scope = {name: getattr(_loaded, name) for name in names}
    try:
        exec(preamble, scope)
        target = eval(receiver, scope) if receiver else _loaded
        path = QUALNAME.split(".")[-1:] if receiver else QUALNAME.split(".")
        for part in path:
            target = getattr(target, part)
        args, kwargs = eval(f"(lambda *a, **k: (a, k))({arguments})", scope)
    except Exception as error:
        return {"unmade": True, "error": type(error).__name__, "message": str(error)[:300]}
    return target, args, kwargs


async def _first(items):
    async for _ in items:
        break
