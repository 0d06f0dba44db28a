"""What is planted for the benchmark: itself, a slowdown, a gain, and a result that differs."""

from collections.abc import Iterable
from pathlib import Path

from reverie.instruments.benchmark.instrument import compare_speed
from reverie.instruments.benchmark.rounds import Comparison, Effort
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.instruments.self_check import Plant
from reverie.sandbox.engine import Sandbox

_WORK = Path(__file__).parent / "planted" / "work.py"
_EFFORT = Effort(most_slots=30, budget_seconds=20.0)
_SIZE, _SEED = 2000, 20


def plants(sandbox: Sandbox) -> Iterable[Plant]:
    """Asked through `compare_speed`, like everything else."""
    return (
        Plant("old against itself", "no_difference", lambda: _ask(sandbox, "steady", "steady")),
        Plant("half as much work again", "slower", lambda: _ask(sandbox, "steady", "slowed")),
        Plant("a third of the work left out", "faster", lambda: _ask(sandbox, "slowed", "steady")),
        Plant("a wrong result", "different_results", lambda: _ask(sandbox, "steady", "wrong")),
    )


def _ask(sandbox: Sandbox, old: str, new: str) -> str:
    inputs = Inputs(parse_target(f"{_WORK}:make_input"))
    comparison = Comparison(
        parse_target(f"{_WORK}:{old}"), parse_target(f"{_WORK}:{new}"), inputs, _SIZE, _SEED
    )
    return compare_speed(sandbox, comparison, effort=_EFFORT).judgement.reason_code
