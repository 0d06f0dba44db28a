import ast
import inspect
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.instruments.mutation.inside import sites as sites_module
from reverie.instruments.mutation.inside.sites import Survey, Text

REAL = [Path(inspect.getfile(module)).read_bytes() for module in (textwrap, sites_module)]


def changes(code: str, exhaustive: bool = False, shortcuts: bool = False) -> dict[str, list[str]]:
    """What each operator makes of a piece of code, as text."""
    source = textwrap.dedent(code).encode()
    text = Text(source)
    found: dict[str, list[str]] = {}
    for site in Survey(source, exhaustive, shortcuts).sites:
        start, end = text.span(site.node)
        written = text.replacing(site)
        assert written is not None
        changed = source[:start] + written.encode() + source[end:]
        found.setdefault(site.operator, []).append(changed.decode())
    return found


@pytest.mark.parametrize(
    ("operator", "before", "after"),
    [
        ("compare_lt_lte", "x = a < b", "x = a <= b"),
        ("compare_lt_gte", "x = a < b", "x = a >= b"),
        ("compare_notin_in", "x = a not in b", "x = a in b"),
        ("compare_is_isnot", "x = a is b", "x = a is not b"),
        ("arithmetic_add_sub", "x = (a) + (b)", "x = (a) - (b)"),
        ("arithmetic_floordiv_div", "x = a // b", "x = a / b"),
        ("logic_and_or", "x = a and b and c", "x = a or b or c"),
        ("drop_not", "x = not (a or b)", "x = (a or b)"),
        ("number_down", "x = y[0]", "x = y[-1]"),
        ("number_up", "x = 1.5", "x = 2.5"),
        ("boolean", "x = True", "x = False"),
        ("string_affix", "x = 'a'", "x = 'XXaXX'"),
        ("string_upper", "x = 'a'", "x = 'A'"),
        ("string_affix", "x = f'{a} b'", "x = f'XX{a} bXX'"),
        ("negate", "if a:\n    b()", "if not (a):\n    b()"),
        ("argument_none", "x = f(a)", "x = f(None)"),
        ("drop_argument", "x = f(a, k=b)", "x = f(k=b)"),
        ("dict_key", "x = dict(a=1, b=2)", "x = dict(aXX=1, b=2)"),
        ("method_lower_upper", "x = a.lower()", "x = a.upper()"),
        ("method_split_rsplit", "x = a.split(',', 1)", "x = a.rsplit(',', 1)"),
        ("lambda_body", "x = lambda a: a", "x = lambda a: None"),
        ("assign", "x = f()", "x = None"),
        ("assign", "x = None", "x = ''"),
        ("augmented_assign", "x += 1", "x = 1"),
        ("augmented_add_sub", "x += 1", "x -= 1"),
        ("drop_call", "f()", "pass"),
        ("no_iteration", "for a in b:\n    pass", "for a in []:\n    pass"),
        ("except_nothing", "try:\n    f\nexcept E:\n    g", "try:\n    f\nexcept ():\n    g"),
        ("drop_decorator", "@d\ndef f():\n    g", "@lambda decorated: decorated\ndef f():\n    g"),
        ("return_none", "def f():\n    return a", "def f():\n    return None"),
        ("drop_raise", "def f():\n    raise a", "def f():\n    pass"),
        ("break_continue", "for a in b:\n    break", "for a in b:\n    continue"),
        ("continue_break", "for a in b:\n    continue", "for a in b:\n    break"),
        ("copy_depth", "x = deepcopy(a)", "x = copy(a)"),
    ],
)
def test_an_operator_makes_the_change_it_is_named_for(
    operator: str, before: str, after: str
) -> None:
    assert after in changes(before).get(operator, [])


