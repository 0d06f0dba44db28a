"""What documentation, names and types promise, as laws."""

import pytest

from reverie.dreamers.fuzz.claims.classes import recognise
from reverie.dreamers.fuzz.claims.conditions import condition, disjuncts
from reverie.dreamers.fuzz.claims.laws import laws_of, promises_of
from reverie.dreamers.fuzz.claims.subjects import (
    Parameter,
    errors_named,
    ordered_parameters,
    read_module,
)
from reverie.dreamers.fuzz.law import Basis, Law, LawKind

NUMBERS = (Parameter("size", "int", True), Parameter("total", "int", True))


def laws(source: str, name: str) -> list[Law]:
    reading = read_module(source)
    return list(laws_of(reading.functions[name], reading))


def checks(signature: str, doc: str) -> dict[str, Law]:
    source = f'def f({signature}:\n    """{doc}"""\n    return given(1)\n'
    return {each.check: each for each in laws(source, "f")}


@pytest.mark.parametrize(
    ("signature", "doc", "check"),
    [
        ("n: int) -> int", "The rest, never negative.", "result >= 0"),
        ("n: int) -> int", "-1, 0 or 1.", "result in (-1, 0, 1,)"),
        ("v: int, low: int, high: int) -> int", "The result is between low and high.",
         "not low <= high or low <= result <= high"),
        ("t: str, limit: int) -> str", "At most limit characters.", "limit < 0 or len(result) <= limit"),
        ("t: str, width: int) -> list[str]", "Lines of at most width characters.",
         "all(len(each) <= width for each in result)"),
        ("v: list[int], size: int) -> list[list[int]]", "Split v into pages of at most size.",
         "all(len(each) <= size for each in result)"),
        ("total: int, n: int) -> list[int]", "Shares that add up to total.", "same(sum(result), total)"),
        ("n: int) -> list[int]", "Parts that differ by at most one.",
         "not result or max(result) - min(result) <= 1"),
        ("v: list[int]) -> list[int]", "Same items in ascending order.", "list(result) == sorted(result)"),
        ("v: list[int]) -> list[int]", "Same items in ascending order.", "counted(result) == counted(v)"),
        ("v: list[int]) -> list[int]", "The distinct items.", "len(set(map(repr, result))) == len(result)"),
        ("t: str) -> str", "Never starts or ends with a hyphen.",
         "not str(result).startswith('-') and not str(result).endswith('-')"),
        ("t: str) -> str", "Lower-case letters.", "result == result.lower()"),
        ("v: list[int], n: int) -> list[int]", "In order: len(v) - n + 1 of them.",
         "len(result) == len(v) - n + 1"),
        ("v: list, n: int) -> list", "The end, the same as v[-n:].", "same(result, expected)"),
    ],
)  # fmt: skip
def test_a_sentence_is_a_condition(signature: str, doc: str, check: str) -> None:
    assert check in checks(signature, doc)


@pytest.mark.parametrize(
    ("signature", "doc"),
    [
        ("v: list[int], x: int) -> int", "First place keeping the list sorted."),
        ("n: int) -> str", "Text of a non-negative number."),
        ("v: list[str]) -> list[str]", "The words, sorted by length."),
        ("n: int) -> int", "Raises ValueError when the size is at most 3 items."),
    ],
)
def test_what_is_said_of_arguments_is_no_condition_on_the_result(signature: str, doc: str) -> None:
    kinds = {each.kind for each in checks(signature, doc).values()}
    assert LawKind.POSTCONDITION not in kinds


CODER = '''
def encode(text: str) -> str:
    """Encode."""
    return text


def decode(code: str) -> str:
    """Inverse of encode: decode(encode(t)) == t for every non-empty text. Raises ValueError."""
    return code
'''


def test_a_formula_is_a_law_with_its_condition() -> None:
    found = [each for each in laws(CODER, "decode") if each.kind is LawKind.ROUND_TRIP]
    formula = next(each for each in found if each.guard != "True")
    assert formula.setup == ("value_1 = encode(t)",)
    assert formula.steps == ("value_2 = decode(value_1)", "left = value_2", "right = t")
    assert formula.check == "same(left, right)"
    assert formula.guard == "len(t) > 0"


