"""Conditions that mean something to the index."""

import ast

from reverie.index.reading.expressions import dotted_name


def is_type_checking(test: ast.expr) -> bool:
    """Whether a block below it is for type checkers only."""
    name = dotted_name(test)
    return name is not None and name.rpartition(".")[2] == "TYPE_CHECKING"


def is_main_test(test: ast.expr) -> bool:
    """Whether it asks `__name__ == "__main__"`."""
    if not isinstance(test, ast.Compare) or len(test.comparators) != 1:
        return False
    sides = (test.left, test.comparators[0])
    return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides) and any(
        isinstance(side, ast.Constant) and side.value == "__main__" for side in sides
    )


def matches_anything(case: ast.match_case) -> bool:
    """Whether a case takes whatever comes: `case _` or `case name`."""
    pattern = case.pattern
    return case.guard is None and isinstance(pattern, ast.MatchAs) and pattern.pattern is None
