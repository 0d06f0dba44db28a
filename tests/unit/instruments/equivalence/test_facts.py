import pytest

from reverie.errors import UsageError
from reverie.instruments.equivalence.facts import Facts, gather_facts
from reverie.instruments.equivalence.targets import version_of


def facts(old: str, new: str | None = None, name: str = "f") -> Facts:
    return gather_facts(version_of(old, name), version_of(new or old, name))


def test_constants_of_one_version_come_first() -> None:
    found = facts("def f(n):\n    return n == 7", "def f(n):\n    return n == 997 or n == 7")
    assert found.constants[: found.changed_constants] == ("997",)
    assert "7" in found.constants


def test_docstrings_are_no_constants() -> None:
    assert facts('def f(n):\n    "words"\n    return n').constants == ()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a: int, b: list[str]) -> int: ...", True),
        ("def f(a: int, b) -> int: ...", False),
        ("def f(a: dict) -> int: ...", False),
        ("def f(a: list[tuple]) -> int: ...", False),
        ("from typing import Any\ndef f(a: list[Any]) -> int: ...", False),
    ],
)
def test_annotations_are_full_or_not(source: str, expected: bool) -> None:
    assert facts(source).is_fully_annotated is expected


def test_companions_change_the_state_that_both_have() -> None:
    source = (
        "RATES = {}\n"
        "def set_rate(code, rate):\n    RATES[code] = rate\n"
        "def helper(x):\n    return x\n"
        "def f(code):\n    return RATES[code]\n"
    )
    found = facts(source)
    assert found.companions == ("set_rate",)
    assert found.watched == ("RATES",)
    assert facts(source, "def f(code):\n    return 1").companions == ()


def test_callbacks_are_told_from_questions() -> None:
    body = "    for item in items:\n        each(item)\n    return key(1)"
    assert facts(f"def f(items, each, key):\n{body}").recorded == ((1, "each"),)


def test_recursion_is_seen_in_either_version() -> None:
    plain = "def f(n):\n    return n"
    assert not facts(plain).is_recursive
    assert facts(plain, "def f(n):\n    return f(n - 1) if n else 0").is_recursive


def test_patterns_are_collected() -> None:
    source = "import re\nP = re.compile('a+')\ndef f(s):\n    return P.match(s)"
    assert facts(source).patterns == ("a+",)


def test_a_method_has_no_self() -> None:
    source = "class C:\n    def m(self, n): ...\n    @staticmethod\n    def s(n): ...\n"
    assert facts(source, name="C.m").parameters == ("n",)
    assert facts(source, name="C.s").parameters == ("n",)


def test_a_version_without_the_callable_is_refused() -> None:
    with pytest.raises(UsageError, match="no function or class 'g'"):
        facts("def f(): ...", name="g")


def test_questions_are_called_for_their_answer() -> None:
    body = (
        "    each(1)\n    return [accept(n) for n in map(change, items)] and sorted(items, key=key)"
    )
    assert facts(f"def f(items, each, accept, change, key):\n{body}").asked == (2, 3)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(n):\n    return list(set(n))", True),
        ("def f(n):\n    return [*{each for each in n}]", True),
        ("def f(n):\n    return list(dict.fromkeys(n))", False),
    ],
)
def test_sets_are_seen(source: str, expected: bool) -> None:
    assert facts(source).uses_sets is expected


_DECIMALS = "def f(texts):\n    return int(sum(60 * Decimal(t) for t in texts)) + float(texts[0])"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (_DECIMALS, _DECIMALS.replace("Decimal", "float"), True),
        (_DECIMALS, _DECIMALS.replace("60 * Decimal(t)", "Decimal(t) * 60"), False),
        (_DECIMALS.replace("Decimal", "float"), _DECIMALS, False),
        (_DECIMALS.replace("Decimal", "Fraction"), _DECIMALS, False),
        ("def f(a) -> int:\n    return a // 2", "def f(a) -> int:\n    return int(a / 2)", True),
        ("def f(a):\n    return a // 2", "def f(a):\n    return int(a / 2)", False),
        (
            "def f(a) -> int:\n    return int(a / 2)",
            "def f(a) -> int:\n    return int(a / 2.0)",
            False,
        ),
    ],
)
def test_floats_in_the_place_of_exact_numbers_are_seen(old: str, new: str, expected: bool) -> None:
    assert facts(old, new).becomes_inexact is expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a.lower()", "a.casefold()", "casefold where lower was"),
        ("a.isdigit()", "a.isdecimal()", "isdecimal where isdigit was"),
        ("a.isalnum() and b", "b and a.isidentifier()", "isidentifier where isalnum was"),
        ("a.lower().strip()", "a.strip().lower()", ""),
        ("a.lower() + a.lower()", "2 * a.lower()", ""),
        ("a.lower()", "a.lower() or a.isdigit()", ""),
    ],
)
def test_methods_that_agree_on_most_texts_are_told_apart(old: str, new: str, expected: str) -> None:
    source = "def f(a: str, b: bool) -> str:\n    return "
    assert facts(source + old, source + new).exchanged == expected
