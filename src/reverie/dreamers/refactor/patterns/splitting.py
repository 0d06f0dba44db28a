"""Long functions, split where a remark says that something new begins."""

import ast
import re
from collections.abc import Iterator, Sequence

from reverie.dreamers.refactor.layout import first_line, is_alone, last_line, shifted
from reverie.dreamers.refactor.patterns.moving import Passage, passage
from reverie.dreamers.refactor.refactoring import Place
from reverie.dreamers.rewriting.source import Edits

_LONG_FUNCTION = 30
_LEAST_LINES = 6
_MOST_LINES = 16
_MOST_TAKEN = 3
_MOST_WORDS = 5
_VERBS = frozenset(
    {"add", "apply", "build", "check", "clean", "collect", "compute", "convert", "count", "create",
     "decode", "drop", "encode", "ensure", "escape", "expand", "extract", "fill", "filter", "find",
     "format", "get", "handle", "join", "load", "look", "make", "merge", "normalise", "normalize",
     "pad", "parse", "pick", "prepare", "print", "process", "read", "remove", "render", "replace",
     "resolve", "send", "set", "sort", "split", "strip", "sum", "trim", "update", "validate",
     "verify", "walk", "write"}
)  # fmt: skip
_FILLERS = frozenset({"the", "a", "an", "all", "any", "now", "first", "then", "of", "we"})


def split_section(place: Place) -> Iterator[Edits]:
    """A run of statements below a remark, with few names in and at most one out."""
    function = place.function
    if last_line(function) - function.lineno < _LONG_FUNCTION or place.owner is not None:
        return
    for run in _sections(place):
        ways = passage(place, run)
        name = _name(place, run)
        if ways is None or name is None or not 1 <= len(ways.takes) <= _MOST_TAKEN:
            continue
        if len(ways.gives) == 1 and is_alone(place, run):
            edits = _split(place, run, ways, name)
            if edits is not None:
                yield edits


def _sections(place: Place) -> Iterator[Sequence[ast.stmt]]:
    """From one remark to the next, in the function's own block."""
    body = place.function.body
    starts = [index for index, each in enumerate(body) if _remark(place, each) is not None]
    for index, start in enumerate(starts):
        end = starts[index + 1] if index + 1 < len(starts) else len(body)
        run = body[start:end]
        if _LEAST_LINES <= last_line(run[-1]) - first_line(run[0]) + 1 <= _MOST_LINES:
            yield run


def _remark(place: Place, node: ast.stmt) -> str | None:
    """One line of comment right above a statement, set off from what stands before it."""
    line = first_line(node) - 1
    text = place.source.lines(line, line)[0].strip() if line > 0 else ""
    above = place.source.lines(line - 1, line - 1)[0].strip() if line > 1 else ""
    return text.lstrip("# ").strip() if text.startswith("#") and not above else None


def _name(place: Place, run: Sequence[ast.stmt]) -> str | None:
    """What the remark says is done; None when it does not say it in a few plain words."""
    words = re.findall(r"[a-z]+", (_remark(place, run[0]) or "").lower())
    words = [each for each in words if each not in _FILLERS]
    if not 2 <= len(words) <= _MOST_WORDS or words[0] not in _VERBS:
        return None
    return place.fresh("_" + "_".join(words))


def _split(place: Place, run: Sequence[ast.stmt], ways: Passage, name: str) -> Edits | None:
    source, head = place.source, first_line(place.function)
    outer = source.indent_of(place.function)
    first, last = first_line(run[0]) - 1, last_line(run[-1])
    body = shifted(source.lines(first + 1, last), source.indent_of(run[0]), outer + place.step)
    if body is None:
        return None
    result = ways.gives[0]
    body.append(f"{outer}{place.step}return {result}\n")
    made = [f"{outer}def {name}({', '.join(ways.takes)}):\n", *body, "\n", "\n"]
    call = f"{source.indent_of(run[0])}{result} = {name}({', '.join(ways.takes)})\n"
    return Edits((source.relined(head, head - 1, made), source.relined(first, last, [call])))
