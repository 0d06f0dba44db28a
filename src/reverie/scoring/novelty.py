"""How much a procedure is unlike what is known: 1 minus the highest AST edit similarity."""

import ast
from collections.abc import Iterable


def novelty(source: str, known: Iterable[str]) -> float | None:
    """In [0, 1]; None when there is nothing to compare with, or the source is no Python."""
    tokens = syntax_tokens(source)
    others = [found for each in known if (found := syntax_tokens(each)) is not None]
    if tokens is None or not others:
        return None
    return 1.0 - max(similarity(tokens, other) for other in others)


def syntax_tokens(source: str) -> tuple[str, ...] | None:
    """The nodes of a source in order, with their names and values; docstrings are not code."""
    found: list[str] = []
    try:
        _collect(ast.parse(source), found)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tuple(found)


def _collect(node: ast.AST, found: list[str]) -> None:
    found.append(type(node).__name__)
    for name, value in ast.iter_fields(node):
        if name in ("ctx", "type_comment", "kind", "type_ignores"):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                if not _is_text(each):
                    _collect(each, found)
            elif each is not None:
                found.append(f"{name}={each!r}")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def similarity(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """1 minus the edit distance over the longer length."""
    longest = max(len(one), len(other))
    return 1.0 if longest == 0 else 1.0 - edit_distance(one, other) / longest


def edit_distance(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Levenshtein's distance, a whole column of the table at once in the bits of one integer."""
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for index, token in enumerate(one):
        places[token] = places.get(token, 0) | 1 << index
    last = 1 << len(one) - 1
    mask = (1 << len(one)) - 1
    rising, falling, distance = mask, 0, len(one)
    for token in other:
        matches = places.get(token, 0) | falling
        diagonal = (((matches & rising) + rising) ^ rising) | matches
        up = falling | ~(diagonal | rising)
        down = rising & diagonal
        distance += bool(up & last) - bool(down & last)
        up = (up << 1) | 1
        down <<= 1
        rising = (down | ~(diagonal | up)) & mask
        falling = up & diagonal & mask
    return distance
