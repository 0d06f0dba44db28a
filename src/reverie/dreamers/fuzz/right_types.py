"""Objects in an input whose fields have the types that their class says.

    Loan('', '', b'')        # `lent_on: date`: whoever makes that has made the mistake

Whether an argument is of its parameter's type is looked at where it is drawn. What a dataclass
of the module is made of is looked at here: it takes anything, and breaks later, somewhere else.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from reverie.dreamers.enrich.writing.selecting.manual import Fitting, fitting_of
from reverie.syntax.nodes import last_name
from reverie.syntax.parsing import parse_expression, parse_module

Fields = Mapping[str, ast.expr]


def have_right_types(sources: Iterable[str], module: str) -> bool:
    """Whether no object in these expressions is made of what its fields exclude."""
    tree = parse_module(module)
    classes = dict(_dataclasses(tree))
    fitting = fitting_of(tree)
    calls = (
        node
        for source in sources
        for node in ast.walk(parse_expression(source))
        if isinstance(node, ast.Call) and last_name(node.func) in classes
    )
    return all(_fits(each, classes[last_name(each.func)], fitting) for each in calls)


def _fits(call: ast.Call, fields: Fields, fitting: Fitting) -> bool:
    given = [*zip(fields, call.args, strict=False)]
    given += [(each.arg, each.value) for each in call.keywords if each.arg and each.arg in fields]
    return all(fitting.fits(value, fields[name]) is not False for name, value in given)


def _dataclasses(tree: ast.Module) -> Iterator[tuple[str, Fields]]:
    """Those without bases, whose arguments are their own fields in order."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.bases:
            marks = (each.func if isinstance(each, ast.Call) else each
                     for each in node.decorator_list)  # fmt: skip
            if any(last_name(each) == "dataclass" for each in marks):
                yield (
                    node.name,
                    {
                        each.target.id: each.annotation
                        for each in node.body
                        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
                    },
                )
