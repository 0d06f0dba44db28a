"""What a run replaces in its process, put in place once and taken back at the end.

A run within a run (a plugin's own tests) shares what is in place.
"""

import os
from collections.abc import Callable

from reverie_pytest import network
from reverie_pytest.clock import clock
from reverie_pytest.entropy import entropy
from reverie_pytest.options import Options

_depth = 0


def put_in_place(options: Options) -> Callable[[], None]:
    """Replace chance, clock and network; returns what takes them back."""
    global _depth
    _depth += 1
    if _depth > 1:
        return _leave
    rule = rule_of(options)
    entropy.install(options.seed)
    clock.install()
    before = network.set_rule(rule)
    network.hand_down(rule, os.environ)

    def take_back() -> None:
        network.set_rule(before)
        network.hand_down_nothing(os.environ)
        clock.uninstall()
        entropy.uninstall()
        _leave()

    return take_back


def rule_of(options: Options) -> str:
    """The network rule that was asked for."""
    if options.is_network_allowed:
        return network.ALLOW
    return network.BLOCK if options.is_loopback_allowed else network.BLOCK_LOOPBACK


def _leave() -> None:
    global _depth
    _depth -= 1
