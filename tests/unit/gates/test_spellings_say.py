"""Which spellings of values, patterns and classes come to the same, and which do not."""

import ast
import re

import pytest

from reverie.gates.effects.units import plain_classes
from reverie.gates.effects.walk import Names
from reverie.gates.production.values import Likeness, Spelling, likeness, meaning_of
from reverie.gates.python import imported_names
from reverie.gates.quality import decisions_of, nesting_of

SAME, PATTERN, UNKNOWN, OTHER = Likeness


def likeness_of(before: str, after: str, head: str = "import re\n") -> Likeness:
    tree = ast.parse(head)
    spelling = Spelling(tree, imported_names(tree))
    nodes = (ast.parse(each, mode="eval").body for each in (before, after))
    return likeness(*nodes, spelling, spelling)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("1 + 2", "3", SAME), ("1 + 2 + 3", "6", SAME), ("(1 + 2) * (1 + 1)", "6", SAME), ("7 - 2", "5", SAME), ("60 * 60", "3600", SAME),
        ("7 // 2", "3", SAME), ("7 / 2", "3.5", SAME), ("1 | 4", "5", SAME), ("2 ** 3", "8", UNKNOWN),
        ("'a' + 'b'", "'ab'", SAME), ("b'a' + b'b'", "b'ab'", SAME), ("'a' * 2", "'aa'", UNKNOWN),
        ("1 / 0", "1 / 0", SAME), ("1 / 0", "0", UNKNOWN), ("True + 1", "2", UNKNOWN),
        ("1 + 2", "4", OTHER), ("'a'", "'b'", OTHER), ("u'a'", "'a'", SAME), ("1", "1.0", OTHER),
        ("list()", "[]", SAME), ("tuple()", "()", SAME), ("dict()", "{}", SAME),
        ("set()", "{}", OTHER), ("list((1, 2))", "[1, 2]", SAME), ("list((1, 2))", "[2, 1]", OTHER),
        ("tuple([1, 2])", "(1, 2)", SAME), ("tuple((1, 2))", "(1, 2)", SAME),
        ("tuple((1, 2))", "()", OTHER), ("list(())", "[]", SAME), ("list((1,))", "[]", OTHER),
        ("dict(a=1, b=2)", "{'a': 1, 'b': 2}", SAME), ("dict(a=1)", "{'a': 2}", OTHER),
        ("dict(**x)", "{}", UNKNOWN), ("dict(x, a=1)", "{'a': 1}", UNKNOWN),
        ("list(a for a in x)", "[a for a in x]", SAME), ("set(a for a in x)", "{a for a in x}", SAME),
        ("set([a for a in x])", "{a for a in x}", SAME), ("set([1, 2])", "{1, 2}", SAME),
        ("set((1,))", "{1}", SAME), ("frozenset([1, 2])", "frozenset((1, 2))", SAME),
        ("sorted(list(x))", "sorted(x)", SAME), ("sorted(tuple(x))", "sorted(x)", SAME),
        ("sorted(set(x))", "sorted(x)", UNKNOWN), ("list(sorted(x))", "sorted(x)", SAME),
        ("list(reversed(x))", "reversed(x)", UNKNOWN), ("len(list(x))", "len(x)", UNKNOWN),
        ("sorted([a for a in x])", "sorted(a for a in x)", SAME),
        ("list(list(x))", "list(x)", SAME), ("dict([(1, 2)])", "dict(((1, 2),))", SAME),
        ("list(sorted(x), 1)", "sorted(x)", UNKNOWN), ("int(2.0)", "2", SAME), ("float(2)", "2.0", SAME), ("float(2)", "2", OTHER),
        ("int('2')", "2", UNKNOWN), ("abs(2)", "2", UNKNOWN), ("int(1e999)", "1", UNKNOWN),
        ("'-'.join(['a', 'b'])", "'a-b'", SAME), ("'-'.join(('a', 'b'))", "'a-b'", SAME),
        ("'-'.join(['a', x])", "'a'", UNKNOWN), ("'-'.join(['a', 1])", "'a'", UNKNOWN),
        ("'a'.strip('b')", "'a'", UNKNOWN), ("9 ** 9", "9 ** 9", SAME),
        ("(1, 'a')", "(1, 'b')", OTHER), ("f(1)", "f(2)", UNKNOWN), ("f(1 + 1)", "f(2)", SAME),
    ],
)  # fmt: skip
def test_values_that_are_spelled_otherwise(before: str, after: str, expected: Likeness) -> None:
    assert likeness_of(before, after) is expected
    assert likeness_of(after, before) is expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (r"re.compile('[\\d]')", r"re.compile('[\\d\\d]')", SAME),
        (r"re.compile('a', re.I | re.M)", r"re.compile('a', flags=re.M | re.I)", SAME),
        ("re.compile('a', re.I)", "re.compile('a', 2)", SAME),
        ("re.compile('a', re.I)", "re.compile('a', re.M)", UNKNOWN),
        ("re.compile('a', re.I)", "re.compile('a')", UNKNOWN),
        ("re.compile('a', re.I | x)", "re.compile('a', re.I)", UNKNOWN),
        ("re.compile('a' + 'b')", "re.compile('ab')", SAME),
        ("re.compile('a', re.I, re.M)", "re.compile('a', re.I | re.M)", UNKNOWN),
        ("re.compile(b'a')", "re.compile('a')", UNKNOWN),
        ("re.compile('a', re.I | re.M)", "re.compile('a', re.M)", UNKNOWN),
        ("re.compile('a', re.I | re.M)", "re.compile('a', 0)", UNKNOWN),
        ("re.compile('a', re.I, flags=re.M)", "re.compile('a', re.M)", UNKNOWN),
        ("re.compile(str('a'))", "re.compile('a')", UNKNOWN),
        ("re.compile(x)", "re.compile('x')", UNKNOWN),
        ("re.compile('(')", "re.compile('(')", SAME),
        ("re.compile('[ab]')", "re.compile('[ba]')", SAME),
        ("'[ab]'", "'[ba]'", PATTERN), ("b'[ab]'", "b'[ba]'", PATTERN), ("'[ab]'", "'[bc]'", OTHER),
        ("['[ab]', 1]", "['[ba]', 1]", PATTERN), ("'('", "'(('", OTHER),
    ],
)  # fmt: skip
def test_patterns_that_are_spelled_otherwise(before: str, after: str, expected: Likeness) -> None:
    assert likeness_of(before, after) is expected


