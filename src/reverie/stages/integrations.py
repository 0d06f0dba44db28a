"""Integrations: a module that nothing uses, its tests, and its import in its package's front.

Candidates are what nothing uses, and what somebody names. Each is self-tested: all that it needs
is imported in the sandbox, then tests are written for it. What was tested is remembered before the
next one begins, so whatever was interrupted goes on.
"""

import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from threading import Lock
from typing import Protocol

from reverie.dreamers.integration import with_module
from reverie.errors import UsageError
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Sighting
from reverie.model.dream import Dream, DreamKind
from reverie.model.execution import Execution
from reverie.model.repository.code import Module
from reverie.model.repository.standing import IntegrationSection, ModuleStanding, SelfTest
from reverie.model.sections import OrphansSection
from reverie.stages.dreamer import Allowance, Dreamer, Example, Notes, Survey, Target, dream_about
from reverie.stages.grounds import Grounds, left_alone
from reverie.trials.integration import ReadTree, import_alone, import_name, tree_of


@dataclass(frozen=True, slots=True)
class Candidate:
    """One module that could become part of the repository."""

    module: Module
    closure: tuple[str, ...]
    """Paths of the module and all that it may import of the repository."""
    source_hash: str
    standing: ModuleStanding | None = None
    """None for a module that has no mark: somebody named it."""
    is_dormant: bool = False

    @property
    def value(self) -> float:
        """How sure it is that nothing uses it: those first. What is never integrated comes last."""
        if self.standing is None or self.standing.redundant or self.standing.legacy:
            return 0.0
        return self.standing.confidence


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides who is a candidate."""

    section: IntegrationSection
    orphans: OrphansSection
    named: tuple[str, ...] = ()
    """Paths or dotted names that somebody asks for; empty for whatever nothing uses."""
    dormant: tuple[str, ...] = ()
    """Paths on the list of orphans that somebody keeps."""


def find_candidates(tree: ReadTree, rules: Rules, ground: str) -> tuple[Candidate, ...]:
    """Those that nothing uses first, each with all that it needs."""
    by_path = {module.path: module for module in tree.index.modules}
    known = [path for path in rules.dormant if path in by_path]
    if rules.named:
        wanted = [_named(each, tree) for each in rules.named]
        wanted += [path for each in wanted for path in _followed(tree, each, rules)]
    else:
        wanted = [path for path, each in tree.standings.items() if _is_wanted(each, rules)]
        wanted += known
    found = (_candidate(tree, path, path in known, ground) for path in dict.fromkeys(wanted))
    whole = [each for each in found if not each.module.is_test]
    return tuple(sorted(whole, key=lambda each: (-each.value, each.module.path)))


def _is_wanted(standing: ModuleStanding, rules: Rules) -> bool:
    if not standing.orphan or (standing.isolated and not rules.section.include_isolated):
        return False
    is_dated = standing.redundant or standing.legacy
    return rules.orphans.include_redundant or not is_dated


def _followed(tree: ReadTree, path: str, rules: Rules) -> Iterable[str]:
    """What a named module needs and nothing else uses."""
    standing = tree.standings.get(path)
    is_isolated = standing is not None and standing.isolated
    is_followed = rules.orphans.recursive_isolated if is_isolated else rules.orphans.recursive
    return (each for each in tree.closure(path) if is_followed and each in tree.orphans)


def _named(given: str, tree: ReadTree) -> str:
    path = os.path.normpath(given).replace(os.sep, "/")
    for module in tree.index.modules:
        if given == module.name or path == module.path:
            return module.path
    raise UsageError(f"there is no module {given!r:.80} in the repository")


def _candidate(tree: ReadTree, path: str, is_dormant: bool, ground: str) -> Candidate:
    closure = tree.closure(path)
    told = [ground, path, *(f"{p} {tree.graph.modules[p].content_hash}" for p in closure)]
    digest = hashlib.sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()
    module = tree.graph.modules[path]
    return Candidate(module, closure, digest, tree.standings.get(path), is_dormant)


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
                left = frozenset() if self.rules.named else left_alone(grounds)
                self._candidates = {e.module.path: e for e in found if e.module.path not in left}
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
