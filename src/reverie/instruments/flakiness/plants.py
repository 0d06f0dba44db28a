"""What is planted for flakiness: tests that waver for every reason, and one that does not."""

import tempfile
from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path

from reverie.instruments.flakiness import find_wavering
from reverie.instruments.mutation.matrix import Ground
from reverie.instruments.self_check import Plant
from reverie.sandbox.engine import Sandbox

_TESTS = """
import time

seen = []


def test_steady():
    assert sorted({"a", "b"}) == ["a", "b"]


def test_order_first():
    seen.append(1)


def test_order():
    assert seen


def test_hash():
    assert hash("planted") % 1024 == 0


def test_clock():
    assert time.gmtime().tm_year < 2030
"""


def plants(sandbox: Sandbox) -> Iterable[Plant]:
    """Each reason to waver once; what does not waver has to be left alone."""
    wavering = cache(partial(_wavering, sandbox))

    def seen(name: str) -> str:
        return "wavers" if name in wavering() else "steady"

    return (
        Plant("a test that looks at the clock", "wavers", lambda: seen("test_clock")),
        Plant("a test that looks at a hash", "wavers", lambda: seen("test_hash")),
        Plant("a test that needs another", "wavers", lambda: seen("test_order")),
        Plant("a test that needs nothing", "steady", lambda: seen("test_steady")),
    )


def _wavering(sandbox: Sandbox) -> frozenset[str]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "empty.py").write_text("", "utf-8")
        found = find_wavering(sandbox, Ground(folder, "empty.py", "empty"), _TESTS)
    return frozenset(name for name, place in found.wavering if place == 0)
