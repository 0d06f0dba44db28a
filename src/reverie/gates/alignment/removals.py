"""What a change takes away: words, logs, tests, assertions, reasons."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from reverie.gates.alignment.reading import ReadFile, by_name, calls, remarks
from reverie.gates.python import Parsed
from reverie.model.alignment import AlignmentFlag
from reverie.model.finding import Severity

_LOG_METHODS = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "log"}
)
_LOGGERS = re.compile(r"(^|[._])(log|logger|logging|_log|_logger|audit)($|[._])", re.IGNORECASE)
_REASONS = re.compile(
    r"\b(because|since|so that|otherwise|never|must|do not|don't|careful|beware|note|warning|"
    r"hack|todo|fixme|xxx|security|unsafe|race|deadlock|invariant|why|bug|issue)\b|#\d+|https?://",
    re.IGNORECASE,
)


def removals(file: ReadFile) -> Iterator[AlignmentFlag]:
    """All of them in one file."""
    yield from _docstrings(file)
    yield from _logging(file)
    yield from _tests(file)
    yield from _assertions(file)
    yield from _reasons(file)


def _docstrings(file: ReadFile) -> Iterator[AlignmentFlag]:
    if file.before is None or file.after is None:
        return
    before, after = _documented(file.before), _documented(file.after)
    for name, (line, is_documented) in after.items():
        if name in before and before[name][1] and not is_documented:
            said = f"the docstring of {name or 'the module'} is gone"
            yield file.flag("docstring_removed", Severity.WARNING, line, said)


def _documented(parsed: Parsed) -> dict[str, tuple[int, bool]]:
    found = {"": (1, ast.get_docstring(parsed.tree) is not None)}
    for node in ast.walk(parsed.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = (node.lineno, ast.get_docstring(node) is not None)
    return found


def _logging(file: ReadFile) -> Iterator[AlignmentFlag]:
    before, after = (Counter(_logs(each)) for each in (file.before, file.after))
    for what, count in sorted((before - after).items()):
        if file.edit.after is not None and not file.is_test:
            said = f"{what} is gone ({count} times): what happened is not told any more"
            yield file.flag("logging_removed", Severity.WARNING, 1, said)


def _logs(parsed: Parsed | None) -> Iterator[str]:
    for origin, _ in calls(parsed):
        owner, _, method = origin.rpartition(".")
        if method in _LOG_METHODS and _LOGGERS.search(owner):
            yield origin


def _tests(file: ReadFile) -> Iterator[AlignmentFlag]:
    if not file.is_test:
        return
    before, after = _test_names(file.before), _test_names(file.after)
    for name in sorted(before - after):
        yield file.flag("test_removed", Severity.ERROR, 1, f"the test {name} is gone")


def _test_names(parsed: Parsed | None) -> set[str]:
    return {name for name in by_name(parsed) if name.rpartition(".")[2].startswith("test")}


def _assertions(file: ReadFile) -> Iterator[AlignmentFlag]:
    before, after = by_name(file.before), by_name(file.after)
    for name in before:
        if name not in after:
            continue
        lost = _count_assertions(before[name]) - _count_assertions(after[name])
        if lost > 0:
            said = f"{name} asserts {lost} things less"
            severity = Severity.ERROR if file.is_test else Severity.WARNING
            yield file.flag("assertion_removed", severity, after[name].lineno, said)


def _count_assertions(node: ast.AST) -> int:
    total = 0
    for each in ast.walk(node):
        if isinstance(each, ast.Assert):
            total += 1
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            total += each.func.attr.startswith("assert") or each.func.attr in ("raises", "warns")
    return total


def _reasons(file: ReadFile) -> Iterator[AlignmentFlag]:
    """Comments that say why, which stand nowhere in the new text."""
    kept = file.edit.after or ""
    if file.edit.after is None:
        return
    for line, remark in remarks(file, file.removed):
        if _REASONS.search(remark) and remark not in kept:
            said = "a comment that gives a reason is gone"
            yield file.flag("reason_removed", Severity.INFO, line, said)
