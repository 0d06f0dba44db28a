"""Functions that are declared with examples and not written: written, each with its tests.

Beyond its examples nobody has said what such a function is to do: what is offered waits for a
person's word.
"""

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.enrich.writing.habits import find_habits
from reverie.dreamers.generate.answer import Answer, generate
from reverie.dreamers.generate.stubs import declared_stubs, filled
from reverie.errors import UsageError
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Dream, DreamKind
from reverie.model.outcome import counted
from reverie.model.repository.code import CodeIndex
from reverie.stages.dreamer import PLAIN_FILE, Allowance, Example, Survey, Target, rewritten

_UNHURRIED_SECONDS = 20.0


def has_stubs(index: CodeIndex) -> bool:
    """Whether anything is declared that could be written: read from the sources."""
    return bool(_stubs(index, Path(index.repository)))


@dataclass(frozen=True, slots=True)
class StubDreamer:
    """Writes what is declared, by its examples."""

    name: str = "stubs"
    kind: DreamKind = DreamKind.GENERATED

    def examples(self) -> Iterable[Example]:
        """A function that is declared, and one that is written."""
        declared = {"shop.py": _DECLARED, "tests/test_nothing.py": "def test_nothing(): pass\n"}
        yield Example(declared, "shop.py")
        yield Example({"shop.py": _WRITTEN}, "shop.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Every module with a function that is declared with examples."""
        found = _stubs(survey.grounds.index, survey.grounds.folder)
        return survey.rewritable(self.name, {path: float(count) for path, count in found.items()})

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """A dream for each function that its examples lead to."""
        began, notes = time.monotonic(), allowance.notes
        seconds = allowance.budget.seconds or _UNHURRIED_SECONDS
        reasons = []
        stubs = declared_stubs(survey.source)
        for number, (name, spec) in enumerate(stubs.items()):
            left = seconds - (time.monotonic() - began)
            if allowance.is_stopped() or (number and left <= 1.0):
                break
            answer = generate(survey.sandbox, spec, left / (len(stubs) - number))
            dream = self._offered(survey, allowance, name, answer)
            if dream is None:
                reasons.append(f"{name}: {answer.reason or 'it needs more than a body'}")
            else:
                yield dream
        notes.figures["declared"] = float(len(stubs))
        if not stubs:
            notes.remark = "nothing is declared that is not written"
        elif reasons:
            notes.remark = f"{counted(len(reasons), 'function')} not written: {reasons[0]}"

    def _offered(
        self, survey: Survey, allowance: Allowance, name: str, answer: Answer
    ) -> Dream | None:
        if answer.source is None or answer.tests is None:
            return None
        source = filled(survey.source, name, answer.source)
        if source is None:
            return None
        dream = rewritten(self, survey, allowance, f"Write {name} by its examples", source)
        folder, python = survey.grounds.folder, survey.grounds.interpreter.path
        try:
            module = find_target(str(folder / survey.path), folder, python).module
        except UsageError:
            return None
        tests = re.sub(rf"^from \w+ import {name}$", f"from {module} import {name}", answer.tests,
                       count=1, flags=re.MULTILINE)  # fmt: skip
        path = find_habits(str(folder), f"{module}.{name}").path
        edits = (*dream.change.edits, FileEdit(path, None, tests, mode_after=PLAIN_FILE))
        return replace(dream, change=Change(tuple(sorted(edits, key=lambda each: each.path))))


def _stubs(index: CodeIndex, folder: Path) -> dict[str, int]:
    """How many there are in each module of the code, by path."""
    found = {}
    for module in index.modules:
        if module.is_test or module.error is not None:
            continue
        try:
            source = (folder / module.path).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if count := len(declared_stubs(source)):
            found[module.path] = count
    return found


_DECLARED = '''def last_letter(word: str) -> str:
    """The last letter of a word.

    >>> last_letter("lamp")
    'p'
    >>> last_letter("sword")
    'd'
    >>> last_letter("a")
    'a'
    """
    raise NotImplementedError
'''
_WRITTEN = '''def last_letter(word: str) -> str:
    """The last letter of a word."""
    return word[-1]
'''
