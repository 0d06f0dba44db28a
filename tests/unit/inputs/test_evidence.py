"""Parameters without annotation: what is concluded from the code, the docstring and the name."""

import ast
from collections.abc import Callable
from typing import Any

import pytest

from reverie.inputs import generate_calls, read
from reverie.inputs.evidence import inferred
from reverie.inputs.evidence.conclude import readable

Perform = Callable[..., Any]


def concluded(source: str, name: str = "x") -> str:
    shape = read(source, "f")
    parameter = next(each for each in shape.parameters if each.name == name)
    return ast.unparse(inferred(parameter).node)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return x.lower()", "str"),
        ("return x + '!'", "str"),
        ("return x % 2", "int"),
        ("return x * 1.5", "float"),
        ("return x == 'a'", "str"),
        ("return x in ('a', 'b')", "str"),
        ("return x.decode()", "bytes"),
        ("return x.strftime('%Y')", "datetime.datetime"),
        ("return x.year", "datetime.datetime"),
        ("return x.read_text()", "pathlib.Path"),
        ("return x.readline()", "TextIO"),
        ("return x.popleft()", "collections.deque[int]"),
        ("return isinstance(x, bytes)", "bytes"),
        ("for a, b in x: a.strip(), b + 1", "Iterable[tuple[str, int]]"),
        ("return [y.upper() for y in x]", "Iterable[str]"),
        ("return x[0] + len(x)", "list[int]"),
        ("return sum(x)", "Iterable[int]"),
        ("return sorted(x, key=lambda r: r[1])", "Iterable[list[int]]"),
        ("for k, v in x.items(): k.upper(), v + 1", "dict[str, int]"),
        ("return x(1, 2)", "Callable[[Any, Any], Any]"),
        ("return [x(i) for i in range(3)]", "Callable[[Any], Any]"),
        ("return ','.join(x)", "Iterable[str]"),
        ("return range(x)", "int"),
        ("return open(x)", "str"),
        ("a, b = x; return a + 1", "tuple[int, int]"),
        ("return help_(x)\ndef help_(t): return t.upper()", "str"),
    ],
)
def test_what_the_code_does_tells_the_type(body: str, kind: str) -> None:
    first, *rest = body.split("\n")
    source = "\n".join((f"def f(x):\n    {first}", *rest))
    assert concluded(source) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [("n", "int"), ("text", "str"), ("items", "list[int]"), ("is_open", "bool"), ("qqq", "int")],
)
def test_the_name_tells_the_type_when_nothing_else_does(name: str, kind: str) -> None:
    assert concluded(f"def f({name}): ...", name) == kind


def test_what_is_only_asked_for_its_truth_is_a_flag() -> None:
    assert concluded("def f(qqq):\n    if not qqq: return 1", "qqq") == "bool"


def test_a_default_tells_the_type() -> None:
    assert concluded("def f(x=1.5): ...") == "float"
    assert concluded("def f(x=True): return x.lower()") == "bool"


@pytest.mark.parametrize(
    ("docstring", "kind"),
    [
        ("x : list of int\n    The values.", "list[int]"),
        ("Args:\n    x (str): words", "str"),
        ("Args:\n    x (int, optional): words", "int"),
        (":param x: it\n:type x: dict or None", "dict | None"),
        (":param float x: it", "float"),
        ("x : {'a', 'b'}", "Literal['a', 'b']"),
        ("Example:\n\n    >>> f([(1, 'a')])\n", "list[tuple[int, str]]"),
    ],
)
def test_the_docstring_tells_the_type(docstring: str, kind: str) -> None:
    node = ast.parse("def f(x): ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    node.body = [ast.Expr(ast.Constant(docstring))]
    assert concluded(ast.unparse(ast.fix_missing_locations(node))) == kind


@pytest.mark.parametrize("text", ["something odd", "a thing of beauty", "", "{x, y}"])
def test_prose_is_not_taken_for_a_type(text: str) -> None:
    assert readable(text) is None


def test_keys_that_are_asked_for_make_a_record(perform: Perform) -> None:
    source = """
def f(users):
    return [u["name"].upper() + u.get("title", "") for u in users if u["age"] > 17]
"""
    for call in generate_calls(source, "f", count=20):
        perform(source, "f", call)  # neither KeyError nor AttributeError


def test_a_bare_dict_is_made_exact_by_its_use(perform: Perform) -> None:
    source = "def f(user: dict): return user['name'].upper(), user['tags'][0] + 1"
    rendered = [call.render("f") for call in generate_calls(source, "f", count=10)]
    assert all("'name':" in each and "'tags':" in each for each in rendered)


def test_attributes_that_are_read_make_a_stand_in(perform: Perform) -> None:
    source = "def f(job): return job.title.upper() + job.describe().lower()"
    for call in generate_calls(source, "f", count=5):
        perform(source, "f", call)


def test_what_methods_do_with_an_attribute_types_the_constructor(perform: Perform) -> None:
    source = """
class Log:
    def __init__(self, lines):
        self.lines = lines
    def last(self):
        return self.lines[-1].strip() if self.lines else ""
"""
    for call in generate_calls(source, "Log.last", count=10):
        assert type(perform(source, "Log.last", call)) is str


def test_constants_a_parameter_is_compared_with_are_tried() -> None:
    source = "def f(status, zone):\n    return status > 429 and zone == 'overseas'"
    rendered = " ".join(call.render("f") for call in generate_calls(source, "f", count=20))
    assert any(f"f({number}," in rendered for number in (428, 429, 430))
    assert "'overseas'" in rendered


def test_calls_that_the_docstring_shows_come_first() -> None:
    source = 'def f(a, b=2):\n    """\n    >>> f("x", b=7)\n    1\n    """'
    assert generate_calls(source, "f", count=3)[0].render("f") == "f('x', b=7)"
