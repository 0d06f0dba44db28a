"""How much faster the rewritten functions of a change are, on the first way that tells.

    measured = measure_speed(trial, required)

A function is called with arguments that grow. Where nobody knows any that it takes, or these do
not show a gain, it is called as the tests call it, and then through what the tests that reach it
call of the package, with their arguments grown. One way on which the new version is slower
speaks against the change, whatever others say.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from reverie.errors import MachineryError, UsageError
from reverie.instruments.benchmark.callers import growing_callers
from reverie.instruments.benchmark.instrument import compare_speed, measure_growth
from reverie.instruments.benchmark.rounds import (
    Comparison,
    Effort,
    NotMeasured,
    Rounds,
    make_plan,
)
from reverie.instruments.benchmark.shown import growing_parts, grown_calls_of
from reverie.instruments.benchmark.target import Inputs, inputs_from_calls, parse_target
from reverie.model.call import Call
from reverie.model.change import FileEdit
from reverie.model.measurements.benchmark import (
    Benchmark,
    RequiredGain,
    SpeedJudgement,
    SpeedVerdict,
)
from reverie.scoring.speedup import LEAST_CALLS_FOR_P99
from reverie.syntax.nodes import Function, functions
from reverie.syntax.parsing import fresh_module
from reverie.syntax.unparsing import unparse
from reverie.trials.changed import ChangedCode
from reverie.trials.more_calls import FittingCalls, fitting_calls, fitting_of
from reverie.trials.refactoring_trial import RefactoringTrial, tests_running

_SIZES = (400, 100, 25)
"""Items of arguments that grow: the most that are quick enough."""
_LEAST_SECONDS = 4.0
_MOST_SECONDS = 20.0
_MOST_ELSEWHERE = 10.0
"""For each way of those that come after the callable itself."""
_GROWTH_SECONDS = 10.0
_MOST_USERS = 2
_MOST_ENTRIES = 2
_MOST_GROWN = 8
_MOST_TOLD = 90
_IMPORTED = re.compile(r"__import__\('([\w.]+)', fromlist=\[[^]]*\]\)")
_LEAST_TOLD = 4
"""Characters of a constant by which a call can be told from others."""
_WRAPPED = {"property": "fget", "cached_property": "func"}
"""Where the function is that a decorator wraps."""

Measured = list[tuple[str, Benchmark | None]]


def measure_speed(trial: RefactoringTrial, required: RequiredGain) -> Measured:
    """Every rewritten function that has a name, or else what the change shows in."""
    places = [(edit, name) for edit, code in trial.changed.items() for name in _timed(edit, code)]
    if places:
        trial.proofs.require("benchmark")
    watch = _Watch(trial, required)
    return [
        (name, watch.judged(edit, name, len(places) - number))
        for number, (edit, name) in enumerate(places)
    ]


def _timed(edit: FileEdit, code: ChangedCode) -> tuple[str, ...]:
    if code.is_same or not edit.before or not edit.after:
        return ()
    sides = [{*_reachable(fresh_module(text).body)} for text in (edit.before, edit.after)]
    own = tuple(name for name in code.rewritten if all(name in side for side in sides))
    # The same steps without any law, as where a local name is another, take the same time.
    other = tuple(name for name in own if code.proven.get(name) != ())
    return other or own or code.compare


def _reachable(body: Sequence[ast.stmt], owner: str = "") -> Iterator[str]:
    """Names of functions and methods that can be had from outside."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _reachable(node.body, f"{owner}{node.name}.")
        elif isinstance(node, Function):
            yield f"{owner}{node.name}"


