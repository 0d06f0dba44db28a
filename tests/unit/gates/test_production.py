from dataclasses import replace

import pytest

from reverie.gates.gate import Gate, Matter
from reverie.gates.paths import PathsGate
from reverie.gates.production.contracts import ComplexityGate, ErrorsGate, ExamplesGate
from reverie.gates.production.reach import ReachGate
from reverie.gates.production.state import StateGate
from reverie.gates.production.surface import SurfaceGate
from reverie.model.dream import Stage
from reverie.model.ruling import Answer

from .matters import edit, matter, production

PLAIN = '''"""Stock."""

LIMIT = 3


def total(items):
    """All of them."""
    result = 0
    for item in items:
        result += item
    return result


class Box:
    size = 1

    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)

    def count(self):
        return len(self.items)
'''


def codes(gate: Gate, asked: Matter) -> set[str]:
    return {each.reason_code for each in gate.judge(asked) if each.verdict is Answer.FAIL}


def changed(old: str, new: str, stage: Stage = Stage.B) -> Matter:
    assert old in PLAIN
    return production(PLAIN, PLAIN.replace(old, new, 1), stage)


HONEST = changed(
    "    result = 0\n    for item in items:\n        result += item\n    return result\n",
    "    return sum(items)\n",
)


@pytest.mark.parametrize(
    "gate", [ErrorsGate(), ReachGate(), SurfaceGate(), StateGate(), ComplexityGate()]
)
def test_a_plain_refactoring_passes(gate: Gate) -> None:
    assert [each.verdict for each in gate.judge(HONEST)] == [Answer.PASS]


@pytest.mark.parametrize(
    "handler", ["except:", "except Exception:", "except (ValueError, BaseException):"]
)
def test_catching_everything_is_refused(handler: str) -> None:
    body = f"    try:\n        return sum(items)\n    {handler}\n        return 0\n"
    asked = changed("    result = 0\n", body + "    result = 0\n")
    assert codes(ErrorsGate(), asked) == {"broad_except"}


def test_what_was_caught_may_stay_caught() -> None:
    text = "def f():\n    try:\n        g()\n    except Exception:\n        pass\n"
    assert codes(ErrorsGate(), production(text, text + "\n\ndef _h():\n    pass\n")) == set()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("import socket", "new_network"),
        ("from urllib.request import urlopen", "new_network"),
        ("import subprocess", "new_process"),
        ("eval('1')", "new_dynamic_code"),
        ("import pickle", "new_dynamic_code"),
        ("import threading", "new_threads"),
        ("open('x')", "new_file_use"),
        ("import os\n    os.environ['A'] = '1'", "new_environment_use"),
        ("import gc\n    gc.disable()", "new_interpreter_use"),
        ("import random", "new_chance_or_clock"),
        ("key = id(items)", "new_interpreter_use"),
        ("x = 'PYTEST_CURRENT_TEST'", "detects_judge"),
    ],
)
def test_reaching_for_something_new_is_refused(line: str, code: str) -> None:
    asked = changed("    result = 0\n", f"    {line}\n    result = 0\n")
    assert code in codes(ReachGate(), asked)


def test_what_was_reached_for_may_be_used_on() -> None:
    text = "import socket\n\n\ndef f():\n    return socket.socket()\n"
    assert codes(ReachGate(), production(text, text.replace("return", "value ="))) == set()


def test_work_at_import_is_refused() -> None:
    asked = changed("LIMIT = 3\n", "LIMIT = 3\nprint('here')\n")
    assert codes(ReachGate(), asked) == {"import_effect", "new_output"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def total(items):", "def total(items, start=0):"),
        ("def total(items):", "def total(values):"),
        ("def total(items):", "def _total(items):"),
        ("def total(items):", "async def total(items):"),
        ("    return result\n", "    yield result\n"),
        ("LIMIT = 3", "LIMIT = 4"),
        ("class Box:", "class Box(dict):"),
        ("    size = 1", "    size = 2"),
        ("    def count(self):", "    @property\n    def count(self):"),
    ],
)
def test_another_surface_is_refused(old: str, new: str) -> None:
    assert codes(SurfaceGate(), changed(old, new)) == {"api_changed"}


def test_exports_are_surface() -> None:
    before = "from .a import b, c\n\n__all__ = ['b', 'c']\n"
    for after in (
        before.replace("'b', 'c'", "'b'"),
        before.replace(".a import", ".other import"),
        before.replace("import b, c", "import c"),
    ):
        asked = matter(edit("src/shop/__init__.py", before, after), stage=Stage.B)
        assert codes(SurfaceGate(), asked) == {"api_changed"}


