"""What is planted for replaying: two modules with tests, one changed in words and one in deed."""

import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from reverie.errors import MachineryError
from reverie.instruments.mutation.project import find_project
from reverie.instruments.replay.instrument import Found, replay_in_place
from reverie.instruments.replay.orders import FileOrder, Replaced
from reverie.instruments.self_check import Plant, random_name
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.engine import Sandbox

_OLD = """
class Box:
    def __init__(self, items):
        self.items = items

    def put(self, number):
        if number > 3:
            return len(self.items) + 1
        return len(self.items)
"""
"""It leaves everything as it was: one fork makes many calls."""
_ALIKE = _OLD.replace("if number > 3:", "if 3 < number:")
_OTHER = _OLD.replace("number > 3", "number > 4")
_TESTS = """
from {alike} import Box as Alike
from {other} import Box as Other


def test_put():
    for kind in (Alike, Other):
        for number in (4, 1, 3):
            assert kind([1, 2]).put(number) == 2 + (number > 3)


def test_put_again():
    assert [Alike([]).put(number) for number in (2, 5, 7)] == [0, 1, 1]
"""
_SECONDS = 30.0
_METHOD = "Box.put"


def plants(sandbox: Sandbox) -> Iterator[Plant]:
    """A likeness that has to be recognised, and a difference that has to be seen."""
    names = random_name(), random_name()
    observed = cache(partial(_observed, sandbox, *names))
    for name, wanted in zip(names, ("equivalent", "different"), strict=True):
        title = f"a method that is {'the same' if wanted == 'equivalent' else 'another'}"
        yield Plant(title, wanted, partial(_verdict, observed, f"{name}.py"))


def _observed(sandbox: Sandbox, alike: str, other: str) -> Found:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in (alike, other):
            (root / f"{name}.py").write_text(_OLD, "utf-8")
        tests = _TESTS.format(alike=alike, other=other)
        (root / "test_box.py").write_text(tests, "utf-8")
        orders = [
            FileOrder(f"{name}.py", _OLD, new, (_METHOD,), Replaced((_METHOD,)))
            for name, new in ((alike, _ALIKE), (other, _OTHER))
        ]
        return replay_in_place(
            sandbox,
            find_project(root),
            orders,
            ("test_box.py::test_put", "test_box.py::test_put_again"),
            section=EquivalenceSection(seed=1),
            seconds=_SECONDS,
        )


def _verdict(observed: Callable[[], Found], path: str) -> str:
    try:
        return observed()[path].answer.verdict.value
    except MachineryError as error:
        return f"no verdict: {error}"
