"""Integrations dreamt up: a module's tests, and its import in the front of its package."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from reverie.cycle.grounds import Grounds
from reverie.cycle.integration.candidates import Candidate
from reverie.cycle.integration.self_testing import SelfTesting
from reverie.cycle.workshop import Allowance, Dreamt
from reverie.dreamers.integration.fronts import with_module
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Sighting
from reverie.model.dream import Dream, DreamKind
from reverie.model.integration import SelfTest
from reverie.trials.importing import import_name

DREAMER = "integration"
_FRONT = "__init__.py"
_MODE = "100644"


@dataclass(frozen=True, slots=True)
class IntegrationDreaming:
    """From a self-test to a dream. Threads share it."""

    grounds: Grounds
    testing: SelfTesting
    promotes: bool = True

    def dream(
        self, candidate: Candidate, seed: int, allowance: Allowance, *, with_front: bool = True
    ) -> Dreamt:
        """A dream with the front of the package in it, if there is one; else of tests alone."""
        tested = self.testing.test(candidate, seed, allowance)
        test = tested.test
        sightings = tested.sightings
        if not test.passed:
            sightings = (*sightings, _failure(test))
        figures = {"tests": float(test.tests), "imported": float(len(test.closure))}
        front = self._front(candidate) if with_front else None
        dreams = _dreams(test, front, seed) if self.promotes else ()
        spent = 0 if tested.is_known else test.executions
        return Dreamt(dreams, sightings, spent, figures, None if dreams else _said(test))

    def _front(self, candidate: Candidate) -> FileEdit | None:
        """The package's front with the module in it; None where there is none to change."""
        package, _, name = import_name(candidate.module).rpartition(".")
        front = front_of(candidate)
        place = self.grounds.folder / front
        if not package or name.startswith("_") or not place.is_file() or place.is_symlink():
            return None
        try:
            before = place.read_bytes().decode("utf-8")
        except ValueError:
            return None
        after = with_module(before, package, name)
        if after is None or after == before:
            return None
        return FileEdit(front, before, after, mode_before=_MODE, mode_after=_MODE)


def front_of(candidate: Candidate) -> str:
    """Where the front of the package around a module is, if it has one."""
    path = PurePosixPath(candidate.module.path)
    inside = path.parent.parent if path.name == _FRONT else path.parent
    return (inside / _FRONT).as_posix()


def _dreams(test: SelfTest, front: FileEdit | None, seed: int) -> tuple[Dream, ...]:
    if not test.is_welcome or test.test_path is None or test.test_source is None:
        return ()
    tests = FileEdit(test.test_path, None, test.test_source, mode_after=_MODE)
    edits = (tests,) if front is None else (front, tests)
    change = Change(tuple(sorted(edits, key=lambda each: each.path)))
    title = f"Integrate {test.module}"
    return (Dream(DreamKind.INTEGRATION, DREAMER, test.module, title, change, seed),)


def without_front(dream: Dream) -> Dream | None:
    """The same with the tests alone; None when there is nothing else in it."""
    tests = tuple(edit for edit in dream.change.edits if edit.before is None)
    if len(tests) == len(dream.change.edits):
        return None
    return Dream(dream.kind, dream.dreamer, dream.module, dream.title, Change(tests), dream.seed)


def _said(test: SelfTest) -> str | None:
    if test.redundant or test.legacy:
        return "another module does the same" if test.redundant else "it is marked as out of date"
    return test.reason


def _failure(test: SelfTest) -> Sighting:
    details = {"failing": list(test.failing), "closure": list(test.closure)}
    return Sighting(test.module, f"its self-test fails: {test.reason}"[:300], details)
