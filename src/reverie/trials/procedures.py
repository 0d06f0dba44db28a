"""The trial of a dream of a procedure: it and its base on the same calls, each in the sandbox.

Usual calls decide whether it passed: it has to return, with a value of the declared type, wherever
its base does. Calls at the edges show who is more robust. Calls share processes, which is many
times faster than a process for each; a few of them are made alone as well, to see that nothing is
left of one call for the next.
"""

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import TypeVar

from reverie.errors import ReverieError, UsageError
from reverie.inputs import folder_resolver
from reverie.inputs.calls import SyntheticTestGenerator, calls_for
from reverie.inputs.scope import parse
from reverie.inputs.signature import CallableShape, read
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.model.call import Call
from reverie.model.history import failure_signature
from reverie.model.measurements.equivalence import CUT_OFF, Seen, Subject
from reverie.model.measurements.output_type import check_declaration
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.model.procedure import DreamProcedure, FailureShare, ProcedureTest
from reverie.scoring.procedures import compare, misfit

_LEAST_PATIENCE = 0.25
_FAR_SLOWER = 100
_ALONE = 4
"""Calls of a subject that are made twice, once in a process of their own."""


def look_beside(
    behaviours: Behaviours,
    subject: Subject,
    calls: Sequence[Call],
    base: Sequence[Seen] | None,
) -> tuple[Seen, ...]:
    """What a subject does on calls that its base was seen on.

    It is not waited for far longer than the base took; but a call that was cut off where the base
    returned is made again, with all the time that it may take.
    """
    if base is None:
        return look_at(behaviours, subject, calls)
    found = list(look_at(_patient(behaviours, base), subject, calls))
    quiet = replace(behaviours, record=None)
    for place, call in enumerate(calls):
        if found[place].outcome in CUT_OFF and base[place].outcome not in CUT_OFF:
            (found[place],) = quiet.look(subject, [call])
            if found[place].outcome in CUT_OFF:
                break
    return tuple(found)


