"""Every kind of type has values, and they are of that type."""

import ast
import sys
from collections.abc import Callable
from typing import Any

import pytest

from reverie.inputs import generate_calls

Perform = Callable[..., Any]

HEAD = """
from __future__ import annotations
import abc, asyncio, collections, contextlib, dataclasses, datetime, decimal, enum, functools, io
import pathlib, re, typing, uuid
from collections.abc import *
from dataclasses import dataclass, field
from typing import *

class Colour(enum.Enum):
    RED = 1
    BLUE = 2

@dataclass
class Point:
    x: int
    y: float = 0.0
    tags: list[str] = field(default_factory=list)
    cached: int = field(init=False, default=0)

class Options(TypedDict):
    a: int
    b: NotRequired[str]

class Pair(NamedTuple):
    left: int
    right: str = ""

Old = collections.namedtuple("Old", "one two")
Made = enum.Enum("Made", "UP DOWN")

class Named(Protocol):
    name: str
    def greet(self, whom: str) -> str: ...

class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> float: ...

class Square(Shape):
    def __init__(self, side: int) -> None: self.side = side
    def area(self) -> float: return float(self.side)

class Abstract(abc.ABC):
    @abc.abstractmethod
    def run(self, n: int) -> list[int]: ...

class Outer:
    class Inner:
        def __init__(self, n: int) -> None: self.n = n

class Problem(ValueError):
    pass

UserId = NewType("UserId", int)
T = TypeVar("T")
Small = TypeVar("Small", bound=int)
Text = TypeVar("Text", str, bytes)
P = ParamSpec("P")
Names = list[str]
Couple = tuple[T, T]
Json = Union[None, int, str, list["Json"], dict[str, "Json"]]
"""

CASES = [
    ("int", "type(x) is int"),
    ("float", "type(x) is float"),
    ("complex", "type(x) is complex"),
    ("bytes", "type(x) is bytes"),
    ("decimal.Decimal", "type(x) is decimal.Decimal"),
    ("datetime.datetime", "type(x) is datetime.datetime"),
    ("datetime.date", "type(x) is datetime.date"),
    ("datetime.timedelta", "type(x) is datetime.timedelta"),
    ("pathlib.Path", "isinstance(x, pathlib.Path) and not x.is_absolute()"),
    ("uuid.UUID", "type(x) is uuid.UUID"),
    ("re.Pattern[str]", "isinstance(x, re.Pattern)"),
    ("Colour", "type(x) is Colour"),
    ("Made", "type(x) is Made"),
    ("Literal['a', 3]", "x in ('a', 3)"),
    ("Optional[int]", "x is None or type(x) is int"),
    ("int | str", "type(x) in (int, str)"),
    ("'int'", "type(x) is int"),
    ("list[dict[str, tuple[int, ...]]]",
     "all(type(v) is tuple for d in x for v in d.values()) and type(x) is list"),
    ("set[int]", "type(x) is set"),
    ("frozenset[str]", "type(x) is frozenset"),
    ("tuple[int, str]", "len(x) == 2 and type(x[1]) is str"),
    ("collections.defaultdict[str, list[int]]", "x[()] == []"),
    ("collections.deque[int]", "type(x) is collections.deque"),
    ("collections.Counter[str]", "type(x) is collections.Counter"),
    ("Callable[[int, int], int]", "type(x(1, 2)) is int"),
    ("Callable[..., str]", "type(x(1, k=2)) is str"),
    ("Callable[[int], Awaitable[str]]", "type(asyncio.run(x(1))) is str"),
    ("Iterator[int]", "all(type(i) is int for i in x) and next(x, None) is None"),
    ("Generator[int, None, None]", "all(type(i) is int for i in x)"),
    ("Iterable[str]", "all(type(i) is str for i in x)"),
    ("AsyncIterator[int]", "hasattr(x, '__anext__')"),
    ("ContextManager[int]", "hasattr(x, '__enter__')"),
    ("typing.IO[str]", "type(x.read()) is str"),
    ("typing.BinaryIO", "type(x.read()) is bytes"),
    ("io.StringIO", "type(x) is io.StringIO"),
    ("Point", "type(x) is Point and type(x.x) is int"),
    ("Options", "type(x['a']) is int and type(x.get('b', '')) is str"),
    ("Pair", "type(x) is Pair and type(x.left) is int"),
    ("Old", "type(x) is Old"),
    ("Named", "type(x.name) is str and type(x.greet('a')) is str"),
    ("Shape", "type(x) is Square"),
    ("Abstract", "isinstance(x, Abstract) and all(type(i) is int for i in x.run(1))"),
    ("Outer.Inner", "type(x) is Outer.Inner"),
    ("Problem", "type(x) is Problem"),
    ("type[Point]", "x is Point"),
    ("UserId", "type(x) is int"),
    ("Small", "type(x) is int"),
    ("Text", "type(x) in (str, bytes)"),
    ("Names", "all(type(i) is str for i in x)"),
    ("Couple[int]", "[type(i) for i in x] == [int, int]"),
    ("Couple[T]", "type(x[0]) is type(x[1]) and type(x[0]) in (int, str)"),
    ("Json", "x is None or type(x) in (int, str, list, dict)"),
    ("Annotated[int, Gt(3), Le(9)]", "3 < x <= 9"),
    ("Annotated[str, Field(min_length=2, max_length=4)]", "2 <= len(x) <= 4"),
    ("Annotated[list[int], MinLen(2)]", "len(x) >= 2"),
    ("Annotated[float, Interval(ge=0, le=1)]", "0 <= x <= 1"),
    ("Annotated[int, MultipleOf(5)]", "x % 5 == 0"),
    ("functools.partial[int]", "callable(x)"),
    ("SupportsInt", "type(int(x)) is int"),
    ("Sequence[Point]", "all(type(i) is Point for i in x)"),
    ("Mapping[Colour, Pair]", "all(type(k) is Colour for k in x)"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "check"), CASES, ids=[kind for kind, _ in CASES])
