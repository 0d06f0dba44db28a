"""Licence, complexity, tests and types: what figures of a change say."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from reverie.gates.alignment.reading import ReadFile, by_name
from reverie.gates.clarity import decisions_of
from reverie.model.alignment import AlignmentFlag
from reverie.model.finding import Severity

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


def _is_typed(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
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
