"""What of a changed file is watched when the tests call it, and what is exchanged."""

import pytest

from reverie.model.change import FileEdit
from reverie.trials.replaying import NotReplayable, order_of


def _edit(before: str, after: str) -> FileEdit:
    return FileEdit("m.py", before, after)


def test_a_rewritten_method_is_watched_itself() -> None:
    old = "class A:\n    def f(self, x):\n        return x + 1\n"
    order = order_of(_edit(old, old.replace("x + 1", "1 + x")))
    assert order.watched == ("A.f",) == order.replaced.swapped


def test_users_are_watched_of_a_function_that_is_called_otherwise() -> None:
    old = "def _g(x, y):\n    return x\n\ndef f(x):\n    return _g(x, 1)\n"
    new = "def _g(x):\n    return x\n\ndef f(x):\n    return _g(x)\n"
    order = order_of(_edit(old, new))
    assert order.watched == ("f",)
    assert list(order.replaced.fronts) == ["_g"]


def test_an_inner_function_is_watched_instead_of_the_one_around_it() -> None:
    old = "def f(x):\n    def g(y):\n        return x + y\n    return g\n"
    order = order_of(_edit(old, old.replace("x + y", "y + x")))
    assert order.watched == ("f.<locals>.g",)
    assert set(order.replaced.swapped) == {"f", "f.<locals>.g"}


def test_a_class_that_is_made_otherwise_cannot_be_exchanged() -> None:
    old = "class A:\n    n = 1\n    def f(self):\n        return self.n\n"
    with pytest.raises(NotReplayable, match="class A"):
        order_of(_edit(old, old.replace("n = 1", "n = 2")))


def test_other_decorators_cannot_be_exchanged() -> None:
    old = "def f(x):\n    return x\n"
    with pytest.raises(NotReplayable, match="decorated"):
        order_of(_edit(old, f"import functools\n@functools.cache\n{old}"))
