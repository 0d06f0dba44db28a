"""Every failing phase of a run as an event, and a line about the run beside them."""

import os
import shlex
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reverie_pytest import hashseed, network
from reverie_pytest.clock import real_time_ns
from reverie_pytest.conditions import Conditions
from reverie_pytest.entropy import entropy
from reverie_pytest.events import EventLog, tests_that_failed
from reverie_pytest.failures import Failure, failure_of, named_failure
from reverie_pytest.options import SEED, Options

MESSAGE_CHARACTERS = 512
STACK_CHARACTERS = 4000
_CRASHED = "???"  # the phase of the report that xdist makes for a worker that died
_RUN_VARIABLE = "_REVERIE_RUN"


class Recorder:
    """Hooks that see what failed. With xdist the workers write, and the controller tallies."""

    def __init__(self, config: pytest.Config, options: Options, conditions: Conditions) -> None:
        self._root = config.rootpath
        self._options = options
        self._conditions = conditions
        self._worker = _worker_id(config)
        self._has_workers = getattr(config.option, "dist", "no") != "no"
        self._run = _run_id(self._worker)
        self._log = EventLog(options.events, is_synced=options.is_synced)
        self._failed_before: frozenset[str] = frozenset()
        self._passed_again: list[str] = []
        self._tests = self._failed = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Remember which tests have failed before: that one passes again is worth a note."""
        if self._worker is None:
            self._failed_before = tests_that_failed(self._options.events)
            if self._has_workers:
                entropy.begin(self._run)  # xdist names its run by a uuid: no other may have it

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, Any, None]:
        """An event for every phase that failed."""
        outcome = yield
        report = outcome.get_result()
        if report.failed:
            place = _place(item, self._root)
            if call.excinfo is None:
                failure = named_failure("Failed", report.longreprtext, place, self._root)
            else:
                failure = failure_of(call.excinfo, self._root, place)
            self._append(item.nodeid, item.path, report.when, failure, report.longreprtext)

    def pytest_exception_interact(
        self, node: pytest.Item | pytest.Collector, call: pytest.CallInfo[Any], report: Any
    ) -> None:
        """An event for what could not be collected; all workers see it, the first one tells."""
        if isinstance(node, pytest.Collector) and call.excinfo and self._worker in (None, "gw0"):
            failure = failure_of(call.excinfo, self._root, f"{node.nodeid}:<module>")
            self._append(node.nodeid, node.path, "collect", failure, report.longreprtext)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """An event for a worker that died, and the tally of the run."""
        if self._worker is not None:
            return
        if report.when == _CRASHED and report.failed:
            file, _, name = report.nodeid.partition("::")
            place = f"{file}:{name.partition('[')[0]}"
            failure = named_failure("WorkerCrashed", "the worker died", place, self._root)
            self._append(report.nodeid, self._root / file, "call", failure, report.longreprtext)
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

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """What somebody has to know: lost events, and network calls, also those code has hidden."""
        if self._log.trouble is not None:
            terminalreporter.line(f"reverie: events were not written: {self._log.trouble}")
        if count := network.attempts():
            terminalreporter.line(f"reverie: network calls blocked: {count}")

    def pytest_unconfigure(self) -> None:
        """Leave no variable behind."""
        if self._worker is None:
            os.environ.pop(_RUN_VARIABLE, None)

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
                "env": self._conditions.environment,
                "signature": failure.signature,
                "phase": phase,
                "run": self._run,
                "worker": self._worker,
            }
        )

    def _command(self, test_id: str) -> str:
        """What repeats the run of one test: variables where they are not the defaults."""
        options, hash_seed = self._options, self._conditions.hash_seed
        variables = {
            "PYTEST_SEED": (str(options.seed), options.seed != SEED),
            "FREEZE_TIME": (options.freeze_time, options.freeze_time != "1"),
            "ALLOW_NET": ("1", options.is_network_allowed),
            "PYTHONHASHSEED": (hash_seed, hash_seed not in ("0", hashseed.RANDOM)),
        }
        prefix = "".join(
            f"{name}={shlex.quote(value)} "
            for name, (value, is_told) in variables.items()
            if is_told
        )
        return f"{prefix}pytest -q --reverie {shlex.quote(test_id)}"


def _worker_id(config: pytest.Config) -> str | None:
    """The name of this worker of xdist; None in the process that tells people."""
    given = getattr(config, "workerinput", None)
    return None if given is None else str(given["workerid"])


def _run_id(worker: str | None) -> str:
    """The same for all workers of one run. Not a uuid: in this process those repeat."""
    if worker is None:
        os.environ[_RUN_VARIABLE] = f"{real_time_ns():x}-{os.getpid():x}"
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
    moment = datetime.fromtimestamp(real_time_ns() / 1e9, UTC)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
