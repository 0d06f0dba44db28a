"""Which tests of a file waver: in other orders, with other hash seeds, clocks and luck, and alone.

    found = find_wavering(sandbox, ground, source)
    found.wavering      # {("test_today", 0)}: name and row

Three tests are planted beside those of the file: one that fails, one that looks at the date, one
that trusts its luck. A run that does not see the first fail, and runs that do not see the others
waver, prove nothing.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from reverie.errors import InstrumentUnproven, MachineryError
from reverie.instruments.mutation.matrix import Ground
from reverie.instruments.self_check import random_name
from reverie.model.execution import MIB, Call, Execution, Policy, Request
from reverie.model.outcome import IsolationTier
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.interpreters import interpreter_at

_PLANT = """
import datetime
import random


def {fails}():
    assert False


def {dates}():
    assert datetime.datetime.now().year < 2030


def {tosses}():
    assert random.random() < 0.999
"""
_FAILS, _DATES, _TOSSES = _PLANTS = tuple(f"test_{random_name()}" for _ in range(3))
_PLANTED = f"test_{random_name()}.py"
_SECONDS = 120.0
_THEN, _LATER = 1_736_942_400.0, 2_051_265_600.5
"""Two clocks: a noon in January 2025, and the new year of 2035."""
_LOW, _HIGH = 1514, 2172
"""Seeds of two streams of chance: one begins below 0.001, the other above 0.999."""
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Conditions:
    """Of one run: order, hash seed, clock, time zone, chance, and whether each test is alone."""

    order: int | None = None
    hash_seed: int = 0
    instant: float | None = None
    zone: str = "UTC"
    is_alone: bool = False
    chance: int | None = None
    """What `random` is seeded with before each test; None: as it comes."""


RUNS = (
    Conditions(),
    Conditions(order=2, instant=_THEN),
    Conditions(order=4, instant=_LATER, chance=_HIGH),
    Conditions(order=1, hash_seed=1, instant=_LATER, zone="Asia/Tokyo"),
    Conditions(is_alone=True, hash_seed=1),
    Conditions(order=3, hash_seed=1, zone="America/New_York", chance=_LOW),
)
"""By hash seed, because each needs slots of its own."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """Tests by name and row: those that failed in any run, and how many were run."""

    wavering: frozenset[Place]
    tests: int
    runs: int
    broken: tuple[str, ...] = field(default=())
    """Why the file could not be collected."""


def find_wavering(
    sandbox: Sandbox, ground: Ground, source: str, runs: Sequence[Conditions] = RUNS
) -> Steadiness:
    """Run a test file under every condition; raises `InstrumentUnproven` when blind."""
    if sandbox.tier is IsolationTier.LANDLOCK:
        runs = [each for each in runs if not each.is_alone]
    ground = _with_pytest(ground)
    requests = [_request(sandbox, ground, source, each) for each in runs]
    answers = [_read(execution) for execution in sandbox.run_batch(requests)]
    broken = [why for answer in answers for why in answer["broken"]]
    if broken:
        return Steadiness(frozenset(), 0, len(runs), tuple(broken))
    looks = [{(name, row): outcome for name, row, outcome in each["outcomes"]} for each in answers]
    _require_plants(looks, runs)
    places = frozenset().union(*looks) - {(name, 0) for name in _PLANTS}
    wavering = {place for place in places if any(look.get(place) != "passed" for look in looks)}
    return Steadiness(frozenset(wavering), len(places), len(runs))


def _with_pytest(ground: Ground) -> Ground:
    """Where the target's interpreter has no pytest, Reverie's own with the target's libraries."""
    if ground.python is None:
        return ground
    libraries = interpreter_at(ground.python).site_packages
    if any(os.path.isdir(os.path.join(each, "pytest")) for each in libraries):
        return ground
    return replace(
        ground,
        python=None,
        import_paths=(*(ground.import_paths or (ground.root,)), *libraries),
        readonly=(*ground.readonly, *libraries),
    )


def _require_plants(looks: Sequence[dict[Place, str]], runs: Sequence[Conditions]) -> None:
    if any(look.get((_FAILS, 0)) != "failed" for look in looks):
        raise InstrumentUnproven("flakiness", "a planted failure was not seen")
    dates = {look.get((_DATES, 0)) for look in looks}
    if len(looks) > 1 and dates != {"passed", "failed"}:
        raise InstrumentUnproven("flakiness", f"a planted look at the date came to {dates}")
    for look, run in zip(looks, runs, strict=True):
        tossed = look.get((_TOSSES, 0))
        if run.chance is not None and tossed != ("passed" if run.chance == _LOW else "failed"):
            raise InstrumentUnproven("flakiness", f"a planted toss came to {tossed}")


def _request(sandbox: Sandbox, ground: Ground, source: str, run: Conditions) -> Request:
    conditions = {
        "order": run.order,
        "instant": run.instant,
        "zone": run.zone,
        "alone": run.is_alone,
        "chance": run.chance,
        "paths": list(ground.import_paths or (ground.root,)),
        "files": [["test_written.py", source], [_PLANTED, _planted()]],
    }
    limits = replace(
        sandbox.section.limits(),
        wall_seconds=_SECONDS,
        cpu_seconds=int(_SECONDS),
        memory_bytes=max(sandbox.section.limits().memory_bytes, 1024 * MIB),
        processes=256,
        result_bytes=16 * MIB,
    )
    call = Call(_program(), "run", {"conditions": conditions})
    return Request(call, limits, _policy(sandbox, ground, run))


def _planted() -> str:
    return _PLANT.format(fails=_FAILS, dates=_DATES, tosses=_TOSSES)


def _policy(sandbox: Sandbox, ground: Ground, run: Conditions) -> Policy:
    return replace(
        sandbox.section.policy(),
        readonly=(ground.root, *ground.readonly),
        python=ground.python,
        preload=("pytest",),
        hash_seed=run.hash_seed,
        seed=None,  # chance is what it is outside
    )


@cache
def _program() -> str:
    return bundled("reverie.instruments.flakiness.inside:run", borrowed=("reverie_pytest.clock",))


def _read(execution: Execution) -> dict[str, Any]:
    """What a run tells, believed as far as its shape goes."""
    if not execution.succeeded:
        why = execution.error.message if execution.error is not None else execution.outcome
        raise MachineryError(f"a run of the tests failed: {why}"[:400])
    try:
        outcomes = [(str(n), int(row), str(how)) for n, row, how in execution.output["outcomes"]]
        return {"outcomes": outcomes, "broken": [str(e) for e in execution.output["broken"]]}
    except (TypeError, ValueError, KeyError) as error:
        raise MachineryError(f"a run of the tests told something else: {error!r}") from error
