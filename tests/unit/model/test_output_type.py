from decimal import Decimal
from typing import Any

import pytest

from reverie.errors import RequestError
from reverie.model.measurements.output_type import (
    Mismatch,
    check_declaration,
    mismatch,
    validate_output,
)


@pytest.mark.parametrize(
    ("value", "declared", "claimed"),
    [
        (1, "int", "int"),
        (1, "float", "int"),
        (1.5, "float", "float"),
        (True, "bool", "bool"),
        ("x", "str", "str"),
        (None, "None", "NoneType"),
        (None, "NoneType", "NoneType"),
        (None, "Optional[int]", "NoneType"),
        (3, "typing.Optional[int]", "int"),
        (None, "int | None", "NoneType"),
        ("x", "Union[int, str]", "str"),
        ("x", "'str'", "str"),
        ([1, 2], "list", "list"),
        ([1, 2], "list[int]", "list"),
        ([], "list[int]", "list"),
        ([1, "x"], "list[int | str]", "list"),
        ([1, "x"], "tuple[int, str]", "tuple"),
        ([1, 2, 3], "tuple[int, ...]", "tuple"),
        ([], "tuple[int, ...]", "tuple"),
        ([1, 2], "tuple", "tuple"),
        ([1], "Sequence[int]", "tuple"),
        ([1], "Iterable[int]", "list"),
        ({"a": 1}, "dict", "dict"),
        ({"a": [1]}, "dict[str, list[int]]", "dict"),
        ({"a": 1}, "collections.abc.Mapping[str, int]", "dict"),
        ([[1], [2]], "list[tuple[int]]", "list"),
        ({"anything": [1]}, "Any", "dict"),
        ([1], "Whatever[int]", "list"),
    ],
)
def test_a_value_of_the_declared_type_fits(value: Any, declared: str, claimed: str) -> None:
    assert mismatch(value, declared, claimed) is None


@pytest.mark.parametrize(
    ("value", "declared", "claimed", "reason"),
    [
        (True, "int", "bool", "result is bool, not int"),
        (True, "float", "bool", "result is bool, not float"),
        (1, "bool", "int", "result is int, not bool"),
        (1.5, "int", "float", "result is float, not int"),
        (None, "str", "NoneType", "result is NoneType, not str"),
        (1, "None", "int", "result is int, not None"),
        ("x", "int | None", "str", "none of the alternatives"),
        ({"a": 1}, "list[int]", "dict", "result is dict, not list"),
        ([1], "dict[str, int]", "list", "result is list, not dict"),
        ([1, "x"], "list[int]", "list", "result[1] is str, not int"),
        ([1], "tuple[int]", "list", "result is list, not tuple"),
        ([1], "list[int]", "tuple", "result is tuple, not list"),
        ([1, 2], "tuple[int]", "tuple", "result has 2 items, not 1"),
        ([1, "x"], "tuple[int, ...]", "tuple", "result[1] is str, not int"),
        ({"a": [1, None]}, "dict[str, list[int]]", "dict", "result['a'][1] is NoneType, not int"),
        ({"k" * 99: "x"}, "dict[str, int]", "dict", "is str, not int"),
    ],
)
def test_the_first_mismatch_is_named(value: Any, declared: str, claimed: str, reason: str) -> None:
    found = mismatch(value, declared, claimed)
    assert found is not None
    assert found.startswith(f"expected {declared}: ")
    assert reason in found
    assert len(found) < 200


@pytest.mark.parametrize("declared", ["", "list[", "1 +", "\0", "(" * 10_000])
def test_what_is_no_type_is_refused(declared: str) -> None:
    with pytest.raises(RequestError, match="not a type"):
        check_declaration(declared)


@pytest.mark.parametrize(
    ("value", "declared"),
    [
        ((1, "x"), "tuple[int, str]"),
        ({1, 2}, "set[int]"),
        (frozenset({1}), "frozenset[int]"),
        ({1: [2.5]}, "dict[int, list[float]]"),
        (b"x", "bytes"),
        (Decimal(1), "decimal.Decimal"),
        ("a", "Literal['a', 'b']"),
        (3, "Annotated[int, Gt(0)]"),
        (range(3), "Sequence[int]"),
        (iter([1]), "Iterable[int]"),
        ({"a": (1, None)}, "dict[str, tuple[int, int | None]]"),
        (object(), "Whatever"),
    ],
)
def test_a_python_value_of_the_declared_type_fits(value: Any, declared: str) -> None:
    assert validate_output(value, declared) is None


@pytest.mark.parametrize(
    ("value", "declared", "path", "problem"),
    [
        ([1], "tuple[int]", "result", "is list, not tuple"),
        ((1, 2), "list[int]", "result", "is tuple, not list"),
        ([{"a": [1, (2, "x")]}], "list[dict[str, list[int | tuple[int, int]]]]",
         "result[0]['a'][1][1]", "is str, not int"),
        ({1: "x"}, "dict[str, str]", "result key 1", "is int, not str"),
        ({"x"}, "set[int]", "result[0]", "is str, not int"),
        ("c", "Literal['a', 'b']", "result", "is 'c', none of 'a', 'b'"),
        (True, "Literal[1]", "result", "is True, none of 1"),
        (1.0, "Decimal", "result", "is float, not Decimal"),
        ("x", "bytes", "result", "is str, not bytes"),
        ([1, None], "Optional[list[int]]", "result[1]", "is NoneType, not int"),
    ],
)  # fmt: skip
def test_the_path_of_the_first_mismatch_is_given(
    value: Any, declared: str, path: str, problem: str
) -> None:
    assert validate_output(value, declared) == Mismatch(path, problem)
