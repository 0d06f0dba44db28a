"""One piece of code, many inputs: compile once, then a fork per input or none at all.

The supervisor watches the time between answers, and blames a missing answer on its input,
so nothing here needs a clock.
"""

import os
import sys
from collections.abc import Callable
from typing import Any, Protocol

from . import perform

_ANSWERED = 113
"""Exit status of a fork that has answered; 0 would be one that left without a word."""


class Reply(Protocol):
    """Where claims go."""

    send: "Callable[[dict[str, Any]], None]"
    adopt: "Callable[[], None]"


def run(request: "dict[str, Any]", reply: Reply) -> None:
    """Answer every input in order, each with its own claim."""
    execute = _in_a_fork if request["isolated"] else _here
    failure, entry = _load(request)
    for index, params in enumerate(request["inputs"]):
        if failure is not None:
            reply.send({**failure, "index": index, "position": _position()})
        else:
            execute(entry, index, params, reply)


def _load(request: "dict[str, Any]") -> "tuple[dict[str, Any] | None, Callable[..., Any]]":
    """The entry, or the claim that every input shares because there is no entry to call."""
    found: list[Callable[..., Any]] = []

    code = perform.compiled(request["code"])
    if isinstance(code, dict):
        return code, print
    module = code

    def load() -> "dict[str, Any]":
        found.append(perform.load_entry(module, request["entry"]))
        return {}

    claim = perform.attempt(load)
    return (None, found[0]) if found else (claim, print)


def _here(entry: "Callable[..., Any]", index: int, params: "dict[str, Any]", reply: Reply) -> None:
    claim = perform.attempt(lambda: perform.returned(perform.call(entry, params)))
    sys.stdout.flush()
    sys.stderr.flush()
    reply.send({**claim, "index": index, "position": _position()})


def _in_a_fork(
    entry: "Callable[..., Any]", index: int, params: "dict[str, Any]", reply: Reply
) -> None:
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            reply.adopt()
            _here(entry, index, params, reply)
            status = _ANSWERED
        finally:
            os._exit(status)
    _, wait_status = os.waitpid(pid, 0)
    if wait_status != _ANSWERED << 8:
        claim = {"claim": "died", "status": wait_status}
        reply.send({**claim, "index": index, "position": _position()})


def _position() -> "list[int]":
    """How far stdout and stderr have been written: the supervisor slices them by input."""
    return [os.lseek(1, 0, os.SEEK_CUR), os.lseek(2, 0, os.SEEK_CUR)]
