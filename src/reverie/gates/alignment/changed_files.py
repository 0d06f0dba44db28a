"""A change as the flagger reads it: files on both sides, and the lines that are new or gone."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reverie.gates.paths import is_test_path
from reverie.gates.python import Parsed, imported_names, origin_of, parse
from reverie.model.change import FileEdit
from reverie.model.repository.quality import AlignmentFlag, Severity
from reverie.model.settings.judgement import GuardSection
from reverie.syntax.nodes import Function, functions

_REMARK = re.compile(r"(?:^|\s)#(.*)$")


@dataclass(frozen=True)
class ReadFile:
    """One file of a change."""

    edit: FileEdit
    section: GuardSection

    @property
    def path(self) -> str:
        """Where it lies afterwards."""
        return self.edit.path

    @property
    def is_test(self) -> bool:
        """Whether it is part of the tests, on either side."""
        paths = (self.edit.path, self.edit.renamed_from)
        return any(is_test_path(path, self.section) for path in paths if path)

    @cached_property
    def before(self) -> Parsed | None:
        """The old syntax tree; of an empty file where there was none."""
        return parse(self.path, self.edit.before or "") if self._is_python else None

    @cached_property
    def after(self) -> Parsed | None:
        """The new syntax tree."""
        return parse(self.path, self.edit.after or "") if self._is_python else None

    @property
    def _is_python(self) -> bool:
        return self.path.endswith((".py", ".pyi"))

    @cached_property
    def added(self) -> tuple[tuple[int, str], ...]:
        """New lines with their numbers."""
        return tuple(_lines(self.edit.before, self.edit.after))

    @cached_property
    def removed(self) -> tuple[tuple[int, str], ...]:
        """Lines that are gone, with the numbers that they had."""
        return tuple(_lines(self.edit.after, self.edit.before))

    def flag(self, rule: str, severity: Severity, line: int, message: str) -> AlignmentFlag:
        """A flag in this file."""
        return AlignmentFlag(rule, severity, self.path, max(line, 1), message)


def _lines(old: str | None, new: str | None) -> Iterator[tuple[int, str]]:
    """Lines of the new text that the old one has not, or not so often: what moves is not new."""
    known = Counter((old or "").split("\n"))
    for number, line in enumerate((new or "").split("\n"), 1):
        if known[line]:
            known[line] -= 1
        elif line:
            yield number, line


def remarks(file: ReadFile, lines: tuple[tuple[int, str], ...]) -> Iterator[tuple[int, str]]:
    """Comments on some lines, without their mark."""
    for number, line in lines:
        if found := _REMARK.search(line):
            yield number, found[1].strip()


def calls(parsed: Parsed | None) -> Iterator[tuple[str, ast.Call]]:
    """Every call with what it stands for, imports resolved."""
    if parsed is None:
        return
    names = imported_names(parsed.tree)
    for node in ast.walk(parsed.tree):
        if isinstance(node, ast.Call):
            yield origin_of(node.func, names), node


def by_name(parsed: Parsed | None) -> dict[str, Function]:
    """Functions and methods by dotted name."""
    return {} if parsed is None else dict(functions(parsed.tree))
