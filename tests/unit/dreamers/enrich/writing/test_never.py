import ast
from dataclasses import replace

import pytest
from tests.unit.dreamers.enrich.writing.scenarios import (
    NOTHING,
    call,
    change,
    error,
    make,
    scenario,
    value,
)

from reverie.dreamers.enrich.writing.selecting.candidates import Check, Relation
from reverie.dreamers.enrich.writing.selecting.manual import manual_of
from reverie.dreamers.enrich.writing.selecting.never import Never, Refusal
from reverie.dreamers.enrich.writing.subject import SuspectedBug
from reverie.model.call import Expression, Scenario, Step, StepForm

SOURCE = '''
import os
try:
    import numpy
    has_numpy = True
except ImportError:
    has_numpy = False
from collections import UserDict
from datetime import date


class Cache(UserDict):
    def put(self, key: str, number: int) -> None:
        self.data[key] = number

    def take(self, other: "Cache") -> int:
        """Raises KeyError where there is nothing."""
        return _size(other)


def parse(text: str) -> int:
    if not text:
        raise ValueError("empty")
    return int(text)


def find(text: str) -> int | None:
    return None if text else 1


def age(born: int, today: int | None = None) -> int:
    return (today or date.today().year) - born


def is_adult(born: int) -> bool:
    return age(born) >= 18


def workers(share: int) -> int:
    return (os.cpu_count() or 1) // share


def tag(name: str) -> str:
    return name


def vectors(size: int) -> bool:
    return has_numpy and size > 2


def width(size: int) -> int:
    return size if sys.stdout.isatty() else 80


def version() -> str:
    return "1.2"


def password(size: int) -> str:
    import random

    return "".join(random.choice("abc") for _ in range(size or 8))


def account(size: int) -> dict:
    return {"name": "ada", "password": password(size)}


def _size(cache: Cache) -> int:
    return len(cache)


def _alone(text: str) -> str:
    return text
'''
TREE = ast.parse(SOURCE)
RAISING = next(node.lineno for node in ast.walk(TREE) if isinstance(node, ast.Raise))
NEVER = Never(manual_of(TREE), TREE, "shop", "/r/shop/cache.py")
CACHE = make("Cache()", "cache"), value("Cache()", "shop.cache.Cache")


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (scenario((call("parse(5)"), error("TypeError", "no"))), Refusal.ACCIDENT),
        (scenario((call("find(5)"), value("1", "builtins.int"))), Refusal.WRONG_TYPE),
        (
            scenario(CACHE, (call("cache.put(cache, 1)", "Cache.put"), value("None"))),
            Refusal.OWN_ARGUMENT,
        ),
        (scenario(CACHE, (call("cache.take(cache)", "Cache.take"), value("0"))), None),
        (scenario(CACHE, (call("find(cache)", "find"), value("0"))), Refusal.WRONG_TYPE),
        (scenario(CACHE, (call("cache.pop('a')", "Cache.pop"), value("0"))), Refusal.INHERITED),
        (scenario(CACHE, (call("cache.popitem()", "f"), value("0"))), Refusal.INHERITED),
        (scenario((call("parse(parse('1'))"), value("'a'"))), Refusal.OWN_RESULT),
        (
            scenario((call("parse('1')"), value("1")), (call("parse('1')"), value("1"))),
            Refusal.REPEATED,
        ),
        (scenario((call("_size(1)"), value("0"))), Refusal.PRIVATE),
        (scenario((call("_alone('a')"), value("'a'"))), Refusal.PRIVATE),
        (
            scenario(CACHE, (replace(change("del cache[cache]"), callee="parse"), NOTHING)),
            Refusal.OWN_ARGUMENT,
        ),
        (scenario((call("parse('x')"), error("ValueError", "invalid literal"))), Refusal.ACCIDENT),
        (
            scenario(
                (call("parse('')"), error("ValueError", "empty", f"shop/cache.py:parse:{RAISING}"))
            ),
            None,
        ),
        (
            scenario(
                (
                    replace(call("hash(parse('1')) == hash(parse(''))"), form=StepForm.OPERATE),
                    error("ValueError", "empty", f"shop/cache.py:parse:{RAISING}"),
                )
            ),
            Refusal.ACCIDENT,
        ),
        (
            scenario(CACHE, (call("cache.take(Cache())", "Cache.take"), error("KeyError", "'a'"))),
            None,
        ),
        (scenario((call("parse('5')"), value("5", "builtins.int"))), None),
        (scenario((call("age(1990)"), value("30", "builtins.int"))), Refusal.SURROUNDINGS),
        (scenario((call("age(1990, 2020)"), value("30", "builtins.int"))), None),
        (scenario((call("age(1990, today=2020)"), value("30", "builtins.int"))), None),
        (scenario((call("is_adult(1990)"), value("True", "builtins.bool"))), Refusal.SURROUNDINGS),
        (scenario((call("workers(2)"), value("8", "builtins.int"))), Refusal.SURROUNDINGS),
        (scenario((call("vectors(2)"), value("False", "builtins.bool"))), Refusal.SURROUNDINGS),
        (scenario((call("width(2)"), value("80", "builtins.int"))), Refusal.SURROUNDINGS),
        (
            scenario(
                (make("Cache('a')", "cache"), value("Cache('a')", "shop.cache.Cache")),
                (replace(call("cache / cache", "Cache.put"), form=StepForm.OPERATE), value("1")),
            ),
            Refusal.OWN_ARGUMENT,
        ),
        (scenario((call("Cache('a').take(Cache('a'))"), value("0"))), Refusal.OWN_ARGUMENT),
        (scenario((call("tag('x')"), value("'x-cp311'"))), Refusal.SURROUNDINGS),
        (scenario((call("tag('x-cp311')"), value("'x-cp311'"))), None),
        (scenario((call("version()"), value("'1.2'"))), Refusal.SURROUNDINGS),
    ],
)
def test_what_no_maintainer_keeps_is_refused(made: Scenario, expected: Refusal | None) -> None:
    assert NEVER.refuses(made) is expected


