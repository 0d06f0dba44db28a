"""Mutants of a function: which calls notice each; and a whole file of tests, run by pytest."""

import os
import sys
import tempfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.dreamers.generate.inside.trying import _called, _TooLong
    from reverie.dreamers.generate.inside.values import _fresh


def _notice(
    mutants: "list[str]", name: str, seen: "list[dict[str, Any]]", with_types: bool
) -> "list[list[int]]":
    """For each mutant, the numbers of the calls whose outcome is another than was seen."""
    noticed = []
    for source in mutants:
        space: dict[str, Any] = {"__name__": "made"}
        try:
            exec(compile(source, "<mutant>", "exec"), space)  # noqa: S102  inside the sandbox
            function = space[name]
        except Exception:  # noqa: BLE001  whoever imports it notices
            noticed.append(list(range(len(seen))))
            continue
        noticed.append(_noticed_by(function, seen, with_types))
    return noticed


def _noticed_by(function: Any, seen: "list[dict[str, Any]]", with_types: bool) -> "list[int]":
    """Up to the first call that does not come back: the others would take as long."""
    found: list[int] = []
    for at, each in enumerate(seen):
        try:
            is_noticed = _is_noticed(function, each, with_types)
        except _TooLong:
            return [*found, at]
        if is_noticed:
            found.append(at)
    return found


def _is_noticed(function: Any, seen: "dict[str, Any]", with_types: bool) -> bool:
    try:
        result = _called(function, _fresh(seen["args"]))
        if seen["raises"] is not None or result != seen["result"]:
            return True
        return with_types and type(result).__name__ != seen["type"]
    except Exception as error:  # noqa: BLE001  another than was seen, or the same
        return seen["raises"] not in {each.__name__ for each in type(error).__mro__}


class _Counting:
    """A plug-in of pytest that counts."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
        elif report.when == "call" and report.passed:
            self.passed += 1

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def _run_tests(module: str, source: str, tests: str) -> "dict[str, Any]":
    """How many tests pass, and the names of those that do not."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import pytest

    folder = tempfile.mkdtemp()
    for name, text in ((module, source), (f"test_{module}", tests)):
        with open(os.path.join(folder, f"{name}.py"), "w", encoding="utf-8") as file:
            file.write(text)
    sys.path.insert(0, folder)
    counting = _Counting()
    path = os.path.join(folder, f"test_{module}.py")
    arguments = ["-q", "--assert=plain", "-p", "no:cacheprovider", "--rootdir", folder, path]
    code = pytest.main(arguments, plugins=[counting])
    return {"code": int(code), "passed": counting.passed, "failed": counting.failed}
