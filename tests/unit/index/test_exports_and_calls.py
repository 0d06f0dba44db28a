"""Public names, and calls followed to the function that is called."""

from collections.abc import Callable

import pytest


def exports(index, name: str) -> tuple[str, ...]:
    return next(each.exports for each in index.modules if each.name == name)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def a(): pass\ndef _b(): pass\nC = 1\nd, (e, *f) = x\n", ("C", "a", "d", "e", "f")),
        ("import os\nfrom x import y\n", ()),
        ("__all__ = ['_a', 'b']\n_a = b = c = 1\n", ("_a", "b")),
        ("__all__: list[str] = ['a']\n__all__ += ['b']\n__all__.append('c')\n", ("a", "b", "c")),
        ("__all__ = ('a',) + ('b',)\n__all__.extend(['c'])\n", ("a", "b", "c")),
        ("__all__ = []\ndef a(): pass\n", ()),
        ("if x:\n    def a(): pass\nelse:\n    a = None\n", ("a",)),
        ("class A:\n    b = 1\n    def c(self): pass\ndef f():\n    local = 1\n", ("A", "f")),
    ],
)
def test_public_names(module: Callable, source: str, names: tuple[str, ...]) -> None:
    assert module(source).exports == names


def test_a_package_exports_what_it_takes_out_of_its_own_modules(indexed: Callable) -> None:
    index = indexed(
        {
            "pkg/__init__.py": "from pkg.a import f, _g\nfrom .b import *\nimport os\n"
            "from other import h\nfrom . import c\n",
            "pkg/a.py": "def f(): pass\ndef _g(): pass\n",
            "pkg/b.py": "__all__ = ['x']\nx = y = 1\n",
            "pkg/c.py": "",
            "other.py": "def h(): pass\n",
            "whole.py": "from pkg import a, b\nfrom pkg.b import *\n"
            "__all__ = ['z', *b.__all__] + a.__all__\n",
        }
    )
    assert exports(index, "pkg") == ("f", "x")
    assert exports(index, "whole") == ("f", "x", "z")


def test_stars_that_go_in_a_circle_end(indexed: Callable) -> None:
    index = indexed({"a.py": "from b import *\nx = 1\n", "b.py": "from a import *\ny = 1\n"})
    assert exports(index, "a") == ("x", "y")


def callees(index, name: str) -> list[str]:
    return [call.callee for each in index.modules if each.name == name for call in each.calls]


def test_calls_go_through_re_exports_aliases_and_stars(indexed: Callable) -> None:
    index = indexed(
        {
            "pkg/__init__.py": "from .impl import work as job\n",
            "pkg/impl.py": "def work(): pass\nclass Tool:\n    def use(self): pass\n",
            "pkg/more.py": "from .impl import *\n",
            "a.py": "import pkg\nfrom pkg import job\nimport pkg.impl as i\n"
            "from pkg.more import *\n"
            "pkg.job()\njob()\ni.work()\nwork()\npkg.impl.Tool()\nTool.use(1)\n"
            "def f():\n    from pkg.impl import work as w\n    w()\n"
            "print(1)\nunknown()\npkg.nothing()\n",
        }
    )
    assert callees(index, "a") == [
        *["pkg.impl:work"] * 4,
        "pkg.impl:Tool",
        "pkg.impl:Tool.use",
        "pkg.impl:work",
    ]


def test_calls_on_self_find_the_method_or_the_one_it_inherits(indexed: Callable) -> None:
    index = indexed(
        {
            "base.py": "class Base:\n    def shared(self): pass\n",
            "a.py": "from base import Base\nclass A(Base):\n    def one(self):\n"
            "        self.two()\n        self.shared()\n        self.missing()\n"
            "        def later():\n            return self.two()\n    def two(self): pass\n",
        }
    )
    assert callees(index, "a") == ["a:A.two", "base:Base.shared", "a:A.two"]


def test_a_class_that_inherits_from_itself_ends(indexed: Callable) -> None:
    source = "class A(B):\n    def f(self): self.g()\nclass B(A): pass\n"
    assert callees(indexed({"a.py": source}), "a") == []


def test_a_parameter_hides_a_function(indexed: Callable) -> None:
    source = "def f(): pass\ndef g(f): f()\ndef h(): f()\n"
    assert callees(indexed({"a.py": source}), "a") == ["a:f"]
