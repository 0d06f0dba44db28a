"""A mutant that cannot be overlooked."""

import ast
import secrets

from .sites import Site, Survey


def planted(survey: Survey, qualname: "str | None") -> Site:
    """A function, or the module itself, that only raises."""
    error = ast.Call(ast.Name("RuntimeError", ast.Load()), [ast.Constant(secrets.token_hex(8))], [])
    unit = next((s.unit for s in survey.sites if s.unit and s.unit.qualname == qualname), None)
    if unit is not None:
        first = unit.node.body[0]
        return Site("planted", first, ast.Raise(error), unit.node, "body", 0, "", unit, 0, (0, 0))
    place = next(
        number
        for number, node in enumerate(survey.tree.body)
        if not isinstance(node, ast.ImportFrom) or node.module != "__future__"
    )
    node, tree = survey.tree.body[place], survey.tree
    return Site("planted", node, ast.Raise(error), tree, "body", place, "", None, place, (0, 0))
