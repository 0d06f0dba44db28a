"""A function by somebody else, perhaps a model: held to the examples, and never trusted."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from reverie.dreamers.generate.candidates import Candidate, Origin
from reverie.dreamers.generate.program import ask
from reverie.dreamers.generate.spec import Spec
from reverie.errors import ModelFailed, Refused
from reverie.model.codec import plain
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.safety import check_source

Author = Callable[[Spec, str], str]
"""Writes a module with a function of that name; `ModelFailed` or `Refused` when it does not."""
_MOST_RECITED = 2
_SMALL = 10


def by_author(sandbox: Sandbox, spec: Spec, author: Author) -> Candidate | str:
    """What an author wrote, if it is to be shown; otherwise the objection to it."""
    name = spec.name or "answer"
    try:
        source = author(spec, name)
    except (ModelFailed, Refused) as error:
        return f"the model: {error}"
    checked = check_source(source)
    if not checked.passed:
        return f"the model's code breaks the safety rule {checked.findings[0].rule}"
    if recited(source, (value for each in spec.examples for value in each.args)) >= _MOST_RECITED:
        return "the model's code recites the examples"
    objection = fails_examples(sandbox, spec, source)
    if objection is not None:
        return f"the model's code {objection}"
    return Candidate(name, source, Origin.MODEL)


def fails_examples(sandbox: Sandbox, spec: Spec, source: str) -> str | None:
    """What is wrong with a source by the examples; None when nothing is."""
    examples = plain(spec.examples)
    params = {"source": source, "name": spec.name or "answer", "examples": examples}
    execution = ask(sandbox, "_try_source", params, 10.0 + 2.0 * len(examples))
    if not execution.succeeded:
        return f"does not run: {execution.error or execution.outcome}"
    return None if execution.output is None else f"fails an example: {execution.output}"


def recited(source: str, values: Iterable[Any]) -> int:
    """How many telling values of the examples stand in a source as they are."""
    telling = {repr(value) for value in values if _is_telling(value)}
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        try:
            found.add(repr(ast.literal_eval(node)) if isinstance(node, ast.expr) else "")
        except (ValueError, TypeError, MemoryError, RecursionError):
            continue
    return len(telling & found)


def _is_telling(value: Any) -> bool:
    """Whether nobody would write just this by chance."""
    if isinstance(value, str):
        return len(value) > 3
    if isinstance(value, int | float):
        return abs(value) > _SMALL
    return isinstance(value, list | dict) and len(value) > 1
