"""What the host asks for: some tests, run while the calls of changed functions are looked at."""

import os
import sys
from collections.abc import Generator
from importlib.util import find_spec
from typing import Any

import pytest

from reverie.instruments.mutation.inside.items import known_names
from reverie.instruments.mutation.inside.loading import TargetFinder, forget_modules

from .watching import ENTER, Watcher

_ARGUMENTS = ("-qq", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:randomly",
              "-p", "no:timeout", "-p", "no:rerunfailures", "-p", "no:sugar",
              "--continue-on-collection-errors",
              "-W", "ignore::pytest.PytestConfigWarning")  # fmt: skip


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """Run the tests, and tell what was seen of each file."""
    return _Session(request).answer()


class _Session:
    """One pytest session over the old tree; also its plugin."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.request = request
        self.root: str = request["root"]
        self.tests: list[str] = request["tests"]
        self.watchers = {
            os.path.join(self.root, name): Watcher(order, os.path.join(self.root, name), self.root)
            for name, order in request["files"].items()
        }
        self.finder = TargetFinder(frozenset(self.watchers))
        self.finder.watch = self._begin

    def answer(self) -> "dict[str, Any]":
        """Run the session."""
        os.chdir(self.root)
        sys.path[:0] = [path for path in self.request["paths"] if path not in sys.path]
        forget_modules(frozenset(self.request["packages"]))
        self.finder.compiled.update((path, each.hooked()) for path, each in self.watchers.items())
        self.finder.come_first()
        scratch = os.path.join(os.environ.get("TMPDIR", "/tmp"), "pytest-of-me")
        more = ["--benchmark-disable"] if find_spec("pytest_benchmark") else []
        places = [f"--basetemp={scratch}", f"--rootdir={self.root}"]
        try:
            pytest.main([*_ARGUMENTS, *places, *more, *self.request["args"]], plugins=[self])
        except SystemExit:  # a conftest that leaves
            pass
        return {
            "files": {
                path[len(self.root) + 1 :]: each.found() for path, each in self.watchers.items()
            }
        }

    def _begin(self, path: str, module: Any) -> None:
        watcher = self.watchers.get(path)
        if watcher is not None:
            module.__dict__[ENTER] = watcher.enter

    def pytest_load_initial_conftests(self) -> None:
        """pytest has put its own finder first by now."""
        self.finder.come_first()

    def pytest_collection_modifyitems(self, items: "list[Any]") -> None:
        """Only the tests that were asked for."""
        known = known_names([item.nodeid for item in items], self.tests)
        wanted = frozenset(self.tests)
        items[:] = [item for item in items if known[item.nodeid] in wanted]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session: Any) -> "Generator[None, None, None]":
        """After the tests nobody reads a summary, for which plugins import half a world."""
        yield
        session.config.pluginmanager.unregister(name="terminalreporter")

    def pytest_runtest_teardown(self, item: Any) -> None:
        """No more tests once nothing more is looked at."""
        if all(each.is_late() or each.differences for each in self.watchers.values()):
            item.session.shouldstop = "enough was seen"
