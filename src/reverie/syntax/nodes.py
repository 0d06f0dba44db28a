"""Questions about parts of a syntax tree that many rooms ask."""

import ast
from collections.abc import Iterable, Iterator, Sequence

Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def dotted_name(node: ast.AST | None) -> str | None:
    """`a.b.c` when the expression is nothing but that."""
    if isinstance(node, ast.Name):
        return node.id
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def dotted(node: ast.AST | None) -> str:
    """`a.b.c` as text; empty for anything else."""
    return dotted_name(node) or ""


def last_name(node: ast.AST) -> str:
    """`c` of `a.b.c`, whatever stands before the dot; empty where there is no name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def names_in(node: ast.AST) -> set[str]:
    """Every name that stands in a node, read or bound."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def stored_names(node: ast.AST) -> set[str]:
    """Every name that something in a node is assigned to, nested functions included."""
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Everything in a function's own body, not in functions and classes inside it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef | ast.Lambda):
            continue
        yield child
        yield from own_nodes(child)


def parents_in(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """Every node below another, by the one that it stands in."""
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def is_bare_constant(node: ast.AST | None) -> bool:
    """Whether a statement is a docstring, another text or `...`: running it does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_ellipsis(node: ast.expr) -> bool:
    """Whether an expression is `...`."""
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def is_stub(node: ast.AST) -> bool:
    """Whether a function is declared and not written: `...`, or an error that says so."""
    if not isinstance(node, Function):
        return False
    match [each for each in node.body if not isinstance(each, ast.Pass)]:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            pass
        case rest:
            pass
    match rest:
        case [ast.Expr(value=value)]:
            return is_ellipsis(value)
        case [ast.Raise(exc=ast.Name() | ast.Call() as error)]:
            named = error.func if isinstance(error, ast.Call) else error
            return last_name(named) == "NotImplementedError"
    return False


def is_dotted(text: str) -> bool:
    """Whether a text is a name, bare or dotted."""
    return all(part.isidentifier() for part in text.split("."))


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """Every function and method with its dotted name, those inside functions left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from functions(node, prefix)


def plain_functions(body: Sequence[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function]]:
    """Functions and methods that are defined under no condition, with their dotted names."""
    for node in body:
        if isinstance(node, Function):
            yield f"{prefix}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from plain_functions(node.body, f"{prefix}{node.name}.")


def first_line(node: ast.stmt) -> int:
    """Where a statement begins, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def dumped(nodes: Iterable[ast.AST]) -> list[str]:
    """What nodes say, whatever their layout."""
    return [ast.dump(each) for each in nodes]


def around_difference(mine: ast.AST, other: ast.AST) -> Iterator[ast.AST]:
    """The nodes of one tree with all in them that another one has otherwise, the outermost first.

    What stands right in the innermost comes last: a node that is taken out leaves its list shorter.
    """
    yield mine
    while type(mine) is type(other):
        parted: list[tuple[ast.AST, ast.AST]] = []
        is_innermost = False
        for field in mine._fields:
            one, two = getattr(mine, field, None), getattr(other, field, None)
            ones, twos = (each if isinstance(each, list) else [each] for each in (one, two))
            for pair in zip(ones, twos, strict=False):
                if not isinstance(pair[0], ast.AST) or not isinstance(pair[1], ast.AST):
                    is_innermost |= pair[0] != pair[1] or type(pair[0]) is not type(pair[1])
                elif ast.dump(pair[0]) != ast.dump(pair[1]):
                    parted.append((pair[0], pair[1]))
            is_innermost |= len(ones) != len(twos)
            if is_innermost or len(parted) > 1:
                yield from ast.iter_child_nodes(mine)
                return
        if not parted:
            return
        ((mine, other),) = parted
        yield mine


def kind_of_display(node: ast.expr) -> str | None:
    """The builtin type of a literal or display; None where that cannot be seen."""
    match node:
        case ast.Constant(value=None):
            return "None"
        case ast.Constant(value=value):
            return type(value).__name__
        case ast.Dict() | ast.DictComp():
            return "dict"
        case ast.List() | ast.ListComp():
            return "list"
        case ast.Set() | ast.SetComp():
            return "set"
        case ast.Tuple():
            return "tuple"
        case ast.JoinedStr():
            return "str"
    return None
