"""Mutants of a room and what becomes of each: the quick way, and an import where that decides."""

import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from benchmarks.gates.importing import OPTIONS, Importer
from benchmarks.gates.rooms import ROOT, Room
from benchmarks.gates.session import Session
from reverie.instruments.mutation.inside.entry import survey_files
from reverie.instruments.mutation.inside.loading import forget_modules
from reverie.instruments.mutation.sandbox_side import read_survey
from reverie.model.measurements.suite import JudgedMutant, Mutant, MutantVerdict

_Said = tuple[Mutant, str, str | None, tuple[str, ...]]


def mutants_of(room: Room) -> tuple[Mutant, ...]:
    """Every mutant; nothing of the room is run for it."""
    asked = {"files": room.modules, "root": str(ROOT), "exhaustive": False}
    return tuple(
        mutant for file in read_survey(survey_files(asked), room.modules) for mutant in file.mutants
    )


def judge(
    mutants: Sequence[Mutant],
    tests: Sequence[str],
    *,
    is_quick: bool = False,
    patience: float = math.inf,
) -> Iterator[JudgedMutant]:
    """One after the other; last who meets a true import, having survived a change of values.

    The quick way believes such a survivor, and leaves out who cannot be made without an import.
    """
    waiting = []
    for mutant, word, killer, asked in _in_session(mutants, tests, patience):
        is_sure = word == "survived" and (is_quick or mutant.unit is not None)
        if is_quick and word == "unplaced":
            continue
        if is_sure or word in ("killed", "timeout", "equivalent"):
            yield JudgedMutant(mutant, MutantVerdict(word), killer)
        else:
            waiting.append((mutant, asked))
    importer = Importer()
    for mutant, asked in waiting:
        yield importer.judge(mutant, asked)


def _in_session(
    mutants: Sequence[Mutant], tests: Sequence[str], patience: float
) -> Iterator[_Said]:
    """What a session in a process of its own says, mutant by mutant."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _run_session(mutants, tests, patience, writing)
        finally:
            os._exit(0)
    os.close(writing)
    seen = 0
    with os.fdopen(reading, encoding="utf-8") as lines:
        names = json.loads(next(lines, "[]"))
        for line in lines:
            place, word, killer, asked = json.loads(line)
            seen += 1
            yield mutants[place], word, killer, tuple(names[each] for each in asked)
    os.waitpid(child, 0)
    if seen < len(mutants):
        raise SystemExit(f"the session ended after {seen} of {len(mutants)} mutants: do they pass?")


def _run_session(
    mutants: Sequence[Mutant], tests: Sequence[str], patience: float, writing: int
) -> None:
    forget_modules(frozenset({"tests"}))

    def write(row: list[Any]) -> None:
        data = (json.dumps(row) + "\n").encode()
        while data:
            data = data[os.write(writing, data) :]

    session = Session(mutants, lambda *row: write([*row]), write, patience)
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        pytest.main([*OPTIONS, *tests], plugins=[session])
    sys.stdout.flush()
