"""What a module promises of its callables: annotations, docstrings, examples, explicit raises."""

import ast
import doctest
import re
from dataclasses import dataclass, field

from reverie.dreamers.enrich.writing.fitting import Fitting, fitting_of

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Manual:
    """The promises of one module, by qualified name."""

    functions: dict[str, Function] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    """The output that a docstring shows, by the source of its example."""
    raising: set[int] = field(default_factory=set)
    """Lines of explicit `raise` statements."""
    asserting: set[int] = field(default_factory=set)
    fitting: Fitting = field(default_factory=lambda: Fitting({}))

    def mentions(self, callee: str, exception: str) -> bool:
        """Whether the callee's docstring, or that of its class, names an exception."""
        owner = callee.rpartition(".")[0]
        text = "\n".join(self.documents.get(name, "") for name in (callee, owner) if name)
        return re.search(rf"\b{re.escape(exception.rpartition('.')[2])}\b", text) is not None

    def fits(self, callee: str, call: ast.expr) -> bool | None:
        """Whether all arguments of a call fit; None when annotations say nothing of some."""
        function = self.functions.get(callee) or self.functions.get(f"{callee}.__init__")
        while isinstance(call, ast.Call) and _is_wrapper(call):
            call = call.args[0]
        if function is None or not isinstance(call, ast.Call):
            return None
        parameters = _parameters(function)
        answers = [
            self.fitting.fits(argument, parameters.get(place))
            for place, argument in _arguments(call)
        ]
        if False in answers:
            return False
        return None if None in answers else True

    def annotations(self, callee: str) -> dict[int | str, ast.expr | None]:
        """What is said of a callable's parameters, by place and by name."""
        function = self.functions.get(callee) or self.functions.get(f"{callee}.__init__")
        return {} if function is None else _parameters(function)

    def returns(self, callee: str) -> frozenset[str] | None:
        """The types that a function may return, by name; None when it does not say."""
        function = self.functions.get(callee)
        if function is None or function.returns is None or _is_generator(function):
            return None
        return self.fitting.names(function.returns)


def _is_wrapper(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Name)
        and call.func.id in ("list", "str", "len")
        and any(isinstance(each, ast.Call) for each in call.args[:1])
    )


def _arguments(call: ast.Call) -> list[tuple[int | str, ast.expr]]:
    given: list[tuple[int | str, ast.expr]] = list(enumerate(call.args))
    return given + [(each.arg, each.value) for each in call.keywords if each.arg is not None]


def _parameters(function: Function) -> dict[int | str, ast.expr | None]:
    given = [*function.args.posonlyargs, *function.args.args]
    if given and given[0].arg in ("self", "cls"):
        given = given[1:]
    found: dict[int | str, ast.expr | None] = {}
    for place, each in enumerate(given):
        found[place] = found[each.arg] = each.annotation
    found.update((each.arg, each.annotation) for each in function.args.kwonlyargs)
    if function.args.vararg is not None:
        for place in range(len(given), len(given) + 12):
            found[place] = function.args.vararg.annotation
    return found


def _is_generator(function: Function) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function))


def manual_of(tree: ast.Module) -> Manual:
    """Read the promises of a module."""
    manual = Manual(fitting=fitting_of(tree))
    _read(tree, "", manual)
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            manual.raising.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.Assert):
            manual.asserting.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return manual


def _read(node: ast.AST, prefix: str, manual: Manual) -> None:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{prefix}{each.name}"
            document = ast.get_docstring(each) or ""
            manual.documents[name] = document
            manual.examples.update(_examples(document))
            if isinstance(each, ast.ClassDef):
                _read(each, f"{name}.", manual)
                _read_fields(each, name, manual)
            else:
                manual.functions.setdefault(name, each)
        elif isinstance(each, (ast.If, ast.Try)):
            _read(each, prefix, manual)


def _read_fields(node: ast.ClassDef, name: str, manual: Manual) -> None:
    """The `__init__` that a dataclass will have."""
    if not any("dataclass" in ast.unparse(each) for each in node.decorator_list):
        return
    fields = [
        f"{each.target.id}: {ast.unparse(each.annotation)}"
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    made = ast.parse(f"def __init__(self, {', '.join(fields)}): ...").body[0]
    if isinstance(made, ast.FunctionDef):
        manual.functions.setdefault(f"{name}.__init__", ast.copy_location(made, node))


def _examples(document: str) -> dict[str, str]:
    try:
        found = doctest.DocTestParser().get_examples(document)
    except ValueError:
        return {}
    return {
        each.source.strip(): each.want.strip()
        for each in found
        if each.want and each.exc_msg is None and not each.options
    }
