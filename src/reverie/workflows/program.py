"""The source that runs one step inside the sandbox."""

import re
from functools import cache

from reverie.sandbox.bundle import bundled

_MAIN = "_run_step"

PRELOADED = ("ast", "base64", "importlib.util", "inspect", "pickle", "shutil", "tempfile")
"""What the program imports, loaded once in the warm sandbox instead of once per step."""


def step_program(title: str, entry: str) -> str:
    """The program of one step; its first line says which, its last names what to call.

    So the journal shows the step and not, for every step of every workflow, the same program.
    """
    return f"# step {' '.join(title.split())}\n{_body()}\n{entry} = {_MAIN}\n"


def entry_name(label: str) -> str:
    """A step's label as a name of Python's that the program itself does not use."""
    return "step_" + re.sub(r"\W", "_", label)


@cache
def _body() -> str:
    return bundled(f"reverie.workflows.inside.step:{_MAIN}", is_listed=True)
