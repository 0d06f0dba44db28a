"""Would a maintainer keep this test? From 0 to 1, with what speaks against it.

    scores = score_tests(source, known_of(module_source))
    scores["test_fine_cents"].score, scores["test_fine_cents"].parts

The parts are facts about the text. Their weights were fitted to tests that were labelled without
knowing who wrote them: `benchmarks/keepable`.
"""

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from reverie.scoring.keepability.anatomy import (
    Reading,
    kind_of,
    read_test,
    says_nothing,
    tests_in,
)
from reverie.scoring.keepability.known import Known, value_noise
from reverie.scoring.keepability.weights import BIAS, WEIGHTS
from reverie.syntax.nodes import Function
from reverie.syntax.unparsing import unparse

_EMPTY_NAME = re.compile(
    r"(_in_other_cases|_other_\w+|(?<!_is)(?<!_not)(?<!_below)(?<!_above)(?<!_than)(?<!_\d)_\d"
    r"|_of_(an?_\w+|text|texts|digits|numbers?|an_empty_\w+|zero)"
    r"|_error_on_(an?_\w+|text|none)|_with_(none|true|false))$"
    r"|_and_(false|true|none|a_\w+|an_\w+)\b"
)
_BARE_NAME = re.compile(r"_raises_\w+?_(?:error|exception)(?:_(?:with|without|after)_\w+)?$")
_ASIDE_NAME = re.compile(r"_(?:with|without|after)_\w+$")
_SHOWING = {"len": "__len__", "repr": "__repr__", "str": "__str__", "bool": "__bool__"}
_SILENT = frozenset(
    {"test", "tests", "raises", "raise", "error", "exception", "in", "on", "of", "with", "and",
     "or", "after", "when", "for", "to", "the", "a", "an", "is", "returns", "return", "value",
     "values", "case", "cases", "other", "round", "trip", "commutes", "idempotent", "equality",
     "inequality", "repr", "str", "text", "int", "call", "init"}
)  # fmt: skip
"""Words of a name that tell no behaviour."""
_PYTESTS = frozenset({"raises", "warns", "value", "approx"})
_LONG_EXPECTATION = 160
_MANY_ROWS, _MANY_LINES, _MANY_CHECKS = 12, 60, 12
_LONG_DIGITS = re.compile(r"\d{7,}|\\x|\\u")
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, slots=True)
class Part:
    """One fact that speaks against a test, from 0 (not at all) to 1."""

    name: str
    amount: float
    cost: float
    """What it takes from the score's logarithm of odds."""


@dataclass(frozen=True, slots=True)
class Keepability:
    """How likely a maintainer keeps a test as it is, and why not."""

    score: float
    parts: tuple[Part, ...]
    """What speaks against it, the weightiest first."""


def score_tests(source: str, known: Known) -> dict[str, Keepability]:
    """Every test of a file by name."""
    return {name: score_test(node, source, known) for name, node in tests_in(source).items()}


def score_test(node: Function, source: str, known: Known) -> Keepability:
    """One test; `source` is the text that it was parsed from."""
    return keepability(facts_of(read_test(node, source), known))


def keepability(facts: Mapping[str, float]) -> Keepability:
    """The score of a test with these facts."""
    odds = BIAS - sum(WEIGHTS[name] * amount for name, amount in facts.items())
    parts = [
        Part(name, amount, WEIGHTS[name] * amount)
        for name, amount in facts.items()
        if amount > 0 and WEIGHTS[name] > 0
    ]
    ordered = sorted(parts, key=lambda each: (-each.cost, each.name))
    return Keepability(1 / (1 + math.exp(-odds)), tuple(ordered))


def facts_of(test: Reading, known: Known) -> dict[str, float]:
    """What speaks against a test, each from 0 to 1."""
    noises = [value_noise(each, known) for each in test.inputs]
    subjects = [each for each in test.called if each in known.callables]
    texts = [each for each in test.inputs if isinstance(each, str) and each]
    return {
        "noisiest_input": max(noises, default=0.0),
        "noisy_inputs": sum(noises) / len(noises) if noises else 0.0,
        "fragments": sum(len(each) == 1 for each in texts) / len(texts) if texts else 0.0,
        "muddle": float(not known.rows.issuperset(test.muddles)),
        "odd_kind": float(test.odd_kinds > 0 or not known.makers.issuperset(test.made_up)),
        "wrong_type": float(test.ignores > 0 or is_unfit(test, known)),
        "flags": min(1.0, test.flags / 2),
        "private": float(is_private(subjects)),
        "name": _name_emptiness(test, known),
        "several": min(1.0, max(0, len(_looked_at(test)) - 1) / 2),
        "size": _size(test),
        "expectation": _illegibility(test),
        "says_nothing": float(says_nothing(test, known.valued)),
        "error": _error(test, known),
        "foreign": _foreign(test, known),
        "unchanged": test.same / test.results if test.results else 0.0,
        "named_after": named_after(test.name),
        "aspect": float(_is_aspect(test, known)),
        "untouched": float(not test.inputs and not test.errors),
    }


