"""The conditions of a run while the plugin is on: chance, clock, network and order of its tests."""

import os
from collections.abc import Generator
from datetime import datetime, timezone
from typing import Any

import pytest

from reverie_pytest import hashseed, network
from reverie_pytest.clock import clock
from reverie_pytest.entropy import entropy
from reverie_pytest.options import Options
from reverie_pytest.order import shuffle
from reverie_pytest.replacements import rule_of

UTC = timezone.utc  # noqa: UP017  targets may be of Python 3.10


class Conditions:
    """Hooks that hold what a test sees, phase by phase: pytest's own work has the real clock."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.hash_seed = hashseed.seed_in_force(os.environ)
        self._rule = rule_of(options)
        self._instant = options.instant
        self._network = self._rule

    @property
    def environment(self) -> dict[str, str]:
        """What is in force for the test at hand, whatever variables say."""
        return {
            "PYTHONHASHSEED": self.hash_seed,
            "FREEZE_TIME": "0" if self._instant is None else self._options.freeze_time,
            "ALLOW_NET": "1" if self._network == network.ALLOW else "0",
        }

    def pytest_report_header(self) -> str:
        """What is in force, in a line."""
        options = self._options
        instant = options.instant
        shown = "real" if instant is None else datetime.fromtimestamp(instant, UTC).isoformat()
        order = "random" if options.is_order_random else "fixed"
        return (
            f"reverie: seed {options.seed}, hash seed {self.hash_seed}, clock {shown}, "
            f"network {self._rule}, order {order}, events {os.path.relpath(options.events)}"
        )

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """Chance at import depends on the module alone, not on which were imported before."""
        self._instant, self._network = self._options.instant, self._rule
        entropy.begin(collector.nodeid)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self) -> Generator[None, Any, None]:
        """Modules are imported at the instant at which their tests will run."""
        before = clock.freeze(self._options.instant)
        yield
        clock.freeze(before)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """The order of the seed, if that was asked for."""
        if self._options.is_order_random:
            shuffle(items, self._options.seed)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, None]:
        """Start the test's streams, and hold clock and network."""
        self._instant = None if _is_marked(item, "clock") else self._options.instant
        self._network = network.ALLOW if _is_marked(item, "external") else self._rule
        entropy.begin(item.nodeid)
        clock.grant_reads()
        before = self._hold()
        yield
        self._let_go(before)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, Any, None]:
        """Hold clock and network."""
        before = self._hold()
        yield
        self._let_go(before)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Generator[None, Any, None]:
        """Hold clock and network."""
        before = self._hold()
        yield
        self._let_go(before)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: Any, request: pytest.FixtureRequest
    ) -> Generator[None, Any, None]:
        """A fixture that tests share has streams of its own, whichever test asks first."""
        if fixturedef.scope == "function":
            yield
            return
        position = getattr(request, "param_index", 0)
        with entropy.aside(f"{fixturedef.baseid} {fixturedef.argname} {position}"):
            yield

    def _hold(self) -> float | None:
        if self._network != self._rule:
            network.set_rule(self._network)
            network.hand_down(self._network, os.environ)
        return clock.freeze(self._instant)

    def _let_go(self, before: float | None) -> None:
        clock.freeze(before)
        if self._network != self._rule:
            network.set_rule(self._rule)
            network.hand_down(self._rule, os.environ)


def _is_marked(item: pytest.Item, name: str) -> bool:
    """Keywords are quickly asked, but also hold the names of folders and functions."""
    return name in item.keywords and item.get_closest_marker(name) is not None
