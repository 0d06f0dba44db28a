"""Mutants one by one, each in a process in which nothing of the target was ever imported.

The parent imports pytest and nothing else. A child reads the changed file as text, collects and
runs the tests in their own order and pytest's own way: nothing here is shared with the warm
process whose verdicts are looked at again.
"""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from .children import DIED, KILLED, NO_TEST, SURVIVED, TIMEOUT, Litter, Statement, run_child
from .tree import kept_tree

_WORDS = {SURVIVED: "survived", KILLED: "killed", TIMEOUT: "timeout", DIED: "died"}
_FAILED_SESSIONS = (2, 3, 4)  # interrupted, internal error, wrong usage: of pytest's exit codes


def judge_many(
    request: "dict[str, Any]", run_one: "Callable[[dict[str, Any]], dict[str, Any]]"
) -> "dict[str, Any]":
    """A verdict for each mutant of the request, as far as its time goes."""
    began = time.monotonic()
    scratch = os.environ.get("TMPDIR", "/tmp")
    sys.pycache_prefix = os.path.join(scratch, "bytecode")
    sys.dont_write_bytecode = False  # what one child compiles, the next one reads
    os.makedirs(sys.pycache_prefix, exist_ok=True)
    tree = kept_tree(request)
    litter, statement = Litter(request["private"]), Statement()
    numbers = {name: index for index, name in enumerate(request["tests"])}
    results: list[dict[str, Any]] = []
    for mutant in request["mutants"]:
        if results and time.monotonic() - began > request["seconds"]:
            break

        def act(mutant: "dict[str, Any]" = mutant) -> None:
            found = run_one({**request, "mode": "fresh", **mutant})
            is_killed = found.get("killed") is not False or found["exit"] in _FAILED_SESSIONS
            test = numbers.get(found.get("killer") or "", NO_TEST)
            statement.write(KILLED if is_killed else SURVIVED, test)

        word, test = run_child(statement, act, lambda _: request["whole_seconds"])
        results.append({"key": mutant["key"], "verdict": _WORDS[word], "test": test, "sure": True})
        litter.sweep()
        if tree is not None:
            tree.put_back()
    return {"results": results, "alone": []}
