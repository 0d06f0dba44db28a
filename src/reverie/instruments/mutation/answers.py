"""What the far side claims, turned into values; anything that is not of the right shape is refused.

The far side shares its interpreter with the target's code: whatever it says may have been
said by that. So nothing is believed beyond its shape, and names are looked up on this side.
"""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from reverie.errors import MachineryError
from reverie.model.mutation import CoverageMap, Mutant, TestLook

T = TypeVar("T")
VERDICTS = frozenset({"survived", "killed", "equivalent", "unfit", "timeout", "died", "invalid"})
_TEXT_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class SurveyedFile:
    """The mutants of a file, or why there are none."""

    file: str
    mutants: tuple[Mutant, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SliceResult:
    """What a warm process says of one mutant. `test` is a place in the list of tests, or -1."""

    key: str
    verdict: str
    test: int
    is_sure: bool


@dataclass(frozen=True, slots=True)
class SliceAnswer:
    """What a warm process says of a slice."""

    results: tuple[SliceResult, ...]
    alone: tuple[int, ...]
    cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class FreshAnswer:
    """What a process that imported everything anew says of one mutant."""

    is_killed: bool
    killer: str | None
    ran: int


def read_survey(answer: Any, asked: Sequence[str]) -> tuple[SurveyedFile, ...]:
    """The files of a survey, in the order asked for."""
    files = _list(_dict(answer).get("files"))
    if [_dict(each).get("file") for each in files] != list(asked):
        raise _wrong("a survey of other files")
    return tuple(_surveyed(_dict(each)) for each in files)


def _surveyed(file: Mapping[str, Any]) -> SurveyedFile:
    name = _text(file["file"])
    if "error" in file:
        return SurveyedFile(name, error=_text(file["error"]))
    seen: dict[tuple[str, str], int] = {}
    mutants = []
    for number, row in enumerate(_list(file.get("mutants"))):
        if row is None:
            continue
        operator, scope, unit, line, first, last, start, end, written = _row(row, 9)
        key = (_text(scope), _text(operator))
        seen[key] = seen.get(key, 0) + 1
        mutants.append(
            Mutant(
                id=f"{name}::{scope}::{operator}::{seen[key]}",
                file=name,
                line=_whole(line),
                operator=operator,
                scope=scope,
                unit=None if unit is None else _text(unit),
                first_line=_whole(first),
                last_line=_whole(last),
                start=_whole(start),
                end=_whole(end),
                replacement=_text(written, 100_000),
                number=number,
            )
        )
    return SurveyedFile(name, tuple(mutants))


def read_baseline(answer: Any, root: str) -> CoverageMap:
    """The coverage map of a baseline; files by name relative to the root."""
    found = _dict(answer)
    return CoverageMap(
        tests=tuple(_look(_dict(each), root) for each in _list(found.get("tests"))),
        imports=_lines(found.get("imports"), root),
        import_arcs=_arcs(found.get("import_arcs"), root),
        collect_seconds=_number(found.get("collect_seconds")),
        broken=tuple(
            (_text(_dict(each).get("id")), _text(_dict(each).get("why")))
            for each in _list(found.get("collection_errors"))
        ),
        writes=tuple(_text(each) for each in _list(found.get("writes"))),
        is_restorable=found.get("restorable") is True,
    )


def _look(test: Mapping[str, Any], root: str) -> TestLook:
    outcome = _text(test.get("outcome"))
    if outcome not in ("passed", "failed", "skipped"):
        raise _wrong(f"the outcome {outcome!r}")
    return TestLook(
        id=_text(test.get("id"), 4000),
        outcome=outcome,
        reason=_text(test.get("why")),
        cpu_seconds=_number(test.get("cpu")),
        is_slow=test.get("slow") is True,
        starts_processes=test.get("starts") is True,
        lines=_lines(test.get("lines"), root),
        arcs=_arcs(test.get("arcs"), root),
        is_traced=test.get("traced") is True,
    )


def _lines(value: Any, root: str) -> dict[str, dict[str, frozenset[int]]]:
    return {
        _name(path, root): {
            name: frozenset(_whole(line) for line in _list(lines))
            for name, lines in _dict(functions).items()
        }
        for path, functions in _dict(value).items()
    }


def _arcs(value: Any, root: str) -> dict[str, frozenset[tuple[int, int]]]:
    return {
        _name(path, root): frozenset(
            (_whole(step[0]), _whole(step[1])) for step in (_row(each, 2) for each in _list(arcs))
        )
        for path, arcs in _dict(value).items()
    }


def _name(path: str, root: str) -> str:
    """A file from the root on; what a cache has kept is named so already."""
    return os.path.relpath(path, root) if os.path.isabs(path) else path


def read_slice(answer: Any, asked: frozenset[str], tests: int) -> SliceAnswer:
    """Verdicts about mutants that were asked for, and tests that exist."""
    found = _dict(answer)
    results = []
    for each in map(_dict, _list(found.get("results"))):
        result = SliceResult(
            _text(each.get("key"), 4000),
            _text(each.get("verdict")),
            _whole(each.get("test")),
            each.get("sure") is True,
        )
        if result.key not in asked or result.verdict not in VERDICTS:
            raise _wrong(f"a verdict {result.verdict!r} on {result.key!r}")
        results.append(result)
    alone = tuple(_whole(each) for each in _list(found.get("alone")))
    return SliceAnswer(tuple(results), tuple(test for test in alone if 0 <= test < tests))


def read_fresh(answer: Any) -> FreshAnswer:
    """How the tests went afresh. Tests that could not begin have noticed something."""
    found = _dict(answer)
    code = _whole(found.get("exit"))
    if type(found.get("killed")) is not bool:
        return FreshAnswer(code != 0, None, 0)
    killer = found.get("killer")
    is_killed = found["killed"] or code in (2, 3, 4)
    named = None if killer is None else _text(killer, 4000)
    return FreshAnswer(is_killed, named, _whole(found.get("ran")))


def _wrong(what: str) -> MachineryError:
    return MachineryError(f"the mutation process answered with {what}")


def _checked(value: Any, kind: type[T]) -> T:
    if type(value) is not kind:
        raise _wrong(f"{type(value).__name__} instead of {kind.__name__}")
    return value


def _dict(value: Any) -> dict[str, Any]:
    return _checked(value, dict)


def _list(value: Any) -> list[Any]:
    return _checked(value, list)


def _row(value: Any, width: int) -> list[Any]:
    if len(_list(value)) != width:
        raise _wrong(f"a row of {len(value)}")
    return _list(value)


def _text(value: Any, most: int = _TEXT_CHARACTERS) -> str:
    return _checked(value, str)[:most]


def _whole(value: Any) -> int:
    return _checked(value, int)


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise _wrong("something that is no number")
    return float(value)
