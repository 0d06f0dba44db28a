"""What runs in the sandbox: one call of an installed function, and what became of it."""

import asyncio
import importlib
import inspect
import itertools

MODULE, QUALNAME = "@module@", "@qualname@"
_loaded = importlib.import_module(MODULE)


def perform(preamble, names, receiver, arguments):
    """`unmade`: the arguments could not be made; otherwise the error of the call, or None."""
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
    try:
        _drive(target(*args, **kwargs))
    except (Exception, SystemExit) as error:
        return {"unmade": False, "error": type(error).__name__, "message": str(error)[:300]}
    return {"unmade": False, "error": None, "message": ""}


def _drive(value):
    if inspect.iscoroutine(value):
        asyncio.run(asyncio.wait_for(value, 2))
    elif inspect.isasyncgen(value):
        asyncio.run(_first(value))
    elif inspect.isgenerator(value):
        list(itertools.islice(value, 50))


async def _first(items):
    async for _ in items:
        break
