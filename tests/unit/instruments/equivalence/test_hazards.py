"""Growth without end, and calls that overlap."""

import threading
import types

import pytest

from reverie.instruments.equivalence.counterexamples import keeps_growing
from reverie.instruments.equivalence.inside.interleave import interleavings
from reverie.instruments.equivalence.inside.observe import parts_kept
from reverie.instruments.equivalence.laboratory import Growth

SHARED = """
_parts = []
def shared(items):
    _parts.clear()
    for item in items:
        _parts.append(item)
    return list(_parts)

def own(items):
    parts = []
    for item in items:
        parts.append(item)
    return parts

import threading
_lock = threading.Lock()
def locked(items):
    with _lock:
        return shared(items)
"""
CACHES = """
import functools
_memo = {}
def memo(n):
    return _memo.setdefault(n, n)
@functools.cache
def endless(n):
    return n
@functools.lru_cache(maxsize=8)
def bounded(n):
    return n
def default(n, seen=[]):
    seen.append(n)
class Kept:
    all = []
    def keep(self, n):
        self.all.append(n)
"""


def module_of(source: str) -> types.ModuleType:
    made = types.ModuleType("subject")
    exec(compile(source, "/nowhere/subject.py", "exec"), made.__dict__)  # noqa: S102  our own source
    return made


@pytest.mark.parametrize(("name", "is_safe"), [("shared", False), ("own", True), ("locked", True)])
def test_a_call_in_the_midst_of_another_shows(name: str, is_safe: bool) -> None:
    function = getattr(module_of(SHARED), name)
    answers = interleavings(lambda: function([1, 2]), lambda: function([3]))
    assert ("[1, 2]", "[3]") in answers
    assert (len(answers) == 1) is is_safe
    assert threading.active_count() >= 1


@pytest.mark.parametrize(
    ("expression", "grows"),
    [
        ("memo({0})", True),
        ("endless({0})", True),
        ("bounded({0})", False),
        ("default({0})", True),
        ("Kept().keep({0})", True),
    ],
)
def test_what_a_module_holds_on_to_is_counted(expression: str, grows: bool) -> None:
    module = module_of(CACHES)
    before = parts_kept(module)
    for number in range(100):
        eval(expression.format(number), module.__dict__)
    assert (parts_kept(module) >= before + 100) is grows


@pytest.mark.parametrize(
    ("growth", "expected"),
    [
        (Growth(120, 0, 120, 60), True),
        (Growth(120, 0, 10, 5), False),
        (Growth(120, 0, 64, 0), False),
        (Growth(120, 120, 120, 60), False),
        (Growth(10, 0, 10, 5), False),
    ],
)
def test_growth_counts_when_it_goes_on_and_is_new(growth: Growth, expected: bool) -> None:
    assert keeps_growing(growth) is expected


def test_an_object_that_has_every_attribute_keeps_nothing() -> None:
    module = module_of(
        "class Any(tuple):\n    def __getattr__(self, name):\n        return Any(self + (name,))\n"
        "whole = Any()\n"
    )
    assert parts_kept(module) == parts_kept(module)
    assert "cache_parameters" not in vars(module.whole)
