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

from reverie.scoring.keepability.known import Known
from reverie.scoring.keepability.noise import value_noise
from reverie.scoring.keepability.reading import Reading, read_test, says_nothing, tests_in
from reverie.scoring.keepability.weights import BIAS, WEIGHTS

_EMPTY_NAME = re.compile(
    r"(_in_other_cases|_other_\w+|_\d+|_of_(an?_\w+|text|texts|digits|numbers?|an_empty_\w+|zero)"
    r"|_on_an?_\w+|_with_(none|true|false))$|_and_(false|true|none|a_\w+|an_\w+)\b"
)
_BARE_ERROR = re.compile(r"_raises(_\w+)?_(error|exception)$")
_PYTHONS_OWN = frozenset({"TypeError", "AttributeError", "KeyError", "IndexError", "NameError",
                          "RecursionError", "ZeroDivisionError", "UnicodeError"})  # fmt: skip
_LONG_EXPECTATION = 120
_MANY_ROWS, _MANY_LINES, _MANY_CHECKS = 12, 40, 6
_LONG_DIGITS = re.compile(r"\d{6,}|\\x|\\u|\\n.*\\n.*\\n")


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


def score_test(
    node: ast.FunctionDef | ast.AsyncFunctionDef, source: str, known: Known
) -> Keepability:
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
    texts = [each for each in test.inputs if isinstance(each, str)]
    return {
        "noisiest_input": max(noises, default=0.0),
        "noisy_inputs": sum(noises) / len(noises) if noises else 0.0,
        "fragments": sum(len(each) <= 1 for each in texts) / len(texts) if texts else 0.0,
        "odd_kind": float(test.odd_kinds > 0),
        "type_ignored": float(test.ignores > 0),
        "private": float(_is_private(subjects)),
        "name": _name_emptiness(test.name, subjects),
        "several": min(1.0, max(0, len(_asserted(test, known)) - 1) / 2),
        "size": _size(test),
        "expectation": _illegibility(test),
        "says_nothing": float(says_nothing(test)),
        "error": _error(test, known),
        "foreign": _foreign(test, known),
        "unchanged": test.same / test.results if test.results else 0.0,
    }


def _is_private(subjects: list[str]) -> bool:
    return bool(subjects) and any(
        each.startswith("_") and each != "__init__" for each in subjects[:1]
    )


def _name_emptiness(name: str, subjects: list[str]) -> float:
    """1 where it tells only the kind of a value, 0.5 where it is the bare name of the function."""
    if is_empty_name(name):
        return 1.0
    if _BARE_ERROR.search(name):
        return 0.7
    bare = name.removeprefix("test_").strip("_").lower()
    return 0.4 if any(bare.endswith(each.strip("_").lower()) for each in subjects) else 0.0


def is_empty_name(name: str) -> bool:
    """Whether a test's name tells a number or the kind of a value, and no behaviour."""
    return bool(_EMPTY_NAME.search(name))


def _asserted(test: Reading, known: Known) -> set[str]:
    """Callables of the module whose results the checks look at."""
    return {
        name
        for check in test.checks
        for each in ast.walk(check)
        if isinstance(each, ast.Call)
        for name in [_last(each.func)]
        if name in known.callables and not name[:1].isupper()
    }


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
        text = ast.unparse(each)
        length = min(1.0, len(text) / _LONG_EXPECTATION)
        worst = max(worst, length * length, 0.8 * bool(_LONG_DIGITS.search(text)))
    return worst


def _error(test: Reading, known: Known) -> float:
    """1 for an error that the module does not raise, less where nobody looks at its words."""
    worst = 0.0
    for kind, has_words in test.errors:
        if kind in _PYTHONS_OWN and kind not in known.raised:
            return 1.0
        worst = max(worst, 0.0 if has_words else 0.4)
    return worst


def _foreign(test: Reading, known: Known) -> float:
    """The share of checks that look at methods which the module does not have."""
    methods = [
        each.func.attr
        for check in test.checks
        for each in ast.walk(check)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and not (isinstance(each.func.value, ast.Name) and each.func.value.id == "pytest")
    ]
    if not methods:
        return 0.0
    strange = [name for name in methods if name not in known.callables]
    dunders = [name for name in methods if name.startswith("__")]
    return max(len(strange) / len(methods), 0.7 * bool(dunders))


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
