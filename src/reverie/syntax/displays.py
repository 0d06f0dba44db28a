"""What kind of value an expression plainly writes down."""

import ast


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
