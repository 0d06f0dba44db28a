import re
import sys
import warnings

import pytest

from reverie.instruments.mutation.inside.server import Scout


@pytest.fixture
def without_colorsys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)


@pytest.mark.usefixtures("without_colorsys")
def test_a_parent_loads_what_its_scout_has_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    scout = Scout(())
    import colorsys  # noqa: F401

    scout.report({})
    monkeypatch.delitem(sys.modules, "colorsys")
    scout.learn()
    assert "colorsys" in sys.modules


@pytest.mark.usefixtures("without_colorsys")
def test_a_package_of_the_target_is_never_loaded_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    scout = Scout(["colorsys"])
    import colorsys  # noqa: F401

    scout.report({})
    monkeypatch.delitem(sys.modules, "colorsys")
    scout.learn()
    assert "colorsys" not in sys.modules


def compiled_by_parent(pattern: str) -> bool:
    scout = Scout(())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        re.compile(pattern)
    scout.report({})
    re.purge()
    scout.learn()
    return any(key[1] == pattern for key in vars(re)["_cache"])


def test_a_parent_compiles_what_its_scout_has_compiled() -> None:
    assert compiled_by_parent("scouted[0-9]+")


def test_an_expression_that_warns_is_left_to_whoever_asks_for_it() -> None:
    assert not compiled_by_parent("scouted[[0-9]")


def test_a_scout_that_never_reported_teaches_nothing() -> None:
    Scout(()).learn()
