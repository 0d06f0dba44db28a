import math
from typing import Any

import pytest

from reverie import SyntheticTestGenerator, UsageError
from reverie.inputs import (
    Hostility,
    NotMadeHere,
    evaluate,
    generate_calls,
    hostile_calls,
    misused_calls,
)
from reverie.model.call import Expression

CODE = "def process(items: list, threshold: int = 10) -> dict: ..."


def test_variants_have_every_parameter_by_name() -> None:
    variants = SyntheticTestGenerator(seed=42).generate_test_inputs(CODE, num_variants=5)
    assert len(variants) == 5
    for each in variants:
        assert list(each) == ["items", "threshold"]
        assert (type(each["items"]), type(each["threshold"])) == (list, int)


def test_the_seed_decides() -> None:
    first, again, other = (SyntheticTestGenerator(seed).generate_test_inputs(CODE, 5)
                           for seed in (1, 1, 2))  # fmt: skip
    assert first == again != other


def test_edge_cases_start_with_empty_large_and_null() -> None:
    empty, large, null, *_ = SyntheticTestGenerator().generate_edge_case_inputs(CODE)
    assert empty == {"items": [], "threshold": 0}
    assert len(large["items"]) == 10_000
    assert null == {"items": None, "threshold": None}


def test_edge_cases_hold_what_is_beyond_ascii_and_not_a_number() -> None:
    code = "def f(text: str, ratio: float): ..."
    cases = SyntheticTestGenerator().generate_edge_case_inputs(code)
    assert any(not str(each["text"]).isascii() for each in cases)
    assert any(isinstance(r := each["ratio"], float) and not math.isfinite(r) for each in cases)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (CODE, "dict"),
        ("def f() -> 'list[int]': ...", "list[int]"),
        ("def f(x): return [x]", "list"),
        ("def f(x): return 1 if x else 2", None),
        ("def f(x):\n    if x: return 'a'\n    return f'{x}'", "str"),
        ("def f(x): return x", None),
    ],
)
def test_the_expected_output_type(code: str, kind: str | None) -> None:
    assert SyntheticTestGenerator().get_expected_output_type(code) == kind


def test_a_function_without_parameters_has_one_empty_variant() -> None:
    assert SyntheticTestGenerator().generate_test_inputs("def f(): ...", 5) == [{}]


@pytest.mark.parametrize("code", ["", "x = 1", "def f(:"])
def test_code_without_a_function_is_an_error(code: str) -> None:
    with pytest.raises(UsageError):
        SyntheticTestGenerator().generate_test_inputs(code, 1)


def test_no_variants_is_an_error_that_names_the_number() -> None:
    with pytest.raises(UsageError, match="not 0"):
        SyntheticTestGenerator().generate_test_inputs(CODE, 0)


def test_a_class_of_the_code_has_a_twin_with_its_fields() -> None:
    code = """
from dataclasses import dataclass
@dataclass
class Point:
    x: int
def f(p: Point): ...
"""
    point = SyntheticTestGenerator().generate_test_inputs(code, 1)[0]["p"]
    assert type(point).__name__ == "Point"
    assert type(point.x) is int


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("[1, (2,), {'a': {3}}]", [1, (2,), {"a": {3}}]),
        ("-1.5", -1.5),
        ("'a' * 3", "aaa"),
        ("list(range(3))", [0, 1, 2]),
        ("dict.fromkeys(map(str, range(2)), 0)", {"0": 0, "1": 0}),
        ("frozenset([1])", frozenset({1})),
        ("ValueError('x').args", ("x",)),
    ],
)
def test_expressions_are_evaluated_without_eval(source: str, value: Any) -> None:
    assert evaluate(Expression(source)) == value


def test_a_made_lambda_is_a_function() -> None:
    assert evaluate(Expression("(lambda a, b: b)"))(1, 2) == 2
    with pytest.raises(TypeError):
        evaluate(Expression("(lambda a: a)"))(1, 2)


@pytest.mark.parametrize(
    "source",
    ["__import__('os').getcwd()", "open('/etc/passwd')", "[x for x in (1, 2)]", "eval('1')",
     "().__class__.__bases__", "os.system('true')", "(1).__class__"],
)  # fmt: skip
def test_what_was_not_made_here_is_not_evaluated(source: str) -> None:
    try:
        value = evaluate(Expression(source))
    except (NotMadeHere, AttributeError):
        return
    assert type(value).__module__ in ("types", "reverie.inputs.evaluate")  # a twin, no real object


SOURCE = "def f(a: int, b: str, *, c: float = 0.5): ..."


@pytest.mark.parametrize(
    ("change", "hostility", "share"),
    [
        (hostile_calls, Hostility.LOW, 0.30),
        (hostile_calls, Hostility.HIGH, 0.50),
        (misused_calls, Hostility.LOW, 0.20),
        (misused_calls, Hostility.HIGH, 0.30),
    ],
)
def test_the_share_of_bad_calls_is_as_declared(change: Any, hostility: Any, share: float) -> None:
    calls = generate_calls(SOURCE, "f", count=600)
    changed = list(change(calls, hostility))
    assert abs(sum(each.change is not None for each in changed) / len(changed) - share) < 0.06
    for before, after in zip(calls, changed, strict=True):
        assert (after.change is None) == (before == after.call)
        compile(after.call.render("f"), "<call>", "eval")


def test_every_kind_of_payload_and_of_misuse_is_met() -> None:
    calls = generate_calls(SOURCE, "f", count=400)
    kinds = {each.change for each in hostile_calls(calls, Hostility.HIGH)}
    assert kinds == {None, "injection", "traversal", "long", "broken_json", "nul", "number", "none"}
    kinds = {each.change for each in misused_calls(calls, Hostility.HIGH)}
    assert kinds == {None, "extra_argument", "unknown_keyword", "wrong_type", "missing_argument",
                     "forbidden_file"}  # fmt: skip
