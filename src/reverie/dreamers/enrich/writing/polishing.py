"""Changes of a finished test file: types that mypy asks for, and tests taken out.

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
from typing import TypeGuard

from reverie.dreamers.enrich.writing.subject import Subject
from reverie.model.execution import MIB, Limits, Policy, Request, Script
from reverie.sandbox.engine import Sandbox
from reverie.syntax.nodes import Function, names_in
from reverie.syntax.parsing import fresh_module, parse_module

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
    for node in ast.walk(parse_module(source)) if lines else ():
        if isinstance(node, Function):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            for line in lines:
                if first <= line <= (node.end_lineno or node.lineno):
                    found.setdefault(node.name, set()).add(_row(node, line))
    return found


def _row(node: Function, line: int) -> int | None:
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


_WIDTH = 100


def without_tests(source: str, names: frozenset[str]) -> str | None:
    """The file without these test functions; None when no test is left, or none was there."""
    tree = fresh_module(source)
    gone = [node for node in ast.walk(tree) if _is_function(node) and node.name in names]
    tests = [node for node in ast.walk(tree) if _is_function(node) and node.name.startswith("test")]
    if not gone or len(gone) == len(tests):
        return None
    lines = source.splitlines(keepends=True)
    for node in sorted(gone, key=lambda each: each.lineno, reverse=True):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        while first > 1 and not lines[first - 2].strip():
            first -= 1  # the blank lines in front go with it
        del lines[first - 1 : node.end_lineno]
    return _with_needed_imports("".join(lines))


def _is_function(node: ast.AST) -> TypeGuard[Function]:
    return isinstance(node, Function)


def _with_needed_imports(source: str) -> str:
    tree = fresh_module(source)
    used = names_in(tree)
    lines = source.splitlines(keepends=True)
    for node in reversed(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            kept = [each for each in node.names if _bound(each) in used]
            if len(kept) != len(node.names):
                place = node.lineno - 1
                lines[place : node.end_lineno] = _import(node, kept)
                if not kept and not "".join(lines[place - 1 : place + 1]).strip():
                    del lines[place : place + 1]  # one blank line is enough
    return "".join(lines)


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _import(node: ast.Import | ast.ImportFrom, kept: list[ast.alias]) -> list[str]:
    if not kept:
        return []
    node.names = kept
    line = ast.unparse(node)
    if len(line) <= _WIDTH or isinstance(node, ast.Import):
        return [f"{line}\n"]
    head = line.partition(" import ")[0]
    return [f"{head} import (\n", *(f"    {ast.unparse(each)},\n" for each in kept), ")\n"]