def test_a_call_that_is_said_to_be_true_is_a_law() -> None:
    doc = "Whether it is even: f(2 * n) for all numbers n."
    assert "same(left, right)" in checks("n: int) -> bool", doc)


def test_a_formula_leaves_no_room_for_a_guess_about_the_same_functions() -> None:
    source = CODER.replace("Inverse of encode: ", "")
    kept = promises_of("decode", read_module(source)).laws
    assert not [each for each in kept if each.basis is Basis.NAMED]


def test_a_pair_of_names_is_only_a_guess() -> None:
    source = "def pack(t: str) -> bytes: return t.encode()\n"
    source += "def unpack(b: bytes) -> str: return b.decode()\n"
    found = [each for each in laws(source, "unpack") if each.kind is LawKind.ROUND_TRIP]
    assert [each.basis for each in found] == [Basis.NAMED]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("size is not positive", "size <= 0"),
        ("total is negative", "total < 0"),
        ("size is below 2", "size < 2"),
        ("size < 1", "size < 1"),
        ("size is outside 1..9", "not 1 <= size <= 9"),
        ("the moon is full", None),
    ],
)
def test_a_condition_in_english_is_python(text: str, made: str | None) -> None:
    assert condition(text, NUMBERS) == made


def test_each_part_of_an_alternative_is_enough() -> None:
    assert disjuncts("size or total is negative, or when size is 0", NUMBERS) == [
        "total < 0",
        "size < 0",
        "size == 0",
    ]


def test_another_documented_error_is_no_broken_promise() -> None:
    doc = "Raises ValueError when n is negative and KeyError for others."
    assert "'ValueError' in raised or 'KeyError' in raised" in checks("n: int) -> int", doc)


@pytest.mark.parametrize(
    ("source", "model"),
    [
        ('class LRU:\n    """Least recently used."""\n    def __init__(self, capacity: int): ...\n'
         "    def get(self, key): ...\n    def put(self, key, value): ...\n", "lru"),
        ('class MinStack:\n    """Last in, first out; min is the smallest."""\n'
         "    def push(self, value): ...\n    def pop(self): ...\n    def min(self): ...\n", "stack"),
        ('class Trie:\n    """A set of words."""\n    def add(self, word: str): ...\n'
         "    def has(self, word: str): ...\n", "set"),
        ("class Thing:\n    def add(self, x): ...\n    def has(self, x): ...\n", None),
    ],
)  # fmt: skip
def test_a_container_is_known_by_its_protocol_and_words(source: str, model: str | None) -> None:
    found = recognise(next(iter(read_module(source).classes.values())))
    assert (None if found is None else found.model) == model


def test_a_search_in_a_sorted_list_is_given_sorted_lists() -> None:
    source = '"""Search in sorted lists."""\ndef find(v: list[int], x: int) -> int: ...\n'
    assert list(ordered_parameters(read_module(source))) == ["find:v"]


@pytest.mark.parametrize(
    ("doc", "kinds"),
    [
        ("The inverse of :func:`pluralize`.", {LawKind.ROUND_TRIP}),
        ("An inverse of :func:`pluralize`, although some cases do not hold.", set()),
        ("Usually the inverse of `pluralize`.", set()),
    ],
)
def test_what_holds_only_now_and_then_is_no_law(doc: str, kinds: set[LawKind]) -> None:
    source = (
        "def pluralize(word: str) -> str: ...\n"
        f'def singularize(word: str) -> str:\n    """{doc}"""\n    return str(word)\n'
    )
    found = {each.kind for each in laws(source, "singularize")}
    assert found & {LawKind.ROUND_TRIP} == kinds


def test_an_error_in_quotes_is_a_value_and_no_promise() -> None:
    doc = 'camelize("IOError") gives \'IoError\'; raises TypeError for None, it\'s "fine" otherwise'
    assert errors_named(doc) == {"TypeError"}
