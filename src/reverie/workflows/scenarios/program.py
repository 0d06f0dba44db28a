"""The program that runs one stressed step inside the sandbox.

It is long, and a stress run makes it hundreds of times: it goes in compiled where the
interpreter inside is ours.
"""

import base64
import marshal
from functools import cache
from pathlib import Path

from reverie.workflows.program import PRELOADED as _OF_A_STEP

_STEP = ("redirect.py", "step.py")
_PARTS = (
    "board.py",
    "network.py",
    "records.py",
    "arguments.py",
    "watch.py",
    "strain.py",
    "burst.py",
    "refusals.py",
    "stressed.py",
)
_MAIN = "_run_stressed"

PRELOADED = (
    *_OF_A_STEP,
    "asyncio",
    "concurrent.futures.thread",
    "csv",
    "ctypes",
    "dis",
    "hashlib",
    "http.client",
    "json",
    "random",
    "resource",
    "sqlite3",
    "ssl",
)
"""What the program imports, loaded once in the warm sandbox instead of once per step."""


def stressed_program(title: str, entry: str, *, is_own_python: bool = True) -> str:
    """The program of one stressed step; its first line says which, its last what to call."""
    body = _compiled() if is_own_python else _source()
    return f"# stressed step {' '.join(title.split())}\n{body}\n{entry} = {_MAIN}\n"


@cache
def _source() -> str:
    here = Path(__file__).parent
    parts = [here.parent / "inside" / part for part in _STEP]
    parts += [here / "inside" / part for part in _PARTS]
    return "\n\n".join(part.read_text("utf-8") for part in parts)


@cache
def _compiled() -> str:
    code = marshal.dumps(compile(_source(), "<stress>", "exec", dont_inherit=True))
    text = base64.b64encode(code).decode()
    return f"import base64, marshal\nexec(marshal.loads(base64.b64decode({text!r})))\n"
