"""A dream of tests without those that a gate objects to, so that the others can be promoted."""

import ast
from collections.abc import Mapping
from dataclasses import replace

from reverie.dreamers.enrich.writing.sharpening import without_tests
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Trial
from reverie.model.dream import Dream
from reverie.model.ruling import Answer, Ruling

_NAMED: Mapping[str, tuple[str, ...]] = {
    "blunt_test": ("tests.blunt",),
    "new_test_fails": ("tests.failing",),
    "unstable_test": ("tests.unstable", "tests.failing"),
    "runs_no_code": ("tests.idle",),
    "skip_added": ("tests.skipped",),
    "assertion_never_runs": ("tests.unreached",),
}
"""By reason code: the details of the evidence that name the tests in question."""


def without_objectionable(dream: Dream, trial: Trial) -> Dream | None:
    """The dream without the tests that speak against it; None where something else does, too."""
    failed = [ruling for ruling in trial.judgement.rulings if ruling.verdict is Answer.FAIL]
    new = [edit for edit in dream.change.edits if edit.before is None]
    if not failed or len(new) != 1:
        return None
    (edit,) = new
    blamed = [_blamed(ruling, trial.evidence.details, edit) for ruling in failed]
    if not all(blamed):
        return None
    source = without_tests(edit.after or "", frozenset().union(*blamed))
    if source is None:
        return None
    sharper = replace(edit, after=source)
    edits = (sharper if each is edit else each for each in dream.change.edits)
    return replace(dream, change=Change(tuple(edits)))


def _blamed(
    ruling: Ruling, details: Mapping[str, tuple[str, ...]], edit: FileEdit
) -> frozenset[str]:
    """The test functions that a ruling is about, by name; none where it is about something else."""
    named = [each for key in _NAMED.get(ruling.reason_code, ()) for each in details.get(key, ())]
    places = [ruling.measured, *named] if isinstance(ruling.measured, str) else named
    return frozenset(name for place in places if (name := _test_at(str(place), edit)))


def _test_at(place: str, edit: FileEdit) -> str | None:
    """The test that a pytest id or a `file:line` names."""
    if "::" in place:
        return place.rpartition("::")[2].partition("[")[0]
    file, _, line = place.rpartition(":")
    if file != edit.path or not line.isdecimal():
        return None
    functions = [
        node
        for node in ast.walk(ast.parse(edit.after or ""))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test")
        and _first_line(node) <= int(line) <= (node.end_lineno or node.lineno)
    ]
    return functions[0].name if functions else None


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])
