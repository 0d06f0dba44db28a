"""How sure an orphan is one: what was seen of it, added up, with a reason for every step."""

from dataclasses import dataclass

from reverie.model.standing import ModuleSignals

_ALONE = 0.95
_LOWEST, _HIGHEST = 0.05, 0.99
_OLD_DAYS, _NEW_DAYS = 365, 14


@dataclass(frozen=True, slots=True)
class Seen:
    """What may lower or raise the belief that a module is an orphan."""

    is_public: bool
    """Part of a distribution, and not private by its name: others may import it."""
    is_unreadable: bool
    """It does not parse, so nothing is known of what it does."""
    unread_modules: int
    """Other modules that do not parse: one of them might use it."""
    is_spoken_of: bool
    """A module that imports dynamically holds a string equal to its last name."""
    signals: ModuleSignals


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the belief."""

    change: float
    reason: str


def orphan_confidence(seen: Seen) -> tuple[float, tuple[str, ...]]:
    """The belief, and what changed it."""
    steps = [*_static_steps(seen), *_measured_steps(seen.signals)]
    total = _ALONE + sum(step.change for step in steps)
    bounded = min(max(total, _LOWEST), _HIGHEST)
    return round(bounded, 2), tuple(step.reason for step in steps)


def _static_steps(seen: Seen) -> list[Step]:
    steps = []
    if seen.is_public:
        steps.append(Step(-0.15, "it is public: users of the distribution may import it"))
    if seen.is_unreadable:
        steps.append(Step(-0.2, "it does not parse"))
    if seen.unread_modules:
        steps.append(
            Step(-0.1, f"modules that do not parse, and might use it: {seen.unread_modules}")
        )
    if seen.is_spoken_of:
        steps.append(Step(-0.25, "a module that imports dynamically holds a string of its name"))
    return steps


def _measured_steps(signals: ModuleSignals) -> list[Step]:
    steps = []
    if signals.coverage is not None:
        change = 0.03 if signals.coverage == 0 else -0.4
        steps.append(Step(change, f"the tests run {signals.coverage:.0%} of its lines"))
    days = signals.days_since_change
    if days is not None and days >= _OLD_DAYS:
        steps.append(Step(0.02, f"unchanged for {days:.0f} days"))
    if days is not None and days < _NEW_DAYS:
        steps.append(Step(-0.15, f"changed {days:.0f} days ago: it may not be in use yet"))
    return steps
