"""What holds for every source, whatever it says."""

import ast
import random
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from reverie.inputs import generate_calls, mutate_call, read, shrink_call
from reverie.inputs.rehearsal import refusal

WORDS = st.sampled_from(["a", "b", "items", "path", "count", "key", "fillchar", "delta", "other"])
PLAIN = st.sampled_from(
    ["int", "str", "bytes", "float", "bool", "None", "Any", "Point", "Colour", "T", "Reader",
     "datetime.timedelta", "'Point'", "Unheard", "object", "Callable[[int], str]", "Later"]
)  # fmt: skip
TYPES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        inner.map("list[{}]".format),
        inner.map("Optional[{}]".format),
        inner.map("tuple[{}, ...]".format),
        st.tuples(inner, inner).map(lambda pair: f"dict[{pair[0]}, {pair[1]}]"),
        st.tuples(inner, inner).map(lambda pair: f"Union[{pair[0]}, {pair[1]}]"),
    ),
    max_leaves=4,
)
CONDITIONS = st.sampled_from(
    ["{0} is None", "not {0}", "isinstance({0}, (str, list))", "len({0}) == 1", "{0} > 3",
     "{0}.days", "{0}.startswith('a')", "any(x for x in {0})", "{0}[0] in ('a', 1)", "check({0})",
     "{0} % 2", "'k' in {0}", "{0}['k'] == 'v'", "sorted({0})[0]", "self.x"]
)  # fmt: skip
BODIES = st.sampled_from(
    ["raise TypeError('no')", "return {0}", "raise ValueError({0})", "pass", "{0} = {0} * 2",
     "{0}.append(1)", "{0}.sort(key=lambda x: -len(x))", "while {0}: {0} = None",
     "for x, y in {0}: print(x)", "assert {0} != 3, 'x'", "yield {0}"]
)  # fmt: skip
HEADER = """
import datetime, enum
from dataclasses import dataclass
from typing import *
T = TypeVar("T")
class Colour(enum.Enum):
    RED = 1
@dataclass
class Point:
    x: int
    y: "Point | None" = None
class Reader(Protocol):
    def read(self, n: int) -> bytes: ...
class Later:
    value: int
    def get(self): return self.value
def check(x): return x[0] if x else x + 1
"""


@st.composite
def sources(draw: st.DrawFn) -> tuple[str, str]:
    """A module, and the name of a function or of a method of a guarded class in it."""
    names = draw(st.lists(WORDS, min_size=1, max_size=3, unique=True))
    kinds = [draw(st.none() | TYPES) for _ in names]
    given_default = draw(st.booleans())
    taken = [
        name if kind is None else f"{name}: {kind}" for name, kind in zip(names, kinds, strict=True)
    ]
    taken[-1] += " = None" if given_default else ""
    lines = [
        f"if {draw(CONDITIONS).format(draw(st.sampled_from(names)))}:\n"
        f"            {draw(BODIES).format(draw(st.sampled_from(names)))}"
        for _ in range(draw(st.integers(0, 3)))
    ]
    body = "\n        ".join(["self = None", *lines])
    listed = ", ".join(taken)
    function = f"if True:\n    def f({listed}):\n        {body}\n"
    held = body.replace("self = None", "pass")
    method = f"class C:\n    def __init__(self, {listed}):\n        {held}\n    def m(self): ...\n"
    return f"{HEADER}{function}{method}", draw(st.sampled_from(["f", "C", "C.m"]))


@given(sources(), st.integers(0, 99))
def test_calls_are_made_for_every_source_and_are_expressions(
    made: tuple[str, str], seed: int
) -> None:
    source, name = made
    calls = generate_calls(source, name, seed=seed, count=4)
    assert calls
    assert calls == generate_calls(source, name, seed=seed, count=4)
    for call in calls:
        ast.parse(call.preamble)
        ast.parse(call.render(name), mode="eval")
        assert call.render(name).isascii()


@given(sources(), st.integers(0, 99))
def test_the_rehearsal_of_any_neighbour_has_an_end(made: tuple[str, str], seed: int) -> None:
    source, name = made
    shape = read(source, name)
    for call in generate_calls(source, name, seed=seed, count=2):
        neighbour = mutate_call(call, random.Random(seed))
        ast.parse(neighbour.render(name), mode="eval")
        assert refusal(shape, neighbour) == refusal(shape, neighbour)


@given(sources(), st.integers(0, 99))
def test_shrinking_always_gets_smaller_and_ends(made: tuple[str, str], seed: int) -> None:
    source, name = made
    call = generate_calls(source, name, seed=seed, count=2)[-1]
    size = len(call.render(name))
    for _ in range(size + 300):
        smaller = next(shrink_call(call), None)
        if smaller is None:
            break
        ast.parse(smaller.render(name), mode="eval")
        assert (len(smaller.render("f")), smaller.render("f")) < (
            len(call.render("f")),
            call.render("f"),
        )
        call = smaller
    assert not list(islice(shrink_call(call), 1))
