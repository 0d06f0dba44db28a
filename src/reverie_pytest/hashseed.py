"""`PYTHONHASHSEED` really in force: Python reads it when it starts, so it is started once more.

Only pytest's own program is started again, with the arguments it was given; where a script or an
editor runs pytest inside itself, the run goes on as it is and says so.
"""

import os
import sys
import threading
from collections.abc import MutableMapping, Sequence
from pathlib import PurePath
from typing import NoReturn

RANDOM = "random"
_VARIABLE = "PYTHONHASHSEED"
_TRIED = "_REVERIE_HASHSEED_TRIED"
_PROGRAMS = frozenset({"pytest", "pytest.__main__", "py.test"})


def seed_in_force(environ: MutableMapping[str, str]) -> str:
    """The hash seed this interpreter was started with; `random` when there is none."""
    if not sys.flags.hash_randomization:
        return "0"
    given = environ.get(_VARIABLE, "")
    is_read = given.isdigit() and int(given) != 0 and not sys.flags.ignore_environment
    return given if is_read else RANDOM


def enforce(arguments: Sequence[str], environ: MutableMapping[str, str]) -> None:
    """Start the program again with hash seed 0, if it has none and can be."""
    is_second_try = environ.pop(_TRIED, None) is not None
    if seed_in_force(environ) != RANDOM or is_second_try or sys.flags.ignore_environment:
        return
    if _is_our_program(arguments) and threading.active_count() == 1:
        _start_again({**environ, _VARIABLE: "0", _TRIED: "1"})


def _is_our_program(arguments: Sequence[str]) -> bool:
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    name = PurePath(getattr(main, "__file__", None) or "").name if spec is None else spec.name
    return name in _PROGRAMS and list(map(str, arguments)) == sys.argv[1:]


def _start_again(environ: dict[str, str]) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environ)
