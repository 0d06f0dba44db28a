"""What tests call functions with: inputs that a person chose, and the objects they fit.


    calls = record_calls(sandbox, project, {"src/shop/prices.py": ("total",)}, tests, seconds)

What comes back was written by code that nobody trusts. Literals are read as literals, and all else
stays pickled, with its `repr` for people: it is unpickled inside the sandbox only.
"""

import ast
import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reverie.errors import MachineryError
from reverie.instruments.mutation.project import Project
from reverie.instruments.mutation.sandbox_side import suite_limits, suite_policy
from reverie.model.call import Call, Expression
from reverie.model.execution import Call as Run
from reverie.model.execution import Request
from reverie.sandbox.bundle import source_of
from reverie.sandbox.engine import Sandbox
from reverie.syntax.unparsing import unparse

MOST_CALLS, KEPT_CALLS = 90, 40
_MOST_CHARACTERS = 40_000
_MOST_SHOWN = 200
Wanted = Mapping[str, Sequence[str]]
Recorded = Mapping[tuple[str, str], tuple[Call, ...]]


def record_calls(
    sandbox: Sandbox, project: Project, wanted: Wanted, tests: Sequence[str], seconds: float
) -> Recorded:
    """By file and function: calls that some tests make. None where they cannot be run so."""
    order = {
        "root": project.root,
        "paths": list(project.import_paths),
        "arguments": [*project.arguments, *project.tests],
        "wanted": {file: list(names) for file, names in wanted.items()},
        "tests": list(tests),
        "most": MOST_CALLS,
    }
    policy = replace(suite_policy(sandbox, project), disguise=0)
    limits = suite_limits(sandbox, seconds)
    execution = sandbox.run(Request(Run(_program(), "record_suite", order), limits, policy))
    if not execution.succeeded or not isinstance(execution.output, list):
        return {}
    try:
        return {
            (str(file), str(name)): _lightest([_call(each) for each in calls])
            for file, name, calls in execution.output
            if name in wanted.get(file, ())
        }
    except (TypeError, ValueError, KeyError) as error:
        raise MachineryError(f"calls that make no sense were recorded: {error}") from error


def _lightest(calls: list[Call]) -> tuple[Call, ...]:
    """Those with the smallest objects: what is looked at after every call."""
    return tuple(sorted(calls, key=lambda each: len(each.render("")))[:KEPT_CALLS])


def _program() -> str:
    return source_of("reverie.instruments.calls.inside")


def _call(told: Mapping[str, Any]) -> Call:
    receiver = told["receiver"]
    return Call(
        tuple(_expression(each) for each in told["args"]),
        tuple((_name(name), _expression(value)) for name, value in told["kwargs"]),
        None if receiver is None else _expression(receiver),
    )


def _expression(told: Sequence[Any]) -> Expression:
    kind, text, *more = told
    if not isinstance(text, str) or len(text) > _MOST_CHARACTERS:
        raise ValueError("a value that is no text")
    if kind == "literal":
        return Expression(unparse(ast.Constant(ast.literal_eval(text))))
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("a value that is not packed as it should be") from error
    shown = str(more[0])[:_MOST_SHOWN] if more and more[0] else None
    return Expression(f"pickle.loads({data!r})", modules=frozenset({"pickle"}), shown=shown)


def _name(given: Any) -> str:
    if not isinstance(given, str) or not given.isidentifier():
        raise ValueError("a name that is none")
    return given
