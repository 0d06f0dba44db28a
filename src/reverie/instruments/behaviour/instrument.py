"""Behaviour of functions in the sandbox: what they do on each call, and which of two is faster.

The source that is looked at has the program beside it that looks. The program is appended, so that
what the journal shows of a failure is the function's own source, and has a namespace of its own, so
that neither sees the other's names.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from statistics import median
from typing import Any

from reverie.model import execution as asked
from reverie.model.call import Call
from reverie.model.history import signature_of
from reverie.model.measurements.equivalence import CUT_OFF, Seen, Subject
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Recorder, Sandbox

ENTRY = "reverie_look"
RACE = "reverie_race"
PRELOADED = ("collections", "contextlib", "enum", "hashlib", "re", "types")
"""What the program imports, loaded once in the warm sandbox."""
_FILE = "<reverie>"
"""Of the program: the subject's own file is that of every request, and its steps are counted."""


def watched_source(subject: Subject, calls: Sequence[Call]) -> str:
    """The subject's source with a function that looks at it on the call of a number.

    Calls are compiled with it, once, and not in the process of each.
    """
    orders = [order_of(call) for call in calls]
    return f"{subject.code}\n\n\n{_beside(_looking())}\n\n{_looker(subject.entry, orders)}"


def racing_source(base: Subject, other: Subject) -> str:
    """A source that loads two subjects beside each other and lets them race."""
    return "\n".join(
        (
            _beside(_racing()),
            f"_reverie_sources = [{base.code!r}, {other.code!r}]",
            "_reverie_modules = []",
            "for _reverie_source in _reverie_sources:",
            '    _reverie_modules.append({"__name__": "dream"})',
            '    exec(compile(_reverie_source, "<stdin>", "exec"), _reverie_modules[-1])',
            f"def {RACE}(**order):",
            '    return _reverie_beside["race"](_reverie_modules, order)',
            "",
        )
    )


def order_of(call: Call) -> dict[str, Any]:
    """A call, as the program reads it."""
    return {
        "preamble": call.preamble,
        "args": [each.source for each in call.args],
        "kwargs": [[name, value.source] for name, value in call.kwargs],
        "names": sorted(call.names),
    }


def _looker(entry: str, orders: Sequence[Mapping[str, Any]]) -> str:
    made = f'[_reverie_beside["Prepared"](_order) for _order in {list(orders)!a}]'
    look = f'_reverie_beside["look"](globals(), {entry!r}, _reverie_calls[number], counts_steps)'
    lines = (
        f"_reverie_calls = {made}",
        f"def {ENTRY}(number, counts_steps):",
        f"    return {look}",
        # A fork of every call follows: what the collector does not touch is not copied.
        '__import__("gc").freeze()',
    )
    return "\n".join((*lines, ""))


def _beside(program: str) -> str:
    return "\n".join(
        (
            '_reverie_beside = {"__name__": "reverie_beside"}',
            f"exec(compile({program!r}, {_FILE!r}, 'exec'), _reverie_beside)",
        )
    )


@cache
def _looking() -> str:
    looking = "reverie.instruments.behaviour.inside.looking"
    return bundled(f"{looking}:Prepared", f"{looking}:look", file=_FILE)


@cache
def _racing() -> str:
    return bundled("reverie.instruments.behaviour.inside.racing:race", file=_FILE)


_FIRST_CALLS = 4
"""Made alone, and again while calls are cut off: a function may hang on all of them."""
_CALLS_AT_ONCE = 38
_MOST_CUT_OFF = 3
_NOT_MADE = Seen(
    TestOutcome.TIMEOUT, "", error="not made: too many calls before it were cut off", is_made=False
)
_ROUNDS = 16
_LEAST_WON = 0.75
_LEAST_GAIN = 1.10


