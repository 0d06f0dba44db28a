"""What a change does to the public surface, in the words of the gate."""

import pytest

from reverie.gates.gate import Matter, Surroundings
from reverie.gates.production.surface import SurfaceGate
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.ruling import Answer
from reverie.model.settings.judgement import GuardSection

from .matters import edit, production

CLASS = "class _Low({0}): pass\nclass _Mid(_Low): pass\nclass Top({1}): pass\n"
F = "def f(): pass\n"
LONG = ", ".join(f"parameter_{each}" for each in range(9))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (F, "f = 1\n", "fail f is another: not the same kind of thing"),
        (F, "def f(a, b=1): pass\n", "fail f is another: parameters (a, b=1), before ()"),
        (F, "async def f(): pass\n", "fail f is another: kinds async function, before plain function"),
        (F, "def f(): yield\n", "fail f is another: kinds plain generator, before plain function"),
        ("async def f(): yield\n", F, "fail f is another: kinds plain function, before async generator"),
        (F, "def f(): lambda: (yield)\n", ""), (F, "def f():\n    def g(): yield\n", ""),
        ("def f(a: int): pass\n", "def f(a: str): pass\n", ""),
        (F, f"def f({LONG}): pass\n", f"fail f is another: parameters {f'({LONG})'[:60]}…, before ()"),
        (F, "def f(" + "a" * 58 + "): pass\n", f"fail f is another: parameters ({'a' * 58}), before ()"),
        (F, "@x\n@y\n" + F, "hold f is another: wrappers x, y, before none"),
        ("@x\n" + F, "@x\ndef f(a): pass\n", "fail f is another: parameters (a), before ()"),
        (F, "@x\ndef f(a): pass\n", "fail f is another: parameters (a), before ()"),
        ("__all__ = ['a']\n", "__all__ = ['a', 'b']\n", "hold __all__ is another: with b"),
        ("__all__ = ['a', 'c', 'b']\n", "__all__ = []\n", "fail __all__ is another: without a"),
        ("__all__ = ['a', '_b']\n", "__all__ = ('a',)\n", ""), ("__all__ = 'a'\n", "__all__ = ['a']\n", ""),
        ("__all__ = x + ['a']\n", "__all__ = x + ['a']  # so\n", ""),
        ("__all__ = x + ['a']\n", "__all__ = ['a']\n",
         "fail __all__ is another: names that are put together at run time"),
        ("__all__ = ['a']\n", "__all__ = x\n",
         "fail __all__ is another: names that are put together at run time"),
        ("__all__ = 1\n", "__all__ = 2\n", "fail __all__ is another: names that are put together at run time"),
        ("", "__all__ = ['a']\n", "fail __all__ is new"),
        ("__all__ = ['f']\n" + F, "__all__ = ['f']\n" + F + "def g(): pass\n", ""),
        ("__all__ = ['f']\n", "__all__ = ['f']\n" + F,
         "hold f is new: a refactoring adds nothing public; name it _f"),
        ("class A: pass\n", "class A:\n    def __eq__(self, o): pass\n", "fail A.__eq__ is new"),
        ("__all__ = []\nclass A: pass\n", "__all__ = []\nclass A:\n    b = 1\n",
         "hold A.b is new: a refactoring adds nothing public; name it _b"),
        ("a = 1\n", "a = 2\n", "fail a is another: not the same value"),
        ("a = x\n", "a = y\n", "hold a may be another value: how it is made is another"),
        ("a = '[ab]'\n", "a = '[ba]'\n",
         "hold a holds other texts, the same only where they are read as regular expressions"),
        ("a: int = 1\n", "a = 1\n", ""), ("a = b = 1\n", "b = 1\na = 1\n", ""), ("_a = 1\n", "", ""),
        ("__version__ = '1'\n", "", "fail __version__ is gone"), (F, "", "fail f is gone"),
        ("class A:\n    b: int = 1\n", "class A:\n    b = 1\n", "fail A.b is another: type , before int"),
        ("class A: pass\n", "class A(B, C): pass\n", "fail A is another: bases B, C, before "),
        ("class A(object): pass\n", "class A: pass\n", ""),
        ("@x\nclass A(B, k=c): pass\n", "class A(B): pass\n", "fail A is another: bases B, before B, c, x"),
        (CLASS.format("B", "_Mid, C"), "class Top(B, C): pass\n", ""),
        (CLASS.format("B", "_Mid, C"), "class Top(C): pass\n", "fail Top is another: bases C, before B, C"),
        ("class _A: b = 1\nclass _C: d = 1\nclass Top(_A, _C): pass\n", "class Top:\n    b = 1\n    d = 1\n", ""),
        ("class _A(_A): b = 1\nclass Top(_A): pass\n", "class Top(_A): b = 1\n", ""),
        ("@x\nclass _A: b = 1\nclass Top(_A): pass\n", "@x\nclass _A: pass\nclass Top(_A): pass\n", ""),
        ("class _A(k=1): b = 1\nclass Top(_A): pass\n", "class _A(k=1): pass\nclass Top(_A): pass\n", ""),
        ("class Top(a.b): pass\n", "class Top(a.c): pass\n", "fail Top is another: bases a.c, before a.b"),
        ("if x:\n    def f(): pass\n", F, ""), ("if x:\n    class A(_B): pass\nclass _B: c = 1\n",
         "class A:\n    c = 1\n", ""), ("try:\n    a = 1\nexcept E: pass\n", "a = 1\n", ""),
    ],
)  # fmt: skip
def test_a_change_of_the_surface_is_told(before: str, after: str, said: str) -> None:
    found = SurfaceGate().judge(production(before, after))
    told = [f"{e.verdict} {e.reason}" for e in found if e.verdict is not Answer.PASS]
    assert told == ([said] if said else [])


