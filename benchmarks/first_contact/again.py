"""`python -m benchmarks.first_contact.again FOLDER FILE…`: test files in a fresh environment.

The environment is made anew from what the tree declares and its tests need, in the state folder
that XDG_STATE_HOME names, and the files are run by a plain pytest in the sandbox. Prints how each
test ended.
"""

import json
import os
import sys
from pathlib import Path

from reverie.bootstrap import open_sandbox
from reverie.bootstrap.environments import Wish, look_before, looked_at, open_copy, settle
from reverie.instruments.mutation.project import find_project
from reverie.instruments.suite.plain import run_plainly
from reverie.settings import load_settings

_SECONDS = 300.0


def main() -> int:
    """One tree, and the files to run in it."""
    root, files = Path(sys.argv[1]), sys.argv[2:]
    loaded = load_settings(root, os.environ, {})
    wish = Wish(consents=lambda proposal: True, is_settled=True)
    around, _ = looked_at(
        loaded,
        settle(loaded, wish, os.environ),
        wish,
        os.environ,
        lambda each: look_before(loaded, each),
    )
    with (
        open_copy(loaded.repository, None, around) as folder,
        open_sandbox(loaded.settings.sandbox) as sandbox,
    ):
        project = find_project(folder, python=around.python)
        run = run_plainly(sandbox, project, files, (), _SECONDS)
    ends = {f"{owner}::{name}": str(end) for (owner, name), end in run.ends.items()}
    why = {f"{owner}::{name}": text for (owner, name), text in run.reasons.items()}
    told = {"label": around.label, "silence": run.silence, "ends": ends, "reasons": why}
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
