"""One run as a developer would start it: `python -m pytest`, nothing of ours beside it."""

import os
import select
import signal
import sys
import tempfile
import time
from typing import Any
from xml.etree import ElementTree

_LEFT_OUT = ("PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE")
_LOOK_MILLISECONDS = 20.0
_LAST = b"</testsuites>"
_ENDS = {"failure": "failed", "error": "failed", "skipped": "skipped"}


def run_plainly(request: "dict[str, Any]") -> "dict[str, Any]":
    """Every case that the report of pytest names, with how it ended; none without a report."""
    sys.modules.pop(__name__, None)
    folder = tempfile.mkdtemp()
    report, words = os.path.join(folder, "report.xml"), os.path.join(folder, "words")
    arguments = [*request["arguments"], f"--junitxml={report}", *request["tests"]]
    environment = {name: text for name, text in os.environ.items() if name not in _LEFT_OUT}
    environment["PYTHONPATH"] = os.pathsep.join(request["paths"])
    try:
        command = [sys.executable, "-m", "pytest", *arguments]
        if not _is_done(command, environment, request["seconds"], words, report):
            said = _last_words(words)
            return {"error": "no answer in time", "is_late": True, "words": said}
    except PermissionError:  # a tier without new processes: this one is as new as any
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:0] = request["paths"]
        _run_here(arguments)
    try:
        found = ElementTree.parse(report)
    except (OSError, ElementTree.ParseError) as error:
        return {"error": f"no report: {type(error).__name__}", "words": _last_words(words)}
    elements = list(found.iter("testcase"))
    return {"cases": [_case(each) for each in elements], "reasons": _reasons(elements)}


def _is_done(
    command: "list[str]", environment: "dict[str, str]", seconds: float, words: str, report: str
) -> bool:
    """Whether a process of its own came to an end in time; what it says goes to a file.

    What plugins do when the report is written is not waited for: some import half a library for a
    summary. A thread that is left is: it may keep the process from ever ending.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDWR, 0),
        (os.POSIX_SPAWN_OPEN, 1, words, flags, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    child = os.posix_spawn(command[0], command, environment, file_actions=quiet)
    poll = select.poll()
    poll.register(os.pidfd_open(child), select.POLLIN)
    deadline, is_done = time.monotonic() + seconds, False
    while not is_done and time.monotonic() < deadline:
        is_done = bool(poll.poll(_LOOK_MILLISECONDS)) or _is_written(report, child)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return is_done


def _is_written(report: str, child: int) -> bool:
    """Whether a report is there from its beginning to its end, and one thread is left at most."""
    try:
        with open(report, "rb") as stream:
            stream.seek(-len(_LAST), os.SEEK_END)
            if stream.read() != _LAST:
                return False
        return len(os.listdir(f"/proc/{child}/task")) < 2
    except OSError:
        return False


def _run_here(arguments: "list[str]") -> None:
    import pytest

    pytest.main(arguments)


def _last_words(words: str) -> str:
    try:
        with open(words, encoding="utf-8", errors="replace") as stream:
            return stream.read()[-2000:]
    except OSError:
        return ""


def _reasons(elements: "list[Any]") -> "list[list[str]]":
    """Why cases did not pass: the report's first words, and its last line."""
    found = []
    for element in elements:
        for each in element:
            if each.tag in ("failure", "error"):
                lines = (each.text or "").strip().splitlines()
                said = [each.get("message", ""), *lines[-1:]]
                telling = [line for line in lines if line.startswith("E ")][-1:]
                text = " | ".join([*said, *telling])[:600]
                found.append([element.get("classname", ""), element.get("name", ""), text])
    return found[:500]


def _case(element: Any) -> "list[str]":
    ends = [_ENDS[each.tag] for each in element if each.tag in _ENDS]
    return [element.get("classname", ""), element.get("name", ""), *(ends or ["passed"])[:1]]
