import ast
from typing import Any

import pytest

from reverie.instruments.equivalence.contract import Contract, fits, misfit_arguments
from reverie.instruments.equivalence.scenario import Scenario, Step
from reverie.model.call import Call, Expression


def call(*sources: str) -> Call:
    return Call(tuple(Expression(each) for each in sources))


def allowed(docstring: str, *sources: str, names: tuple[str, ...] = ("values", "k")) -> bool:
    return Contract.read(docstring, names).allows(Scenario.of(call(*sources)))


@pytest.mark.parametrize(
    "docstring",
    [
        "Insert x into the sorted list, in place.",
        "values must be sorted",
        "Position in a sorted list of values.",
        "Assumes sorted input.",
    ],
)
def test_a_documented_order_is_demanded(docstring: str) -> None:
    assert allowed(docstring, "[1, 2, 2]")
    assert not allowed(docstring, "[2, 1]")
    assert not allowed(docstring, "[3] + [1]")


@pytest.mark.parametrize(
    "docstring", [None, "Return a sorted list.", "Returns the sorted names.", "Sort the values."]
)
def test_a_promised_order_is_not_demanded(docstring: str) -> None:
    assert allowed(docstring, "[2, 1]")


def test_bounds_are_read_for_parameters_only() -> None:
    assert not allowed("Sums over the last k values (k >= 1).", "[1]", "0")
    assert allowed("Sums over the last k values (k >= 1).", "[1]", "1")
    assert allowed("Counts v with v >= 1.", "[1]", "0")


@pytest.mark.parametrize(
    "docstring", ["Turned; all rows are of one length.", "Of a rectangular table, its columns."]
)
def test_rows_of_one_length_are_demanded_and_made(docstring: str) -> None:
    assert allowed(docstring, "[[1, 2], [3, 4]]")
    assert not allowed(docstring, "[[1, 2], [3]]")
    assert not allowed(docstring, "[[10 ** 400], []]")
    (made,) = Contract.read(docstring, ("values",)).fit(call("[[1, 2], [3], [4, 5, 6]]")).args
    assert made.source == "[[1, 2], [3, 1], [4, 5]]"


@pytest.mark.parametrize(
    "docstring",
    ["Pad, so that all rows are of one length.", "Whether the rows are of equal length.",
     "Returns a rectangular table.", "The rows are returned."],
)  # fmt: skip
def test_promised_rows_of_one_length_are_not_demanded(docstring: str) -> None:
    assert allowed(docstring, "[[1, 2], [3]]")


def test_other_words_are_understood() -> None:
    assert not allowed("values must not be empty", "[]")
    assert not allowed("k must be positive", "[1]", "0")
    assert allowed("k is non-negative", "[1]", "0")
    assert not allowed("values must be unique", "[1, 1]")


def test_calls_are_made_to_fit_an_order() -> None:
    fitted = Contract.read("values must be sorted", ("values",)).fit(call("[3, 1, 2]"))
    assert fitted.args[0].source == "[1, 2, 3]"


@pytest.mark.parametrize(
    ("value", "annotation", "expected"),
    [
        (1, "int", True),
        (True, "int", False),
        (1, "float", False),
        ("a", "str | None", True),
        (None, "Optional[int]", True),
        ([1, "a"], "list[int]", False),
        ((), "tuple[int, str]", False),
        ((1, "a"), "tuple[int, str]", True),
        ((1, 2, 3), "tuple[int, ...]", True),
        ({"a": [1]}, "dict[str, list[int]]", True),
        ({"a": [None]}, "dict[str, list[int]]", False),
        ("c", "Literal['a', 'b']", False),
        ("a", "Literal['a', 'b']", True),
        ("anything", "Widget", True),
        (["x"], "Sequence[str]", True),
        (3, "'int'", True),
    ],
)
def test_values_are_held_against_annotations(value: Any, annotation: str, expected: bool) -> None:
    assert fits(value, ast.parse(annotation, mode="eval").body) is expected


def test_only_plain_arguments_are_judged() -> None:
    annotations = {"n": ast.parse("int", mode="eval").body, "m": None}
    assert misfit_arguments(call("'a'", "1"), annotations)
    assert not misfit_arguments(call("1", "'a'"), annotations)
    assert not misfit_arguments(call("make()", "1"), annotations)
    assert misfit_arguments(call("math.nan", "1"), annotations)
    assert misfit_arguments(call("float('nan')", "1"), annotations)
    assert misfit_arguments(call("[1] * 40", "1"), annotations)


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("Index of the first value in ascending `values`.", True),
        ("`values` must be in increasing order.", True),
        ("The values in ascending order.", False),
        ("Returns them ascending, whatever `values` holds.", False),
    ],
)
def test_a_parameter_is_said_to_ascend_by_its_name(docstring: str, expected: bool) -> None:
    assert Contract.read(docstring, ("values",)).wants_sorted is expected


@pytest.mark.parametrize(
    ("docstring", "argument", "is_demanded"),
    [
        ("The sum of the positive numbers.", "[-1]", False),
        ("`values` must be positive.", "[-1]", True),
        ("The mean of positive values.", "[-1]", True),
        ("Lines that are non-empty.", "[]", False),
        ("values is a non-empty list.", "[]", True),
        ("Merge both into a sorted list.", "[2, 1]", False),
        ("Position in a sorted list.", "[2, 1]", True),
        ("For 0 <= values <= 9.", "-1", True),
    ],
)
def test_an_adjective_demands_something_when_it_is_said_of_a_parameter(
    docstring: str, argument: str, is_demanded: bool
) -> None:
    strictly = Contract.read_strictly(docstring, ("values",))
    scenario = Scenario.of(call(argument))
    assert strictly.allows(scenario) is not is_demanded
    assert not Contract.read(docstring, ("values",)).allows(scenario)


def test_other_functions_have_contracts_of_their_own() -> None:
    other = Scenario((Step(call("-1"), callee="other"),))
    assert Contract.read("values >= 0", ("values",)).allows(other)


@pytest.mark.parametrize(
    ("docstring", "allowed", "excluded"),
    [
        ("The value, not below low; low <= high.", ("1", "2"), ("2", "1")),
        ("With low < high", ("1", "2"), ("2", "2")),
        ("Requires 0 <= low <= high.", ("1", "2"), ("3", "2")),
        ("Numbers from low (>= 1).", ("1", "0"), ("0", "0")),
        ("low consists of ASCII letters and digits.", ("'a1'", "'b'"), ("'a_1'", "'b'")),
        ("The text must be ASCII.", ("'-'", "'b'"), ("'\\u0660'", "'b'")),
    ],
)
def test_what_is_said_of_two_parameters_or_of_characters_is_heard(
    docstring: str, allowed: tuple[str, str], excluded: tuple[str, str]
) -> None:
    contract = Contract.read(docstring, ("low", "high"))
    for sources, expected in ((allowed, True), (excluded, False)):
        call = Call(tuple(map(Expression, sources)))
        assert contract.allows(Scenario.of(call)) is expected


@pytest.mark.parametrize(
    "docstring",
    [
        "Whether low < high.",
        "Returns low if low < high, else high.",
        "The result consists of letters and digits.",
        "Also for names that are not ASCII.",
    ],
)
def test_what_is_done_is_not_what_is_demanded(docstring: str) -> None:
    contract = Contract.read(docstring, ("low", "high"))
    assert contract.allows(Scenario.of(Call((Expression("'\\u0660'"), Expression("''")))))
    assert contract.allows(Scenario.of(Call((Expression("5"), Expression("1")))))
