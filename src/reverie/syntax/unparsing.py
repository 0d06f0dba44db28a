"""Source of a syntax tree, on every Python that we run on.

Before 3.12 `ast.unparse` cannot write every f-string that it can read, as those with a backslash
or with both kinds of quotes in a field; where it cannot, a call of `format` says the same.
"""

import ast
import copy


def unparse(node: ast.AST) -> str:
    """The source of a node."""
    try:
        return ast.unparse(node)
    except ValueError:
        spelled = _Spelled().visit(copy.deepcopy(node))
        return ast.unparse(ast.fix_missing_locations(spelled))


class _Spelled(ast.NodeTransformer):
    """Writes every f-string as a call of `format` on a plain text."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """A template with its fields in order, those within a width or precision behind theirs."""
        fields: list[ast.expr] = []
        template = "".join(_template(each, fields) for each in node.values)
        made = ast.Attribute(ast.Constant(template), "format", ast.Load())
        return ast.Call(made, [self.visit(each) for each in fields], [])


def _template(part: ast.expr, fields: list[ast.expr]) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value).replace("{", "{{").replace("}", "}}")
    if not isinstance(part, ast.FormattedValue):
        raise ValueError(f"no part of an f-string: {type(part).__name__}")
    fields.append(part.value)
    conversion = "" if part.conversion == -1 else f"!{chr(part.conversion)}"
    inner = part.format_spec.values if isinstance(part.format_spec, ast.JoinedStr) else []
    form = "".join(_template(each, fields) for each in inner)
    return f"{{{conversion}:{form}}}" if form else f"{{{conversion}}}"
