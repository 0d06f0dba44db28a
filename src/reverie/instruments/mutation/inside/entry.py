"""What the host asks for: a survey, a baseline, a slice of mutants, mutants afresh, a matrix."""

import os
import sys
import time
from importlib.util import find_spec
from typing import Any

from .baseline import Baseline, take_notice
from .children import Tree
from .items import known_names
from .loading import TargetFinder, executing_text, forget_modules
from .matrix import Matrix
from .plugins import PluginsAsTheyAre
from .recorder import Recorder
from .server import Server, judge_many
from .sites import Site, Survey, Text, read_source

_ARGUMENTS = ("-qq", "--tb=short", "-p", "no:cacheprovider", "-p", "no:randomly", "-p",
              "no:timeout", "-p", "no:rerunfailures", "-p", "no:sugar",
              "--continue-on-collection-errors",
              "-W", "ignore::pytest.PytestConfigWarning")  # fmt: skip
"""The last: options of plugins that are not there are no reason to stop."""


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """Do one of them."""
    if request["mode"] == "survey":
        return survey_files(request)
    if request["mode"] == "matrix":
        return Matrix(request).answer()
    if request["mode"] == "afresh":
        import pytest  # noqa: F401  what every child needs, and nothing of the target

        return judge_many(request, lambda one: _Run(one).answer())
    return _Run(request).answer()


# -- the survey: reads files, runs nothing of them --------------------------------------


def survey_files(request: "dict[str, Any]") -> "dict[str, Any]":
    """Every mutant of every file, with its text; a file that cannot be read says why."""
    found = []
    for name in request["files"]:
        path = os.path.join(request["root"], name)
        try:
            source = read_source(path)
            survey = Survey(source, request["exhaustive"])
        except (OSError, SyntaxError, ValueError, RecursionError, LookupError) as error:
            found.append({"file": name, "error": f"{type(error).__name__}: {error}"[:300]})
            continue
        text = Text(source)
        described = [_described(site, text) for site in survey.sites]
        found.append({"file": name, "mutants": described})
    return {"files": found, "python": sys.version.partition(" ")[0]}


def _described(site: Site, text: Text) -> "list[Any] | None":
    written = text.replacing(site)
    if written is None:
        return None
    start, end = text.span(site.node)
    unit = None if site.unit is None else site.unit.qualname
    line = getattr(site.node, "lineno", site.lines[0])
    return [site.operator, site.scope, unit, line, *site.lines, start, end, written]


# -- everything that runs tests ---------------------------------------------------------


