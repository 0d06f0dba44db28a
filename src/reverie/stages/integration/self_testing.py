"""The self-test of a module: all that it needs imported in the sandbox, then tests written for it.

What was tested is remembered before the next one begins, so whatever was interrupted goes on.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from reverie.model.code import Module
from reverie.model.cycle import Sighting
from reverie.model.execution import Execution
from reverie.model.integration import SelfTest
from reverie.stages.dreamer import Allowance, Dreamer, Notes, Survey, dream_about
from reverie.stages.integration.candidates import Candidate
from reverie.trials.importing import import_alone

NOTHING_TO_TEST = "it has nothing that a test would be worth"
_SHOWN = 200


class SelfTests(Protocol):
    """Where self-tests are remembered."""

    def find(self, path: str, source_hash: str) -> SelfTest | None:
        """The self-test of a module on the same source."""

    def keep(self, test: SelfTest) -> None:
        """Remember one, at once."""


class NoMemory:
    """Remembers nothing: for whoever keeps no journal."""

    def find(self, path: str, source_hash: str) -> SelfTest | None:
        """Nothing is known."""
        return None

    def keep(self, test: SelfTest) -> None:
        """Nothing is kept."""


@dataclass(frozen=True, slots=True)
class Tested:
    """A self-test, and what was seen on the way that a person should look at."""

    test: SelfTest
    sightings: tuple[Sighting, ...] = ()
    is_known: bool = False
    """Whether it was made before, on the same source."""


@dataclass(frozen=True, slots=True)
class SelfTesting:
    """Self-tests of modules, remembered. Threads share it."""

    tests: Dreamer
    """Whoever writes them."""
    memory: SelfTests

    def test(self, survey: Survey, candidate: Candidate, allowance: Allowance) -> Tested:
        """Test one module, or say how it was on the same source before."""
        known = self.memory.find(candidate.module.path, candidate.source_hash)
        if known is not None:
            return Tested(known, is_known=True)
        began = time.monotonic()
        blank = _blank(candidate)
        failed = _failing(survey, candidate)
        sightings: tuple[Sighting, ...] = ()
        if failed:
            reason = "; ".join(f"{path}: {_told(seen)}" for path, seen in failed.items())
            found = replace(blank, reason=reason[:_SHOWN], failing=tuple(failed))
        else:
            found, sightings = self._with_tests(survey, blank, allowance)
        spent = time.monotonic() - began
        tries = found.executions + len(candidate.closure)
        found = replace(found, seconds=spent, executions=tries)
        self.memory.keep(found)
        return Tested(found, sightings)

    def _with_tests(
        self, survey: Survey, blank: SelfTest, allowance: Allowance
    ) -> tuple[SelfTest, tuple[Sighting, ...]]:
        own = replace(allowance, notes=Notes())
        dreamt = dream_about(self.tests, survey.about(blank.module, blank.path), own)
        found = replace(blank, passed=True, executions=dreamt.executions)
        if not dreamt.dreams:
            said = NOTHING_TO_TEST if dreamt.note is None else f"{NOTHING_TO_TEST}: {dreamt.note}"
            return replace(found, reason=said[:_SHOWN]), dreamt.sightings
        (edit,) = dreamt.dreams[0].change.edits
        found = replace(
            found,
            tests=int(dreamt.figures.get("tests", 0)),
            test_path=edit.path,
            test_source=edit.after,
            coverage=dreamt.figures.get("line_coverage"),
        )
        return found, dreamt.sightings


def _failing(survey: Survey, candidate: Candidate) -> dict[str, Execution]:
    """What cannot be imported, its needs before the module itself."""
    grounds, ends_with = survey.grounds, candidate.module.path
    modules: Mapping[str, Module] = {each.path: each for each in grounds.index.modules}
    failed = {}
    for path in sorted(candidate.closure, key=lambda each: (each == ends_with, each)):
        python = grounds.interpreter.path
        seen = import_alone(survey.sandbox, grounds.folder, modules[path], python)
        if not seen.succeeded:
            failed[path] = seen
    return failed


def _blank(candidate: Candidate) -> SelfTest:
    module, standing = candidate.module, candidate.standing
    return SelfTest(
        module=module.name,
        path=module.path,
        source_hash=candidate.source_hash,
        passed=False,
        closure=candidate.closure,
        isolated=standing is not None and standing.isolated,
        redundant=standing is not None and standing.redundant,
        legacy=standing is not None and standing.legacy,
        dormant=candidate.is_dormant,
    )


def _told(seen: Execution) -> str:
    """What went wrong, as the code claims it, on one line."""
    if seen.error is None:
        return str(seen.outcome)
    said = " ".join(seen.error.message.split())
    return said if seen.error.type_name is None else f"{seen.error.type_name}: {said}"
