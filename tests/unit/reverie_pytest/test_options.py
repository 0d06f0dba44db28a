from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reverie_pytest.options import INSTANT, is_on, read_options

INI = {
    "reverie": False,
    "reverie_order": "fixed",
    "reverie_loopback": "allow",
    "reverie_events": "reports/events.ndjson",
    "reverie_suite": "unit",
    "reverie_fsync": False,
}


def config(ini: dict[str, Any] | None = None, **flags: Any) -> Any:
    names = ("reverie", "reverie_order", "reverie_loopback", "reverie_events")
    given = SimpleNamespace(**{name: flags.get(name) for name in names})
    values = {**INI, **(ini or {})}
    return SimpleNamespace(
        known_args_namespace=given,
        option=SimpleNamespace(),
        getini=values.__getitem__,
        rootpath=Path("/repository"),
    )


def test_the_defaults_are_those_of_the_document() -> None:
    options = read_options(config(), {})
    assert (options.seed, options.instant, options.freeze_time) == (1337, INSTANT.timestamp(), "1")
    assert not options.is_network_allowed
    assert options.is_loopback_allowed
    assert not options.is_order_random
    assert options.events == Path("/repository/reports/events.ndjson")


def test_a_flag_beats_the_ini_file() -> None:
    given = config({"reverie_order": "fixed"}, reverie_order="random", reverie_events="/e")
    options = read_options(given, {})
    assert options.is_order_random
    assert options.events == Path("/e")


@pytest.mark.parametrize(
    ("flag", "variable", "ini", "on"),
    [
        (None, None, False, False),
        (True, "0", False, True),
        (None, "1", False, True),
        (None, "0", True, False),
        (None, "", True, True),
    ],
)
def test_flag_then_environment_then_ini_file(
    flag: bool | None, variable: str | None, ini: bool, on: bool
) -> None:
    environ = {} if variable is None else {"REVERIE": variable}
    assert is_on(config({"reverie": ini}, reverie=flag), environ) is on


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("0", None),
        ("off", None),
        ("1", INSTANT.timestamp()),
        ("1970-01-02", 86400.0),
        ("1970-01-01T01:00:00+01:00", 0.0),
    ],
)
def test_the_clock_is_frozen_where_it_is_told(text: str, instant: float | None) -> None:
    assert read_options(config(), {"FREEZE_TIME": text}).instant == instant


@pytest.mark.parametrize(
    ("ini", "environ", "told"),
    [
        ({}, {"PYTEST_SEED": "one"}, "PYTEST_SEED takes a whole number, not 'one'"),
        ({}, {"FREEZE_TIME": "soon"}, "FREEZE_TIME takes 1, 0 or a time like"),
        ({}, {"ALLOW_NET": "maybe"}, "ALLOW_NET takes 1 or 0, not 'maybe'"),
        ({"reverie_order": "up"}, {}, "reverie_order takes fixed or random, not 'up'"),
        ({"reverie_loopback": "no"}, {}, "reverie_loopback takes allow or block, not 'no'"),
    ],
)
def test_a_wrong_value_is_named(ini: dict[str, str], environ: dict[str, str], told: str) -> None:
    with pytest.raises(pytest.UsageError, match=told):
        read_options(config(ini), environ)


def test_a_wrong_switch_is_named() -> None:
    with pytest.raises(pytest.UsageError, match="REVERIE takes 1 or 0, not 'perhaps'"):
        is_on(config(), {"REVERIE": "perhaps"})