@pytest.mark.parametrize(
    ("operator", "before", "after"),
    [
        ("as_it_came", "x = sorted(a, key=b)", "x = list(a)"),
        ("as_it_came", "x = set(a)", "x = list(a)"),
        ("first_choice", "x = max(a, 0)", "x = 0"),
        ("call_argument", "x = unique([a])", "x = [a]"),
        ("keep_all", "x = [a for a in b if f(a)]", "x = [a for a in b if True]"),
    ],
)
def test_a_shortcut_leaves_out_what_only_a_telling_input_notices(
    operator: str, before: str, after: str
) -> None:
    assert after in changes(before, shortcuts=True).get(operator, [])
    assert operator not in changes(before)


def test_calls_of_what_python_offers_are_no_shortcut() -> None:
    assert "call_argument" not in changes("x = str(a)\ny = Point(a)", shortcuts=True)


def test_a_break_becomes_a_return_only_in_a_function() -> None:
    loop = "for a in b:\n    break\n"
    assert "break_return" not in changes(loop)
    assert "break_return" in changes("def f():\n" + textwrap.indent(loop, "    "))


def test_cases_of_a_match_are_dropped_one_by_one() -> None:
    code = "match a:\n    case 1:\n        b = 2\n    case _:\n        c = 3\n"
    dropped = changes(code)["drop_case"]
    assert [("case 1" in each, "case _" in each) for each in dropped] == [
        (False, True),
        (True, False),
    ]


def test_exhaustive_replaces_every_operator_by_every_other() -> None:
    assert {name for name in changes("x = a + b", True) if name.startswith("arith")} > {
        "arithmetic_add_sub",
        "arithmetic_add_pow",
        "arithmetic_add_bitxor",
    }
    assert len([name for name in changes("x = a < b", True) if name.startswith("comp")]) == 5


@pytest.mark.parametrize(
    "code",
    [
        '"""Says something."""',
        "import a",
        "__all__ = ['a']",
        "if TYPE_CHECKING:\n    x = 1",
        "if __name__ == '__main__':\n    f()",
        "x = 1  # pragma: no mutate",
        "x: 'int'",
        "n = len(a)[:]",
    ],
)
def test_what_no_test_could_notice_is_left_alone(code: str) -> None:
    assert set(changes(code)) <= {"assign"}


@pytest.mark.parametrize("source", REAL)
def test_the_text_of_a_mutant_is_its_tree(source: bytes) -> None:
    text = Text(source)
    count = len(Survey(source).sites)
    assert count > 100
    for number in range(0, count, max(1, count // 12)):
        survey = Survey(source)
        site = survey.sites[number]
        start, end = text.span(site.node)
        written = text.replacing(site)
        assert written is not None
        site.apply()
        changed = source[:start] + written.encode() + source[end:]
        assert ast.dump(ast.parse(changed)) == ast.dump(survey.tree), site.operator


names = st.sampled_from(["a", "b", "f(a, 1)", "(not a)", "-1", "'é'", "(a if b else c)", "[a][0]"])
expressions = st.recursive(
    names,
    lambda inner: st.builds(
        "({} {} {})".format,
        inner,
        st.sampled_from(["+", "<", "and", "or", "**", "is not", "not in", "%"]),
        inner,
    ),
    max_leaves=5,
)


@settings(max_examples=25)
@given(expressions)
def test_the_text_of_any_expression_is_its_tree(expression: str) -> None:
    source = f"def g(a, b, c):\n    x = 'ü', {expression}\n    return x\n".encode()
    text = Text(source)
    for number in range(len(Survey(source).sites)):
        survey = Survey(source)
        site = survey.sites[number]
        start, end = text.span(site.node)
        written = text.replacing(site)
        assert written is not None
        site.apply()
        changed = source[:start] + written.encode() + source[end:]
        assert ast.dump(ast.parse(changed)) == ast.dump(survey.tree)


def test_sites_know_the_function_that_is_compiled_for_them() -> None:
    code = b"class A:\n    x = 1\n    def m(self, d=2):\n        def n():\n            return 3\n"
    found = {
        ast.unparse(site.node): site for site in Survey(code).sites if site.operator == "number_up"
    }
    assert found["1"].unit is None
    assert found["2"].unit is None
    unit = found["3"].unit
    assert unit is not None
    assert (unit.qualname, unit.line, found["3"].scope) == ("A.m", 3, "A.m.n")
