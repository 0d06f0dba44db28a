"""What is told of a call that does something else than before."""

from types import SimpleNamespace
from typing import Any

from reverie.instruments.replay.inside.asking import Observer
from reverie.instruments.replay.inside.watching import first_apart


def observed(body: str) -> Any:
    space: dict[str, Any] = {"seen": dict.fromkeys(range(20), "x" * 40)}
    exec(f"def f(x):\n    {body}\n", space)  # noqa: S102  the bodies below
    given = SimpleNamespace(args=(1,), kwargs={}, around={})
    code = space["f"].__code__
    observer = Observer((), frozenset(), "m.py")
    return observer.observe(code, space, given, ["seen"])  # type: ignore[arg-type]


def test_a_difference_far_inside_of_a_value_is_told_by_its_name() -> None:
    old, new = observed("seen[x + 98] = 1; return 1"), observed("return 1")
    assert old["digest"] != new["digest"]
    assert first_apart(old, new) == ("the former seen", "another seen")


def test_a_difference_at_the_beginning_is_told_as_it_is() -> None:
    assert first_apart(observed("return 1"), observed("return 2")) == ("returned 1", "returned 2")
