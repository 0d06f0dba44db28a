"""Code out of an answer: exactly one block that parses, or a reason why there is none."""

import ast
import re

from reverie.errors import ModelFailed

_FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,})[ \t]*(?P<kind>[\w+-]*)[ \t]*$")
_PYTHON = frozenset({"", "python", "py", "python3"})
_MOST_CHARACTERS = 400_000


def read_code(text: str) -> str:
    """The one block of Python in an answer; `ModelFailed` when there is not just one."""
    if len(text) > _MOST_CHARACTERS:
        raise ModelFailed(f"the answer is longer than {_MOST_CHARACTERS} characters")
    blocks = _blocks(text)
    if len(blocks) != 1:
        raise ModelFailed(f"the answer has {len(blocks)} blocks of Python; one is wanted")
    try:
        ast.parse(blocks[0])
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ModelFailed(f"the answer's code does not parse: {error}") from error
    return blocks[0]


def read_function(text: str, name: str) -> str:
    """A block that defines a function of that name at its top."""
    code = read_code(text)
    defined = [each.name for each in ast.parse(code).body if isinstance(each, ast.FunctionDef)]
    if name not in defined:
        raise ModelFailed(f"the answer defines no function {name!r}")
    return code


def _blocks(text: str) -> list[str]:
    """What stands between fences of Python; one that is never closed is none."""
    found: list[str] = []
    fence, kind, lines = "", "", list[str]()
    for line in text.splitlines():
        opened = _FENCE.match(line)
        if not fence and opened:
            fence, kind, lines = opened["fence"], opened["kind"].lower(), []
        elif fence and opened and opened["fence"].startswith(fence) and not opened["kind"]:
            if kind in _PYTHON:
                found.append("\n".join(lines) + "\n")
            fence = ""
        elif fence:
            lines.append(line)
    return found
