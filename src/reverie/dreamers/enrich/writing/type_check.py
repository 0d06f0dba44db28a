"""What mypy has to say of a test file, answered in the file: `Any` where it asks for a type.

A test that gives a wrong type on purpose says so by `# type: ignore[arg-type]`. mypy runs inside
the sandbox, beside the last runs of the tests; where it is not installed, nothing changes.
"""

import ast
import json
import re
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from reverie.dreamers.enrich.writing.subject import Subject
from reverie.model.execution import MIB, Limits, Policy, Request, Script
from reverie.sandbox.engine import Sandbox

# psutil wants to count the cores in a file of /proc that the sandbox does not show.
_SCRIPT = """
import os, sys, tempfile
sys.modules["psutil"] = None
os.chdir(tempfile.mkdtemp())
for name, text in files.items():
    with open(name, "w", encoding="utf-8") as stream:
        stream.write(text)
if path:
    os.environ["MYPYPATH"] = path
from mypy import api
_result = list(api.run([*arguments, "test_written.py"]))
"""
# Reading all of pytest takes mypy three times as long as the rest.
_SETTINGS = """[mypy]
[mypy-pytest.*]
follow_imports = skip
[mypy-_pytest.*]
follow_imports = skip
"""
_ARGUMENTS = (
    "--config-file=mypy.ini",
    "--output=json",
    "--no-error-summary",
    "--cache-dir=/dev/null",
    "--ignore-missing-imports",
    "--follow-imports=silent",
)
_SECONDS = 60.0
_ASSIGNED = re.compile(r"^(\s+)(\w+) = ")
_CODE = re.compile(r"[a-z][a-z-]*")
_MOST_ERRORS = 200
_ANSWERED = frozenset({"var-annotated"})


def complaints(sandbox: Sandbox, subject: Subject, source: str) -> dict[int, set[str]]:
    """The codes of mypy's errors by line; empty where there is no mypy, or none that works."""
    if find_spec("mypy") is None or not source:
        return {}
    arguments = list(_ARGUMENTS)
    environment: tuple[str, ...] = ()
    if subject.python is not None:
        arguments.append(f"--python-executable={subject.python}")
        environment = (str(Path(subject.python).parent.parent),)
    path = "" if "site-packages" in subject.import_root else subject.import_root
    files = {"mypy.ini": _SETTINGS, "test_written.py": source}
    script = Script(_SCRIPT, params={"files": files, "arguments": arguments, "path": path})
    policy = Policy(readonly=tuple(dict.fromkeys((*subject.roots, *environment))))
    limits = Limits(wall_seconds=_SECONDS, memory_bytes=1024 * MIB, result_bytes=8 * MIB)
    execution = sandbox.run(Request(script, limits, policy))
    if not execution.succeeded or not isinstance(execution.output, list):
        return {}
    return _read(str(execution.output[0]))


def _read(printed: str) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for line in printed.splitlines()[:_MOST_ERRORS]:
        try:
            each = json.loads(line)
            number, code = int(each["line"]), str(each["code"])
        except (ValueError, KeyError, TypeError):
            continue
        is_own = each.get("file") == "test_written.py" and each.get("severity") == "error"
        if is_own and _CODE.fullmatch(code):
            found.setdefault(number, set()).add(code)
    return found


def rejected_rows(source: str, errors: Mapping[int, set[str]]) -> dict[str, set[int | None]]:
    """Tests with a line that mypy rejects, by name; of a table the row, else None.

    What only asks for an annotation can be answered, and is not rejected.
    """
    lines = [number for number, codes in errors.items() if codes - _ANSWERED]
    found: dict[str, set[int | None]] = {}
    for node in ast.walk(ast.parse(source)) if lines else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            for line in lines:
                if first <= line <= (node.end_lineno or node.lineno):
                    found.setdefault(node.name, set()).add(_row(node, line))
    return found


def _row(node: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> int | None:
    for each in node.decorator_list:
        rows = each.args[1] if isinstance(each, ast.Call) and len(each.args) > 1 else None
        for place, row in enumerate(rows.elts if isinstance(rows, ast.List | ast.Tuple) else ()):
            if row.lineno <= line <= (row.end_lineno or row.lineno):
                return place
    return None


def answered(source: str, errors: Mapping[int, set[str]]) -> str:
    """The source with an answer on every line that mypy objects to."""
    if not errors:
        return source
    lines = source.splitlines()
    for number, codes in errors.items():
        if not 0 < number <= len(lines):
            continue
        line = lines[number - 1]
        if "var-annotated" in codes:
            line = _ASSIGNED.sub(r"\1\2: Any = ", line)
            codes = codes - {"var-annotated"} if ": Any = " in line else codes
        if codes:
            line = f"{line}  # type: ignore[{', '.join(sorted(codes))}]"
        lines[number - 1] = line
    return _with_any("\n".join(lines) + "\n")


def _with_any(source: str) -> str:
    """With the import of `Any`, if that is used by now."""
    if ": Any = " not in source or "from typing import Any" in source:
        return source
    lines = source.splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if line.startswith(("import ", "from ")))
    group = _end_of_group(lines, first) if _is_standard(lines[first]) else first
    blank = [] if _is_standard(lines[first]) else ["\n"]
    return "".join((*lines[:group], "from typing import Any\n", *blank, *lines[group:]))


def _end_of_group(lines: list[str], first: int) -> int:
    return next(at for at in range(first, len(lines)) if not lines[at].strip())


def _is_standard(line: str) -> bool:
    return line.split()[1].partition(".")[0] in sys.stdlib_module_names
