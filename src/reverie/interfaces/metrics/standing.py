"""How repositories stood when they were last looked at."""

from collections.abc import Mapping

from sqlalchemy import Connection

from reverie.interfaces.metrics.catalogue import Samples
from reverie.model.observation import Observation
from reverie.store.latest import LatestCycle, latest_cycles, latest_health

_SECOND = 1e6


def standing(connection: Connection) -> Mapping[str, Samples]:
    """Of every repository its last cycle and its suite; the health of dreams."""
    cycles = latest_cycles(connection)
    health = latest_health(connection)
    ended = [each for each in cycles if each.ended_us is not None]
    return {
        "last_start": tuple(_of(each, each.started_us / _SECOND) for each in cycles),
        "last_end": tuple(_of(each, (each.ended_us or 0) / _SECOND) for each in ended),
        "last_seconds": tuple(_of(each, each.seconds) for each in cycles),
        "suite_tests": tuple(
            _of(each, each.figures[outcome], outcome=outcome)
            for each in cycles
            for outcome in ("passed", "failed")
            if outcome in each.figures
        ),
        "line_coverage": _shares(cycles, "line_coverage"),
        "branch_coverage": _shares(cycles, "branch_coverage"),
        "health": () if health is None else (Observation(health),),
    }


def _shares(cycles: tuple[LatestCycle, ...], name: str) -> Samples:
    return tuple(
        _of(each, each.figures[name]) for each in cycles if each.figures.get(name) is not None
    )


def _of(cycle: LatestCycle, value: float, **labels: str) -> Observation:
    return Observation(float(value), {"repository": cycle.repository, **labels})
