"""The settings of the cycle, as in `sections`: every field with its doc line and its bounds."""

from dataclasses import dataclass

from reverie.model.permission import ANY_VALUE, LOWER
from reverie.model.setting import seconds, setting, text, whole

LOCAL = "local"


def _is_executor(value: str) -> bool:
    host, colon, port = value.removeprefix("dask://").rpartition(":")
    is_cluster = value.startswith("dask://") and bool(host and colon) and port.isdecimal()
    return value == LOCAL or (is_cluster and not set(host) & set(" /@\0"))


EXECUTOR = text("`local` or dask://host:port", _is_executor)


@dataclass(frozen=True, slots=True)
class CycleSection:
    """What one cycle may spend, and how it is shared out."""

    budget_seconds: float = setting(
        600.0,
        seconds(1, 86_400 * 7),
        "Time of one cycle; a trial that has begun is finished.",
        repository=LOWER,
    )
    seed: int = setting(0, whole(0, 2**31 - 1), "Decides which changes are tried, in which order.")
    step_seconds: float = setting(
        60.0, seconds(0.1, 86_400), "Most time for finding changes of one module.", repository=LOWER
    )
    trial_seconds: float = setting(
        300.0,
        seconds(1, 86_400),
        "Most CPU time for trying one dream; what is left is not measured.",
        repository=LOWER,
    )
    least_seconds: float = setting(
        5.0,
        seconds(0.1, 86_400),
        "Time below which a module is not worth beginning with.",
        repository=ANY_VALUE,
    )
    executor: str = setting(
        LOCAL,
        EXECUTOR,
        "Where changes are made and tried: here, or on the workers of a Dask cluster.",
    )
