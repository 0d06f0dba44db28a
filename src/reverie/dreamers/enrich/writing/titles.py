"""The subject of a commit that adds a test file: which functions it tests."""

import ast
from collections.abc import Iterator

from reverie.dreamers.enrich.writing.naming import snake
from reverie.model.gains import listed

_MOST_NAMED = 4
_SUBJECT_CHARACTERS = 72


def title_of(module: str, source: str) -> str:
    """`Test reserve, cancel and next_reader in shop.waiting`; as many names as a subject holds."""
    names = tested_names(source)
    for most in range(_MOST_NAMED, 0, -1):
        title = f"Test {listed(names, most)} in {module}"
        if names and (most > 1 or len(names) == 1) and len(title) <= _SUBJECT_CHARACTERS:
            return title
    return f"Test {module}"


def tested_names(source: str) -> list[str]:
    """The functions that tests are named after, those with most tests first."""
    tree = ast.parse(source)
    called = _called(tree)
    tests = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = [_longest(name, called) for name in tests if name.startswith("test_")]
    return sorted(dict.fromkeys(filter(None, found)), key=lambda name: -found.count(name))


def _longest(test: str, called: dict[str, str]) -> str:
    """Of `test_next_reader_after_reserve`: `next_reader`."""
    words = f"{test.removeprefix('test_')}_"
    fitting = [word for word in called if words.startswith(f"{word}_")]
    return called[max(fitting, key=len)] if fitting else ""


def _called(tree: ast.Module) -> dict[str, str]:
    """Everything that is called or read in a file, by its name in snake case."""
    return {snake(name): name for name in _names(tree) if snake(name)}


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id
