"""What people have written about a module, and how much a value looks like a search left it over.

A value is known if it stands there whole. It is near if one edit makes it of a known one: a
character more, less or other, a part left out, two parts changed over. Everything else has come
from a search, and a reader asks where from. Noise goes from 0 (natural) to 1.
"""

import ast
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from reverie.scoring.keepability.anatomy import Signature, signatures_of
from reverie.syntax.nodes import Function, is_bare_constant
from reverie.syntax.parsing import NOT_PYTHON, parse_module
from reverie.syntax.unparsing import unparse

_WORD = re.compile(r"[^\W\d_]{2,}")
_QUOTED = re.compile(r"`+([^`\n]{1,80})`+|\"([^\"\n]{1,80})\"|'([^'\n]{1,80})'")
_NUMBERS = re.compile(r"[(\[{]((?:\s*-?\d+(?:\.\d+)?\s*,){2,}\s*(?:-?\d+(?:\.\d+)?)?)\s*[)\]}]")
_MADE = re.compile(r"\b(\w+)\(")
SIGNS = re.compile(r"[^\w\s]{2,}")
_PART = re.compile(r"(\W+|_)")
_LEAST_TO_EDIT = 3
"""Characters: of a shorter text one edit leaves nothing that was known."""
_MOST = 80
"""Files that are read about a module."""
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
    rows: frozenset[tuple[float, ...]] = frozenset()
    """Lists of numbers that somebody wrote in that order."""
    makers: frozenset[str] = frozenset()
    """What examples and tests make their arguments by: `iter`, `set`."""
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


def known_of(module: str, more: Iterable[str] = (), catalogue: Iterable[str] = ()) -> Known:
    """Of a module's source, and of other texts about it: modules, tests, data, a manual.

    The `catalogue` holds texts that anybody would use, of people, days, places: whoever writes
    tests takes them where nobody has shown any.
    """
    tree = _parsed(module) or ast.Module([], [])
    others = list(more)
    trees = [tree, *(found for each in others if (found := _parsed(each)) is not None)]
    nodes = [node for each in trees for node in ast.walk(each)]
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    texts = {each for each in constants if isinstance(each, str)}
    prose = [each for each in (*texts, *others) if "\n" in each or " " in each]
    shown = {part for each in prose for part in _shown_in(each)}
    cells = {cell for each in others for cell in _cells(each)}
    every = texts | shown | cells | set(catalogue)
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
        frozenset(row for each in (module, *others) for row in _rows(each)),
        frozenset(name for each in (*prose, *others) for name in _MADE.findall(each)),
        signatures_of(tree),
    )


def _parsed(text: str) -> ast.Module | None:
    try:
        return parse_module(text)
    except NOT_PYTHON:
        return None


def _shown_in(prose: str) -> Iterator[str]:
    """Examples in a text for people: in backticks, in quotes, in the lines of a doctest."""
    for found in _QUOTED.finditer(prose):
        yield next(each for each in found.groups() if each is not None)


def _rows(text: str) -> Iterator[tuple[float, ...]]:
    """Lists of numbers, in code and in prose."""
    for found in _NUMBERS.findall(text):
        yield tuple(float(each) for each in found.split(",") if each.strip())


def _cells(text: str) -> Iterator[str]:
    """The fields of a table, where a text is one: each line has as many as the first."""
    lines = [line for line in text.splitlines() if line.strip()]
    divider = max((",", "\t", ";"), key=lambda each: lines[0].count(each) if lines else 0)
    rows = [line.split(divider) for line in lines]
    if len(rows) > 1 and len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows):
        yield from (cell.strip().strip('"') for row in rows for cell in row)


def _callables(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef):
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
    is_words = is_bare_constant(node)
    return not (is_words or isinstance(node, ast.Pass))


