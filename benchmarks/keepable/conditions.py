"""A pytest plugin for `steady`: another order, another time of day, each test with its own luck.

`KEEPABLE_ORDER` is the seed of the order, `KEEPABLE_INSTANT` what the clock shows. Three planted
tests prove that the plugin works: see `steady`.
"""

import os
import random

import pytest

from reverie_pytest.clock import clock


def pytest_configure() -> None:
    """The clock of this run, before any test file is imported."""
    clock.install()
    clock.freeze(float(os.environ["KEEPABLE_INSTANT"]))


def pytest_unconfigure() -> None:
    """The real clock again."""
    clock.freeze(None)
    clock.uninstall()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The order of this run."""
    random.Random(os.environ["KEEPABLE_ORDER"]).shuffle(items)
