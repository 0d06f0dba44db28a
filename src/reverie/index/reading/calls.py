"""Which calls of a file may be calls of the repository's own functions, with their literals."""

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator

from reverie.index.reading.expressions import Call
from reverie.index.reading.facts import RawCall
from reverie.index.reading.lines import SourceLines
from reverie.index.reading.literals import literal_source

_ITSELF = frozenset({"self", "cls"})
_BUILT_IN = frozenset(dir(builtins))
_MOST_LITERALS = 12


def calls_of(
    calls: Iterable[Call], bound: Collection[str], lines: SourceLines
) -> Iterator[RawCall]:
    """Those that may start with a name of the file, which is not hidden by a parameter."""
    for call in calls:
        first, _, rest = call.target.partition(".")
        if first in call.frame.hidden:
            if not (rest and first in _ITSELF):
                continue
        elif first in _BUILT_IN and first not in bound:
            continue
        node = call.node
        literals = literal_arguments(node, lines)
        yield RawCall(call.target, node.lineno, literals, call.frame.qualname)


def is_own(call: RawCall, bound: Collection[str]) -> bool:
    """Whether a call starts with a name which the file binds, or with `self`.

    An empty name among the bound ones stands for a star import, which may bind anything.
    """
    first = call.target.partition(".")[0]
    return first in bound or first in _ITSELF or "" in bound


def literal_arguments(node: ast.Call, lines: SourceLines) -> tuple[str, ...]:
    """The arguments that are literals, as source; `name=value` for keywords."""
    if not node.args and not node.keywords:
        return ()
    found = []
    for argument in node.args[:_MOST_LITERALS]:
        text = literal_source(argument, lines)
        if text is not None:
            found.append(text)
    for keyword in node.keywords[:_MOST_LITERALS]:
        text = literal_source(keyword.value, lines)
        if text is not None and keyword.arg is not None:
            found.append(f"{keyword.arg}={text}")
    return tuple(found)
