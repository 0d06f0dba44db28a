"""Reasons not to believe a gain: time that was moved rather than saved, and clocks that lie."""

from collections.abc import Sequence

from reverie.instruments.benchmark.claims import Calibration, Round
from reverie.model.benchmark import SpeedJudgement, SpeedVerdict

_MOVED_SHARE = 0.25
_NOISE_SHARE = 0.15
_COLD_POWER = 1 / 6
"""How much of a gain the first call has to show: its own noise hides the rest."""
_UNSEEN_SHARE = 0.3
_UNSEEN_SECONDS = 0.1

Doubt = tuple[str, str]


def doubt(
    judged: SpeedJudgement,
    rounds: Sequence[Round],
    calibration: Calibration,
    cpu_seconds_outside: float | None,
) -> Doubt | None:
    """A reason code and a sentence; None when there is no doubt about the verdict."""
    lied = _unseen_time(rounds, calibration.calls, cpu_seconds_outside)
    if lied is not None or judged.verdict is not SpeedVerdict.FASTER:
        return lied
    return _moved_time(rounds, calibration.calls) or _repeated_inputs(judged, rounds, calibration)


def _moved_time(rounds: Sequence[Round], calls: int) -> Doubt | None:
    """Work that new does before or after its calls, where the calls do not show it."""
    saved = sum(sum(each.old.cpu) - sum(each.new.cpu) for each in rounds) * calls
    old = sum(each.old.other_seconds for each in rounds)
    extra = sum(each.new.other_seconds for each in rounds) - old
    if extra <= _MOVED_SHARE * saved + _NOISE_SHARE * old:
        return None
    reason = f"{extra:.3f} s more were spent outside the calls, where {saved:.3f} s were saved"
    return "time_moved", reason


def _repeated_inputs(
    judged: SpeedJudgement, rounds: Sequence[Round], calibration: Calibration
) -> Doubt | None:
    """With the same inputs again and again a cache looks like speed; a first call does not."""
    if calibration.distinct_inputs or judged.speedup is None:
        return None
    old = min(each.old.cold_seconds for each in rounds)
    new = min(each.new.cold_seconds for each in rounds)
    shown = old / new if new > 0 else float("inf")
    if shown >= max(1.0, judged.speedup.p50.low) ** _COLD_POWER:
        return None
    reason = (
        f"all inputs are the same, and the first call in a fresh process is {shown:.2f}x: "
        "a cache would look like this; give inputs that differ by seed"
    )
    return "only_when_repeated", reason


def _unseen_time(
    rounds: Sequence[Round], calls: int, cpu_seconds_outside: float | None
) -> Doubt | None:
    """Both sides in one process hold the clock themselves: the kernel's count has to agree."""
    if cpu_seconds_outside is None:
        return None
    told = sum(
        sum(side.cpu) * calls + side.other_seconds + side.load_seconds
        for each in rounds
        for side in (each.old, each.new)
    )
    if cpu_seconds_outside <= (1 + _UNSEEN_SHARE) * told + _UNSEEN_SECONDS * len(rounds):
        return None
    reason = f"clocks inside counted {told:.3f} s, the kernel {cpu_seconds_outside:.3f} s"
    return "clock_mismatch", reason