def test_private_names_and_types_are_nobodys_business() -> None:
    asked = changed(
        "def total(items):", "def _add(a):\n    return a\n\n\ndef total(items: list) -> int:"
    )
    assert codes(SurfaceGate(), asked) == set()


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("    result = 0\n", "    _SEEN.append(1)\n    result = 0\n", "shared_state"),
        ("    result = 0\n", "    global LIMIT\n    LIMIT = 4\n    result = 0\n", "shared_state"),
        ("    result = 0\n", "    total.last = items\n    result = 0\n", "shared_state"),
        ("def total(items):", "def total(items, _known={}):", "shared_state"),
        ("def total(items):", "import functools\n\n\n@functools.cache\ndef total(items):", "unbounded_cache"),
        ("def total(items):", "from functools import lru_cache\n\n\n@lru_cache(maxsize=None)\ndef total(items):", "unbounded_cache"),
        ("    result = 0\n", "    once = functools.cache(abs)\n    result = once(0)\n", None),
        ("    result = 0\n", "    once = functools.cache(abs)\n    items.append(once)\n    result = 0\n", "unbounded_cache"),
        ("        self.items.append(item)\n", "        self.items.append(item)\n        self.n = 1\n", None),
        ("        self.items = []\n", "        self.items = []\n        self.n = 0\n", "stale_state"),
        ("    size = 1\n", "    size = 1\n    items = []\n", "shared_state"),
    ],
)  # fmt: skip
def test_what_calls_share_is_refused(old: str, new: str, code: str | None) -> None:
    text = PLAIN.replace("LIMIT = 3\n", "LIMIT = 3\n_SEEN = []\n")
    asked = production(text, text.replace(old, new, 1))
    assert codes(StateGate(), asked) == ({code} if code else set())


def test_more_decisions_are_refused_and_a_few_allowed_for_speed() -> None:
    more = "    result = 0\n    if not items:\n        return 0\n"
    assert codes(ComplexityGate(), changed("    result = 0\n", more)) == {"complexity_up"}
    assert codes(ComplexityGate(), changed("    result = 0\n", more, Stage.C)) == set()


EXAMPLE = 'def f(a):\n    """Double.\n\n    >>> f(2)\n    4\n    """\n    return a * 2\n'


def test_an_example_may_not_go_or_promise_something_else() -> None:
    gate = ExamplesGate()
    for new in (
        EXAMPLE.replace("    >>> f(2)\n    4\n", ""),
        EXAMPLE.replace("    4\n", "    5\n"),
    ):
        (found,) = gate.judge(production(EXAMPLE, new, Stage.B))
        assert (found.verdict, found.reason_code) == (Answer.HOLD, "example_changed")
    (found,) = gate.judge(production(EXAMPLE, EXAMPLE.replace("Double.", "Two times."), Stage.B))
    assert found.verdict is Answer.PASS


def test_a_file_with_tests_is_left_alone_whatever_it_is_called() -> None:
    old = "def test_sum():\n    assert 1 + 1 == 2\n"
    for path in ("src/shop/checks.py", "src/shop/tests.py", "shop/suite/sums.py"):
        found = PathsGate().judge(matter(edit(path, old, old.replace("2", "3")), stage=Stage.B))
        assert [each.reason_code for each in found] == ["tests_touched"]
    plain = "def test_connection(host):\n    return host.ping()\n"
    new = plain.replace("host.ping()", "bool(host.ping())")
    (found,) = PathsGate().judge(matter(edit("src/shop/net.py", plain, new), stage=Stage.B))
    assert found.verdict is Answer.PASS


def test_names_of_a_private_module_are_its_own_until_somebody_speaks_of_them() -> None:
    old, new = "def split(a):\n    return a\n", "def parts(a):\n    return a\n"
    private = matter(edit("src/shop/_split.py", old, new), stage=Stage.B)
    private = replace(
        private, surroundings=replace(private.surroundings, sources={"shop._split": old})
    )
    (found,) = SurfaceGate().judge(private)
    assert found.verdict is Answer.PASS
    for other in ("from shop._split import split\n", "from ._split import *\n"):
        around = replace(private.surroundings, sources={"shop._split": old, "shop.front": other})
        (found, *_) = SurfaceGate().judge(replace(private, surroundings=around))
        assert (found.verdict, found.reason) == (Answer.FAIL, "split is gone")
    public = matter(edit("src/shop/split.py", old, new), stage=Stage.B)
    assert {each.verdict for each in SurfaceGate().judge(public)} == {Answer.FAIL, Answer.HOLD}
