from reverie.dreamers.enrich.writing.polishing import answered

_SOURCE = '''"""Tests."""

import pytest

from pkg import Cache, f


def test_it() -> None:
    cache = Cache()
    assert f(None) == 1
'''


def test_every_objection_is_answered_on_its_line() -> None:
    assert (
        answered(_SOURCE, {9: {"var-annotated"}, 10: {"arg-type"}})
        == '''"""Tests."""

from typing import Any

import pytest

from pkg import Cache, f


def test_it() -> None:
    cache: Any = Cache()
    assert f(None) == 1  # type: ignore[arg-type]
'''
    )


def test_without_objections_nothing_changes() -> None:
    assert answered(_SOURCE, {}) == _SOURCE
    assert answered(_SOURCE, {99: {"arg-type"}}) == _SOURCE
