"""A run while the plugin is on: every test gets its chance, its clock, its network, its events."""

import os
import shlex
import time
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reverie_pytest import hashseed, network
from reverie_pytest.clock import clock
from reverie_pytest.entropy import entropy
from reverie_pytest.events import EventLog, tests_that_failed
from reverie_pytest.failures import Failure, failure_of, named_failure
from reverie_pytest.options import Options
from reverie_pytest.order import shuffle
from reverie_pytest.replacements import rule_of

MESSAGE_CHARACTERS = 512
STACK_CHARACTERS = 4000
_CRASHED = "???"  # the phase of the report that xdist makes for a worker that died
_RUN_VARIABLE = "_REVERIE_RUN"
_now_ns = time.time_ns  # the real one: this module is imported before the clock is replaced


class Session:
    """The hooks of a run that asked for the plugin."""

    def __init__(self, config: pytest.Config, options: Options) -> None:
        self._config = config
        self._options = options
        self._hash_seed = hashseed.seed_in_force(os.environ)
        self._worker = _worker_id(config)
        self._run = _run_id(self._worker)
        self._log = EventLog(options.events, is_synced=options.is_synced)
        self._rule = rule_of(options)
        self._instant = options.instant
        self._network = self._rule
        self._failed_before: frozenset[str] = frozenset()
        self._passed_again: list[str] = []
        self._tests = self._failed = 0

    # The run

    def pytest_report_header(self) -> str:
        """What is in force, in a line."""
        options = self._options
        instant = options.instant
        shown = "real" if instant is None else datetime.fromtimestamp(instant, UTC).isoformat()
        order = "random" if options.is_order_random else "fixed"
        return (
            f"reverie: seed {options.seed}, hash seed {self._hash_seed}, clock {shown}, "
            f"network {self._rule}, order {order}, events {os.path.relpath(options.events)}"
        )

    def pytest_sessionstart(self) -> None:
        """Remember which tests have failed before: that one passes again is worth a note."""
        if self._worker is None:
            self._failed_before = tests_that_failed(self._options.events)

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """Chance at import depends on the module alone, not on which were imported before."""
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

    # One test

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, None]:
        """Start the test's streams, and hold clock and network."""
        has_clock = item.get_closest_marker("clock") is not None
        is_external = item.get_closest_marker("external") is not None
        self._instant = None if has_clock else self._options.instant
        self._network = network.ALLOW if is_external else self._rule
        entropy.begin(item.nodeid)
        clock.grant_reads()
        before = self._hold()
        yield
        self._let_go(before)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, None]:
        """Hold clock and network."""
        before = self._hold()
        yield
        self._let_go(before)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, None]:
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
        with entropy.aside(
            f"{fixturedef.baseid} {fixturedef.argname} {getattr(request, 'param_index', 0)}"
        ):
            yield

    def _hold(self) -> tuple[float | None, str]:
        if self._network != self._rule:
            network.hand_down(self._network, os.environ)
        return clock.freeze(self._instant), network.set_rule(self._network)

    def _let_go(self, before: tuple[float | None, str]) -> None:
        if self._network != self._rule:
            network.hand_down(self._rule, os.environ)
        clock.freeze(before[0])
        network.set_rule(before[1])

    # What failed

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, Any, None]:
        """An event for every phase that failed."""
        outcome = yield
        if outcome.excinfo is None and outcome.get_result().failed:
            report = outcome.get_result()
            place = _place(item, self._config.rootpath)
            root = self._config.rootpath
            if call.excinfo is None:
                failure = named_failure("Failed", report.longreprtext, place, root)
            else:
                failure = failure_of(call.excinfo, root, place)
            self._append(item.nodeid, item.path, report.when, failure, report.longreprtext)

    def pytest_exception_interact(
        self, node: pytest.Item | pytest.Collector, call: pytest.CallInfo[Any], report: Any
    ) -> None:
        """An event for what could not be collected; all workers see it, the first one tells."""
        if isinstance(node, pytest.Collector) and call.excinfo and self._worker in (None, "gw0"):
            failure = failure_of(call.excinfo, self._config.rootpath, f"{node.nodeid}:<module>")
            self._instant, self._network = self._options.instant, self._rule
            self._append(node.nodeid, node.path, "collect", failure, report.longreprtext)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """An event for a worker that died, and the tally of the run."""
        if self._worker is not None:
            return
        if report.when == _CRASHED and report.failed:
            file, _, name = report.nodeid.partition("::")
            place = f"{file}:{name.partition('[')[0]}"
            root = self._config.rootpath
            failure = named_failure("WorkerCrashed", "the worker died", place, root)
            self._append(report.nodeid, root / file, "call", failure, report.longreprtext)
        self._tests += report.when in ("call", _CRASHED)
        self._failed += report.failed
        if report.when == "call" and report.passed and report.nodeid in self._failed_before:
            self._passed_again.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """One line about the run, beside the events: it tells a flaky test from a mended one."""
        if self._worker is None and (self._failed_before or self._failed):
            runs = EventLog(self._options.events.with_name("runs.ndjson"), is_synced=False)
            runs.append(
                {
                    "ts": _timestamp(),
                    "run": self._run,
                    "seed": self._options.seed,
                    "tests": self._tests,
                    "failed": self._failed,
                    "passed_again": sorted(self._passed_again),
                }
            )

    def pytest_unconfigure(self) -> None:
        """Leave no variable behind."""
        if self._worker is None:
            os.environ.pop(_RUN_VARIABLE, None)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """What somebody has to know: events that are lost, and network that was swallowed."""
        if self._log.trouble is not None:
            terminalreporter.line(f"reverie: events were not written: {self._log.trouble}")
        if (count := network.attempts()) and self._worker is None:
            terminalreporter.line(f"reverie: network calls blocked: {count}")

    def _append(self, test_id: str, path: Path, phase: str, failure: Failure, stack: str) -> None:
        self._log.append(
            {
                "ts": _timestamp(),
                "suite": self._options.suite,
                "test_id": test_id,
                "file": str(path),
                "error_class": failure.error_class,
                "message": failure.message[:MESSAGE_CHARACTERS],
                "stack": stack[-STACK_CHARACTERS:],
                "repro_cmd": self._command(test_id),
                "seed": self._options.seed,
                "env": self._environment(),
                "signature": failure.signature,
                "phase": phase,
                "run": self._run,
                "worker": self._worker,
            }
        )

    def _environment(self) -> dict[str, str]:
        """What was in force for the test, whatever variables said."""
        return {
            "PYTHONHASHSEED": self._hash_seed,
            "FREEZE_TIME": "0" if self._instant is None else self._options.freeze_time,
            "ALLOW_NET": "1" if self._network == network.ALLOW else "0",
        }

    def _command(self, test_id: str) -> str:
        options = self._options
        variables = {"PYTEST_SEED": str(options.seed)} if options.seed != 1337 else {}
        if options.freeze_time != "1":
            variables["FREEZE_TIME"] = options.freeze_time
        if options.is_network_allowed:
            variables["ALLOW_NET"] = "1"
        if self._hash_seed not in ("0", hashseed.RANDOM):
            variables["PYTHONHASHSEED"] = self._hash_seed
        prefix = "".join(f"{name}={shlex.quote(value)} " for name, value in variables.items())
        return f"{prefix}pytest -q --reverie {shlex.quote(test_id)}"


def _worker_id(config: pytest.Config) -> str | None:
    """The name of this worker of xdist; None in the process that tells people."""
    given = getattr(config, "workerinput", None)
    return None if given is None else str(given["workerid"])


def _run_id(worker: str | None) -> str:
    """The same for all workers of one run. Not a uuid: in this process those repeat."""
    if worker is None:
        os.environ[_RUN_VARIABLE] = f"{_now_ns():x}-{os.getpid():x}"
    return os.environ.get(_RUN_VARIABLE, "")


def _place(item: pytest.Item, root: Path) -> str:
    """The file and function of a test, without its parameters."""
    name = getattr(item, "originalname", None) or item.name.partition("[")[0]
    try:
        file = item.path.relative_to(root).as_posix()
    except ValueError:
        file = item.path.name
    return f"{file}:{name}"


def _timestamp() -> str:
    moment = datetime.fromtimestamp(_now_ns() / 1e9, UTC)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
