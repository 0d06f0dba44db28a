"""Answers of a step and the files that it leaves, held against what was expected.

Files are on their way into a run, from step to step, and back. Answers are read with suspicion.
Expected outputs are compared with what came back on the host, and only there.
"""

import base64
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from reverie.errors import UsageError
from reverie.model.execution import ChangeKind, ErrorReport, Execution, FileChange
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.model.workflow import StepRun


@dataclass(frozen=True, slots=True)
class Files:
    """The content of a run's folder, by relative path."""

    contents: Mapping[str, bytes] = field(default_factory=dict)
    folders: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """The files as `inside/step.py` reads them."""
        encoded = {name: base64.b64encode(data).decode() for name, data in self.contents.items()}
        return {"files": encoded, "folders": list(self.folders)}

    def changes_since(self, before: "Files") -> tuple[FileChange, ...]:
        """What was created, modified and deleted, by path."""
        old, new = before.contents, self.contents
        kinds = {
            **dict.fromkeys(old.keys() - new.keys(), ChangeKind.DELETED),
            **dict.fromkeys(new.keys() - old.keys(), ChangeKind.CREATED),
            **{n: ChangeKind.MODIFIED for n in old.keys() & new.keys() if old[n] != new[n]},
        }
        return tuple(FileChange(path, kinds[path]) for path in sorted(kinds))


def relative_name(name: str) -> str:
    """A file's name below the run's folder: an absolute name is taken as if that were `/`."""
    inner = posixpath.normpath(name.lstrip("/")) if "\0" not in name else "."
    if inner in (".", "") or inner == ".." or inner.startswith("../"):
        raise UsageError(f"not the name of a file below the run's folder: {name!r}")
    return inner


def files_from(test_data: Mapping[str, str | bytes]) -> Files:
    """Test data as the files they become; text is UTF-8."""
    contents: dict[str, bytes] = {}
    for name, data in test_data.items():
        inner = relative_name(name)
        if inner in contents:
            raise UsageError(f"two files of the test data are {inner!r}")
        contents[inner] = data.encode() if isinstance(data, str) else bytes(data)
    for inner in contents:
        above = [each for each in contents if inner.startswith(f"{each}/")]
        if above:
            raise UsageError(f"the test data has {above[0]!r} both as a file and as a folder")
    return Files(contents)


