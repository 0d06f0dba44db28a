"""Which function of a source is meant, when nobody names one.

Read from the syntax tree on the host: nothing of the source runs here.
"""

import ast
import warnings
from collections.abc import Iterable, Sequence

RESULT_NAME = "_result"
"""A script's output; assigned at the top level it says that the source is a script."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def find_entry(code: str, names: Iterable[str]) -> str | None:
    """The function to call with these keyword arguments; None: run the source as a script.

    The one top-level function whose parameters fit; of several the last public one. When none
    fits, the last public one: the call then fails where its author can see it. A source
    without a function, or with a `_result` of its own, is a script, and so is one that does
    not parse: whoever runs it finds out why.
    """
    body = _parse(code)
    if any(_assigns_result(statement) for statement in body):
        return None
    functions = {each.name: each for each in body if isinstance(each, _Function)}
    given = frozenset(names)
    fitting = [name for name, each in functions.items() if _fits(each.args, given)]
    return _last_public(fitting) or _last_public(list(functions))


def _parse(code: str) -> Sequence[ast.stmt]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _assigns_result(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=targets):
            return any(_is_result(target) for target in targets)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return _is_result(target)
    return False


def _is_result(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == RESULT_NAME


def _fits(arguments: ast.arguments, given: frozenset[str]) -> bool:
    """Whether a call with exactly these keywords would bind."""
    by_position = [*arguments.posonlyargs, *arguments.args]
    required = by_position[: len(by_position) - len(arguments.defaults)]
    keyword_only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    needed = {each.arg for each in required}
    needed |= {each.arg for each, default in keyword_only if default is None}
    accepted = {each.arg for each in (*arguments.args, *arguments.kwonlyargs)}
    if not needed <= given & accepted:
        return False
    return arguments.kwarg is not None or given <= accepted


def _last_public(names: list[str]) -> str | None:
    public = [name for name in names if not name.startswith("_")]
    return next(reversed(public or names), None)
