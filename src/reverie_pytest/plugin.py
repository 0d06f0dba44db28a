"""The plugin as pytest sees it: its options, its markers, and the switch.

While it is off this module is all that is imported, and nothing is replaced.
"""

import os
from collections.abc import Generator
from typing import Any

import pytest

from reverie_pytest.options import Options, add_options, is_on, read_options

_OPTIONS: pytest.StashKey[Options] = pytest.StashKey()
_MARKERS = (
    "external: may reach the network in a run that blocks it (Reverie)",
    "clock: sees the real clock in a run that freezes it (Reverie)",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Flags and ini options."""
    add_options(parser)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, Any, None]:
    """Switch on before conftest files are imported, and before output is captured."""
    if is_on(early_config, os.environ):
        from reverie_pytest import hashseed

        hashseed.enforce(early_config.invocation_params.args, os.environ)
        _switch_on(early_config)
        from reverie_pytest.clock import clock

        before = clock.freeze(early_config.stash[_OPTIONS].instant)
        yield
        clock.freeze(before)
    else:
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers, on or off; a conftest file that asks for the plugin comes late."""
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    if _OPTIONS not in config.stash and is_on(config, os.environ):
        _switch_on(config)
    if _OPTIONS in config.stash:
        from reverie_pytest.conditions import Conditions
        from reverie_pytest.recorder import Recorder

        options = config.stash[_OPTIONS]
        conditions = Conditions(options)
        config.pluginmanager.register(conditions, "reverie-conditions")
        config.pluginmanager.register(Recorder(config, options, conditions), "reverie-recorder")


def _switch_on(config: pytest.Config) -> None:
    options = read_options(config, os.environ)
    from reverie_pytest.replacements import put_in_place

    config.stash[_OPTIONS] = options
    config.add_cleanup(put_in_place(options))