@pytest.mark.parametrize(
    "name",
    ["property", "cached_property", "classmethod", "staticmethod", "f.setter", "f.deleter",
     "abstractmethod", "contextmanager", "overload"],
)  # fmt: skip
@pytest.mark.parametrize("call", ["", "(1)"])
def test_decorators_that_decide_how_it_is_called_are_no_wrappers(name: str, call: str) -> None:
    (found,) = SurfaceGate().judge(production(F, f"@{name}{call}\n@{name}\n{F}"))
    said = f"f is another: decorators {name}{call}, {name}, before none"
    assert (found.verdict, found.reason) == (Answer.FAIL, said)


@pytest.mark.parametrize(
    ("path", "other", "is_seen"),
    [
        ("shop/_a.py", "", False), ("shop/_a.py", "from shop._a import f", True),
        ("shop/_a.py", "from ._a import *", True), ("shop/_a.py", "from .b import *", False),
        ("shop/_a.py", "ff", False), ("_shop/a.py", "", False), ("shop/__main__.py", "", True),
        ("shop/a.py", "", True), ("a._py/b.py", "", True),
    ],
)  # fmt: skip
def test_what_is_private_counts_where_others_speak_of_it(
    path: str, other: str, is_seen: bool
) -> None:
    own = path.removesuffix(".py").replace("/", ".")
    around = Surroundings(frozenset({"shop"}), sources={"shop.other": other, own: F})
    change = Change((edit(path, F, "def f(a): pass\n"),))
    found = SurfaceGate().judge(Matter(Stage.B, change, None, GuardSection(), around))
    assert (found[0].verdict is Answer.FAIL) is is_seen


def test_a_front_shows_what_it_imports_and_nothing_is_judged_without_a_change() -> None:
    for before, after, said in (
        ("from .a import b\n", "", "import b is gone"),
        ("", "from .a import b\n", "import b is new"),
        (
            "from .a import b\n",
            "from .c import b\n",
            "import b is another: names .c.b, before .a.b",
        ),
        ("from .a import _b\n", "", "public names and signatures are the same"),
        ("from __future__ import division\n", "", "public names and signatures are the same"),
    ):
        change = Change((edit("shop/__init__.py", before, after),))
        matter = Matter(Stage.B, change, None, GuardSection(), Surroundings(frozenset()))
        assert [each.reason for each in SurfaceGate().judge(matter)] == [said]
    nothing = Matter(Stage.B, Change(()), None, GuardSection(), Surroundings(frozenset()))
    assert {each.gate for each in SurfaceGate().judge(nothing)} == {"surface"}
