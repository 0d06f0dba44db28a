"""Expected outputs against what came back. Compared on the host, and only there."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from reverie.errors import UsageError
from reverie.model.workflow import StepRun
from reverie.workflows.fixtures import relative_name

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
            return f"line {number}: expected {_text(wanted)}, got {_text(got)}"
    return "differs"


def _text(line: bytes | None) -> str:
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
