"""A canary run: traffic in batches, figures to the journal, and an end that has its reason."""

import ast
import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from reverie import inputs
from reverie.errors import MachineryError, UsageError, reason_of
from reverie.gates.governance import regression
from reverie.instruments.canary.instrument import SideBySide
from reverie.instruments.equivalence import Version
from reverie.model.measurements.equivalence import Canary, CanaryState
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression
from reverie.syntax.unparsing import unparse

_BATCH = 200
_DRAWN = 400
Watch = Callable[[Canary], CanaryState]
"""Told after every batch; says what state the journal has by now."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Calls as `_given(…)`, over and over, with what they need."""

    calls: tuple[str, ...]
    preamble: str = ""


def recorded_traffic(path: Path) -> Traffic:
    """Calls of a file: a line is `f(1, key=2)`, or JSON with `args` and `kwargs`."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {str(path)!r}: {reason_of(error)}") from error
    calls = [
        _recorded(line.strip(), f"{path}:{number}")
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not calls:
        raise UsageError(f"no call in {str(path)!r}")
    return Traffic(tuple(calls))


def generated_traffic(version: Version, seed: int) -> Traffic:
    """Typical calls, from the source alone."""
    calls = inputs.generate_calls(
        version.source, version.qualname, seed=seed, count=_DRAWN, module=version.module
    )
    chance = random.Random(seed)
    changed = [inputs.mutate_call(each, chance) for each in calls]
    plain = [each for each in (*calls, *changed) if each.receiver is None]
    if not plain:
        raise UsageError(f"no traffic can be made for {version.label!r}: give --traffic")
    preamble = dict.fromkeys(each.preamble for each in plain if each.preamble)
    return Traffic(tuple(f"_given({each.arguments})" for each in plain), "\n".join(preamble))


def run_canary(
    sandbox: Sandbox,
    canary: Canary,
    versions: tuple[Version, Version],
    traffic: Traffic,
    watch: Watch,
) -> Canary:
    """Run both versions on the share of the traffic until it is decided."""
    began = time.monotonic()
    plan = canary.plan
    trial = SideBySide(sandbox, *versions, preamble=traffic.preamble)
    for batch, of in _batches(traffic.calls, plan.share):
        try:
            trial.run(batch, of)
        except MachineryError as error:
            return _ended(canary, CanaryState.INCONCLUSIVE, str(error))
        canary = replace(canary, figures=trial.figures())
        reason = regression(canary.figures, plan)
        if reason is not None:
            return _ended(canary, CanaryState.FAILED, reason)
        if watch(canary) is CanaryState.STOPPING:
            return _ended(canary, CanaryState.STOPPED, "stopped by a person")
        if canary.figures.compared >= plan.calls:
            return _ended(canary, CanaryState.PASSED, None)
        if time.monotonic() - began >= plan.seconds:
            few = f"{canary.figures.compared} of {plan.calls} calls in the time given"
            return _ended(canary, CanaryState.INCONCLUSIVE, few)
    raise MachineryError("the traffic ended by itself")


def _batches(calls: tuple[str, ...], share: float) -> Iterator[tuple[list[str], int]]:
    """The shared calls of the traffic, without end.

    Each time around the traffic is in another order, so that no call is always left out.
    """
    chance = random.Random(0)
    order = list(calls)
    batch: list[str] = []
    passed = 0
    for number in count():
        if number % len(order) == 0:
            chance.shuffle(order)
        passed += 1
        if int((number + 1) * share) > int(number * share):
            batch.append(order[number % len(order)])
        if len(batch) >= _BATCH:
            yield batch, passed
            batch, passed = [], 0


def _ended(canary: Canary, state: CanaryState, reason: str | None) -> Canary:
    return replace(canary, state=state, reason=reason, ended_at=datetime.now(UTC))


def _recorded(line: str, place: str) -> str:
    if line.startswith("{"):
        return _from_json(line, place)
    try:
        node = fresh_expression(line)
    except NOT_PYTHON as error:
        raise UsageError(f"{place}: not a call: {line:.60}") from error
    if not isinstance(node, ast.Call):
        raise UsageError(f"{place}: not a call: {line:.60}")
    node.func = ast.Name("_given", ast.Load())
    return unparse(node)


def _from_json(line: str, place: str) -> str:
    try:
        told = json.loads(line)
        args, kwargs = told.get("args", []), told.get("kwargs", {})
        given = [*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())]
        fresh_expression(source := f"_given({', '.join(given)})")
    except (ValueError, SyntaxError, AttributeError, TypeError) as error:
        raise UsageError(f"{place}: no call with args and kwargs: {line:.60}") from error
    return source