def look_at(behaviours: Behaviours, subject: Subject, calls: Sequence[Call]) -> tuple[Seen, ...]:
    """What a subject does: some calls alone, each in a process of its own, then all sharing some.

    Where one of them did something else then, what is left of a call reaches the next one, and
    every call is made alone.
    """
    chosen = range(0, len(calls), -(-len(calls) // _ALONE))
    alone = replace(behaviours, record=None).look(subject, [calls[place] for place in chosen])
    if all(each.outcome not in CUT_OFF for each in alone):
        together = replace(_patient(behaviours, alone), is_isolated=False)
        shared = together.look(subject, calls, is_trusted=True)
        pairs = zip(chosen, alone, strict=True)
        if all(each.behaviour == shared[place].behaviour for place, each in pairs):
            return shared
    return behaviours.look(subject, calls)


def _patient(behaviours: Behaviours, known: Sequence[Seen]) -> Behaviours:
    """A call that takes far longer than all that are known is not waited for."""
    if not known:
        return behaviours
    slowest = max(each.wall_seconds or 0.0 for each in known)
    enough = max(_LEAST_PATIENCE, _FAR_SLOWER * slowest)
    return replace(behaviours, timeout_seconds=min(behaviours.timeout_seconds, enough))


_Key = TypeVar("_Key", bound=Hashable)
_Made = TypeVar("_Made")
_EDGE_SHARE = 3
"""One call in so many is at an edge."""
_MISFIT = TestOutcome.OUTPUT_VALIDATION_FAILED


@dataclass(frozen=True, slots=True)
class Plan:
    """The calls of one test: usual ones, then ones at the edges."""

    usual: tuple[Call, ...]
    edges: tuple[Call, ...] = ()

    @property
    def calls(self) -> tuple[Call, ...]:
        """All of them, the usual ones first."""
        return (*self.usual, *self.edges)


@dataclass(frozen=True, slots=True)
class Tried:
    """A test with everything that was seen."""

    test: ProcedureTest
    plan: Plan
    seen: tuple[Seen, ...]
    base: tuple[Seen, ...] | None


@dataclass(slots=True)
class ProcedureTrials:
    """Tries dreams; a base that several dreams share is looked at once. Thread-safe."""

    behaviours: Behaviours
    """Looks at dreams, and journals what they do."""
    calls: int
    seed: int = 42
    _bases: dict[tuple[Subject, Plan], Future[tuple[Seen, ...]]] = field(default_factory=dict)
    _plans: dict[tuple[str, str], Future[Plan]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def try_all(self, dreams: Sequence[DreamProcedure]) -> Iterator[Tried]:
        """Every dream, as many at once as the sandbox has slots; in order."""
        with ThreadPoolExecutor(self.behaviours.sandbox.section.slots) as threads:
            yield from threads.map(self.try_dream, dreams)

    def try_dream(self, dream: DreamProcedure, plan: Plan | None = None) -> Tried:
        """One dream beside its base."""
        begun = perf_counter()
        plan = self.plan(dream) if plan is None else plan
        if not plan.calls:
            return Tried(_unplanned(dream, perf_counter() - begun), plan, (), None)
        subject = Subject(dream.code, dream.entry, dream.import_roots)
        base = self._base(dream, plan)
        seen = look_beside(self.behaviours, subject, plan.calls, base)
        test = self._concluded(dream, plan, seen, base, begun)
        return Tried(test, plan, seen, base)

    def plan(self, dream: DreamProcedure) -> Plan:
        """Calls that fit the base, or else the dream itself; none when nothing fits."""
        code = dream.code if dream.base_code is None else dream.base_code
        return _once(
            self._plans,
            (code, dream.entry),
            lambda: make_plan(dream, self.calls, self.seed),
            self._lock,
        )

    def _base(self, dream: DreamProcedure, plan: Plan) -> tuple[Seen, ...] | None:
        if dream.base_code is None:
            return None
        subject = Subject(dream.base_code, dream.entry, dream.import_roots)
        quiet = replace(self.behaviours, record=None)
        return _once(
            self._bases,
            (subject, plan),
            lambda: look_at(quiet, subject, plan.calls),
            self._lock,
        )

    def _concluded(
        self,
        dream: DreamProcedure,
        plan: Plan,
        seen: tuple[Seen, ...],
        base: tuple[Seen, ...] | None,
        begun: float,
    ) -> ProcedureTest:
        declared = _declared(dream)
        blamed = [
            (place, each)
            for place, each in enumerate(seen)
            if _is_to_blame(each, None if base is None else base[place], declared)
        ]
        decisive = [each for place, each in blamed if place < len(plan.usual)]
        beside = compare(seen if base is None else base, seen)
        made = [each for each in seen if each.is_made]
        good = sum(each.succeeded and misfit(each, declared) is None for each in made)
        outcome, error = _verdict(decisive, made, good, declared)
        return ProcedureTest(
            dream_id=dream.id or 0,
            tested_at=datetime.now(UTC),
            outcome=outcome,
            inputs=len(made),
            succeeded=good,
            same=0 if base is None else beside.same,
            different=beside.different,
            more_robust=beside.more_robust,
            less_robust=beside.less_robust,
            speedup=self._speedup(dream, plan, seen, base),
            effectiveness=beside.effectiveness if base is not None else _share(good, len(made)),
            error=error,
            failures=_shares([each for _, each in blamed], declared),
            seconds=perf_counter() - begun,
        )

    def _speedup(
        self,
        dream: DreamProcedure,
        plan: Plan,
        seen: tuple[Seen, ...],
        base: tuple[Seen, ...] | None,
    ) -> float | None:
        """Only where both always did the same: a race between different things is none."""
        if base is None or dream.base_code is None:
            return None
        beside = compare(base, seen)
        if beside.same < beside.calls:
            return None
        calls = [
            call
            for call, each in zip(plan.calls, seen, strict=True)
            if each.succeeded and each.is_made
        ]
        before = Subject(dream.base_code, dream.entry, dream.import_roots)
        after = Subject(dream.code, dream.entry, dream.import_roots)
        return self.behaviours.speedup(before, after, calls)


def _once(
    known: dict[_Key, Future[_Made]], key: _Key, make: Callable[[], _Made], lock: threading.Lock
) -> _Made:
    """What was made for a key; who asks while another makes it waits."""
    with lock:
        is_new = key not in known
        answer = known.setdefault(key, Future())
    if is_new:
        try:
            answer.set_result(make())
        except BaseException as error:  # noqa: BLE001  `result` raises it, here and for who waits
            with lock:
                del known[key]
            answer.set_exception(error)
    return answer.result()


def make_plan(dream: DreamProcedure, calls: int, seed: int) -> Plan:
    """Calls that fit a dream's base, or else itself; none when nothing can be read."""
    usual = usual_calls(dream, calls - calls // _EDGE_SHARE, seed)
    shape = _shape(dream)
    edges = () if shape is None else calls_for(shape, seed=f"{seed} edges", count=calls)
    others = tuple(each for each in edges if each not in set(usual))
    return Plan(usual, others[: calls - len(usual)])


def usual_calls(dream: DreamProcedure, count: int, seed: int) -> tuple[Call, ...]:
    """Up to so many different calls with nothing odd about them."""
    shape = _shape(dream)
    return () if shape is None else calls_for(shape, seed=seed, count=count, edges=False)


def _shape(dream: DreamProcedure) -> CallableShape | None:
    roots = dream.import_roots
    code = dream.code if dream.base_code is None else dream.base_code
    try:
        return read(code, dream.entry, resolver=folder_resolver(roots[0]) if roots else None)
    except ReverieError:
        return None


def compared(test: ProcedureTest, has_base: bool) -> tuple[str, ...]:
    """What a test says about a dream beside its base, in words."""
    if not has_base:
        return ()
    words = {
        "different": test.different > 0,
        "more_robust": test.more_robust > 0,
        "less_robust": test.less_robust > 0,
        "faster": test.speedup is not None and test.speedup > 1,
        "slower": test.speedup is not None and test.speedup < 1,
    }
    found = tuple(word for word, is_so in words.items() if is_so)
    return found if any(word in found for word in list(words)[:3]) else ("same", *found)


def _declared(dream: DreamProcedure) -> str | None:
    try:
        declared = SyntheticTestGenerator().get_expected_output_type(dream.code)
        if declared is not None:
            check_declaration(declared)
    except ReverieError:
        return None
    return declared


def _is_to_blame(seen: Seen, base: Seen | None, declared: str | None) -> bool:
    """A failure counts where the base has none."""
    if not seen.is_made:
        return False
    is_bad = not seen.succeeded or misfit(seen, declared) is not None
    if base is None or not is_bad:
        return is_bad
    return base.succeeded and base.is_made and misfit(base, declared) is None


def _verdict(
    decisive: Sequence[Seen], made: Sequence[Seen], good: int, declared: str | None
) -> tuple[TestOutcome, str | None]:
    if decisive:
        worst = decisive[0]
    elif good == 0:
        failed = [each for each in made if not each.succeeded]
        if not failed:
            return TestOutcome.UNKNOWN_ERROR, "no call could be made"
        worst = failed[0]
    else:
        return TestOutcome.SUCCESS, None
    wrong = misfit(worst, declared)
    return (worst.outcome, worst.error) if wrong is None else (_MISFIT, str(wrong))


def _shares(blamed: Sequence[Seen], declared: str | None) -> tuple[FailureShare, ...]:
    counted: Counter[tuple[str, ErrorCategory, str]] = Counter()
    for each in blamed:
        wrong = misfit(each, declared)
        if wrong is None:
            category = each.category or ErrorCategory.UNKNOWN
            counted[each.signature or "", category, each.error or each.value] += 1
        else:
            signature = failure_signature(_MISFIT.value, wrong.problem, None)
            counted[signature, ErrorCategory.VALIDATION, str(wrong)] += 1
    merged: dict[str, FailureShare] = {}
    for (signature, category, message), count in counted.most_common():
        first = merged.get(signature)
        total = count + (0 if first is None else first.inputs)
        told = message if first is None else first.message
        merged[signature] = FailureShare(signature, category, told[:500], total)
    return tuple(merged.values())


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _unplanned(dream: DreamProcedure, seconds: float) -> ProcedureTest:
    outcome, category = TestOutcome.UNKNOWN_ERROR, ErrorCategory.UNKNOWN
    why = "no call can be made from its source"
    try:
        parse(dream.code)
    except UsageError as error:
        outcome, category, why = TestOutcome.SYNTAX_ERROR, ErrorCategory.SYNTAX, str(error)
    met = FailureShare(failure_signature(outcome.value, why, None), category, why, 1)
    test = ProcedureTest(dream.id or 0, datetime.now(UTC), outcome, 0, 0, seconds=seconds)
    return replace(test, error=why, failures=(met,))
