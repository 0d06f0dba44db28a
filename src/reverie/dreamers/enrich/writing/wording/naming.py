"""Names of tests, and the subject of the commit that adds them."""

import ast
import keyword
import re
from collections.abc import Iterable, Iterator, Sequence

from reverie.model.worth import listed
from reverie.syntax.parsing import parse_module

_OPERATORS = {
    "__init__": "", "__new__": "", "__call__": "call", "__eq__": "equality", "__ne__": "inequality",
    "__lt__": "less_than", "__le__": "at_most", "__gt__": "greater_than", "__ge__": "at_least",
    "__len__": "length", "__getitem__": "getting_an_item", "__setitem__": "setting_an_item",
    "__delitem__": "deleting_an_item", "__contains__": "contains", "__iter__": "iterating",
    "__repr__": "repr", "__str__": "str", "__hash__": "hash", "__bool__": "truth",
    "__add__": "adding", "__radd__": "adding_from_the_right", "__sub__": "subtracting",
    "__neg__": "negating",
    "__rsub__": "subtracting_from_the_right", "__mul__": "multiplying", "__enter__": "entering",
    "__rmul__": "multiplying_from_the_right", "__missing__": "missing_key", "__exit__": "leaving",
    "__aenter__": "entering",
    "__getstate__": "pickling", "__setstate__": "pickling", "__reduce__": "pickling",
    "__copy__": "copying", "__deepcopy__": "copying", "__and__": "intersecting",
    "__or__": "uniting", "__xor__": "symmetric_difference", "__mod__": "remainder",
    "__truediv__": "dividing",
    "__getattr__": "missing_attribute", "__reversed__": "reversed", "__format__": "format",
}  # fmt: skip

_MOST_CHARACTERS = 79
"""A longer name would have to be torn."""
_NOBODY = "module"


def snake(name: str) -> str:
    """`LRUCache` as `lru_cache`."""
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    text = re.sub(r"([a-z\d])([A-Z])", r"\1_\2", text)
    return text.lower().strip("_")


def variable(name: str) -> str:
    """What an object of a class is called: `LRUCache`, `lru_cache`; of `And`, `and_`."""
    word = snake(name)
    return f"{word}_" if keyword.iskeyword(word) else word


def camel(name: str) -> str:
    """`date_parser` as `DateParser`."""
    return "".join(part[:1].upper() + part[1:] for part in name.strip("_").split("_")) or "Module"


class Namer:
    """Gives every test of a file a name of its own."""

    def __init__(self, callees: Iterable[str]) -> None:
        last = [callee.rpartition(".")[2] for callee in set(callees)]
        self._shared = {name for name in last if last.count(name) > 1 or name in _OPERATORS}
        self._taken: set[str] = set()

    def stem(self, callee: str) -> str:
        """`Version.bump_major` as `bump_major`, or with its class where that is needed."""
        owner, _, name = callee.rpartition(".")
        word = _OPERATORS.get(name, snake(name))
        if owner and (name in self._shared or not word):
            word = f"{snake(owner.rpartition('.')[2])}_{word}".strip("_")
        return word or _NOBODY

    def names(self, callee: str, qualities: Sequence[str]) -> list[str]:
        """The names that a test may have, one for each quality, taken or not, torn or not."""
        stem = self.stem(callee)
        told = [f"{stem}_{each}".rstrip("_") for each in qualities or [""]]
        told = [each.replace("_with_with_", "_with_") for each in told]
        if stem == _NOBODY:  # what is called is told by what is looked at
            told = [each or stem for each in qualities or [""]]
        return [f"test_{each}" for each in told]

    def free(self, callee: str, qualities: Sequence[str]) -> str | None:
        """A name that is not taken: the first quality that gives one, else two of them."""
        pairs = [f"{one}_{two}" for one in qualities for two in qualities if one and two != one]
        for name in self.names(callee, [*(qualities or [""]), *pairs]):
            if name not in self._taken and len(name) <= _MOST_CHARACTERS:
                return self._take(name)
        return None

    def _take(self, name: str) -> str:
        self._taken.add(name)
        return name


def raising(exception: str) -> str:
    """`ValueError` as `raises_value_error`."""
    return f"raises_{snake(exception.rpartition('.')[2])}"


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
    tree = parse_module(source)
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
