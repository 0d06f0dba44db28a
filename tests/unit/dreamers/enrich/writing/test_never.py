import ast

import pytest
from tests.unit.dreamers.enrich.writing.scenarios import call, error, make, scenario, value

from reverie.dreamers.enrich.writing.checks import Check, Relation
from reverie.dreamers.enrich.writing.manual import manual_of
from reverie.dreamers.enrich.writing.never import Never, Refusal
from reverie.model.call import Expression
from reverie.model.scenario import Scenario, Step

SOURCE = '''
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
        (scenario((call("_size(1)"), value("0"))), Refusal.PRIVATE),
        (scenario((call("_alone('a')"), value("'a'"))), None),
        (scenario((call("parse('x')"), error("ValueError", "invalid literal"))), Refusal.ACCIDENT),
        (
            scenario(
                (call("parse('')"), error("ValueError", "empty", f"shop/cache.py:parse:{RAISING}"))
            ),
            None,
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
    ],
)
def test_what_no_maintainer_keeps_is_refused(made: Scenario, expected: Refusal | None) -> None:
    assert NEVER.refuses(made) is expected


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
