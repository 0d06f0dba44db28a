"""The suite in several processes, forked when everything is collected: `--side-by-side N`.

Sixteen thousand tests are collected once, in the process that reports; those that run them have
all of it at no cost. Each of these takes one file after another, in the order of collection, and
runs it alone: what a module's fixtures make is made once. Between two files only what belongs to
the session stays. What a process has to say comes back as pickles, over a socket of its own.
"""

import os
import pickle
import selectors
import signal
import socket
import struct
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import groupby
from typing import Any, NoReturn

import pytest
from _pytest.capture import FDCapture

_LENGTH = struct.Struct("!I")
_REPORTERS = ("_pytest.terminal", "_pytest.junitxml", "_pytest.cacheprovider", "_pytest.stepwise")
"""Modules of plugins that tell or remember what became of tests: that is for the first process."""


class Line:
    """One end of a connection: whole messages, there and back."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def fileno(self) -> int:
        return self._end.fileno()

    def close(self) -> None:
        self._end.close()

    def send(self, *message: Any) -> None:
        text = pickle.dumps(message)
        self._end.sendall(_LENGTH.pack(len(text)) + text)

    def receive(self) -> Any:
        """The next message; None when nobody is at the other end any more."""
        head = self._read(_LENGTH.size)
        return None if head is None else pickle.loads(self._read(*_LENGTH.unpack(head)) or b"N.")  # noqa: S301

    def _read(self, count: int) -> bytes | None:
        parts = []
        while count:
            try:
                part = self._end.recv(count)
            except ConnectionError:
                return None
            if not part:
                return None
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


class Teller:
    """In a process that runs tests: sends on what pytest's hooks say."""

    def __init__(self, config: pytest.Config, line: Line) -> None:
        self._config = config
        self._line = line
        self.is_told = False
        """Warnings of before come again to whoever asks for them; they were told."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        hook = self._config.hook
        self._line.send(
            "report", hook.pytest_report_to_serializable(config=self._config, report=report)
        )

    def pytest_warning_recorded(
        self, warning_message: Any, when: str, nodeid: str, location: object
    ) -> None:
        if not self.is_told:
            return
        about = (warning_message.category.__name__, str(warning_message.message))
        place = (warning_message.filename, warning_message.lineno)
        self._line.send("warning", about, place, when, nodeid, location)


class Runner:
    """One process that runs tests, as the first process sees it."""

    def __init__(self, pid: int, line: Line) -> None:
        self.pid = pid
        self.line = line
        self.todo: list[int] = []
        """Numbers of the tests of its file that have not ended yet."""


class SideBySide:
    """The first process: hands out files, and reports what comes back."""

    def __init__(self, session: pytest.Session, count: int, prepare: Callable[[int], None]) -> None:
        self.session = session
        self.config = session.config
        self._prepare = prepare
        self._files = deque(files_of(session.items))
        self._count = min(count, len(self._files))
        self._begun = 0
        self._open = selectors.DefaultSelector()
        self._base = self.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]

    def run(self) -> None:
        """All tests; returns or raises as pytest's own loop does."""
        try:
            for _ in range(self._count):
                self._begin()
            while self._open.get_map():
                for key, _ in self._open.select():
                    self._hear(key.data)
                if self.session.shouldfail:
                    raise self.session.Failed(self.session.shouldfail)
                if self.session.shouldstop:
                    raise self.session.Interrupted(self.session.shouldstop)
        finally:
            for key in list(self._open.get_map().values()):
                self._end(key.data, signal.SIGINT)

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        number, self._begun = self._begun, self._begun + 1
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            ours.close()
            for key in self._open.get_map().values():
                key.data.line.close()  # or a process that ends would not be seen to
            work(self.session, Line(theirs), self._base / f"side{number}", self._prepare, number)
        theirs.close()
        runner = Runner(pid, Line(ours))
        self._open.register(runner.line, selectors.EVENT_READ, runner)

    def _end(self, runner: Runner, by: int = 0) -> int:
        """Let go of one; how it ended."""
        self._open.unregister(runner.line)
        runner.line.close()
        if by:
            os.kill(runner.pid, by)
        return os.waitstatus_to_exitcode(os.waitpid(runner.pid, 0)[1])

    def _hear(self, runner: Runner) -> None:
        message = runner.line.receive()
        if message is None:
            self._bury(runner)
            return
        about, *rest = message
        getattr(self, f"_hear_{about}")(runner, *rest)

    def _hear_next(self, runner: Runner) -> None:
        """Free: the next file, or nothing when there is none."""
        runner.todo = list(self._files.popleft()) if self._files else []
        runner.line.send(runner.todo)

    def _hear_began(self, runner: Runner) -> None:
        item = self.session.items[runner.todo[0]]
        self.config.hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)

    def _hear_ended(self, runner: Runner) -> None:
        item = self.session.items[runner.todo.pop(0)]
        self.config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)

    def _hear_report(self, _: Runner, data: dict[str, Any]) -> None:
        hook = self.config.hook
        report = hook.pytest_report_from_serializable(config=self.config, data=data)
        hook.pytest_runtest_logreport(report=report)

    def _hear_warning(
        self, _: Runner, about: tuple[str, str], place: Any, when: Any, nodeid: str, location: Any
    ) -> None:
        name, text = about
        message = warnings.WarningMessage(text, type(name, (Warning,), {}), *place)
        facts = {"when": when, "nodeid": nodeid, "location": location}
        hook = self.config.hook.pytest_warning_recorded
        hook.call_historic(kwargs={"warning_message": message, **facts})

    def _hear_broken(self, _: Runner, told: str) -> None:
        """What belongs to the session could not be taken down."""
        self._fail("the end of a process", ("", None, ""), told)

    def _bury(self, runner: Runner) -> None:
        """One is gone. If it died over a test that test failed, and another goes on behind it."""
        code = self._end(runner)
        if not runner.todo:
            if code:
                self._fail("the end of a process", ("", None, ""), f"it ended with {code}")
            return
        item = self.session.items[runner.todo.pop(0)]
        self._fail(item.nodeid, item.location, f"the process that ran it ended with {code}")
        if runner.todo:
            self._files.appendleft(runner.todo)
        if self._files:
            self._begin()

    def _fail(self, nodeid: str, location: tuple[str, int | None, str], told: str) -> None:
        report = pytest.TestReport(nodeid, location, {}, "failed", told, "call")
        self.config.hook.pytest_runtest_logreport(report=report)