class _Watch:
    """Times callables of one change; what was timed once is known."""

    def __init__(self, trial: RefactoringTrial, required: RequiredGain) -> None:
        self.trial = trial
        self.required = required
        self._through: dict[FileEdit, Benchmark | None] = {}

    def judged(self, edit: FileEdit, name: str, left: int) -> Benchmark | None:
        """The first way on which it is faster; a way on which it is slower ends the matter.

        What is faster with many items must not be slower with those that the tests have, unless
        its time grows less: few items then pay for what many ones save.
        """
        best: Benchmark | None = None
        for way in (self._itself, self._users, self._enlarged, self._recorded, self._callers):
            found = way(edit, name, left)
            if found is None:
                continue
            if found.judgement.verdict is SpeedVerdict.FASTER and way != self._recorded:
                usual = None if _grows_less(found) else self._recorded(edit, name, left)
                is_slower = usual is not None and usual.judgement.verdict is SpeedVerdict.SLOWER
                return usual if is_slower else found
            if found.judgement.verdict in (SpeedVerdict.FASTER, SpeedVerdict.SLOWER):
                return found
            if found.judgement.reason_code == "different_results":
                return found
            if best is None or best.judgement.verdict is SpeedVerdict.HOLD:
                best = found
        return best

    def _itself(self, edit: FileEdit, name: str, left: int) -> Benchmark | None:
        return self._grown(edit, name, left)

    def _users(self, edit: FileEdit, name: str, left: int) -> Benchmark | None:
        """What is public and uses it, in the same file."""
        code = self.trial.changed[edit]
        users = [each for each in code.compare if each not in code.rewritten]
        return self._first(self._grown(edit, each, left) for each in users[:_MOST_USERS])

    def _grown(self, edit: FileEdit, name: str, left: int) -> Benchmark | None:
        trial = self.trial
        try:
            calls = fitting_calls(trial.trees, edit, name, trial.sandbox, trial.plan.section)
        except (UsageError, MachineryError, NotMeasured):
            return None
        return None if calls is None else self._timed(calls, left)

    def _enlarged(self, edit: FileEdit, name: str, left: int) -> Benchmark | None:
        """As the tests call it, with more of what they give."""
        calls = self._calls(edit, name)
        grown = {text: None for each in calls for text in grown_calls_of(each)}
        sources = sorted(grown, key=growing_parts, reverse=True)[:_MOST_GROWN]
        if not sources:
            return None
        inputs = replace(inputs_from_calls(calls), sources=tuple(sources))
        return self._as_called(edit, name, inputs, left)

    def _recorded(self, edit: FileEdit, name: str, left: int) -> Benchmark | None:
        """As the tests call it."""
        calls = self._calls(edit, name)
        if not calls:
            return None
        inputs = replace(inputs_from_calls(calls), is_fixed=True)
        return self._as_called(edit, name, inputs, left)

    def _calls(self, edit: FileEdit, name: str) -> tuple[Call, ...]:
        """Those of the tests; what the new text knows by heart says nothing."""
        calls = self.trial.recorded.get((edit.renamed_from or edit.path, name), ())
        return tuple(each for each in calls if not _is_known(each, edit))

    def _as_called(self, edit: FileEdit, name: str, inputs: Inputs, left: int) -> Benchmark | None:
        attribute = name + _inside(edit, name)
        return self._compared(edit.renamed_from or edit.path, edit.path, attribute, inputs, left)

    def _callers(self, edit: FileEdit, name: str, left: int) -> Benchmark | None:
        """What the tests that run rewritten code call of the package, once for each file."""
        if edit not in self._through:
            self._through[edit] = self._first(self._entries(edit, left))
        return self._through[edit]

    def _entries(self, edit: FileEdit, left: int) -> Iterator[Benchmark | None]:
        trial = self.trial
        path = edit.renamed_from or edit.path
        wanted = {path: _timed(edit, trial.changed[edit])}
        by_file: dict[str, set[str]] = {}
        for test in tests_running(trial.base, wanted):
            file, _, inside = test.partition("::")
            by_file.setdefault(file, set()).add(inside.partition("[")[0].replace("::", "."))
        texts = [
            ((trial.trees.base / file).read_text("utf-8", "replace"), names)
            for file, names in sorted(by_file.items())
            if (trial.trees.base / file).is_file()
        ]
        count = 0
        for (module, attribute), sources in growing_callers(texts).items():
            place = _file_of(trial.trees.base, module)
            if place is None or not (trial.trees.head / place).is_file():
                continue
            count += 1
            code = {(str(trial.trees.base / path), name) for name in wanted[path]}
            inputs = Inputs(sources=sources)
            yield self._compared(place, place, attribute, inputs, left, tuple(sorted(code)))
            if count >= _MOST_ENTRIES:
                return

    def _first(self, found: Iterator[Benchmark | None]) -> Benchmark | None:
        """The first that decides, or else the first that there is."""
        first: Benchmark | None = None
        for each in found:
            if each is not None:
                if each.judgement.verdict in (SpeedVerdict.FASTER, SpeedVerdict.SLOWER):
                    return each
                first = first or each
        return first

    def _compared(
        self,
        before: str,
        after: str,
        attribute: str,
        inputs: Inputs,
        left: int,
        watched: tuple[tuple[str, str], ...] = (),
    ) -> Benchmark | None:
        """Old and new with what old takes, that first of which `watched` has the largest share."""
        trial = self.trial
        try:
            old = parse_target(f"{trial.trees.base / before}:{attribute}")
            comparison = Comparison(
                replace(old, watched=watched),
                parse_target(f"{trial.trees.head / after}:{attribute}"),
                inputs,
                _SIZES[1],
                seed=0,
            )
            calls = fitting_of(trial.sandbox, comparison)
        except (UsageError, MachineryError, NotMeasured):
            return None
        found = None if calls is None else self._timed(calls, left, _MOST_ELSEWHERE)
        # Objects are compared here with what is private in them: that is a doubt, and no proof.
        return None if found is None else replace(found, difference=None)

    def _timed(
        self, calls: FittingCalls, left: int, most: float = _MOST_SECONDS
    ) -> Benchmark | None:
        """With as many items as can be timed so often that the slowest calls are known."""
        trial = self.trial
        seconds = min(most, trial.plan.seconds_left / (left + 1))
        if seconds < _LEAST_SECONDS:
            return None
        effort = Effort(budget_seconds=seconds)
        sizes = _SIZES[-1:] if calls.comparison.inputs.is_fixed else _SIZES
        try:
            comparison = next(
                each
                for size in sizes
                if (each := calls.for_speed(size, trial.plan.seed)).size == sizes[-1]
                or self._is_quick(each, effort)
            )
            found = compare_speed(trial.sandbox, comparison, self.required, effort)
            found = replace(found, judgement=_on_what(found.judgement, comparison))
            if found.judgement.verdict is not SpeedVerdict.FASTER or comparison.inputs.is_fixed:
                return found
            effort = Effort(budget_seconds=min(_GROWTH_SECONDS, max(1.0, trial.plan.seconds_left)))
            return replace(found, growth=measure_growth(trial.sandbox, comparison, effort))
        except (UsageError, MachineryError, NotMeasured):
            return None

    def _is_quick(self, comparison: Comparison, effort: Effort) -> bool:
        try:
            calibration = Rounds(self.trial.sandbox, comparison).calibrate()
        except NotMeasured:
            return False
        plan = make_plan(calibration, effort.with_tail())
        return plan.most_rounds * plan.slots * plan.calls >= LEAST_CALLS_FOR_P99


