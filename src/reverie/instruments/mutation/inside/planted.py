"""A mutant that cannot be overlooked."""

import ast

from .sites import Site, Survey

PLANTED = "planted"
"""What it says; the host puts a word in its place that no test can know."""


def planted(survey: Survey, qualname: "str | None") -> Site:
    """A function, or the module itself, that only raises."""
    error = ast.Call(ast.Name("RuntimeError", ast.Load()), [ast.Constant(PLANTED)], [])
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
