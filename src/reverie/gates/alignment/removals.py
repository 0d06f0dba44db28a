"""What a change takes away: words, logs, tests, assertions, reasons; and what its figures say.

Figures are of licence, complexity, tests and types.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from reverie.gates.alignment.changed_files import ReadFile, by_name, calls, remarks
from reverie.gates.python import Parsed
from reverie.gates.quality import decisions_of
from reverie.model.repository.quality import AlignmentFlag, Severity
from reverie.syntax.nodes import Function

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
        if isinstance(node, Function | ast.ClassDef):
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


_LICENCES = re.compile(r"(?i)^(licen[cs]e|copying|notice|unlicense)([.-].*)?$")
_NEW_TIMES = 2
"""A new function may begin with so many jumps."""
_LICENCE_LINES = re.compile(
    r"(?i)spdx-license-identifier|copyright \(?c\)?|licen[cs]ed under|all rights reserved"
    r"|^\s*licen[cs]e(s|-files?)?\s*="
)


def figures_of(files: Sequence[ReadFile], side: str) -> Mapping[str, float | None]:
    """Figures of the production files on one side of a change; None where there is nothing."""
    found = [
        node for file in files if not file.is_test for node in by_name(getattr(file, side)).values()
    ]
    if not found:
        return {"complexity": None, "documented": None, "typed": None}
    return {
        "complexity": max(1 + decisions_of(each) for each in found),
        "documented": round(sum(ast.get_docstring(e) is not None for e in found) / len(found), 4),
        "typed": round(sum(_is_typed(each) for each in found) / len(found), 4),
    }


def licence_changes(file: ReadFile) -> Iterator[AlignmentFlag]:
    """The terms that others use the code by."""
    paths = filter(None, (file.path, file.edit.renamed_from))
    if any(_LICENCES.match(path.rpartition("/")[2]) for path in paths):
        yield file.flag("licence_changed", Severity.CRITICAL, 1, "the licence is changed")
        return
    if file.edit.before is None:
        return
    for number, line in (*file.removed, *file.added):
        if _LICENCE_LINES.search(line):
            said = "a line about the licence or the copyright is changed"
            yield file.flag("licence_changed", Severity.ERROR, number, said)
            return


def complexity_jumps(file: ReadFile, jump: int) -> Iterator[AlignmentFlag]:
    """Functions with many more decisions than they had, or new ones with too many."""
    if file.is_test:
        return
    before = by_name(file.before)
    for name, node in by_name(file.after).items():
        is_new = name not in before
        had = 0 if is_new else decisions_of(before[name])
        has = decisions_of(node)
        if has - had >= (_NEW_TIMES * jump if is_new else jump):
            said = f"{name} is new and has {has} decisions" if is_new else ""
            said = said or f"{name} has {has} decisions, and had {had}"
            yield file.flag("complexity_jump", Severity.WARNING, node.lineno, said)


def missing_types(file: ReadFile) -> Iterator[AlignmentFlag]:
    """Public functions that are new, or lost their types, where the file has types."""
    if file.is_test or file.after is None:
        return
    before, after = by_name(file.before), by_name(file.after)
    typed = [name for name, node in before.items() if _is_typed(node)]
    is_typed_file = len(typed) * 2 > len(before) or not before
    for name, node in after.items():
        if name.rpartition(".")[2].startswith("_") or _is_typed(node):
            continue
        if name in typed:
            said = f"{name} has lost its types"
            yield file.flag("types_missing", Severity.WARNING, node.lineno, said)
        elif name not in before and is_typed_file:
            said = f"{name} is new and has no types"
            yield file.flag("types_missing", Severity.INFO, node.lineno, said)


def _is_typed(node: Function) -> bool:
    args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    own = [each for each in args if each.arg not in ("self", "cls")]
    has_result = node.returns is not None or node.name == "__init__"
    return has_result and all(each.annotation is not None for each in own)


def missing_tests(files: Sequence[ReadFile]) -> Iterator[AlignmentFlag]:
    """New public functions without any change of the tests."""
    if any(file.is_test and file.added for file in files):
        return
    for file in files:
        if file.is_test:
            continue
        new = [n for n in by_name(file.after) if n not in by_name(file.before)]
        public = [n for n in new if not any(part.startswith("_") for part in n.split("."))]
        if public:
            said = f"{', '.join(public[:3])} came without a test"
            line = by_name(file.after)[public[0]].lineno
            yield file.flag("tests_missing", Severity.WARNING, line, said)