def is_private(subjects: list[str]) -> bool:
    """Whether the first callable that a test is about is none for everybody."""
    return any(each.startswith("_") and not each.endswith("__") for each in subjects[:1])


def is_unfit(test: Reading, known: Known) -> bool:
    """Whether an argument is of a kind that the callable does not take, as far as it says."""
    for name, place, value in test.arguments:
        signature = known.signatures.get(name)
        if signature is None:
            continue
        cells = test.columns.get(value.id, []) if isinstance(value, ast.Name) else [value]
        kinds = [kind for cell in cells if (kind := kind_of(cell)) is not None]
        if any(signature.is_unfit(place, kind) for kind in kinds):
            return ("TypeError", True) not in test.errors
    return False


def _name_emptiness(test: Reading, known: Known) -> float:
    """1 where it tells only the kind of a value, less the more words it has of its own."""
    if is_empty_name(test.name):
        return 1.0
    errors = [kind for kind, _ in test.errors]
    named = {word for each in (*test.called, *errors) for word in _words(each)}
    own = [each for each in _words(test.name) if each not in named | _SILENT]
    if own:
        return 0.3 / len(own)
    return 0.7 if test.errors else 0.5


def _words(name: str) -> list[str]:
    return [each.lower() for each in _PIECES.findall(name)]


def is_empty_name(name: str) -> bool:
    """Whether a test's name tells a number or the kind of a value, and no behaviour."""
    return bool(_EMPTY_NAME.search(name))


def named_after(name: str) -> float:
    """1 where a name tells an exception and not why, less where it ends with an argument."""
    if _BARE_NAME.search(name):
        return 1.0
    return 0.7 if _ASIDE_NAME.search(name) else 0.0


def _is_aspect(test: Reading, known: Known) -> bool:
    """Whether a length, a text or an attribute of an object is all that is looked at.

    Where the module says itself how its objects are shown, that is no aspect but its work.
    """
    found = []
    for check in test.checks:
        left = check.left if isinstance(check, ast.Compare) else check
        behind = _SHOWING.get(_last(left.func)) if isinstance(left, ast.Call) else None
        is_shown = behind is not None and behind not in known.callables
        found.append(is_shown or isinstance(left, ast.Attribute))
    return bool(found) and all(found)


def _looked_at(test: Reading) -> dict[str, bool]:
    """The last names of all that the checks look at, and whether each is part of an object."""
    found = {}
    for check in test.checks:
        left = check.left if isinstance(check, ast.Compare) else check
        part = left.func if isinstance(left, ast.Call) else left
        if name := _last(part):
            found[name] = isinstance(part, ast.Attribute)
    return found


def _size(test: Reading) -> float:
    over = max(
        test.rows / _MANY_ROWS,
        (test.lines - test.rows) / _MANY_LINES,
        len(test.checks) / _MANY_CHECKS,
    )
    return min(1.0, max(0.0, over - 0.5))


def _illegibility(test: Reading) -> float:
    """How hard the hardest expectation is to check by reading."""
    worst = 0.0
    for each in test.expected:
        text = unparse(each)
        length = min(1.0, len(text) / _LONG_EXPECTATION)
        worst = max(worst, length * length, 0.8 * bool(_LONG_DIGITS.search(text)))
    return worst


def _error(test: Reading, known: Known) -> float:
    """1 for an error that the module does not raise, less where nobody looks at its words."""
    worst = 0.0
    for kind, has_words in test.errors:
        if kind not in known.raised:
            worst = max(worst, 0.5 if has_words else 1.0)
        else:
            worst = max(worst, 0.0 if has_words else 0.4)
    return worst


def _foreign(test: Reading, known: Known) -> float:
    """The share of what is tested that the module does not have, or that is a hollow class's."""
    subjects = [each for each in test.called if each in known.callables]
    if subjects and all(each in known.hollow for each in subjects) and not test.errors:
        return 1.0
    looked = [name for name, is_part in _looked_at(test).items() if is_part]
    parts = [name for name in (*looked, *test.provoked) if name not in _PYTESTS]
    if not parts:
        return 0.0
    strange = [name for name in parts if name not in known.own]
    dunders = [name for name in parts if name.startswith("__")]
    return max(len(strange) / len(parts), 0.7 * bool(dunders))


def _last(node: ast.expr | ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
