"""Mutants of a room and what becomes of each: the quick way, and an import where that decides."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from benchmarks.gates.rooms import ROOT, Room
from benchmarks.gates.session import Session
from reverie.instruments.mutation.answers import read_survey
from reverie.instruments.mutation.inside.children import (
    KILLED,
    SURVIVED,
    TIMEOUT,
    Statement,
    run_child,
)
from reverie.instruments.mutation.inside.entry import survey_files
from reverie.instruments.mutation.inside.loading import (
    TargetFinder,
    executing_text,
    forget_modules,
)
from reverie.instruments.mutation.mutated import changed_source
from reverie.model.mutation import JudgedMutant, Mutant, MutantVerdict

_OPTIONS = ("-qq", "-x", "-p", "no:cacheprovider", "--import-mode=importlib", f"--rootdir={ROOT}")
_IMPORT_SECONDS = 10.0


def mutants_of(room: Room) -> tuple[Mutant, ...]:
    """Every mutant; nothing of the room is run for it."""
    asked = {"files": room.modules, "root": str(ROOT), "exhaustive": False}
    return tuple(
        mutant for file in read_survey(survey_files(asked), room.modules) for mutant in file.mutants
    )


def judge(
    mutants: Sequence[Mutant], tests: Sequence[str], *, is_quick: bool = False
) -> Iterator[JudgedMutant]:
    """One after the other. Who survives a change of a module's values meets a true import.

    The quick way believes such a survivor, and leaves out who cannot be made without an import.
    """
    for mutant, word, killer in _in_session(mutants, tests):
        is_sure = word == "survived" and (is_quick or mutant.unit is not None)
        if is_quick and word == "unplaced":
            continue
        if is_sure or word in ("killed", "timeout", "equivalent"):
            yield JudgedMutant(mutant, MutantVerdict(word), killer)
        else:
            yield JudgedMutant(mutant, by_import(mutant, tests))


def by_import(mutant: Mutant, tests: Sequence[str]) -> MutantVerdict:
    """In a fork that imports the changed file, and everything that may rest on it, anew."""
    source = changed_source(str(ROOT), mutant).encode()
    statement = Statement()

    def act() -> None:
        forget_modules(frozenset({"reverie", "tests"}))
        path = str(ROOT / mutant.file)
        finder = TargetFinder(frozenset({path}))
        finder.changes[path] = executing_text(source, path)
        finder.come_first()
        code = pytest.main([*_OPTIONS, *tests], plugins=[_First(finder)])
        statement.write(SURVIVED if code == 0 else KILLED)

    word, _ = run_child(statement, act, lambda _: _IMPORT_SECONDS)
    said = {SURVIVED: MutantVerdict.SURVIVED, TIMEOUT: MutantVerdict.TIMEOUT}
    return said.get(word, MutantVerdict.KILLED)


class _First:
    """pytest puts its own finder first; ours has to stay before it."""

    def __init__(self, finder: TargetFinder) -> None:
        self._finder = finder

    def pytest_load_initial_conftests(self) -> None:
        self._finder.come_first()


def _in_session(
    mutants: Sequence[Mutant], tests: Sequence[str]
) -> Iterator[tuple[Mutant, str, str | None]]:
    """What a session in a process of its own says, mutant by mutant."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _run_session(mutants, tests, writing)
        finally:
            os._exit(0)
    os.close(writing)
    seen = 0
    with os.fdopen(reading, encoding="utf-8") as lines:
        for line in lines:
            place, word, killer = json.loads(line)
            seen += 1
            yield mutants[place], word, killer
    os.waitpid(child, 0)
    if seen < len(mutants):
        raise SystemExit(f"the session ended after {seen} of {len(mutants)} mutants: do they pass?")


def _run_session(mutants: Sequence[Mutant], tests: Sequence[str], writing: int) -> None:
    forget_modules(frozenset({"tests"}))

    def tell(place: int, word: str, killer: str | None) -> None:
        os.write(writing, (json.dumps([place, word, killer]) + "\n").encode())

    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        pytest.main([*_OPTIONS, *tests], plugins=[Session(mutants, tell)])
    sys.stdout.flush()
