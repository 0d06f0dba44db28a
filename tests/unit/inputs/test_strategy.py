from hypothesis import Phase, find, given, settings

from reverie.inputs import read, strategy_for
from reverie.inputs.scope import folder_resolver
from reverie.inputs.signature import CallableKind
from reverie.model.call import Call

SOURCE = "def f(a: int, b: list[str], c: float = 1.5): ..."


@given(strategy_for(SOURCE, "f"))
def test_a_strategy_gives_calls_that_bind(call: Call) -> None:
    def f(a: int, b: list[str], c: float = 1.5) -> None: ...

    eval(call.render("f"), {"f": f})


def test_hypothesis_finds_and_shrinks_with_it() -> None:
    wanted = settings(phases=[Phase.generate, Phase.shrink])  # explaining tries larger ones again
    small = find(
        strategy_for(SOURCE, "f"), lambda call: call.args[1].source != "[]", settings=wanted
    )
    assert small.render("f") == "f(-20, ['a', 'a', 'a'])"  # the first of all options


def test_methods_class_methods_properties_and_constructors_are_told_apart() -> None:
    source = """
class A:
    def __init__(self, n: int): ...
    def m(self, x: int): ...
    @classmethod
    def c(cls, x: int): ...
    @staticmethod
    def s(x: int): ...
    @property
    def p(self) -> int: ...
    @p.setter
    def p(self, v: int): ...
"""
    kinds = {name: read(source, name).kind for name in ("A", "A.m", "A.c", "A.s", "A.p")}
    assert list(kinds.values()) == [
        CallableKind.CONSTRUCTOR,
        CallableKind.METHOD,
        CallableKind.CLASS_METHOD,
        CallableKind.STATIC_METHOD,
        CallableKind.PROPERTY,
    ]
    assert all([each.name for each in read(source, name).parameters] == ["x"]
               for name in ("A.m", "A.c", "A.s"))  # fmt: skip


def test_overloads_are_the_ways_to_call() -> None:
    source = """
from typing import overload
@overload
def f(a: int) -> int: ...
@overload
def f(a: str, b: bool) -> str: ...
def f(a, b=None): ...
"""
    shape = read(source, "f")
    assert [[each.name for each in way] for way in shape.signatures] == [["a"], ["a", "b"]]


def test_async_and_generators_are_seen_but_not_through_inner_functions() -> None:
    source = """
async def a(): yield 1
def b():
    def inner(): yield 1
    return inner
"""
    assert (read(source, "a").is_async, read(source, "a").is_generator) == (True, True)
    assert not read(source, "b").is_generator


def test_a_resolver_stays_in_its_folder(tmp_path) -> None:
    inside = tmp_path / "root"
    (inside / "pkg").mkdir(parents=True)
    (inside / "pkg" / "__init__.py").write_text("a = 1")
    (tmp_path / "outside.py").write_text("b = 1")
    (inside / "link.py").symlink_to(tmp_path / "outside.py")
    resolver = folder_resolver(inside)
    assert resolver("pkg") == "a = 1"
    assert resolver("link") is None
    assert resolver("..outside") is None
    assert resolver("pkg.missing") is None
