"""Promises of code without annotations: types in prose, functions told alike, methods together."""

from collections.abc import Callable
from typing import Any

import pytest

from reverie.dreamers.enrich.search.inside.nodes import Evaluator, const
from reverie.dreamers.fuzz.claims.classes import class_promises, recognise
from reverie.dreamers.fuzz.claims.laws import laws_of
from reverie.dreamers.fuzz.claims.subjects import (
    documented_result,
    documented_types,
    is_unit,
    positive_parameters,
    read_module,
)
from reverie.dreamers.fuzz.inside.checking import Checker
from reverie.dreamers.fuzz.law import Basis, Law, LawKind, Variable


def laws(source: str, name: str) -> list[Law]:
    reading = read_module(source)
    return list(laws_of(reading.functions[name], reading))


def function(signature: str, doc: str, body: str = "return given(1)") -> str:
    return f'def {signature}:\n    """{doc}"""\n    {body}\n'


@pytest.mark.parametrize(
    ("doc", "types"),
    [
        ("Args:\n    size (int): How many.\n    names (list of str): Which.",
         {"size": "int", "names": "list[str]"}),
        ("Parameters\n----------\ndegrees : list\n    Of nodes.\nshare : float, optional\n    It.",
         {"degrees": "list", "share": "float"}),
        (":param int size: How many.\n:type name: str", {"size": "int", "name": "str"}),
        ("Args:\n    graph (Graph): Any.", {}),
    ],
)  # fmt: skip
def test_types_are_read_from_prose(doc: str, types: dict[str, str]) -> None:
    assert documented_types(doc) == types


@pytest.mark.parametrize(
    ("doc", "kind"),
    [
        ("Returns a sorted list of numbers.", "list"),
        ("Returns a range string.", "str"),
        ("Whether.\n\nReturns\n-------\nvalid : bool\n    Or not.", "bool"),
        ("The graph.", None),
    ],
)
def test_the_type_of_the_result_is_read_from_prose(doc: str, kind: str | None) -> None:
    assert documented_result(doc) == kind


@pytest.mark.parametrize(
    ("signature", "doc", "check"),
    [
        ("topk(k, seq, key=None)", "Find the k largest elements of a sequence.",
         "key is not None or k < 0 or not isinstance(seq, (list, tuple)) or "
         "same(list(listed(result)), sorted(seq, reverse=True)[:k])"),
        ("near(word, choices, n=3)", "Optional n is the maximum number of matches to return.",
         "not isinstance(n, int) or n < 0 or len(result) <= n"),
        ("month(year, number)", "Return weekday (0-6) and number of days (28-31) for a year.",
         "type(result) is not tuple or len(result) != 2 or "
         "0 <= result[0] <= 6 and 28 <= result[1] <= 31"),
        ("gcdex(a, b)", "Returns x, y, g such that g = x*a + y*b = gcd(a, b).",
         "result[2] == result[0] * a + result[1] * b == math.gcd(a, b)"),
        ("chunked(seq, size)", "The elements of seq in chunks of size.",
         "not size > 0 or not isinstance(seq, (list, tuple)) or "
         "same([one for each in listed(result) for one in listed(each)], list(seq))"),
    ],
)  # fmt: skip
def test_parts_of_a_result_are_conditions(signature: str, doc: str, check: str) -> None:
    name = signature.partition("(")[0]
    assert check in {each.check for each in laws(function(signature, doc), name)}


def test_functions_that_open_alike_agree_and_others_are_left_alone() -> None:
    doc = "Returns True if the sequence can be realised by a graph."
    source = function("by_one(seq)", doc) + function("by_other(seq)", doc)
    source += function("by_third(seq)", "Returns True.") + function(
        "by_fourth(seq)", "Returns True."
    )
    (found,) = [each for each in laws(source, "by_one") if each.kind is LawKind.AGREEMENT]
    assert found.basis is Basis.NAMED
    assert "by_other" in found.says
    assert not [each for each in laws(source, "by_third") if each.kind is LawKind.AGREEMENT]


def test_what_a_name_promises_is_asked_of_the_plain_call() -> None:
    source = function("slugify(text, separator='-')", "Make a slug.")
    (found,) = [each for each in laws(source, "slugify") if each.kind is LawKind.IDEMPOTENCE]
    assert [each.name for each in found.variables] == ["text"]
    told = function("slugify(text, separator='-')", "It is idempotent.")
    (found,) = [each for each in laws(told, "slugify") if each.kind is LawKind.IDEMPOTENCE]
    assert [each.name for each in found.variables] == ["text", "separator"]