def _grows_less(found: Benchmark) -> bool:
    """Whether the new version is of a lesser class of growth, as of n where there was n²."""
    growth = found.growth
    return growth is not None and round(growth.old.value) > round(growth.new.value)


def _on_what(judged: SpeedJudgement, comparison: Comparison) -> SpeedJudgement:
    """A verdict with the calls that it is about: a gain may be one on large inputs alone."""
    if judged.verdict not in (SpeedVerdict.FASTER, SpeedVerdict.SLOWER):
        return judged
    if comparison.inputs.is_fixed:
        return replace(judged, reason=f"{judged.reason}, as the tests call it")
    called = comparison.old.attribute.rpartition(".")[2]
    shown = _IMPORTED.sub(r"\1", comparison.inputs.sources[0]).replace("_given", called, 1)
    shown = shown if len(shown) <= _MOST_TOLD else f"{shown[:_MOST_TOLD]}…"
    return replace(judged, reason=f"{judged.reason}, on {shown}, n = {comparison.size}")


def _inside(edit: FileEdit, name: str) -> str:
    """What leads from a property to its function."""
    nodes = dict(functions(fresh_module(edit.before or "")))
    marks = [unparse(each) for each in nodes[name].decorator_list] if name in nodes else []
    for mark in marks:
        if (word := _WRAPPED.get(mark.rpartition(".")[2])) is not None:
            return f".{word}"
    return ""


def _is_known(call: Call, edit: FileEdit) -> bool:
    """Whether a value of a call stands in the new text, and did not in the old one."""
    texts = [_constants(text) for text in (edit.before, edit.after)]
    said = call.render("")
    return any(each in said for each in texts[1] - texts[0])


def _constants(text: str | None) -> set[str]:
    """Texts and numbers that are long enough to be told from others."""
    values = {
        str(node.value)
        for node in ast.walk(fresh_module(text or ""))
        if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float)
    }
    return {each for each in values if len(each) >= _LEAST_TOLD}


def _file_of(base: Path, module: str) -> str | None:
    """Where a module of the repository lies, from its top or from `src` on."""
    place = Path(*module.split("."))
    files = (place.with_suffix(".py"), place / "__init__.py")
    known = (top / each for top in (Path(), Path("src")) for each in files)
    return next((each.as_posix() for each in known if (base / each).is_file()), None)