def files_of(items: list[pytest.Item]) -> Iterator[list[int]]:
    """The numbers of the tests, file by file."""
    numbered = enumerate(items)
    for _, each in groupby(numbered, key=lambda pair: pair[1].nodeid.partition("::")[0]):
        yield [number for number, _ in each]


def work(
    session: pytest.Session, line: Line, base: Any, prepare: Callable[[int], None], number: int
) -> NoReturn:
    """In a process of its own: run files until there are no more."""
    code = 1
    try:
        _settle(session.config, line, base)
        prepare(number)
        while todo := _ask(line):
            _run(session, line, todo)
        _take_down(session, line)
        code = 0
    except (BrokenPipeError, KeyboardInterrupt):  # the first process has ended, or ends us
        with suppress(Exception):
            session._setupstate.teardown_exact(None)
        code = 0
    finally:
        # What is to be done at the end of a process is the first one's: it began it.
        os._exit(code)


def _ask(line: Line) -> list[int]:
    line.send("next")
    (todo,) = line.receive() or ([],)
    return list(todo)


def _run(session: pytest.Session, line: Line, todo: list[int]) -> None:
    for number, after in zip(todo, [*todo[1:], None], strict=True):
        item = session.items[number]
        line.send("began")
        # Of what is set up, the session stays behind the last test of a file.
        following = session if after is None else session.items[after]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        line.send("ended")


def _take_down(session: pytest.Session, line: Line) -> None:
    try:
        session._setupstate.teardown_exact(None)
    except Exception as error:  # noqa: BLE001  a fixture's: whatever it is, it is told
        line.send("broken", f"{type(error).__name__}: {error}")


def _settle(config: pytest.Config, line: Line, base: Any) -> None:
    """What the fork has in common with the first process, and must not."""
    plugins = config.pluginmanager
    for plugin in list(plugins.get_plugins()):
        if type(plugin).__module__.startswith(_REPORTERS):
            plugins.unregister(plugin)
    teller = Teller(config, line)
    plugins.register(teller)
    teller.is_told = True
    base.mkdir(mode=0o700)
    config._tmp_path_factory._basetemp = base  # type: ignore[attr-defined]
    _capture_apart(plugins.getplugin("capturemanager")._global_capturing)


def _capture_apart(capturing: Any) -> None:
    """Files of our own behind the captured streams; these stay, for modules hold on to them."""
    for stream in (capturing.out, capturing.err):
        if isinstance(stream, FDCapture):
            with tempfile.TemporaryFile(buffering=0) as own:
                os.dup2(own.fileno(), stream.tmpfile.fileno(), inheritable=False)