class _Run(PluginsAsTheyAre):
    """One pytest session over the target; also the plugin that takes its loop over."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.request = request
        self.root: str = request["root"]
        paths = {name: os.path.join(self.root, name) for name in request["files"]}
        self.finder = TargetFinder(frozenset(paths.values()))
        self.recorder = Recorder(self.finder.files)
        self.collection_errors: list[dict[str, str]] = []
        self.found: dict[str, Any] = {}
        self.server: Server | None = None
        self.began = time.process_time()

    def answer(self) -> "dict[str, Any]":
        """Run the session and say what was found."""
        os.chdir(self.root)
        sys.path[:0] = [path for path in self.request["paths"] if path not in sys.path]
        forget_modules(frozenset(self.request["packages"]))
        self.finder.come_first()
        mode = self.request["mode"]
        if mode == "serve":
            self.server = Server(self.request, self.finder)
        elif mode == "baseline":
            self.tree = Tree(self.root, os.path.join(os.environ.get("TMPDIR", "/tmp"), "original"))
            self.recorder.start()
        elif mode == "fresh" and self.request["file"] is not None:
            path = os.path.join(self.root, self.request["file"])
            self.finder.changes[path] = executing_text(self.request["source"].encode(), path)
        code = self._main()
        if self.server is not None and self.server.is_child:
            self.server.give_up()
        return {"exit": code, "python": sys.version.partition(" ")[0], **self._found()}

    def _main(self) -> int:
        import pytest

        scratch = os.path.join(os.environ.get("TMPDIR", "/tmp"), "pytest-of-me")
        more = ["--benchmark-disable"] if find_spec("pytest_benchmark") else []
        places = [f"--basetemp={scratch}", f"--rootdir={self.root}"]
        arguments = [*_ARGUMENTS, *places, *more, *self.request["args"]]
        try:
            return int(pytest.main(arguments, plugins=[self]))
        except SystemExit as error:  # a conftest that leaves
            return error.code if isinstance(error.code, int) else 1
        finally:
            self.recorder.stop()

    def _found(self) -> "dict[str, Any]":
        if self.server is not None:
            alone = [test for test, is_good in self.server.judge.alone.items() if is_good]
            return {"results": self.server.results, "alone": alone}
        return {**self.found, "collection_errors": self.collection_errors}

    # -- hooks --------------------------------------------------------------------------

    def pytest_load_initial_conftests(self, early_config: Any) -> None:
        """pytest has put its own finder first by now."""
        self.finder.come_first()
        if self.server is not None:
            self.server.config = early_config

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be collected."""
        if report.failed:
            text = str(report.longrepr).encode("utf-8", "replace").decode()
            self.collection_errors.append({"id": report.nodeid, "why": text[-400:]})
            if self.server is not None:
                self.server.collection_errors.append(report.nodeid)

    def pytest_runtestloop(self, session: Any) -> bool:
        """The tests are collected: do what was asked for instead of running them all."""
        mode = self.request["mode"]
        if mode == "baseline":
            self._baseline(session)
        elif mode == "serve" and self.server is not None:
            self.server.at_tests(session)
        else:
            self._afresh(session)
        # Nobody reads its summary, for which plugins import half a world.
        session.config.pluginmanager.unregister(name="terminalreporter")
        return True

    def _baseline(self, session: Any) -> None:
        self.recorder.stop()
        collected = time.process_time() - self.began
        lines, arcs = self.recorder.take()
        known = frozenset(self.request["known"])
        baseline = Baseline(session, self.recorder, self, known)
        if self.tree.is_restorable:
            self.tree.keep()
        writes: list[str] = []

        def tidy() -> None:
            writes.extend(self.tree.changed())
            if self.tree.is_restorable:
                self.tree.put_back()

        has_forks = self.request["forks"]
        if not has_forks:
            take_notice()
        looks_alone = self.request["looks_alone"]
        tests = baseline.in_forks(tidy, looks_alone) if has_forks else baseline.in_this_process()
        self.found = {
            "collect_seconds": collected,
            "imports": {
                path: {name: sorted(lines[path, name]) for other, name in lines if other == path}
                for path, _ in lines
            },
            "import_arcs": {path: sorted(steps) for path, steps in arcs.items()},
            "tests": tests,
            "writes": writes[:100],
            "restorable": self.tree.is_restorable,
        }

    def _afresh(self, session: Any) -> None:
        """Every test that passes unchanged, in its own order, pytest's own way, to a failure."""
        from _pytest.runner import runtestprotocol

        bad, only = frozenset(self.request["bad"]), self.request["only"]
        broken = frozenset(self.request["broken"])
        new = [each["id"] for each in self.collection_errors if each["id"] not in broken]
        known = known_names([item.nodeid for item in session.items], only or (), bad)
        chosen = [
            item
            for item in session.items
            if known[item.nodeid] not in bad and (only is None or known[item.nodeid] in only)
        ]
        self.found = {"killer": new[0] if new else None, "killed": bool(new), "ran": 0}
        for number, item in enumerate(chosen):
            if self.found["killed"]:
                return
            following = chosen[number + 1] if number + 1 < len(chosen) else None
            reports = runtestprotocol(item, nextitem=following, log=False)
            self.found["ran"] += 1
            if any(report.failed for report in reports):
                self.found.update(killed=True, killer=known[item.nodeid])
