"""The shape of a signature: its types in one normal form, and how near two shapes are."""

import re
from typing import NamedTuple

ANY = "_"
ALIASES = {
    "List": "list",
    "Dict": "dict",
    "Set": "set",
    "FrozenSet": "frozenset",
    "Tuple": "tuple",
    "Type": "type",
    "Text": "str",
    "Any": ANY,
}
_QUESTION = r"(?P<words>[^(]*)\((?P<parameters>.*)\)\s*(?:->\s*(?P<result>.+))?"


class Shape(NamedTuple):
    """Types of the parameters and of the result; `_` where nothing is said."""

    parameters: tuple[str, ...]
    result: str

    @property
    def text(self) -> str:
        """As it is stored: `list[int];str->int`."""
        return f"{';'.join(self.parameters)}->{self.result}"


def read_shape(text: str) -> Shape:
    """The reverse of `Shape.text`."""
    parameters, _, result = text.rpartition("->")
    return Shape(tuple(parameters.split(";")) if parameters else (), result)


def question_shape(question: str) -> tuple[str, Shape | None]:
    """The words of a question and the shape it asks for, if it has one."""
    match = re.fullmatch(_QUESTION, question.strip(), re.DOTALL) if "(" in question else None
    if match is None:
        return question, None
    types = tuple(type_of(each) for each in _split(match["parameters"]))
    return match["words"], Shape(types, type_of(match["result"]))


def type_of(text: str | None) -> str:
    """A type of a question in normal form; what is only a name is read without a parser."""
    if text is None:
        return ANY
    if text.isascii() and text.isidentifier():
        return ALIASES.get(text, text)
    from reverie.index.search.annotations import normal_type

    return normal_type(text)


def likeness(asked: Shape, given: Shape) -> float:
    """How well a signature answers a question, from 0 to 1."""
    if len(asked.parameters) != len(given.parameters):
        return 0.0
    in_order = _likeness_in_order(asked.parameters, given.parameters)
    if sorted(asked.parameters) == sorted(given.parameters):
        in_order = max(in_order, 0.9)
    result = _likeness_of_types(asked.result, given.result)
    if not in_order or not result:
        return 0.0
    return (in_order * len(asked.parameters) + result) / (len(asked.parameters) + 1)


def _likeness_in_order(asked: tuple[str, ...], given: tuple[str, ...]) -> float:
    if not asked:
        return 1.0
    each = [_likeness_of_types(one, other) for one, other in zip(asked, given, strict=True)]
    return sum(each) / len(each) if all(each) else 0.0


def _likeness_of_types(asked: str, given: str) -> float:
    if asked in (given, ANY):
        return 1.0
    if given == ANY:
        return 0.3
    if _base(asked) == _base(given):
        return 0.7
    asked_kinds, given_kinds = set(asked.split("|")), set(given.split("|"))
    return 0.6 if asked_kinds & given_kinds else 0.0


def _base(text: str) -> str:
    return text.partition("[")[0].rpartition(".")[2]


def _split(parameters: str) -> list[str]:
    """Types between commas that stand outside of brackets; names before a colon are dropped."""
    found, depth, start = [], 0, 0
    for index, char in enumerate(parameters):
        depth += (char in "[(") - (char in "])")
        if char == "," and depth == 0:
            found.append(parameters[start:index])
            start = index + 1
    found.append(parameters[start:])
    return [each.rpartition(":")[2].strip() for each in found if each.strip()]
