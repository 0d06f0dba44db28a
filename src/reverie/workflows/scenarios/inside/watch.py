"""Events of one stressed step: which faults fired, what did harm, what was refused.

Harm that a hostile value does is seen by the interpreter's own audit events, not guessed. A value
that is quoted, bound or refused does none. Harm is a file opened outside of the run's folder, and a
value that became part of a command, a program or a query.

A refusal is raised on purpose: by a `raise` of the code under test, by the binding of the call
itself, by a validator, by an exit with a message; or its docstring says that it comes.
"""

import dis
import os
import random
import re
import sqlite3
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Board:
    """Counts, from any thread."""

    def __init__(self, order: "dict[str, Any]") -> None:
        self.seed = order["seed"]
        self.lock = threading.Lock()
        self.fired: dict[str, int] = {}
        self.harm: list[str] = []
        self.exchanges = 0
        """Requests to an upstream in this step."""
        self.records = 0
        """Records that came into this step."""
        self.first_exchange = order["first_exchange"]
        self.first_record = order["first_record"]

    def fire(self, fault: str, times: int = 1) -> None:
        """A fault really happened; not at all is no time."""
        if times > 0:
            with self.lock:
                self.fired[fault] = self.fired.get(fault, 0) + times

    def blame(self, what: str) -> None:
        """The step did something that it never should."""
        with self.lock:
            if what not in self.harm and len(self.harm) < 20:
                self.harm.append(what[:300])

    def next_exchange(self) -> int:
        """The number of an exchange, counted over all runs of the scenario."""
        with self.lock:
            self.exchanges += 1
            return int(self.first_exchange + self.exchanges - 1)

    def next_record(self) -> int:
        """The number of a record, counted over all runs of the scenario."""
        with self.lock:
            self.records += 1
            return int(self.first_record + self.records - 1)

    def is_due(self, fault: str, number: int, every: int) -> bool:
        """Whether this is the one of its block of `every` that a fault falls on."""
        if every < 1:
            return False
        dice = random.Random(f"{self.seed}:{fault}:{number // every}")
        return int(dice.random() * every) == number % every


_SHELLS = ("sh", "bash", "dash", "zsh", "cmd", "cmd.exe")


class Watch:
    """Looks for one payload. An audit hook cannot be taken away: it is told when to stop."""

    def __init__(self, payload: Any, root: str, board: "Board") -> None:
        self.payload = payload if isinstance(payload, str) and len(payload) < 500 else None
        self.root = os.path.realpath(root)
        self.board = board
        self.is_on = False
        self.compiled: set[str] = set()
        self.connect = sqlite3.connect

    def install(self) -> None:
        """Begin to look."""
        if self.payload is not None and len(self.payload) > 2:
            self.is_on = True
            sys.addaudithook(self._see)
            sqlite3.connect = self._connect

    def close(self) -> None:
        """Look no more."""
        self.is_on = False
        sqlite3.connect = self.connect

    def _connect(self, *arguments: Any, **options: Any) -> Any:
        connection = self.connect(*arguments, **options)
        connection.set_trace_callback(self._see_query)
        return connection

    def _see(self, event: str, arguments: "tuple[Any, ...]") -> None:
        if not self.is_on:
            return
        if event == "open":
            self._see_file(arguments[0])
        elif event == "os.system":
            self._see_command(arguments[0])
        elif event == "subprocess.Popen" and isinstance(arguments[1], list | tuple):
            if os.path.basename(str(arguments[1][0])) in _SHELLS:
                self._see_command(" ".join(str(part) for part in arguments[1]))
        elif event == "compile":
            self._see_source(arguments)
        elif event == "exec" and getattr(arguments[0], "co_filename", "") in self.compiled:
            self.board.blame("the hostile value was executed as code")

    def _see_file(self, path: Any) -> None:
        payload = self.payload or ""
        if not isinstance(path, str | bytes | os.PathLike) or "/" not in payload:
            return
        name = os.path.realpath(os.fsdecode(path))
        tail = "/".join(payload.replace("\\", "/").rstrip("/").split("/")[-2:])
        is_outside = name != self.root and not name.startswith(self.root + "/")
        if is_outside and name.endswith(tail) and not name.startswith("/dev/"):
            self.board.blame(f"opened {name!r}, outside of its folder, because a value said so")

    def _see_command(self, command: Any) -> None:
        text = os.fsdecode(command) if isinstance(command, str | bytes) else ""
        if self.payload is not None and self.payload in text and "'" + self.payload not in text:
            self.board.blame("the hostile value became part of a shell command")

    def _see_source(self, arguments: "tuple[Any, ...]") -> None:
        source, name = arguments[0], arguments[1]
        text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
        if isinstance(text, str) and self.payload is not None and self.payload in text:
            self.compiled.add(os.fsdecode(name) if isinstance(name, str | bytes) else "")

    def _see_query(self, query: str) -> None:
        payload = self.payload or ""
        bound = "'" + payload.replace("'", "''") + "'"
        if payload in query.replace(bound, "").replace(bound[1:-1].replace("'", "''"), ""):
            self.board.blame("the hostile value became part of an SQL statement")


_RAISE = dis.opmap["RAISE_VARARGS"]


class Overdue(BaseException):
    """The step did not end in time."""


def _told(
    error: BaseException, roots: "tuple[str, ...]", function: "Callable[..., Any]"
) -> "dict[str, Any]":
    """An exception as it is told to the host."""
    own = _own_frames(error, roots)
    where = None
    if own:
        code = own[-1].tb_frame.f_code
        where = f"{code.co_filename.rpartition('/')[2]}:{code.co_name}:{own[-1].tb_lineno}"
    message = str(error).encode("utf-8", "replace").decode()[:300]
    return {
        "type": type(error).__name__[:100],
        "message": message,
        "where": where,
        "refused": _is_refusal(error, own, function),
    }


def _is_refusal(error: BaseException, own: "list[Any]", function: "Callable[..., Any]") -> bool:
    name = type(error).__name__
    if isinstance(error, SystemExit):
        return error.code not in (None, 0)
    if isinstance(error, MemoryError | RecursionError) or not isinstance(error, Exception):
        return False
    if not own:
        return isinstance(error, TypeError) or "Validation" in name
    last = own[-1]
    code, place = last.tb_frame.f_code.co_code, last.tb_lasti
    if last.tb_next is None and code[place] == _RAISE and code[place + 1] != 0:
        return True
    said = getattr(function, "__doc__", None) or ""
    return "Validation" in name or re.search(rf"\b{re.escape(name)}\b", said) is not None


def _own_frames(error: BaseException, roots: "tuple[str, ...]") -> "list[Any]":
    found, trace = [], error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(roots):
            found.append(trace)
        trace = trace.tb_next
    return found
