"""The command line. Commands load on demand, so that `reverie --help` stays quick.

To add a command: one module in `commands`, one line in `registry`, one section in
`docs/json.md`.
"""

import gc
import sys

_ALLOCATIONS = 50_000
"""Between two looks for garbage: importing a command makes many objects and no garbage."""


def main() -> None:
    """The console script."""
    gc.set_threshold(_ALLOCATIONS)
    from reverie.interfaces.cli.quick import answer

    code = answer(sys.argv[1:])
    if code is None:
        from reverie.interfaces.cli.boundary import run

        code = run(sys.argv[1:])
    gc.freeze()  # the interpreter's last look for garbage would go through everything once more
    sys.exit(code)