def test_values_are_of_their_type(kind: str, check: str, perform: Perform) -> None:
    source = f"{HEAD}\ndef f(x: {kind}): return bool({check})\n"
    calls = generate_calls(source, "f", count=15)
    assert calls
    for call in calls:
        assert perform(source, "f", call), call.render("f")


def test_one_type_variable_means_one_type_in_a_call(perform: Perform) -> None:
    source = f"{HEAD}\ndef f(x: T, y: list[T]): return {{type(x)}} >= {{type(i) for i in y}}\n"
    for call in generate_calls(source, "f", count=20):
        assert perform(source, "f", call), call.render("f")


def test_a_callable_with_parameters_of_its_own_takes_what_is_passed_on(perform: Perform) -> None:
    source = f"""{HEAD}
def f(func: Callable[P, int], *args: P.args, **kwargs: P.kwargs): return func(*args, **kwargs)
"""
    for call in generate_calls(source, "f", count=10):
        assert type(perform(source, "f", call)) is int


def test_unpacked_keywords_are_the_fields_of_their_record(perform: Perform) -> None:
    source = f"{HEAD}\ndef f(**options: Unpack[Options]): return options\n"
    for call in generate_calls(source, "f", count=10):
        assert {"a"} <= set(perform(source, "f", call)) <= {"a", "b"}


def test_attrs_and_pydantic_classes_are_made_by_their_fields() -> None:
    source = """
import attrs
from pydantic import BaseModel, Field
@attrs.define
class A:
    _hidden: int
    name: str = "x"
class M(BaseModel):
    size: int = Field(gt=5, lt=8)
    note: str | None = None
def f(a: A, m: M): ...
"""
    for call in generate_calls(source, "f", count=10):
        a, m = (each.source for each in call.args)
        assert a.startswith("A(hidden=")
        assert m in ("M(size=6)", "M(size=7)") or "note=" in m


def test_numpy_and_pandas_stay_expressions() -> None:
    source = "import numpy as np, pandas as pd\ndef f(a: np.ndarray, b: pd.DataFrame): ..."
    for call in generate_calls(source, "f", count=5):
        assert call.modules <= {"numpy", "pandas"}
        assert call.args[1].source.startswith("pandas.DataFrame(")


def test_a_type_of_another_module_is_read_there() -> None:
    other = "class Deep:\n    def __init__(self, n: int): ...\nAlias = list[Deep]\n"
    source = "from .types import Alias\ndef f(x: Alias): ..."
    resolver = {"pkg.types": other}.get
    calls = generate_calls(source, "f", module="pkg.main", resolver=resolver, count=5)
    assert any("pkg.types.Deep(" in call.render("f") for call in calls)
    assert {name for call in calls for name in call.modules} == {"pkg.types"}


def test_an_unknown_type_gets_a_stand_in_of_its_class() -> None:
    source = "import requests\ndef f(s: requests.Session): ..."
    call = generate_calls(source, "f", count=1)[0]
    assert call.args[0].source == "unittest.mock.MagicMock(__class__=requests.Session)"
    assert call.modules == {"unittest.mock", "requests"}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this Python cannot read PEP 695")
def test_type_parameters_of_their_own_syntax(perform: Perform) -> None:
    source = """
type Pair[T] = tuple[T, T]
class Box[T]:
    def __init__(self, value: T): self.value = value
def f[T: int](x: T, y: Pair[T], z: Box[T]): return [type(each) for each in (x, *y, z)]
"""
    for call in generate_calls(source, "f", count=10):
        assert [each.__name__ for each in perform(source, "f", call)] == [
            "int",
            "int",
            "int",
            "Box",
        ]


def test_a_called_typed_dict_may_have_keys_that_are_words_of_the_language() -> None:
    source = (
        "from typing import TypedDict\n"
        "Mail = TypedDict('Mail', {'from': str, 'reply-to': int})\n"
        "def send(mail: Mail) -> None: ...\n"
    )
    (call,) = generate_calls(source, "send", count=1)
    assert set(ast.literal_eval(call.args[0].source)) == {"from", "reply-to"}
