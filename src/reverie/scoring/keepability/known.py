"""What people have written about a module: its texts, numbers, words and names.

A value is known if it stands there whole. It is near if one edit makes it of a known one: a
character more, less or other, a part left out, two parts changed over. Everything else has come
from a search, and a reader asks where from.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from reverie.scoring.keepability.signatures import Signature, signatures_of

_WORD = re.compile(r"[^\W\d_]{2,}")
_QUOTED = re.compile(r"`+([^`\n]{1,80})`+|\"([^\"\n]{1,80})\"|'([^'\n]{1,80})'")
SIGNS = re.compile(r"[^\w\s]{2,}")
_PART = re.compile(r"(\W+|_)")
_LEAST_TO_EDIT = 3
"""Characters: of a shorter text one edit leaves nothing that was known."""
_LONGEST = 200
"""Characters of a text that is compared edit by edit; longer ones have to be whole."""


@dataclass(frozen=True, slots=True)
class Known:
    """All that can be recognised in a test."""

    texts: frozenset[str] = frozenset()
    numbers: frozenset[float] = frozenset()
    words: frozenset[str] = frozenset()
    """In lower case."""
    callables: frozenset[str] = frozenset()
    """Functions, classes and methods by their last name."""
    own: frozenset[str] = frozenset()
    """What the module defines and what it sets: functions, methods, attributes, fields."""
    raised: frozenset[str] = frozenset()
    """Exceptions that the module raises or defines, or that its docstrings name."""
    valued: frozenset[str] = frozenset()
    """Callables that return something; of the others `is None` says nothing."""
    hollow: frozenset[str] = frozenset()
    """Classes without anything of their own."""
    signs: frozenset[str] = frozenset()
    """Runs of punctuation in the known texts: `{:`, `://`."""
    signatures: Mapping[str, Signature] = field(default_factory=dict, hash=False, repr=False)

    def has(self, text: str) -> bool:
        """Whether somebody wrote it so."""
        return not text or text in self.texts

    def is_near(self, text: str) -> bool:
        """Whether one edit makes it of a text that somebody wrote."""
        if self.has(text):
            return True
        if not _LEAST_TO_EDIT <= len(text) <= _LONGEST:
            return False
        return any(_is_one_edit(text, each) for each in self.texts if len(each) <= _LONGEST)


def known_of(module: str, more: Iterable[str] = ()) -> Known:
    """Of a module's source, and of other texts about it: modules, tests, a manual."""
    tree = _parsed(module) or ast.Module([], [])
    others = list(more)
    trees = [tree, *(found for each in others if (found := _parsed(each)) is not None)]
    nodes = [node for each in trees for node in ast.walk(each)]
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    texts = {each for each in constants if isinstance(each, str)}
    prose = [each for each in (*texts, *others) if "\n" in each or " " in each]
    shown = {part for each in prose for part in _shown_in(each)}
    every = texts | shown
    return Known(
        frozenset(every),
        frozenset(each for each in constants if isinstance(each, int | float)),
        frozenset(
            each.lower() for each in _WORD.findall("\n".join((module.replace("_", " "), *others)))
        ),
        frozenset(_callables(tree)),
        frozenset(_own(tree)),
        frozenset(_raised(tree)),
        frozenset(_valued(tree)),
        frozenset(_hollow(tree)),
        frozenset(run for each in every for run in SIGNS.findall(each)),
        signatures_of(tree),
    )


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _shown_in(prose: str) -> Iterator[str]:
    """Examples in a text for people: in backticks, in quotes, in the lines of a doctest."""
    for found in _QUOTED.finditer(prose):
        yield next(each for each in found.groups() if each is not None)


def _callables(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def _own(tree: ast.AST) -> Iterator[str]:
    yield from _callables(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


def _valued(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(map(_is_value, ast.walk(node))):
            yield node.name


def _is_value(node: ast.AST) -> bool:
    match node:
        case ast.Return(value=ast.Constant(value=None) | None):
            return False
        case ast.Return() | ast.Yield() | ast.YieldFrom():
            return True
    return False


def _hollow(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and not any(map(_is_something, node.body)):
            yield node.name


def _is_something(node: ast.stmt) -> bool:
    is_words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return not (is_words or isinstance(node, ast.Pass))


def _raised(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name
        if isinstance(node, ast.Raise) and node.exc is not None:
            made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            yield ast.unparse(made).rpartition(".")[2]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            yield from re.findall(r"\b\w+(?:Error|Exception)\b", ast.get_docstring(node) or "")


def _is_one_edit(text: str, known: str) -> bool:
    if len(known) < _LEAST_TO_EDIT:
        return False
    if abs(len(text) - len(known)) <= 1 and _is_one_character(text, known):
        return True
    return text.lower() == known.lower() or _is_one_part(text, known)


def _is_one_character(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    start = 0
    while start < len(shorter) and shorter[start] == longer[start]:
        start += 1
    rest = start if len(shorter) < len(longer) else start + 1
    return shorter[rest:] == longer[start + 1 :]


def _is_one_part(text: str, known: str) -> bool:
    """One part left out, one number another, or two parts changed over; the others stay."""
    if text[:1] != known[:1] and text[-1:] != known[-1:]:
        return False
    mine, theirs = (_PART.split(each) for each in (text, known))
    if len(mine) == len(theirs):
        other = [at for at in range(len(mine)) if mine[at] != theirs[at]]
        if len(other) == 1 and len(mine) > 1:
            return mine[other[0]].isdigit() and theirs[other[0]].isdigit()
        return len(other) == 2 and [mine[at] for at in other] == [
            theirs[at] for at in reversed(other)
        ]
    if len(theirs) - len(mine) != 2 or not any(mine):
        return False
    return any(theirs[:at] + theirs[at + 2 :] == mine for at in range(len(theirs) - 1))


def files_about(path: str, others: Iterable[str]) -> list[str]:
    """Of the files of a repository those that tell about a module, by path.

    Its neighbours, the tests that are named after it with the data beside them, the front page.
    """
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".py").strip("_")
    stem = folder.rpartition("/")[2] if stem == "init" else stem
    tested = {f"test_{stem}.py", f"{stem}_test.py"}
    found = []
    for each in others:
        place, _, last = each.rpartition("/")
        is_neighbour = place == folder and last.endswith(".py")
        is_front = not place and last.lower().startswith("readme")
        is_data = last.endswith(".csv") and "test" in place
        if each != path and (is_neighbour or is_front or is_data or last in tested):
            found.append(each)
    return found
