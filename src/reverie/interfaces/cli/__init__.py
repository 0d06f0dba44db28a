"""The command line. Commands load on demand, so that `reverie --help` stays quick.

To add a command: one module in `commands`, one line in `registry`, one section in
`docs/json.md`.
"""

import sys


def main() -> None:
    """The console script."""
    from reverie.interfaces.cli.boundary import run

    sys.exit(run(sys.argv[1:]))