@dataclass(frozen=True, slots=True)
class Behaviours:
    """Looks at subjects with one sandbox. Thread-safe."""

    sandbox: Sandbox
    timeout_seconds: float = 1.0
    """Of one call."""
    is_isolated: bool = True
    """Whether every call has a process of its own; otherwise those of one subject share some."""
    counts_steps: bool = False
    record: Recorder | None = None
    """Told every execution of a subject, as the sandbox would tell it."""

    def look(
        self, subject: Subject, calls: Sequence[Call], *, is_trusted: bool = False
    ) -> tuple[Seen, ...]:
        """What a subject does on every call, in order.

        After a few calls that a limit cut off the others are not made: each would take as long.
        One that is trusted is known to come back from calls like these.
        """
        found: list[Seen] = []
        size = _CALLS_AT_ONCE if is_trusted else _FIRST_CALLS
        while len(found) < len(calls):
            cut_off = sum(each.outcome in CUT_OFF for each in found)
            if cut_off >= _MOST_CUT_OFF:
                found += [_NOT_MADE] * (len(calls) - len(found))
                break
            found += self._look(subject, calls[len(found) : len(found) + size])
            size = _FIRST_CALLS if cut_off else _CALLS_AT_ONCE
        return tuple(found)

    def _look(self, subject: Subject, calls: Sequence[Call]) -> list[Seen]:
        inputs = [
            {"number": number, "counts_steps": self.counts_steps} for number in range(len(calls))
        ]
        code, limits = watched_source(subject, calls), self._limits()
        policy = self._policy(subject.import_roots)
        found = self.sandbox.execute_many(
            code, ENTRY, inputs, limits=limits, policy=policy, isolated=self.is_isolated
        )
        if self.record is not None:
            for params, execution in zip(inputs, found, strict=True):
                request = asked.Request(asked.Call(code, ENTRY, params), limits, policy)
                self.record(request, execution)
        return [_seen(each) for each in found]

    def look_at_all(
        self, subjects: Sequence[Subject], calls: Sequence[Sequence[Call]]
    ) -> Iterator[tuple[Seen, ...]]:
        """Every subject on its calls, as many at once as the sandbox has slots; in order."""
        with ThreadPoolExecutor(self.sandbox.section.slots) as threads:
            yield from threads.map(self.look, subjects, calls)

    def speedup(self, base: Subject, other: Subject, calls: Sequence[Call]) -> float | None:
        """CPU time of the base over that of the other, on calls that both return from.

        1.0 when the difference is within doubt; None when they cannot be raced.
        """
        if not calls:
            return None
        order = {"calls": [order_of(call) for call in calls], "entry": base.entry}
        request = asked.Request(
            asked.Call(racing_source(base, other), RACE, {**order, "rounds": _ROUNDS}),
            replace(self._limits(), wall_seconds=4 * self.timeout_seconds),
            self._policy(tuple(dict.fromkeys((*base.import_roots, *other.import_roots)))),
        )
        execution = self.sandbox.run(request)
        return _ruled(execution.output) if execution.succeeded else None

    def _limits(self) -> asked.Limits:
        return replace(self.sandbox.section.limits(), wall_seconds=self.timeout_seconds)

    def _policy(self, roots: tuple[str, ...]) -> asked.Policy:
        base = self.sandbox.section.policy()
        preload = tuple(dict.fromkeys((*base.preload, *PRELOADED)))
        return replace(base, readonly=roots, import_paths=roots, preload=preload, seed=0)


def _seen(execution: asked.Execution) -> Seen:
    error = execution.error
    if not execution.succeeded:
        return Seen(
            execution.outcome,
            (None if error is None else error.type_name) or execution.outcome.value,
            stdout=execution.stdout,
            category=execution.error_category,
            error=None if error is None else error.message,
            signature=signature_of(execution),
            duration_ms=execution.duration_ms,
        )
    claim = execution.output
    if not isinstance(claim, dict) or ("value" not in claim and "unmade" not in claim):
        return _forged(execution)
    if "unmade" in claim:
        return Seen(TestOutcome.SUCCESS, "", error=str(claim["unmade"]), is_made=False)
    given = claim.get("arguments")
    return Seen(
        TestOutcome.SUCCESS,
        str(claim["value"]),
        tuple(map(str, given if isinstance(given, list) else ())),
        execution.stdout,
        _number(claim, "steps", int),
        _number(claim, "cpu_seconds", float),
        _number(claim, "wall_seconds", float),
        type_name=str(claim.get("type", "")),
        plain=claim.get("plain"),
        is_plain="plain" in claim,
        duration_ms=execution.duration_ms,
    )


def _forged(execution: asked.Execution) -> Seen:
    """An answer that the program beside it never gives: the code meddled with it."""
    return Seen(
        TestOutcome.OUTPUT_VALIDATION_FAILED,
        "",
        category=ErrorCategory.VALIDATION,
        error="the answer is not one that the program gives",
        signature=execution.code_hash[:16],
    )


def _number(claim: Mapping[str, Any], name: str, kind: type) -> Any:
    value = claim.get(name)
    if not isinstance(value, int | float) or type(value) is not kind:
        return None
    return value if math.isfinite(value) else None


def _ruled(rounds: Any) -> float | None:
    try:
        pairs = [(float(base), float(other)) for base, other in rounds]
    except (TypeError, ValueError):
        return None
    ratios = [base / other for base, other in pairs if base > 0 and other > 0]
    if len(ratios) < _ROUNDS // 2:
        return None
    middle = median(ratios)
    won = sum(ratio > 1 if middle > 1 else ratio < 1 for ratio in ratios) / len(ratios)
    is_clear = won >= _LEAST_WON and max(middle, 1 / middle) >= _LEAST_GAIN
    return middle if is_clear else 1.0
