"""Harm that a hostile value does: seen by the interpreter's own audit events, not guessed.

A value that is quoted, bound or refused does none. Harm is a file opened outside of the run's
folder, and a value that became part of a command, a program or a query.
"""

import os
import sqlite3
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.workflows.scenarios.inside.board import Board

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
