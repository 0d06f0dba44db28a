"""A counter-example, run again: its expression in a fresh interpreter per version.

The pairs are our own or the caller's; they are run here without the sandbox.
"""

import ast
import subprocess
import sys
import tempfile
from pathlib import Path

from reverie.model.measurements.equivalence import Counterexample

_SECONDS = 20
_SCRIPT = """
import asyncio, inspect, io, contextlib, runpy, sys
out = io.StringIO()
with contextlib.redirect_stdout(out):
    namespace = runpy.run_path(sys.argv[1])
    exec(sys.argv[3], namespace)
    try:
        value = eval(sys.argv[2], namespace)
        value = asyncio.run(value) if inspect.iscoroutine(value) else value
        if hasattr(value, "__next__"):
            told = ["iterator"]
            try:
                for item in value:
                    told.append(repr(item))
                    print("item")
            except Exception as error:
                told.append(type(error).__name__)
        else:
            told = [type(value).__name__, repr(value)]
    except BaseException as error:
        told = ["raised", type(error).__name__]
import os
left = {name: open(name, "rb").read() for name in sorted(os.listdir("."))}
print(told, repr(out.getvalue()), left)
"""


def shows_a_difference(old: str, new: str, shown: Counterexample) -> bool:
    """Whether the two versions behave differently in interpreters of their own."""
    said = [_said(each, shown) for each in (old, new)]
    return said[0] != said[1]


def _said(source: str, shown: Counterexample) -> str:
    setup = next(
        (line for line in shown.repro.splitlines() if line.startswith("SETUP = ")), "SETUP = ''"
    )
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder, "subject.py")
        work = Path(folder, "work")
        module.write_text(source)
        work.mkdir()
        arguments = [
            str(module),
            shown.expression,
            ast.literal_eval(setup.removeprefix("SETUP = ")),
        ]
        try:
            ran = subprocess.run(
                [sys.executable, "-c", _SCRIPT, *arguments],
                capture_output=True,
                text=True,
                cwd=work,
                timeout=_SECONDS,
                env={"PYTHONHASHSEED": "0"},
            )
        except subprocess.TimeoutExpired:
            return "does not end"
    return f"{ran.returncode} {ran.stdout}"
