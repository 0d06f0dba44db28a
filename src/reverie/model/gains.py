"""What a change brings, in plain units: faults noticed, times as fast, decisions fewer."""

from collections.abc import Iterator, Mapping, Sequence

_COUNTED = (
    ("mutants.newly_killed", "more fault noticed", "more faults noticed"),
    ("complexity.removed", "decision fewer", "decisions fewer"),
    ("coverage.new_branches", "more branch taken", "more branches taken"),
    ("tests.new", "new test", "new tests"),
)
_SPEED = "speed.p50"
_FEW = 3


def gains_of(measures: Mapping[str, float]) -> tuple[str, ...]:
    """The gains of one change, the most telling first; what was not measured, or is 0, is none."""
    return tuple(_gains(measures))


def _gains(measures: Mapping[str, float]) -> Iterator[str]:
    if measures.get(_SPEED, 0.0) > 1.0:
        yield f"at least {measures[_SPEED]:.2g} times as fast"
    for name, one, many in _COUNTED:
        if measures.get(name):
            yield counted(measures[name], one, many)


def counted(count: float, one: str, many: str) -> str:
    """`1 test`, `2 tests`."""
    return f"{count:.0f} {one if count == 1 else many}"


def listed(names: Sequence[str], most: int = _FEW) -> str:
    """`a, b and c`; of more than may be shown, how many others there are."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} others"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
