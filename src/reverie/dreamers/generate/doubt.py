"""How sure a function is: what the examples tell, against what it takes to write it.

Both are counted in bits. A result tells more the less of it stands in the arguments: a sorted list
tells only its order, a yes only one bit. A function takes more the more operations it has, and far
more for one that the sentence has no word for or a value that stands nowhere. Where the examples do
not tell clearly more than the function takes, another one fits them as well by chance.
"""

import ast
import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from reverie.dreamers.generate.inside.operations import _HINTS as HINTS
from reverie.dreamers.generate.inside.operations import _marks as marks
from reverie.dreamers.generate.spec import Spec
from reverie.syntax.parsing import NOT_PYTHON, parse_module

_SPOKEN, _STRANGE = 2.0, 12.0
"""An operation that the sentence has a word for, and one for which it has none."""
_LOOP, _PART = 1.0, 0.5
_KNOWN_VALUE, _NEW_VALUE = 1.0, 4.0
_COPY, _LETTER = 2.0, 4.5
_CLEARLY = 1.25
"""So many bits have to be told for each that is taken: what a result tells is only a guess."""
_SHORT, _NEARLY = 8.0, 2.5
_USUAL = ("0", "1", "-1", "2", "''", "' '", "None", "True", "False")


def is_earned(spec: Spec, source: str) -> bool:
    """Whether the examples tell enough for it; of a few bits, which nobody doubts, nearly so."""
    known, needed = told(spec), taken(spec, source)
    return known >= needed * _CLEARLY or (needed <= _SHORT and known >= needed - _NEARLY)


def told(spec: Spec) -> float:
    """What all examples tell, each of them once."""
    shown = {json.dumps([each.args, each.result]): each for each in spec.examples}
    return sum(_of_result(each.args, each.result) for each in shown.values())


def _of_result(args: Iterable[Any], result: Any) -> float:
    args = list(args)
    pool = {json.dumps(each) for each in _parts(args)}
    texts = [each for each in _parts(args) if isinstance(each, str)]
    return _bits(result, pool, texts)


def _parts(value: Any) -> Iterator[Any]:
    """All that a value holds, and itself."""
    yield value
    inner: Iterable[Any] = value if isinstance(value, list | tuple) else ()
    if isinstance(value, dict):
        inner = [*value, *value.values()]
    for each in inner:
        yield from _parts(each)


def _bits(value: Any, pool: set[str], texts: list[str]) -> float:
    match value:
        case bool() | None:
            return 1.0
        case int():
            alone = 1.5 + 1.5 * math.log2(abs(value) + 1)
        case float():
            alone = 3.0 + 3.0 * len(repr(value).strip("0."))
        case str():
            alone = _of_text(value, texts)
        case list() | tuple():
            alone = 1.0 + sum(_bits(each, pool, texts) for each in value)
        case dict():
            inner = [*value, *value.values()]
            alone = 1.0 + sum(_bits(each, pool, texts) for each in inner)
        case _:
            alone = 8.0
    copied = math.log2(len(pool) + 2) if json.dumps(value) in pool else alone
    return min(alone, copied)


def _of_text(text: str, texts: list[str]) -> float:
    """Letter by letter, or copied in pieces from the texts that are there."""
    whole = math.log2(sum(map(len, texts)) + 2)
    total, at = 1.0, 0
    while at < len(text):
        length = 1
        while at + length < len(text) and any(text[at : at + length + 1] in each for each in texts):
            length += 1
        is_there = any(text[at : at + length] in each for each in texts)
        piece = _COPY + whole if is_there else _LETTER * length
        total += min(piece, _LETTER * length)
        at += length
    return total


def taken(spec: Spec, source: str) -> float:
    """What it takes to write an expression, or the body of a function."""
    words = spec.words
    total = sum(
        _SPOKEN if any(word.startswith(tuple(HINTS[mark].split())) for word in words) else _STRANGE
        for mark in marks(source)
    )
    try:
        tree = parse_module(source)
    except NOT_PYTHON:
        return total
    for node in ast.walk(tree):
        match node:
            case ast.comprehension() | ast.For() | ast.Lambda() | ast.IfExp():
                total += _LOOP
            case ast.Name() | ast.Call() | ast.BinOp() | ast.Subscript():
                total += _PART
            case ast.Constant(value=value):
                is_known = repr(value) in _USUAL or str(value) in spec.sentence
                total += _KNOWN_VALUE if is_known else _NEW_VALUE
    return total
