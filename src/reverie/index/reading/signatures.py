"""Parameters, results and docstrings of functions, as they are written."""

import ast

from reverie.index.reading.lines import SourceLines
from reverie.model.code import Parameter, ParameterKind

Definition = ast.FunctionDef | ast.AsyncFunctionDef
_KINDS = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)


def parameters_of(arguments: ast.arguments, lines: SourceLines) -> tuple[Parameter, ...]:
    """The parameters in the order of the signature."""
    found: list[Parameter] = []
    positional = [(arg, _KINDS[0]) for arg in arguments.posonlyargs]
    positional += [(arg, _KINDS[1]) for arg in arguments.args]
    without_default = len(positional) - len(arguments.defaults)
    for index, (arg, kind) in enumerate(positional):
        default = arguments.defaults[index - without_default] if index >= without_default else None
        found.append(_parameter(arg, kind, default, lines))
    if arguments.vararg is not None:
        found.append(_parameter(arguments.vararg, ParameterKind.VAR_POSITIONAL, None, lines))
    for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(arg, ParameterKind.KEYWORD_ONLY, default, lines))
    if arguments.kwarg is not None:
        found.append(_parameter(arguments.kwarg, ParameterKind.VAR_KEYWORD, None, lines))
    return tuple(found)


def parameter_names(arguments: ast.arguments) -> frozenset[str]:
    """The names that are bound inside the function."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    extra = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return frozenset(each.arg for each in (*every, *extra))


def _parameter(
    arg: ast.arg, kind: ParameterKind, default: ast.expr | None, lines: SourceLines
) -> Parameter:
    return Parameter(
        arg.arg,
        kind,
        None if arg.annotation is None else lines.piece(arg.annotation),
        None if default is None else lines.piece(default),
    )


def docstring_of(body: list[ast.stmt]) -> str | None:
    """The docstring of a module, class or function, indentation taken off."""
    if not body or not isinstance(body[0], ast.Expr):
        return None
    value = getattr(body[0].value, "value", None)
    return _unindented(value) if isinstance(value, str) else None


def _unindented(text: str) -> str:
    if "\n" not in text:
        return text.strip()
    first, *rest = text.expandtabs().split("\n")
    indents = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    margin = min(indents, default=0)
    return "\n".join([first.strip(), *(line[margin:].rstrip() for line in rest)]).strip("\n")
