"""Annotations for parameters that have none, by what the code does with them.

`reverie.inputs` makes values from that; the kind that most of them have is written down.
"""

import ast
from collections import Counter
from typing import Any

from reverie.gates.python import Function
from reverie.inputs import calls_for, read

_CALLS = 40
_PLAIN = (bool, int, float, str, bytes)


def annotate(source: str, qualname: str, node: Function) -> None:
    """Give every parameter of a parsed function that has no annotation the likeliest one."""
    given = [*node.args.posonlyargs, *node.args.args]
    bare = [each for each in given if each.annotation is None and each.arg not in ("self", "cls")]
    if not bare:
        return
    try:
        calls = calls_for(read(source, qualname), seed=0, count=_CALLS, edges=False)
    except ValueError:
        return
    first = int("." in qualname and given[0].arg in ("self", "cls"))
    for place, each in enumerate(given[first:]):
        if each in bare:
            texts = [call.args[place].source for call in calls if len(call.args) > place]
            kinds = Counter(kind for text in texts if (kind := _kind_of(text)) is not None)
            if kinds:
                each.annotation = ast.parse(kinds.most_common(1)[0][0], mode="eval").body


def _kind_of(text: str) -> str | None:
    try:
        return _kind(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return None


def _kind(value: Any) -> str | None:
    """The annotation of a value; of an empty container there is none."""
    if isinstance(value, _PLAIN):
        return type(value).__name__
    if isinstance(value, dict):
        parts = [_common(value), _common(value.values())]
    elif isinstance(value, tuple):
        parts = [_kind(each) for each in value]
    elif isinstance(value, list | set | frozenset):
        parts = [_common(value)]
    else:
        return None
    if not parts or None in parts:
        return None
    return f"{type(value).__name__}[{', '.join(each for each in parts if each)}]"


def _common(values: Any) -> str | None:
    kinds = Counter(kind for each in values if (kind := _kind(each)) is not None)
    return kinds.most_common(1)[0][0] if kinds else None
