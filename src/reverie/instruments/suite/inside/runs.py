"""One process per run: the parent asks for nothing of the target, so every run starts clean."""

import importlib
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from typing import Any

import pytest

from reverie.instruments.mutation.inside.plugins import PluginsAsTheyAre

_SPENT = "no answer in time"
_CHUNK = 1 << 16


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """What every run said, in the order asked; a run that died or took too long says nothing."""
    plugin = tempfile.mkdtemp()
    for name, source in request["plugin"]:
        path = os.path.join(plugin, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
    sys.path.append(plugin)
    sys.dont_write_bytecode = True
    for name in ("clock", "conditions", "entropy", "recorder", "replacements"):
        importlib.import_module(f"reverie_pytest.{name}")  # once, not in every child
    deadline = time.monotonic() + request["seconds"]
    found = []
    for run in request["runs"]:
        left = min(deadline - time.monotonic(), request["run_seconds"])
        found.append(in_child(request, run, left) if left > 0 else {"error": _SPENT})
    return {"runs": found}


def in_child(request: "dict[str, Any]", run: "dict[str, Any]", seconds: float) -> Any:
    """One run in a fork; what it says comes through a pipe."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.close(reading)
        try:
            code = perform(request, run, lambda found: say(writing, found))
            say(writing, {"error": f"pytest ended with {code}"})
        except BaseException as error:  # noqa: BLE001  whatever ended the run is what it says
            say(writing, {"error": f"{type(error).__name__}: {error}"[:400]})
    os.close(writing)
    try:
        text, is_whole = read_all(reading, seconds)
    finally:
        os.close(reading)
        for kill, number in ((os.killpg, child), (os.kill, child)):
            try:
                kill(number, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        os.waitpid(child, 0)
    if not is_whole:
        return {"error": _SPENT}
    try:
        return json.loads(text)
    except ValueError:
        return {"error": "the run ended without a word", "is_dead": True}


def say(descriptor: int, found: "dict[str, Any]") -> None:
    """The last word of a child."""
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps(found))
    os._exit(0)


def read_all(descriptor: int, seconds: float) -> "tuple[bytes, bool]":
    """Everything up to the end of the pipe, or to the end of the time; whether it is the former."""
    deadline = time.monotonic() + seconds
    chunks: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            return b"".join(chunks), False
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            return b"".join(chunks), True
        chunks.append(chunk)


def add_processors(number: int) -> None:
    """Another machine has more of them; the first one has as many as there are."""
    for name in ("cpu_count", "process_cpu_count"):
        count = getattr(os, name, None)
        if number and count is not None:
            more = (count() or 1) + number
            setattr(os, name, lambda more=more: more)


def perform(
    request: "dict[str, Any]", run: "dict[str, Any]", tell: "Callable[[dict[str, Any]], None]"
) -> int:
    """Run pytest here and now; what it says is told when its tests have ended.

    What plugins do after that is not waited for: some import half a library for a summary.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.environ["PYTEST_SEED"] = str(run["seed"])
    os.environ["FREEZE_TIME"] = run["instant"]
    sys.path[:0] = request["paths"]
    add_processors(run["processors"])

    def finish() -> None:
        tell(
            {
                "tests": watcher.ends,
                "reasons": watcher.reasons,
                "replaced": replaced(request["defined"], request["packages"], request["paths"]),
                "lines": {path: sorted(lines) for path, lines in watcher.lines.items()},
            }
        )

    watcher = Watcher(run["traced"], run["alone"], finish)
    scratch = tempfile.mkdtemp(prefix="run-")
    os.environ["TMPDIR"] = tempfile.tempdir = os.path.join(scratch, "own")
    os.mkdir(tempfile.tempdir)
    arguments = [
        *("-q", "-p", "no:cacheprovider", "-p", "reverie_pytest", "--reverie"),
        # That our plugin is imported already is our doing: a project may make errors of warnings.
        *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
        "--reverie-order=random" if run["random"] else "--reverie-order=fixed",
        f"--reverie-events={scratch}/events.ndjson",
        f"--basetemp={scratch}/tmp",
        *request["arguments"],
        *run["tests"],
    ]
    return int(pytest.main(arguments, plugins=[watcher]))


class Watcher(PluginsAsTheyAre):
    """What each test did, as its own exception says and as it was reported."""

    def __init__(self, traced: "list[str]", is_alone: bool, finish: "Callable[[], None]") -> None:
        self._is_alone = is_alone
        self._finish = finish
        self.ends: dict[str, str] = {}
        self.reasons: dict[str, str] = {}
        self.lines: dict[str, set[int]] = {path: set() for path in traced}
        self._raised: dict[tuple[str, str], bool] = {}

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be collected is a failure of its own."""
        if report.failed:
            self.ends[report.nodeid] = "failed"
            self.reasons[report.nodeid] = str(report.longrepr)[-300:]

    def pytest_itemcollected(self, item: Any) -> None:
        """Until it has ended it is missing."""
        self.ends.setdefault(item.nodeid, "missing")

    def pytest_runtestloop(self, session: Any) -> "bool | None":
        """Every test in a fork of its own, where that was asked for; cases of one stay together."""
        if not self._is_alone or session.testsfailed:
            return None
        groups: dict[str, list[Any]] = {}
        for item in session.items:
            groups.setdefault(item.nodeid.partition("[")[0], []).append(item)
        for items in groups.values():
            self._in_fork(items)
        return True

    def _in_fork(self, items: "list[Any]") -> None:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            for item, following in zip(items, [*items[1:], None]):  # noqa: B905  one shorter
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            names = [item.nodeid for item in items]
            reasons = {name: self.reasons[name] for name in names if name in self.reasons}
            said = [{name: self.ends[name] for name in names}, reasons]
            os.write(writing, json.dumps(said).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            text = file.read()
        os.waitpid(child, 0)
        place = os.environ["TMPDIR"]
        shutil.rmtree(place, ignore_errors=True)  # the next one finds nothing of this one
        os.makedirs(place, exist_ok=True)
        try:
            ends, reasons = json.loads(text)
        except ValueError:
            return  # it died: its tests stay missing
        self.ends.update(ends)
        self.reasons.update(reasons)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """All has been seen."""
        self._finish()

    def pytest_runtest_call(self, item: Any) -> None:
        """Watch the lines of test files, where that was asked for."""
        if self.lines:
            sys.settrace(self._enter)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> "Generator[None, Any, None]":
        """What was really raised, before anybody turns it into a report."""
        sys.settrace(None)
        self._raised[item.nodeid, call.when] = call.excinfo is not None
        yield

    def pytest_runtest_logreport(self, report: Any) -> None:
        """The last word of every phase."""
        name = report.nodeid
        raised = self._raised.get((name, report.when), True)
        before = self.ends.get(name, "missing")
        if report.outcome == "passed" and raised and not hasattr(report, "wasxfail"):
            self.ends[name] = "forged"
        elif report.outcome == "failed":
            self.ends[name] = "failed"
            self.reasons.setdefault(name, str(report.longrepr)[-300:])
        elif report.outcome == "skipped" or hasattr(report, "wasxfail"):
            if before in ("missing", "passed"):
                self.ends[name] = "skipped"
        elif report.when == "call" and before == "missing":
            self.ends[name] = "passed"

    def _enter(self, frame: Any, event: str, given: Any) -> Any:
        lines = self.lines.get(frame.f_code.co_filename)
        if lines is None:
            return None

        def step(frame: Any, event: str, given: Any) -> Any:
            if event == "line":
                lines.add(frame.f_lineno)
            return step

        lines.add(frame.f_lineno)
        return step


def replaced(
    defined: "dict[str, list[str]]", packages: "list[str]", roots: "list[str]"
) -> "list[str]":
    """Plain functions of production code that are not what their file says, by name.

    A module whose file nobody looked into (a test inside of the package, a generated version, one
    in C) has to lie where its name says.
    """
    found: list[str] = []
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] not in packages:
            continue
        place = getattr(module, "__file__", None)
        known = defined.get(place or "")
        if known is None:
            is_namespace = place is None and getattr(module, "__path__", None) is not None
            if not is_namespace and not lies_where_named(name, place or "", roots):
                found.append(name)
            continue
        found += [f"{name}.{each}" for each in known if not is_own(module, each, place)]
    return found


def lies_where_named(name: str, place: str, roots: "list[str]") -> bool:
    """Whether `package.module` is `package/module.*`, or its folder's front, below a root."""
    folder, _, file = place.rpartition("/")
    stem = file.partition(".")[0]
    path = folder if stem == "__init__" else f"{folder}/{stem}"
    return any(path == f"{root.rstrip('/')}/{name.replace('.', '/')}" for root in roots)


def is_own(module: Any, qualname: str, place: "str | None") -> bool:
    """Whether the function of a module comes from the module's own file."""
    owner = module
    *classes, last = qualname.split(".")
    for each in classes:
        owner = vars(owner).get(each) if hasattr(owner, "__dict__") else None
    value = vars(owner).get(last) if hasattr(owner, "__dict__") else None
    code = getattr(value, "__code__", None)
    return code is not None and code.co_filename == place and code.co_name == last
