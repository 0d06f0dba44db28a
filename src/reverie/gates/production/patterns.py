"""Regular expressions by what they match: redundant escapes, groups and members make no other."""

import re
import warnings
from re import _constants as words  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_LONGEST = 2_000
"""Characters of a range that are looked at one by one."""
_CATEGORIES = {
    words.CATEGORY_DIGIT: r"\d", words.CATEGORY_SPACE: r"\s", words.CATEGORY_WORD: r"\w",
}  # fmt: skip


def meaning_of(pattern: str | bytes, flags: int = 0) -> object | None:
    """What a pattern matches and which groups it has; None for what is no pattern.

    Patterns with one meaning match the same; that two differ here does not show that they do not.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = parser.parse(pattern, flags)
    except (re.error, OverflowError, RecursionError, ValueError, TypeError):
        return None
    state = parsed.state
    names = tuple(sorted(state.groupdict.items()))
    return (
        type(pattern),
        state.flags & ~re.VERBOSE,
        state.groups,
        names,
        _plain(parsed, state.flags),
    )


def _plain(node: Any, flags: int) -> object:
    """The parts of a parsed pattern as values that compare by what they say."""
    if isinstance(node, parser.SubPattern):
        return tuple(_plain(each, flags) for each in node.data)
    if isinstance(node, tuple) and node and node[0] is words.IN:
        return words.IN, _members(node[1], flags)
    if isinstance(node, tuple | list):
        return tuple(_plain(each, flags) for each in node)
    return node


def _members(items: list[Any], flags: int) -> object:
    """A set of characters without those that another member has."""
    kinds = {value for op, value in items if op is words.CATEGORY}
    known = [re.compile(_CATEGORIES[e], flags & re.ASCII) for e in kinds if e in _CATEGORIES]
    if words.CATEGORY_WORD in kinds:
        kinds.discard(words.CATEGORY_DIGIT)
    characters: set[object] = set()
    for op, value in items:
        if op is words.LITERAL:
            characters.add(value)
        elif op is words.RANGE and value[1] - value[0] < _LONGEST:
            characters.update(range(value[0], value[1] + 1))
        elif op is not words.CATEGORY:
            characters.add((op, value))
    left = {e for e in characters if not (isinstance(e, int) and _is_matched(chr(e), known))}
    return tuple(sorted(kinds)), tuple(sorted(left, key=repr))


def _is_matched(character: str, known: list[re.Pattern[str]]) -> bool:
    return any(each.match(character) for each in known)
