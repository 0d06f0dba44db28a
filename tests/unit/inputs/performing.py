"""Perform calls on sources of our own, in this process, the way `model.call` says."""

import asyncio
import inspect
from typing import Any

from reverie.model.call import Call


def load(source: str) -> dict[str, Any]:
    """The namespace of a source of this test suite."""
    import sys
    import types

    module = types.ModuleType("performed")
    sys.modules["performed"] = module
    exec(compile(source, "<performed>", "exec", dont_inherit=True), module.__dict__)  # noqa: S102
    return module.__dict__


def perform(call: Call, namespace: dict[str, Any], qualname: str) -> Any:
    """What the call returns; coroutines are awaited."""
    scope: dict[str, Any] = {}
    scope |= {name: namespace[name] for name in call.names}
    exec(call.preamble, scope)  # noqa: S102
    scope |= {name: namespace[name] for name in (qualname.partition(".")[0],)}
    value = eval(call.render(qualname), scope)  # noqa: S307
    return asyncio.run(value) if inspect.iscoroutine(value) else value
