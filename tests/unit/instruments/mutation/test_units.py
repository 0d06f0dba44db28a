import ast
import gc
import textwrap
import types
from collections.abc import Callable

import pytest

from reverie.instruments.mutation.inside.loading import (
    CannotSwap,
    Holders,
    changed_unit,
    codes_by_place,
    compile_unit,
    is_same,
)
from reverie.instruments.mutation.inside.sites import Survey


def swapped(code: str, operator: str, use: Callable[[dict], object]) -> object:
    """What a module does after one of its functions was changed in place."""
    source = textwrap.dedent(code).encode()
    module = compile(source, "m.py", "exec")
    scope: dict = {"__name__": "m"}
    exec(module, scope)  # noqa: S102
    holders = Holders()
    site = next(each for each in Survey(source).sites if each.operator == operator)
    assert site.unit is not None
    loaded = codes_by_place(module)[site.unit.qualname, site.unit.line]
    holders.swap(loaded, changed_unit(site, "m.py", 0, loaded))
    return use(scope)


def test_a_function_is_changed_where_it_is() -> None:
    assert swapped("def f(a):\n    return a + 1\n", "arithmetic_add_sub", lambda m: m["f"](5)) == 4


def test_a_decorated_function_is_found_behind_its_decorator() -> None:
    code = """
        import functools
        @functools.cache
        def f(a):
            return a * 4
    """
    assert swapped(code, "arithmetic_mult_div", lambda m: m["f"](8)) == 2


def test_closures_that_exist_already_are_changed() -> None:
    code = """
        def deco(f):
            def wrapper(a):
                return f(a) + 10
            return wrapper
        @deco
        def g(a):
            return a
    """
    assert swapped(code, "arithmetic_add_sub", lambda m: m["g"](1)) == -9


def test_private_names_and_super_stay_what_they_are() -> None:
    code = """
        class A:
            def __secret(self):
                return 2
            def m(self):
                return self.__secret() + 1
        class B(A):
            def m(self):
                return super().m() * 5
    """
    assert swapped(code, "arithmetic_add_sub", lambda m: m["B"]().m()) == 5
    assert swapped(code, "arithmetic_mult_div", lambda m: m["B"]().m()) == 0.6


def test_dropping_the_only_use_of_super_still_fits() -> None:
    code = """
        class A:
            def __init__(self):
                self.x = 1
        class B(A):
            def __init__(self):
                super().__init__()
    """
    assert not hasattr(swapped(code, "drop_call", lambda m: m["B"]()), "x")


def test_a_closure_that_would_lose_its_variable_is_refused() -> None:
    code = """
        def outer(n):
            def inner(a):
                return (a and n)
            return inner
        f = outer(3)
    """
    with pytest.raises(CannotSwap):
        swapped(code, "return_none", lambda m: None)


def unit_code(code: str) -> types.CodeType:
    site = Survey(code.encode()).sites[0]
    assert site.unit is not None
    return compile_unit(site.unit, "m.py", 0)


def test_code_that_does_the_same_is_the_same_wherever_it_stands() -> None:
    one = unit_code("def f(a):\n    return a + 1\n")
    assert is_same(one, unit_code("\n\ndef f(a):\n    return (a +\n 1)\n"))
    assert not is_same(one, unit_code("def f(a):\n    return a + 2\n"))
    assert not is_same(one, unit_code("def f(a):\n    return a + True\n"))
    assert not is_same(one, unit_code("def f(a):\n    return a + 1.0\n"))


def test_code_behind_a_false_condition_makes_no_difference() -> None:
    code = b"def f(a):\n    if False:\n        a = 1\n    return a\n"
    site = next(each for each in Survey(code).sites if each.operator == "number_up")
    assert site.unit is not None
    before = compile_unit(site.unit, "m.py", 0)
    site.apply()
    assert is_same(before, compile_unit(site.unit, "m.py", 0))
    assert ast.unparse(site.unit.node).count("2") == 1


def test_functions_that_were_frozen_are_found() -> None:
    scope: dict = {}
    module = compile("def f():\n    return 1\n", "m.py", "exec")
    exec(module, scope)  # noqa: S102
    gc.freeze()
    holders = Holders()
    loaded = codes_by_place(module)["f", 1]
    holders.swap(loaded, loaded.replace(co_consts=(None, 2)))
    assert scope["f"]() == 2


def test_a_function_that_nobody_holds_cannot_be_swapped() -> None:
    module = compile("def f():\n    return 1\n", "m.py", "exec")
    loaded = codes_by_place(module)["f", 1]
    with pytest.raises(CannotSwap, match="nobody holds it"):
        Holders().swap(loaded, loaded)
