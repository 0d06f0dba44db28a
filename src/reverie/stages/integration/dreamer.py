"""Integrations: a module that nothing uses, its tests, and its import in its package's front."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from threading import Lock

from reverie.dreamers.integration.fronts import with_module
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Sighting
from reverie.model.dream import Dream, DreamKind
from reverie.model.integration import SelfTest
from reverie.stages.dreamer import Allowance, Example, Survey, Target
from reverie.stages.grounds import Grounds
from reverie.stages.integration.candidates import Candidate, Rules, find_candidates
from reverie.stages.integration.self_testing import SelfTesting
from reverie.trials.importing import import_name
from reverie.trials.integration import tree_of

DREAMER = "integration"
_FRONT = "__init__.py"
_MODE = "100644"
Candidates = Mapping[str, Candidate]


@dataclass(slots=True)
class IntegrationDreamer:
    """From a self-test to a dream. One for each copy of a repository."""

    testing: SelfTesting
    rules: Rules
    promotes: bool = True
    name: str = DREAMER
    kind: DreamKind = DreamKind.INTEGRATION
    _candidates: Candidates | None = None
    _looking: Lock = field(default_factory=Lock)

    def examples(self) -> Iterable[Example]:
        """A module that nothing imports, and one that is imported."""
        orphan = {"shop/__init__.py": "", "shop/fares.py": _FARES, "shop/till.py": _TILL}
        yield Example(orphan, "shop/fares.py")
        used = {**orphan, "shop/till.py": f"from shop.fares import fare\n{_TILL}"}
        yield Example(used, "shop/fares.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Every module that nothing uses."""
        return tuple(
            Target(self.name, each.module.name, path, each.source_hash, each.value)
            for path, each in self.candidates(survey).items()
        )

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """A dream with the front of the package in it, if there is one; else of tests alone."""
        candidates, notes = self.candidates(survey), allowance.notes
        candidate = candidates.get(survey.path)
        if candidate is None:
            notes.remark = "something uses it"
            return
        tested = self.testing.test(survey, candidate, allowance)
        test = tested.test
        notes.sightings.extend(tested.sightings)
        if not test.passed:
            notes.sightings.append(_failure(test))
        notes.figures.update(tests=float(test.tests), imported=float(len(test.closure)))
        notes.executions += 0 if tested.is_known else test.executions
        is_first = _first_of(candidates)[front_of(candidate)] == survey.path
        front = _front(survey.grounds, candidate) if is_first else None
        dream = _dream(test, front, allowance.seed) if self.promotes else None
        if dream is None:
            notes.remark = _said(test)
        else:
            yield dream

    def candidates(self, survey: Survey) -> Candidates:
        """By path."""
        with self._looking:
            if self._candidates is None:
                grounds = survey.grounds
                tree = tree_of(grounds.index, grounds.folder, self.rules.orphans)
                found = find_candidates(tree, self.rules, str(grounds.interpreter.path))
                self._candidates = {each.module.path: each for each in found}
            return self._candidates


def _first_of(candidates: Candidates) -> dict[str, str]:
    """By the front of a package: two changes of it in one cycle would meet."""
    found: dict[str, str] = {}
    for path, each in candidates.items():
        found.setdefault(front_of(each), path)
    return found


def _front(grounds: Grounds, candidate: Candidate) -> FileEdit | None:
    """The package's front with the module in it; None where there is none to change."""
    package, _, name = import_name(candidate.module).rpartition(".")
    front = front_of(candidate)
    place = grounds.folder / front
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


def _dream(test: SelfTest, front: FileEdit | None, seed: int) -> Dream | None:
    if not test.is_welcome or test.test_path is None or test.test_source is None:
        return None
    tests = FileEdit(test.test_path, None, test.test_source, mode_after=_MODE)
    edits = (tests,) if front is None else (front, tests)
    change = Change(tuple(sorted(edits, key=lambda each: each.path)))
    title = f"Integrate {test.module}"
    return Dream(DreamKind.INTEGRATION, DREAMER, test.module, title, change, seed)


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


_FARES = """def fare(age: int) -> int:
    return 0 if age < 6 else 10
"""
_TILL = """
def total(prices: list[int]) -> int:
    return sum(prices)


if __name__ == "__main__":
    print(total([1, 2]))
"""
