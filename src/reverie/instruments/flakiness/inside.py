"""What runs in the sandbox: one run of a test file under given conditions.

Every item is told by the name of its function and its turn among those of that name, which
is its row in a table. `alone` runs each in a fork of its own.
"""

import os
import random
import sys
import tempfile
import time
from collections.abc import Generator
from typing import Any

import pytest

from reverie.instruments.mutation.inside.plugins import PluginsAsTheyAre
from reverie_pytest.clock import clock

_ARGUMENTS = ("-qq", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist",
              "-p", "no:reverie_pytest", "--import-mode=importlib")  # fmt: skip


class Watcher(PluginsAsTheyAre):
    """Collects, orders, and notes how each item went."""

    def __init__(self, conditions: "dict[str, Any]") -> None:
        self.conditions = conditions
        self.places: dict[str, tuple[str, int]] = {}
        self.outcomes: dict[str, str] = {}
        self.broken: list[str] = []

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be collected."""
        if report.failed:
            self.broken.append(str(report.longrepr)[-400:])

    def pytest_collection_modifyitems(self, items: "list[Any]") -> None:
        """Note every item's place, then shuffle."""
        turns: dict[str, int] = {}
        for item in items:
            name = item.originalname or item.name
            owner = getattr(item, "cls", None)
            whole = name if owner is None else f"{owner.__name__}.{name}"
            self.places[item.nodeid] = (whole, turns.get(whole, 0))
            turns[whole] = turns.get(whole, 0) + 1
        if self.conditions["order"] is not None:
            random.Random(self.conditions["order"]).shuffle(items)

    def pytest_runtest_setup(self) -> None:
        """Chance as the conditions have it: a test that seeds it itself does so later."""
        if self.conditions["chance"] is not None:
            random.seed(self.conditions["chance"])

    def pytest_runtest_logreport(self, report: Any) -> None:
        """The worst of the phases is what an item came to."""
        tells = report.failed or report.skipped or report.when == "call"
        if tells and self.outcomes.get(report.nodeid) != "failed":
            self.outcomes[report.nodeid] = report.outcome

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session: Any) -> "Generator[None, None, None]":
        """Nobody reads the summary after it, for which plugins import half a world."""
        yield
        session.config.pluginmanager.unregister(name="terminalreporter")


class Alone:
    """Runs each item in a fork."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher

    def pytest_runtestloop(self, session: Any) -> "bool | None":
        """Unless a file could not be collected."""
        if self.watcher.broken:
            return None
        from _pytest.runner import runtestprotocol

        for item in session.items:
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    reports = runtestprotocol(item, nextitem=None, log=False)
                    code = int(any(report.failed for report in reports))
                finally:
                    os._exit(code)
            _, status = os.waitpid(child, 0)
            self.watcher.outcomes[item.nodeid] = "failed" if status else "passed"
        return True


def run(conditions: "dict[str, Any]") -> "dict[str, Any]":
    """Run once and tell."""
    os.environ["TZ"] = conditions["zone"]
    time.tzset()
    sys.path[:0] = conditions["paths"]
    folder = os.path.realpath(tempfile.mkdtemp())
    names = []
    for name, source in conditions["files"]:
        names.append(os.path.join(folder, name))
        with open(names[-1], "w", encoding="utf-8") as stream:
            stream.write(source)
    os.chdir(folder)
    watcher = Watcher(conditions)
    alone = [Alone(watcher)] if conditions["alone"] else []
    arguments = [*_ARGUMENTS, f"--rootdir={folder}", "-c", os.devnull, *names]
    if conditions["instant"] is not None:
        clock.install()
        clock.freeze(conditions["instant"])
    try:
        code = int(pytest.main(arguments, plugins=[watcher, *alone]))
    finally:
        if conditions["instant"] is not None:
            clock.freeze(None)
            clock.uninstall()
    found = [[*watcher.places[name], outcome] for name, outcome in watcher.outcomes.items()]
    return {"exit": code, "outcomes": found, "broken": watcher.broken[:5]}
