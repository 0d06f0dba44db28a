"""Scenarios made by hand, as a search would hand them over."""

import ast

from reverie.model.call import Expression, Scenario, Seen, Step, StepForm

NOTHING = Seen("builtins.NoneType", Expression("None"))


def expression(
    source: str, own: tuple[str, ...] = ("Version", "parse", "Cache", "f")
) -> Expression:
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    return Expression(source, names=frozenset(names & set(own)))


def call(source: str, callee: str | None = None, name: str | None = None) -> Step:
    return Step(expression(source), StepForm.CALL, callee or source.partition("(")[0], name)


def make(source: str, name: str) -> Step:
    return Step(expression(source), StepForm.MAKE, source.partition("(")[0], name)


def change(source: str) -> Step:
    return Step(expression(source), StepForm.CHANGE, "Cache.__setitem__")


def value(source: str, kind: str = "builtins.str") -> Seen:
    return Seen(kind, expression(source))


def error(kind: str, message: str, place: str | None = None) -> Seen:
    return Seen(f"builtins.{kind}", raised=message, raised_in=place)


def scenario(*pairs: tuple[Step, Seen]) -> Scenario:
    steps = tuple(step for step, _ in pairs)
    return Scenario(steps, tuple(seen for _, seen in pairs), frozenset())