def _finding(function: str, given: str, kind: str, actual: str) -> SuspectedBug:
    return SuspectedBug("shop", function, None, kind, given, "a result", actual, "why", given)


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (_finding("tag", "tag('a')", "KeyError", "KeyError: 'a'"), False),
        (_finding("tag", "tag('a')", "OSError", "FileNotFoundError: [Errno 2] 'a'"), True),
        (_finding("tag", "tag('a')", "look_at", "is '/home/coder/a'"), True),
        (_finding("tag", "tag('a')", "NameError", "NameError: name 'numpy' is not defined"), True),
        (_finding("tag", "tag('a')", "NameError", "NameError: name 'date' is not defined"), False),
        (_finding("tag", "tag('/home/coder/a')", "look_at", "is '/home/coder/a'"), False),
        (_finding("workers", "workers(3)", "look_at", "is 2"), True),
        (_finding("age", "age(1)", "look_at", "is 2025"), True),
        (_finding("age", "age(1)", "IndexError", "IndexError: list index out of range"), False),
    ],
)
def test_a_finding_about_the_machine_is_none(finding: SuspectedBug, expected: bool) -> None:
    assert NEVER.is_of_surroundings(finding) is expected


def _check(relation: Relation, expected: str) -> Check:
    return Check(0, relation, "{}", Expression(expected))


@pytest.mark.parametrize(
    ("step", "check", "expected"),
    [
        (call("Cache().put('a', 1)", "Cache.put"), _check(Relation.IS, "None"), True),
        (call("find('a')"), _check(Relation.IS, "None"), False),
        (call("parse('1') != 2", "parse"), _check(Relation.HOLDS, "True"), True),
        (call("parse('1') == 2", "parse"), _check(Relation.HOLDS_NOT, "False"), True),
        (call("parse('1') == 1", "parse"), _check(Relation.HOLDS, "True"), False),
        (call("parse('1') <= parse('1')", "parse"), _check(Relation.HOLDS, "True"), True),
    ],
)
def test_a_check_that_holds_of_nearly_any_code_says_nothing(
    step: Step, check: Check, expected: bool
) -> None:
    assert NEVER.says_nothing(scenario((step, value("None"))), check) is expected


@pytest.mark.parametrize(
    ("line", "reading", "expected", "is_nothing"),
    [
        ("password(0)", "len({})", "8", True),
        ("password(12)", "len({})", "12", False),
        ("list(account(4).keys())", "{}", "['name', 'password']", True),
        ("account(4)['name']", "{}", "'ada'", False),
        ("parse('ab')", "len({})", "2", False),
    ],
)
def test_keys_and_length_of_what_was_drawn_say_nothing(
    line: str, reading: str, expected: str, is_nothing: bool
) -> None:
    check = Check(0, Relation.EQUALS, reading, Expression(expected))
    assert NEVER.says_nothing(scenario((call(line), value("None"))), check) is is_nothing
