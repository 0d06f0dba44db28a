"""New tests that say which version of something is installed: true here and now, and a property of
no code."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from reverie.instruments.mutation.project import Project
from reverie.model.change import Change
from reverie.sandbox.interpreters import interpreter_at, own_interpreter

_LONG = re.compile(r"(?<![\d.])\d+(?:\.\d+){2,}(?![\d.])")
"""A version that no ordinary number is mistaken for."""
_OWN = re.compile(r"^(?:__)?version(?:__)?\s*(?::\s*\w+\s*)?=\s*[\"']([^\"']+)[\"']", re.MULTILINE)
_DIGIT = re.compile(r"\d")


def versions_around(project: Project) -> frozenset[str]:
    """Versions of what is installed for a project, of its Python, and of the project itself."""
    python = own_interpreter() if project.python is None else interpreter_at(project.python)
    known = (each for place in python.site_packages for each in Path(place).glob("*-*.dist-info"))
    found = {each.name.removesuffix(".dist-info").partition("-")[2] for each in known}
    found.add(sys.version.partition(" ")[0])
    for file in project.files:
        text = Path(project.root, file).read_text("utf-8", "replace")
        found.update(each for each in _OWN.findall(text) if _DIGIT.search(each))
    return frozenset(found)


def pinned_tests(change: Change, files: tuple[str, ...], versions: frozenset[str]) -> Iterator[str]:
    """Ids of test functions in new files with such a version among their texts."""
    for edit in change.edits:
        if edit.before is None and edit.after is not None and edit.path in files:
            for node in ast.walk(ast.parse(edit.after)):
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    continue
                if node.name.startswith("test") and _says_version(node, versions):
                    yield f"{edit.path}::{node.name}"


def _says_version(node: ast.AST, versions: frozenset[str]) -> bool:
    texts = (
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    )
    return any(text in versions or versions & set(_LONG.findall(text)) for text in texts)
