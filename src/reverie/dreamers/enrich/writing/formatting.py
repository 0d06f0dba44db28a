"""ruff's last word on a file, inside the sandbox; without ruff, our own lines stand."""

import ast
from importlib.util import find_spec

from reverie.model.execution import Limits, Policy, Request, Script
from reverie.sandbox.engine import Sandbox

_SCRIPT = """
import subprocess, sys
options = ["--isolated", f"--line-length={width}", "-"]
command = [sys.executable, "-I", "-m", "ruff", "format", *options]
ran = subprocess.run(command, input=source.encode(), capture_output=True)
_result = ran.stdout.decode() if ran.returncode == 0 else None
"""


def formatted(sandbox: Sandbox, source: str, width: int) -> str:
    """The source as ruff would have it, if ruff is there and says the same in other lines."""
    if find_spec("ruff") is None or not source:
        return source
    script = Script(_SCRIPT, params={"source": source, "width": width})
    execution = sandbox.run(Request(script, Limits(wall_seconds=30.0), Policy()))
    if not execution.succeeded or not isinstance(execution.output, str):
        return source
    return execution.output if _says_the_same(source, execution.output) else source


def _says_the_same(before: str, after: str) -> bool:
    try:
        return ast.dump(ast.parse(before)) == ast.dump(ast.parse(after))
    except (SyntaxError, ValueError):
        return False