def test_twins_agree_only_where_each_agrees_with_itself() -> None:
    source = function("wait(n)", "Waits.") + function("wait_iter(n)", "Waits.")
    (found,) = [each for each in laws(source, "wait_iter") if each.kind is LawKind.AGREEMENT]
    assert found.check == "same(result, other) or not same(other, again)"
    assert len(found.setup) == 2


@pytest.mark.parametrize(
    ("write", "args", "state"),
    [
        (lambda template, number: template % number, ["%*", 3], "outside"),
        (lambda template, number: template[number], ["ab", 3], "broken"),
    ],
)
def test_a_broken_template_is_the_callers_mistake(
    write: Callable[[str, int], str], args: list[Any], state: str
) -> None:
    names = ("template", "number")
    hints = dict(zip([("write", each) for each in names], (str, int), strict=True))
    checker = Checker(Evaluator({"write": write}), "<none>", hints, set())
    checker.annotated = set(hints)
    law = Law(
        LawKind.ERROR, "write", "returns", "True",
        variables=tuple(Variable(each, "write", each) for each in names),
        steps=("result = write(template, number)",),
    )  # fmt: skip
    assert checker.check(law.document(), [const(each) for each in args]).state == state


def test_left_and_right_undo_each_other_only_where_something_turns() -> None:
    source = function("rotate_left(x, y)", "Left.") + function("rotate_right(x, y)", "Right.")
    assert any(each.kind is LawKind.ROUND_TRIP for each in laws(source, "rotate_left"))
    source = function("pad_left(x, y)", "Left.") + function("pad_right(x, y)", "Right.")
    assert not any(each.kind is LawKind.ROUND_TRIP for each in laws(source, "pad_left"))


def test_what_is_said_of_two_values_holds_in_either_order() -> None:
    told = function("within(dt1, dt2, delta)", "For comparing two datetimes.")
    found = [each for each in laws(told, "within") if each.kind is LawKind.COMMUTATIVITY]
    assert [each.basis for each in found] == [Basis.STATED]
    other = function("between(dt1, dt2, delta)", "The time from one to the other.")
    assert not [each for each in laws(other, "between") if each.kind is LawKind.COMMUTATIVITY]


def test_counts_over_half_open_ranges_add_up() -> None:
    source = function("leaps(y1, y2)", "Number of leap years in range [y1, y2).")
    assert any(each.guard == "y1 <= y2 <= further" for each in laws(source, "leaps"))


def test_what_a_generator_yields_is_its_result() -> None:
    source = function("pairs(n)", "The distinct pairs.", "yield n")
    postconditions = [each for each in laws(source, "pairs") if each.kind is LawKind.POSTCONDITION]
    assert postconditions[0].setup == ("result = list(itertools.islice(pairs(n), 1000))",)
    inner = function("pairs(n)", "Pairs.", "return list(each for each in (lambda: (yield 1))())")
    assert not read_module(inner).functions["pairs"].is_lazy


def test_numbers_are_positive_where_documentation_says_so() -> None:
    source = function("show(numbers)", "Text of a list of positive integers (*numbers*).")
    assert list(positive_parameters(read_module(source))) == ["show:numbers"]


def test_one_argument_between_0_and_1_says_nothing_of_the_others() -> None:
    one = read_module(function("near(word, cutoff)", "The cutoff is a float in [0, 1]."))
    all_of_them = read_module(function("mixed(r, g)", "All inputs are floats in [0, 1]."))
    assert not is_unit(one.functions["near"], one)
    assert is_unit(all_of_them.functions["mixed"], all_of_them)


METHODS = """class Shelf:
    def __init__(self):
        self.items = []
    def __len__(self):
        return len(self.items)
    def __iter__(self):
        return iter(self.items)
    def first(self, name: str) -> str | None:
        '''The first one, None when there is none.'''
        return self.items[0]
"""


def test_methods_that_belong_together_are_laws_and_so_is_an_answer() -> None:
    promises = class_promises(read_module(METHODS).classes["Shelf"])
    assert promises is not None
    assert {(each.method, each.check) for each in promises.laws} == {
        (None, "len(list(subject)) == len(subject)"),
        ("first", ""),
    }


def test_a_union_find_is_asked_by_its_roots() -> None:
    source = (
        "class UnionFind:\n    def __init__(self, elements=None): ...\n"
        "    def __getitem__(self, item): ...\n    def union(self, *items): ...\n"
    )
    found = recognise(read_module(source).classes["UnionFind"])
    assert found is not None
    assert (found.model, found.roles["joined"]) == ("partition", "__getitem__==")
