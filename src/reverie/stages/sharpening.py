"""A dream made smaller until it passes: without the tests, or the import, that are refused."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from reverie.dreamers.enrich.writing.sharpening import without_tests
from reverie.dreamers.enrich.writing.titles import title_of
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Trial
from reverie.model.dream import Dream, DreamKind
from reverie.model.ruling import Answer, Ruling, Verdict
from reverie.stages.integration.dreamer import without_front

_NAMED: Mapping[str, tuple[str, ...]] = {
    "blunt_test": ("tests.blunt",),
    "unkeepable_test": ("tests.unkeepable",),
    "new_test_fails": ("tests.failing",),
    "unstable_test": ("tests.unstable", "tests.failing"),
    "passes_only_here": ("tests.only_here",),
    "depends_on_machine": ("tests.machine",),
    "runs_no_code": ("tests.idle",),
    "skip_added": ("tests.skipped",),
    "assertion_never_runs": ("tests.unreached",),
}
"""By reason code: the details of the evidence that name the tests in question."""


ROUNDS = 4
"""One each for what can be read, what fails, and what notices nothing; and the last word."""
TryOnce = Callable[[Dream], Trial]


@dataclass(frozen=True, slots=True)
class Tried:
    """A dream as it came out of its trial, which may be less than what was dreamt."""

    dream: Dream
    trial: Trial


def settle(dream: Dream, try_once: TryOnce) -> Tried:
    """Try a dream; what its kind can do without is left out where it is in the way."""
    match dream.kind:
        case DreamKind.TEST:
            return _sharpened(dream, try_once)
        case DreamKind.INTEGRATION:
            return _with_or_without_front(dream, try_once)
        case _:
            return Tried(dream, try_once(dream))


def _sharpened(dream: Dream, try_once: TryOnce) -> Tried:
    """One test that is refused would cost all the others their promotion: it is left out."""
    trial = try_once(dream)
    for _ in range(ROUNDS - 1):
        sharper = without_objectionable(dream, trial)
        if sharper is None:
            break
        dream, trial = sharper, try_once(sharper)
    return Tried(dream, trial)


def _with_or_without_front(dream: Dream, try_once: TryOnce) -> Tried:
    """With the front of the package if that holds; else the tests alone."""
    whole = _sharpened(dream, try_once)
    bare = without_front(whole.dream)
    if bare is None or whole.trial.judgement.verdict is Verdict.PROMOTE:
        return whole
    alone = _sharpened(bare, try_once)
    return alone if alone.trial.judgement.verdict is Verdict.PROMOTE else whole


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
    title = title_of(dream.module, source) if dream.kind is DreamKind.TEST else dream.title
    return replace(dream, title=title, change=Change(tuple(edits)))


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