@pytest.mark.parametrize(
    ("head", "before"),
    [("list = 1\n", "list((1, 2))"), ("from x import list\n", "list((1, 2))"),
     ("def list(x):\n    pass\n", "list((1, 2))"), ("class list:\n    pass\n", "list((1, 2))"),
     ("list = 1\n", "tuple(list((1, 2)))")],
)  # fmt: skip
def test_a_builtin_that_is_hidden_is_none(head: str, before: str) -> None:
    after = before.replace("list((1, 2))", "[1, 2]")
    assert likeness_of(before, after, head) is UNKNOWN


def test_a_value_that_is_not_there_is_like_none() -> None:
    spelling = Spelling(ast.parse(""), {})
    node = ast.Constant(1)
    assert likeness(None, None, spelling, spelling) is SAME
    assert likeness(node, None, spelling, spelling) is OTHER
    assert likeness(None, node, spelling, spelling) is OTHER


def test_constants_are_computed_up_to_a_size() -> None:
    for size, expected in ((9_000, SAME), (10_001, UNKNOWN)):
        assert likeness_of(f"'{'a' * size}' + 'b'", f"'{'a' * size}b'") is expected
    assert likeness_of(f"{1 << 9_000} + 1", str((1 << 9_000) + 1)) is SAME
    assert likeness_of(f"{1 << 9_998} + 1", str((1 << 9_998) + 1)) is SAME
    assert likeness_of(f"{1 << 10_000} + 1", str((1 << 10_000) + 1)) is UNKNOWN


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("[a-c]", "[abc]", True), ("[a-c]", "[abcd]", False), ("[a-c]", "[ab]", False),
        (r"[\w\d]", r"[\w]", True), (r"[\wa-z0-9_]", r"[\w]", True), (r"[\w-]", r"[\w]", False),
        (r"[\d0-9]", r"[\d]", True), (r"[\da]", r"[\d]", False), (r"[\s ]", r"[\s]", True),
        (r"[\s\n\t]", r"[\s]", True), (r"[\d\w]", r"[\d]", False), (r"[^ab]", "[^ba]", True),
        ("[^a]", "[a]", False), ("(a)", "a", False), ("(?:a)", "a", True), (r"\-", "-", True),
        ("(?P<n>a)", "(?P<m>a)", False), ("(?i)a", "a", False), ("a{1,2}", "a{1,3}", False),
        (r"[\u4e00-\u9fff]", r"[\u4e00-\u9ffe]", False), ("[\\x00-\\U0010ffff]", "[a]", False),
        (r"[\W]", r"[\w]", False), ("[aa]", "[a]", True),
        ("(?x) a  # one", "(?x)a", True),
    ],
)  # fmt: skip
def test_patterns_mean_what_they_match(one: str, other: str, is_same: bool) -> None:
    assert (meaning_of(one) == meaning_of(other)) is is_same


