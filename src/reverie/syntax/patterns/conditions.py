"""Conditions of a `where` clause: named questions about holes, joined by `and`, `or` and `not`.

`list_like(xs) and not mentions(test, flag)` asks the question `list_like` about what `$xs` stands
for. A text is handed on as it is written. Nothing else of Python is understood, so that a file of
rewrites can be read by anybody and does nothing by itself.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from reverie.errors import UsageError
from reverie.syntax.patterns.matching import Bound

Question = Callable[..., object]
Questions = Mapping[str, Question]


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition as it is written."""

    text: str

    def answer(self, questions: Questions, asker: object, values: Mapping[str, Bound]) -> object:
        """What the questions say; `asker` is handed to each of them first."""
        return _answer(_tree(self.text), questions, asker, values)

    def names(self) -> tuple[frozenset[str], frozenset[str]]:
        """The questions that are asked, and the holes that they are about."""
        calls = [node for node in ast.walk(_tree(self.text)) if isinstance(node, ast.Call)]
        asked = {node.func.id for node in calls if isinstance(node.func, ast.Name)}
        return frozenset(asked), frozenset(_holes(_tree(self.text)))


@lru_cache(maxsize=2048)
def _tree(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise UsageError(f"no condition: {text!r}") from error


def _holes(node: ast.expr) -> Iterator[str]:
    called = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each not in called:
            yield each.id


def _answer(
    node: ast.expr, questions: Questions, asker: object, values: Mapping[str, Bound]
) -> object:
    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_answer(each, questions, asker, values) for each in parts)
        case ast.BoolOp(values=parts):
            return any(_answer(each, questions, asker, values) for each in parts)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return not _answer(inner, questions, asker, values)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in questions:
            return questions[name](
                asker, *(_answer(each, questions, asker, values) for each in args)
            )
        case ast.Name(id=name) if name in values:
            return values[name]
        case ast.Constant(value=value):
            return value
    raise UsageError(f"no question or hole: {ast.unparse(node)!r}")
