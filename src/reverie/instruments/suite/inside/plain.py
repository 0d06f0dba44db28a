"""One run as a developer would start it: `python -m pytest`, nothing of ours beside it."""

import os
import subprocess
import sys
import tempfile
from typing import Any
from xml.etree import ElementTree

_LEFT_OUT = ("PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE")
_ENDS = {"failure": "failed", "error": "failed", "skipped": "skipped"}


def run_plainly(request: "dict[str, Any]") -> "dict[str, Any]":
    """Every case that the report of pytest names, with how it ended; none without a report."""
    sys.modules.pop(__name__, None)
    report = os.path.join(tempfile.mkdtemp(), "report.xml")
    arguments = [*request["arguments"], f"--junitxml={report}", *request["tests"]]
    environment = {name: text for name, text in os.environ.items() if name not in _LEFT_OUT}
    environment["PYTHONPATH"] = os.pathsep.join(request["paths"])
    try:
        _run([sys.executable, "-m", "pytest", *arguments], environment, request["seconds"])
    except PermissionError:  # a tier without new processes: this one is as new as any
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:0] = request["paths"]
        _run_here(arguments)
    except subprocess.TimeoutExpired:
        return {"error": "no answer in time"}
    try:
        found = ElementTree.parse(report)
    except (OSError, ElementTree.ParseError) as error:
        return {"error": f"no report: {type(error).__name__}"}
    return {"cases": [_case(each) for each in found.iter("testcase")]}


def _run(command: "list[str]", environment: "dict[str, str]", seconds: float) -> None:
    quiet = subprocess.DEVNULL
    subprocess.run(
        command, env=environment, stdin=quiet, stdout=quiet, stderr=quiet, timeout=seconds,
        check=False,
    )  # fmt: skip


def _run_here(arguments: "list[str]") -> None:
    import pytest

    pytest.main(arguments)


def _case(element: Any) -> "list[str]":
    ends = [_ENDS[each.tag] for each in element if each.tag in _ENDS]
    return [element.get("classname", ""), element.get("name", ""), *(ends or ["passed"])[:1]]