def test_flags_belong_to_what_a_pattern_means() -> None:
    assert meaning_of("a", re.IGNORECASE) != meaning_of("a")
    assert meaning_of("a b", re.VERBOSE) == meaning_of("ab")
    assert meaning_of("a") != meaning_of(b"a")
    arabic = "٣"
    assert meaning_of(rf"[\d{arabic}]") == meaning_of(r"[\d]")
    assert meaning_of(rf"[\d{arabic}]", re.ASCII) != meaning_of(r"[\d]", re.ASCII)


def test_what_is_no_pattern_means_nothing(recwarn: pytest.WarningsRecorder) -> None:
    for text in ("(", "*", "[b-a]", "a{99999999999999999999}"):
        assert meaning_of(text) is None
    assert meaning_of("[[a]") is not None
    assert not recwarn.list


def test_ranges_are_looked_at_up_to_a_length() -> None:
    assert meaning_of("[\u0100-\u0102]") == meaning_of("[\u0100\u0101\u0102]")
    wide = "".join(chr(0x4E00 + each) for each in range(2_001))
    assert meaning_of(f"[{wide[0]}-{wide[1_999]}]") == meaning_of(f"[{wide[:2_000]}]")
    assert meaning_of(f"[{wide[0]}-{wide[2_000]}]") != meaning_of(f"[{wide}]")


CLASSES = """
import abc, collections, collections.abc, dataclasses, enum, numbers, shop.kinds, typing
from dataclasses import dataclass
from functools import total_ordering
class A: pass
class B(A, object): pass
class C(enum.Enum): pass
class D(collections.OrderedDict): pass
@dataclass
class E: pass
@dataclasses.dataclass(frozen=True)
class F: pass
@total_ordering
class G(Exception): pass
class no_1(metaclass=abc.ABCMeta): pass
class no_2(abc.ABC): pass
class no_3(collections.abc.Mapping): pass
class no_4(typing.Protocol): pass
class no_5(numbers.Number): pass
class no_6(shop.kinds.Kind): pass
class no_7(A.B): pass
class no_8(make()): pass
class no_9(no_2): pass
class no_10(open.x): pass
class no_11(not_there): pass
@odd
class no_12: pass
@dataclass(**odd)
class no_13: pass
@dataclass(odd())
class no_14: pass
@dataclasses
class no_15: pass
class no_16:
    def __subclasshook__(cls, other): pass
class no_17:
    def __instancecheck__(cls, other): pass
class no_18:
    async def __subclasscheck__(cls, other): pass
class no_19: pass
no_19 = 1
class no_20: pass
del no_20
class no_21: pass
def f():
    class no_21: pass
class no_22: pass
def no_22(): pass
class enum: pass
if f:
    class no_23: pass
"""


def test_plain_classes_are_those_that_nothing_answers_for() -> None:
    tree = ast.parse(CLASSES)
    names = Names(tree, "shop.prices", frozenset({"shop"}))
    assert plain_classes(tree, names) == frozenset("ABCDEFG")


@pytest.mark.parametrize(
    ("name", "weight"),
    [("map", 1), ("starmap", 1), ("reduce", 1), ("filter", 2), ("filterfalse", 2),
     ("takewhile", 2), ("dropwhile", 2), ("chain", 0)],
)  # fmt: skip
def test_calls_that_go_through_everything_weigh_as_loops_do(name: str, weight: int) -> None:
    tree = ast.parse(f"x = {name}(f, xs)\n")
    assert (decisions_of(tree), nesting_of(tree)) == (weight, weight)
