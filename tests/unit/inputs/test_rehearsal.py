"""A call is held against the guards of the code before it is made."""

from collections.abc import Callable
from typing import Any

import pytest

from reverie.inputs import generate_calls, read
from reverie.inputs.rehearsal import refusal
from reverie.model.call import Call, Expression


def verdict(source: str, name: str, *args: str, **kwargs: str) -> str | None:
    given = tuple(map(Expression, args))
    named = tuple((key, Expression(value)) for key, value in kwargs.items())
    return refusal(read(source, name), Call(given, named))


CLOCK = """
def later(delta):
    if delta.days:
        raise TypeError("no days")
    return delta
"""


def test_an_attribute_of_a_plain_value_decides() -> None:
    days = Expression("datetime.timedelta(days=1)", frozenset({"datetime"}))
    hours = Expression("datetime.timedelta(hours=1)", frozenset({"datetime"}))
    shape = read(CLOCK, "later")
    assert refusal(shape, Call((days,))) == "TypeError"
    assert refusal(shape, Call((hours,))) is None


PAIR = """
def pair(a=None, *, b=None):
    if a is None and b is None:
        raise TypeError("one of them")
"""


def test_parameters_that_need_one_another_are_seen_together() -> None:
    assert verdict(PAIR, "pair") == "TypeError"
    assert verdict(PAIR, "pair", "3") is None
    assert verdict(PAIR, "pair", b="0") is None


KINDS = """
from collections.abc import Mapping

class Own: ...

def check(x):
    if not isinstance(x, (int, Mapping)) or isinstance(x, Own):
        raise TypeError(type(x))
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [("3", None), ("{'a': 1}", None), ("'text'", "TypeError"), ("[1]", "TypeError")],
)
def test_isinstance_is_answered_for_plain_values(given: str, expected: str | None) -> None:
    assert verdict(KINDS, "check", given) == expected


def test_an_instance_of_the_code_is_not_judged() -> None:
    own = Call((Expression("Own()", names=frozenset({"Own"})),))
    assert refusal(read(KINDS, "check"), own) is None


LINE = """
class Base:
    def __init__(self, names, exposed=True, **rest):
        self.name = self._parse(names or (), exposed)
        if "colour" in rest:
            raise ValueError("no colour")

    def _parse(self, names, exposed):
        raise NotImplementedError

class Named(Base):
    def __init__(self, names=None, **rest):
        super().__init__(names, **rest)

    def _parse(self, names, exposed):
        found = None
        for each in names:
            if each.isidentifier():
                if found is not None:
                    raise TypeError("twice")
                found = each
        if found is None and exposed:
            raise TypeError("no name")
        return found
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((), "TypeError"),
        (("['-']",), "TypeError"),
        (("['a', 'b']",), "TypeError"),
        (("['a', '-']",), None),
    ],
)
def test_constructors_are_followed_through_their_bases(
    given: tuple[str, ...], expected: str | None
) -> None:
    assert verdict(LINE, "Named", *given) == expected


def test_what_a_base_says_about_keywords_is_seen() -> None:
    assert verdict(LINE, "Named", "['a']", colour="1") == "ValueError"
    assert verdict(LINE, "Named", exposed="False") is None


def test_calls_of_a_guarded_class_are_accepted_by_it(perform: Callable[..., Any]) -> None:
    source = f"{LINE}\n    def shout(self) -> str: return self.name\n"
    calls = generate_calls(source, "Named.shout", count=10)
    spared = [call for call in calls if call.receiver and call.receiver.source == "Named()"]
    assert len(spared) <= 1, "one that is refused may stay among the others"
    for call in calls:
        if call not in spared:
            assert perform(source, "Named.shout", call).isidentifier()


UNKNOWABLE = """
import os

def probe(x):
    if os.environ.get("MODE"):
        return 1
    raise TypeError("never certain")

def caught(x):
    try:
        raise TypeError("inside")
    except TypeError:
        return x

def looped(x):
    while True:
        x += 1
    raise TypeError("not reached")
"""


@pytest.mark.parametrize("name", ["probe", "caught", "looped"])
def test_there_is_no_verdict_where_the_way_is_not_known(name: str) -> None:
    assert verdict(UNKNOWABLE, name, "1") is None


def test_an_endless_guard_ends_without_verdict() -> None:
    source = "def f(x):\n    return g(x)\ndef g(x):\n    return f([x, x] + [x for x in x])\n"
    assert verdict(source, "f", "[1, 2, 3]") is None


def test_refused_calls_are_a_tenth_at_most() -> None:
    source = "def f(x: int):\n    if x % 2:\n        raise TypeError('odd')\n    return x"
    few = generate_calls(source, "f", count=5)
    assert all(int(call.args[0].source) % 2 == 0 for call in few)
    many = generate_calls(source, "f", count=20)
    odd = [call for call in many if int(call.args[0].source) % 2]
    assert 1 <= len(odd) <= 2


def test_a_metaclass_can_refuse_too() -> None:
    source = """
class Meta(type):
    def __call__(cls, a=False, b=True):
        if a and b:
            raise ValueError("not both")
        return super().__call__(a, b)

class Lock(metaclass=Meta):
    def __init__(self, a=False, b=True):
        self.a = a
"""
    assert verdict(source, "Lock", "True") == "ValueError"
    assert verdict(source, "Lock", "True", "False") is None
