"""What was asked for: flags before the environment before the ini file before the defaults."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

UTC = timezone.utc  # noqa: UP017  targets may be of Python 3.10

SEED = 1337
INSTANT = datetime(2025, 1, 15, 12, tzinfo=UTC)  # a Wednesday noon: the same date nearly everywhere
ORDERS = ("fixed", "random")
LOOPBACK = ("allow", "block")

_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class Options:
    """One run's options, checked."""

    seed: int
    instant: float | None  # None: the real clock
    freeze_time: str  # as it was given, for events and to repeat the run
    is_network_allowed: bool
    is_loopback_allowed: bool
    is_order_random: bool
    events: Path
    suite: str
    is_synced: bool


def add_options(parser: pytest.Parser) -> None:
    """Flags, and the ini options of the same names."""
    group = parser.getgroup("reverie", "deterministic runs and failure events (Reverie)")
    group.addoption(
        "--reverie",
        action="store_true",
        default=None,
        help="seed chance, freeze the clock, block the network, write failures as events",
    )
    group.addoption("--reverie-order", choices=ORDERS, help="order of the tests (fixed)")
    group.addoption("--reverie-loopback", choices=LOOPBACK, help="loopback connections (allow)")
    group.addoption(
        "--reverie-events", metavar="FILE", help="where events go (reports/events.ndjson)"
    )
    parser.addini("reverie", "as --reverie", type="bool", default=False)
    parser.addini("reverie_order", "as --reverie-order", default="fixed")
    parser.addini("reverie_loopback", "as --reverie-loopback", default="allow")
    parser.addini("reverie_events", "as --reverie-events", default="reports/events.ndjson")
    parser.addini("reverie_suite", "what events call this suite", default="unit")
    parser.addini("reverie_fsync", "wait for the disk after each event", type="bool", default=False)


def is_on(config: pytest.Config, environ: Mapping[str, str]) -> bool:
    """Whether this run asked for the plugin."""
    if _flag(config, "reverie"):
        return True
    if environ.get("REVERIE", ""):
        return _switch("REVERIE", environ["REVERIE"])
    return bool(config.getini("reverie"))


def read_options(config: pytest.Config, environ: Mapping[str, str]) -> Options:
    """The options of this run; a wrong one is a usage error that names it."""
    freeze_time = environ.get("FREEZE_TIME", "").strip() or "1"
    return Options(
        seed=_seed(environ.get("PYTEST_SEED", "").strip()),
        instant=_instant(freeze_time),
        freeze_time=freeze_time,
        is_network_allowed=_switch("ALLOW_NET", environ.get("ALLOW_NET", "") or "0"),
        is_loopback_allowed=_choice(config, "reverie_loopback", LOOPBACK) == "allow",
        is_order_random=_choice(config, "reverie_order", ORDERS) == "random",
        events=config.rootpath / _given(config, "reverie_events"),
        suite=str(config.getini("reverie_suite")),
        is_synced=bool(config.getini("reverie_fsync")),
    )


def _given(config: pytest.Config, name: str) -> str:
    flag = _flag(config, name)
    return str(config.getini(name) if flag is None else flag)


def _flag(config: pytest.Config, name: str) -> Any:
    """A flag, wherever pytest has it: before conftest files are read, or after."""
    early: Any = getattr(config.known_args_namespace, name, None)
    return early if early is not None else getattr(config.option, name, None)


def _choice(config: pytest.Config, name: str, choices: tuple[str, ...]) -> str:
    value = _given(config, name)
    if value not in choices:
        raise pytest.UsageError(f"{name} takes {' or '.join(choices)}, not {value!r}")
    return value


def _switch(name: str, text: str) -> bool:
    word = text.strip().lower()
    if word not in _YES | _NO:
        raise pytest.UsageError(f"{name} takes 1 or 0, not {text!r}")
    return word in _YES


def _seed(text: str) -> int:
    try:
        return int(text) if text else SEED
    except ValueError:
        raise pytest.UsageError(f"PYTEST_SEED takes a whole number, not {text!r}") from None


def _instant(text: str) -> float | None:
    if text.lower() in _YES:
        return INSTANT.timestamp()
    if text.lower() in _NO:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise pytest.UsageError(
            f"FREEZE_TIME takes 1, 0 or a time like 2025-01-15T12:00:00+00:00, not {text!r}"
        ) from None
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
