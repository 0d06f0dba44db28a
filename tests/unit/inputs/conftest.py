"""Calls performed in this process, on sources of this suite, the way `model.call` says."""

import asyncio
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

from reverie.model.call import Call


def _load(source: str) -> dict[str, Any]:
    module = types.ModuleType("performed")
    sys.modules["performed"] = module
    exec(compile(source, "<performed>", "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


@pytest.fixture
def perform() -> Callable[[str, str, Call], Any]:
    """What a call of a source's callable returns; coroutines are awaited."""

    def performed(source: str, qualname: str, call: Call) -> Any:
        namespace = _load(source)
        scope = {name: namespace[name] for name in call.names}
        exec(call.preamble, scope)
        scope[qualname.partition(".")[0]] = namespace[qualname.partition(".")[0]]
        value = eval(call.render(qualname), scope)
        return asyncio.run(value) if inspect.iscoroutine(value) else value

    return performed