def _raised(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name
        if isinstance(node, ast.Raise) and node.exc is not None:
            made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            yield unparse(made).rpartition(".")[2]
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

    Its neighbours, the tests with the data beside them, those named after it first, the front page.
    """
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".py").strip("_")
    stem = folder.rpartition("/")[2] if stem == "init" else stem
    tested = (f"test_{stem}.py", f"{stem}_test.py")
    found = []
    for each in others:
        place, _, last = each.rpartition("/")
        is_beside = place == folder and last.endswith(".py")
        is_front = not place and last.lower().startswith("readme")
        is_of_tests = "test" in place and last.endswith((".py", ".csv", ".tsv"))
        if each != path and (is_beside or is_front or is_of_tests or last in tested):
            found.append(each)
    kept = sorted(found, key=lambda each: "test" in each and not each.endswith(tested))[:_MOST]
    return [each for each in found if each in kept]


_LETTERS = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile(r"[aeiouyàáâäåæèéêëìíîïòóôöøùúûü]", re.IGNORECASE)
_FLIP = re.compile(r"[a-z][A-Z](?![a-z])|[A-Z]{2,}[a-z]|[a-z]\d[a-z]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_FRAGMENT = 2
_ROUND = 10
_SMALL = 32
_YEARS = range(1900, 2101)
_NEAR = 0.1
_UNKNOWN = 0.2
"""Of a text without a fault that nobody has written so."""


def text_noise(text: str, known: Known) -> float:
    """Of a text: nothing where somebody wrote it, little where nearly; else by its looks."""
    if known.has(text):
        return 0.0
    if not text.strip():
        return 0.4
    if len(text) <= _FRAGMENT:
        return 0.5
    if is_cut(text, known):
        return 0.6
    if known.is_near(text):
        return _NEAR
    return min(1.0, _UNKNOWN + _oddness(text, known))


def is_cut(text: str, known: Known) -> bool:
    """Whether it ends or begins within a word of a known text, as a shortened one does."""
    if not text[-1:].isalpha() and not text[:1].isalpha():
        return False
    words = _LETTERS.findall(text)
    whole = [each for each in words if len(each) > 1 and each.lower() not in known.words]
    if not whole or whole[-1] not in (words[0], words[-1]):
        return False
    return any(
        len(each) > len(text)
        and (
            (each.startswith(text) and each[len(text)].isalpha())
            or (each.endswith(text) and each[-len(text) - 1].isalpha())
        )
        for each in known.texts
    )


def _oddness(text: str, known: Known) -> float:
    runs = [each for each in SIGNS.findall(text) if each not in known.signs]
    points = 0.6 * bool(_CONTROL.search(text)) + 0.4 * bool(runs)
    points += 0.3 * (text != text.strip() and "\n" not in text.strip())
    points += 0.3 * bool(_FLIP.search(text))
    words = _LETTERS.findall(text)
    strange = [each for each in words if each.lower() not in known.words]
    if words:
        points += 0.6 * sum(map(_strangeness, strange)) / len(words)
    elif not any(each.isdigit() for each in text):
        points += 0.4  # signs alone
    return points


def _strangeness(word: str) -> float:
    """Of a word that nobody has written: a letter alone, or one that cannot be spoken, is worse."""
    if len(word) <= _FRAGMENT or not _VOWEL.search(word):
        return 1.0
    return 0.5


def number_noise(value: float, known: Known) -> float:
    """Of a number: small, round, a year or in the source is natural."""
    if not math.isfinite(value):
        return 0.5
    size = abs(value)
    if size <= _SMALL or value in known.numbers or size in known.numbers:
        return 0.0
    if any(size == each + step for each in known.numbers for step in (-1, 1)):
        return 0.0  # beside a bound of the source
    if isinstance(value, int) and (size % _ROUND == 0 or size in _YEARS):
        return 0.1
    digits = len(str(size).replace(".", "").strip("0"))
    return min(1.0, 0.15 * digits)


def value_noise(value: object, known: Known) -> float:
    """Of any literal."""
    match value:
        case str():
            return text_noise(value, known)
        case bytes():
            return text_noise(value.decode("latin-1"), known)
        case int() | float():
            return number_noise(value, known)
    return 0.3
