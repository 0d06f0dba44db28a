"""What a callable expects of its arguments: a search in a list without order proves nothing."""

import ast
import re
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims.subjects import Reading, Subject

_NAMED = re.compile(r"^(?:ordered|sorted|ascending)(?:_|$)|_(?:sorted|ordered)$")
_TOLD = re.compile(
    r"(?<!returns a )(?<!return a )(?<!as a )(?<!into a )(?<!a new )(?<!returns the )"
    r"\b(?:sorted|ordered|ascending) (?:lists?|sequences?|arrays?|inputs?|values|numbers|items|iterables?)\b"
    r"|\b(?:must be|is|are|assumed(?: to be)?|already|kept|keeping the list) (?:sorted|in ascending order)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:inputs?|arguments?|values?|floats?|coordinates?|components?)\b[^.;]{0,60}?"
    r"(?:\[0(?:\.0)?(?:\.\.\.|, ?|-)1(?:\.0)?\]|between 0(?:\.0)? and 1(?:\.0)?\b|from 0(?:\.0)? to 1(?:\.0)?\b)",
    re.IGNORECASE,
)
_LIST = re.compile(r"^(?:list|tuple|Sequence|Iterable)\b")


def ordered_parameters(reading: Reading) -> Iterator[str]:
    """Parameters whose values have to be sorted, as `function:parameter`."""
    for subject in reading.functions.values():
        for name in _ordered(subject, reading):
            yield f"{subject.qualname}:{name}"


def _ordered(subject: Subject, reading: Reading) -> Iterator[str]:
    is_told = bool(_TOLD.search(subject.doc) or _TOLD.search(reading.doc))
    for each in subject.parameters:
        is_list = each.annotation is None or bool(_LIST.match(each.annotation))
        if is_list and (_NAMED.search(each.name) or (is_told and each.annotation is not None)):
            yield each.name


def positive_parameters(reading: Reading) -> Iterator[str]:
    """Parameters that are said to take positive numbers, as `function:parameter`."""
    for subject in reading.functions.values():
        doc = ast.get_docstring(subject.node) or ""
        for each in subject.parameters:
            name = re.escape(each.name)
            if re.search(
                rf"^\s*\**{name}\b[^\n]{{0,20}}:\s+[^.\n]{{0,40}}\bpositive\b"
                rf"|\bpositive (?:integers?|numbers?|ints?)\s+\(?[`*]*{name}\b", doc,
                re.MULTILINE,
            ):  # fmt: skip
                yield f"{subject.qualname}:{each.name}"


def is_unit(subject: Subject, reading: Reading) -> bool:
    """Whether its numbers lie between 0 and 1, by what the documentation says of all inputs."""
    return bool(_UNIT.search(subject.doc) or _UNIT.search(reading.doc))