def files_claimed(answer: Mapping[str, Any]) -> Files | None:
    """The files a step says it left; None when what it says makes no sense."""
    files, folders = answer.get("files"), answer.get("folders")
    if not isinstance(files, dict) or not isinstance(folders, list):
        return None
    try:
        contents = {relative_name(name): base64.b64decode(data) for name, data in files.items()}
        return Files(contents, tuple(relative_name(name) for name in folders))
    except (UsageError, TypeError, AttributeError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class Answer:
    """A step, its files, and what it hands on: bytes that are never opened here."""

    step: StepRun
    files: Files = field(default_factory=Files)
    handed: str | None = None


def read_answer(name: str, execution: Execution, most_bytes: int) -> Answer:
    """The answer of one execution; one that makes no sense fails the step."""
    if not execution.succeeded:
        return Answer(StepRun(name, execution))
    claim = execution.output
    if not isinstance(claim, dict):
        return _refused(name, execution, "its answer makes no sense")
    if claim.get("too_large") is not None:
        return _refused(name, execution, f"its files are larger than {most_bytes} bytes together")
    if isinstance(claim.get("not_handed"), str):
        return _refused(name, execution, f"its result cannot be handed on: {claim['not_handed']}")
    files, handed = files_claimed(claim), claim.get("handed")
    if files is None or not isinstance(handed, str | None):
        return _refused(name, execution, "its answer makes no sense")
    step = StepRun(
        name,
        replace(execution, output=claim.get("value")),
        output_type=_text(claim, "type"),
        output_text=_text(claim, "text"),
    )
    return Answer(step, files, handed)


def _text(claim: Mapping[str, Any], key: str) -> str | None:
    value = claim.get(key)
    return value if isinstance(value, str) else None


def _refused(name: str, execution: Execution, why: str) -> Answer:
    failed = replace(
        execution,
        outcome=TestOutcome.OUTPUT_VALIDATION_FAILED,
        error_category=ErrorCategory.VALIDATION,
        error=ErrorReport(why),
        output=None,
    )
    return Answer(StepRun(name, failed))


_SHOWN_CHARACTERS = 100


def first_unmet(
    expected: Mapping[str, Any], steps: Sequence[StepRun], files: Mapping[str, bytes]
) -> str | None:
    """The first expectation that is not met, in words; None when all are.

    A key is the name of a step (then the value is what it returns) or of a file (then the
    value is its text or bytes, or None when it must not be there).
    """
    for key, value in expected.items():
        step = _step_named(key, steps)
        difference = _of_file(key, value, files) if step is None else _of_step(step, value)
        if difference is not None:
            return difference
    return None


def _step_named(key: str, steps: Sequence[StepRun]) -> StepRun | None:
    exact = [step for step in steps if step.name == key]
    return next(iter(exact or [s for s in steps if s.name.rpartition(":")[2] == key]), None)


def _of_step(step: StepRun, expected: Any) -> str | None:
    if step.output_text is not None:
        return f"{step.name}: expected {_shown(expected)}, got {_cut(step.output_text)}"
    difference = first_difference(expected, step.output)
    return None if difference is None else f"{step.name}: {difference}"


def _of_file(name: str, expected: Any, files: Mapping[str, bytes]) -> str | None:
    if expected is not None and not isinstance(expected, str | bytes):
        raise UsageError(
            f"expected output {name!r} is no step, so it is a file and needs text or bytes, "
            f"not {type(expected).__name__}"
        )
    found = files.get(relative_name(name))
    if found is None or expected is None:
        if found is expected:
            return None
        return f"{name}: {'no such file' if found is None else 'expected no such file'}"
    wanted = expected.encode() if isinstance(expected, str) else expected
    return None if found == wanted else f"{name}: {_first_line_apart(wanted, found)}"


def _first_line_apart(expected: bytes, found: bytes) -> str:
    pairs = zip_longest(expected.split(b"\n"), found.split(b"\n"))
    for number, (wanted, got) in enumerate(pairs, 1):
        if wanted != got:
            return f"line {number}: expected {_line_text(wanted)}, got {_line_text(got)}"
    return "differs"


def _line_text(line: bytes | None) -> str:
    return "no such line" if line is None else _shown(line.decode("utf-8", "replace"))


def first_difference(expected: Any, found: Any, path: str = "result") -> str | None:
    """Where two plain values differ first; tuples count as lists, which is how they travel."""
    if isinstance(expected, list | tuple) and isinstance(found, list):
        return _of_items(list(expected), found, path)
    if isinstance(expected, dict) and isinstance(found, dict):
        return _of_keys(expected, found, path)
    same_kind = isinstance(expected, bool) is isinstance(found, bool)
    if same_kind and expected == found:
        return None
    return f"{path}: expected {_shown(expected)}, got {_shown(found)}"


def _of_items(expected: list[Any], found: list[Any], path: str) -> str | None:
    for index, (wanted, got) in enumerate(zip(expected, found, strict=False)):
        difference = first_difference(wanted, got, f"{path}[{index}]")
        if difference is not None:
            return difference
    if len(expected) != len(found):
        return f"{path}: expected {len(expected)} items, got {len(found)}"
    return None


def _of_keys(expected: dict[str, Any], found: dict[str, Any], path: str) -> str | None:
    for key in expected:
        if key not in found:
            return f"{path}: key {_shown(key)} is missing"
        difference = first_difference(expected[key], found[key], f"{path}[{key!r:.40}]")
        if difference is not None:
            return difference
    extra = sorted(found.keys() - expected.keys())
    return f"{path}: key {_shown(extra[0])} was not expected" if extra else None


def _shown(value: Any) -> str:
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
