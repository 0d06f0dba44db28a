"""Whether two texts of a module are the same program: what Python compiles them to."""

import ast
from types import CodeType
from typing import Any

_PARTS = (
    "co_name", "co_qualname", "co_flags", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount",
    "co_code", "co_exceptiontable", "co_names", "co_varnames", "co_freevars", "co_cellvars",
)  # fmt: skip
_OPTIMISED = (0, 1)
"""With `-O` as well, which leaves out assertions and what `__debug__` guards."""


def compile_alike(old: ast.Module, new: ast.Module) -> bool:
    """Whether nothing but places in the text tells them apart once compiled; nothing is run."""
    try:
        return all(_facts(_compiled(old, o)) == _facts(_compiled(new, o)) for o in _OPTIMISED)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _compiled(tree: ast.Module, optimised: int) -> CodeType:
    """On one line all of it, because code also says where a line begins."""
    tree = ast.parse(ast.unparse(tree))
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1  # type: ignore[attr-defined]
            node.col_offset = node.end_col_offset = 0  # type: ignore[attr-defined]
    compiled = compile(tree, "<module>", "exec", dont_inherit=True, optimize=optimised)
    assert isinstance(compiled, CodeType)
    return compiled


def _facts(value: Any) -> Any:
    """Code by its parts, and constants by kind and text: 1, 1.0 and True are three."""
    if isinstance(value, CodeType):
        constants = tuple(_facts(each) for each in value.co_consts)
        return (*(getattr(value, name) for name in _PARTS), constants)
    if isinstance(value, tuple):
        return ("tuple", *(_facts(each) for each in value))
    if isinstance(value, frozenset):
        return ("frozenset", frozenset(_facts(each) for each in value))
    return type(value).__name__, repr(value)
