"""What a file offers: parameters, results and docstrings of functions, and its `__all__`."""

import ast
from collections.abc import Iterator

from reverie.index.reading.facts import SourceLines
from reverie.model.repository.code import Parameter, ParameterKind
from reverie.syntax.nodes import dotted_name

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


_GROWS = frozenset({"append", "extend"})


class DeclaredNames:
    """`__all__` while the statements of a module go by."""

    def __init__(self) -> None:
        self.names: list[str] | None = None
        self.taken_from: list[str] = []

    def see(self, statement: ast.stmt) -> None:
        """Take in a statement at the level of the module."""
        if isinstance(statement, ast.Assign):
            if any(_is_all(target) for target in statement.targets):
                self.names, self.taken_from = [], []
                self._add(statement.value)
        elif isinstance(statement, ast.AnnAssign):
            if _is_all(statement.target) and statement.value is not None:
                self.names, self.taken_from = [], []
                self._add(statement.value)
        elif isinstance(statement, ast.AugAssign):
            if _is_all(statement.target):
                self._add(statement.value)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            self._see_call(statement.value)

    def _see_call(self, call: ast.Call) -> None:
        function = call.func
        if not isinstance(function, ast.Attribute) or function.attr not in _GROWS:
            return
        if _is_all(function.value) and len(call.args) == 1:
            self._add(call.args[0])

    def _add(self, value: ast.expr) -> None:
        if self.names is None:
            self.names = []
        pending: list[ast.expr] = [value]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Constant):
                if isinstance(node.value, str):
                    self.names.append(node.value)
            elif isinstance(node, ast.List | ast.Tuple | ast.Set):
                pending += node.elts
            elif isinstance(node, ast.BinOp):
                pending += [node.left, node.right]
            elif isinstance(node, ast.Starred):
                pending.append(node.value)
            elif isinstance(node, ast.Call) and len(node.args) == 1:
                pending += node.args  # list(...), sorted(...)
            else:
                self._take_from(node)

    def _take_from(self, node: ast.expr) -> None:
        name = dotted_name(node)
        if name is not None and name.endswith(".__all__"):
            self.taken_from.append(name.removesuffix(".__all__"))


def names_in(target: ast.expr) -> Iterator[str]:
    """The names that an assignment to a target binds."""
    pending = [target]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Tuple | ast.List):
            pending += each.elts
        elif isinstance(each, ast.Starred):
            pending.append(each.value)


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "__all__"
