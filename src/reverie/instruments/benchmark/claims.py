"""What a pair of processes says of itself, read with suspicion.

The watch is ours, but it talks to code that is not: whatever does not have the form that an
honest round has is refused as a whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_NS = 1e-9
_BLUR = 10
"""What asking costs is known to a tenth; no sample is believed to be shorter than that."""


class Refused(Exception):
    """An answer that no honest round gives."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How many calls make a sample, and what one slot costs on both sides together."""

    calls: int
    slot_seconds: float
    waits: bool
    """Whether the callables mostly wait, so that wall time is what counts."""
    distinct_inputs: bool
    raised: bool
    """Whether every call raised."""
    difference: str | None


@dataclass(frozen=True, slots=True)
class SideRound:
    """One side in one round; seconds per call where there is a list."""

    cpu: tuple[float, ...]
    wall: tuple[float, ...]
    load_seconds: float
    cold_seconds: float
    other_seconds: float
    """CPU time outside load and calls: making inputs, looking at results."""
    rss_bytes: int | None


@dataclass(frozen=True, slots=True)
class Round:
    """One pair of processes."""

    old: SideRound
    new: SideRound
    difference: str | None


def read_calibration(claim: Mapping[str, Any]) -> Calibration:
    """The calibration, or `Refused`."""
    sides = [_mapping(claim, "old"), _mapping(claim, "new")]
    calls = max(1, _whole(claim, "calls"))
    inputs = _mapping(claim, "inputs")
    seconds = sum(_whole(side, "busy_ns") + _whole(side, "other_ns") for side in sides) * _NS
    return Calibration(
        calls=calls,
        slot_seconds=seconds,
        waits=any(side.get("waited") is True for side in sides),
        distinct_inputs=2 * _whole(inputs, "distinct") > _whole(inputs, "of"),
        raised=all(_whole(side, "raised") >= calls for side in sides),
        difference=_difference(claim),
    )


def read_costs(claim: Mapping[str, Any], count: int) -> tuple[int | None, ...]:
    """What calls with each of so many sources cost, None where they raise; or `Refused`."""
    costs = claim.get("costs")
    if not isinstance(costs, list) or len(costs) != count or {*map(type, costs)} - {int}:
        raise Refused("its costs make no sense")
    return tuple(each if each >= 0 else None for each in costs)


def read_round(claim: Mapping[str, Any], slots: int, calls: int) -> Round:
    """A round of so many slots and calls per slot, or `Refused`."""
    overhead, difference = _mapping(claim, "overhead"), _difference(claim)
    least = {name: _whole(overhead, name) for name in ("cpu_ns", "wall_ns")}
    wanted = None if difference is not None else slots
    old, new = (_side(_mapping(claim, name), least, wanted, calls) for name in ("old", "new"))
    return Round(old, new, difference)


def read_peaks(claim: Mapping[str, Any]) -> tuple[int, int]:
    """The most memory that a call of old and of new allocated, or `Refused`."""
    found = []
    for name in ("old", "new"):
        peaks = _mapping(claim, name).get("peaks")
        if not isinstance(peaks, list) or not peaks or not all(type(each) is int for each in peaks):
            raise Refused("its figures of memory make no sense")
        found.append(max(peaks))
    return found[0], found[1]


def _side(
    claim: Mapping[str, Any], overhead: Mapping[str, int], slots: int | None, calls: int
) -> SideRound:
    rss = claim.get("rss_bytes")
    if rss is not None and type(rss) is not int:
        raise Refused("its figures of memory make no sense")
    return SideRound(
        cpu=_times(claim, "cpu_ns", overhead, slots, calls),
        wall=_times(claim, "wall_ns", overhead, slots, calls),
        load_seconds=_whole(claim, "load_ns") * _NS,
        cold_seconds=max(0, _whole(claim, "cold_ns") - overhead["cpu_ns"]) * _NS,
        other_seconds=_whole(claim, "other_ns") * _NS,
        rss_bytes=rss,
    )


def _times(
    claim: Mapping[str, Any], name: str, overhead: Mapping[str, int], slots: int | None, calls: int
) -> tuple[float, ...]:
    found = claim.get(name)
    if not isinstance(found, list) or not all(type(each) is int and each >= 0 for each in found):
        raise Refused(f"its {name} make no sense")
    if slots is not None and len(found) != slots:
        raise Refused(f"it timed {len(found)} slots, not {slots}")
    least = overhead[name] / _BLUR
    return tuple(max(least, each - overhead[name]) * _NS / calls for each in found)


def _difference(claim: Mapping[str, Any]) -> str | None:
    found = claim.get("difference")
    if found is None:
        return None
    if not isinstance(found, dict):
        raise Refused("its difference makes no sense")
    old, new = _mapping(found, "old"), _mapping(found, "new")
    if found.get("of") == "arguments":
        return f"arguments left as {_text(old, 'arguments')} and {_text(new, 'arguments')}"
    told = f"old gave {_text(old, 'result')}, new gave {_text(new, 'result')}"
    return f"{told}, for {_text(old, 'arguments')}"


def _mapping(claim: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = claim.get(name)
    if not isinstance(found, dict):
        raise Refused(f"its answer has no {name!r}")
    return found


def _whole(claim: Mapping[str, Any], name: str) -> int:
    found = claim.get(name)
    if type(found) is not int or found < 0:
        raise Refused(f"its {name} makes no sense")
    return found


def _text(claim: Mapping[str, Any], name: str) -> str:
    found = claim.get(name)
    return found if isinstance(found, str) else "?"
