"""Stage B: refactorings of a module that can be made beside one another.

For each target: imagine, try the best, keep what is proven.
"""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from reverie.dreamers.refactor.proposals import (
    RULES,
    Proposal,
    distinct,
    functions_of,
    imagine_refactorings,
    lint_proposals,
    oldest_python,
    proposal_of,
)
from reverie.dreamers.refactor.refactoring import Elsewhere
from reverie.errors import UsageError
from reverie.gates.paths import is_test_module, is_test_path, red_line
from reverie.gates.production.rewritten_files import words_in
from reverie.gates.quality import clarity_of
from reverie.index.naming import import_root_of
from reverie.instruments.quality.tools import Bench, LintFix, find_fixes
from reverie.model.dream import Dream, DreamKind
from reverie.model.measurements.attempts import Refactored, RefactoringTried
from reverie.model.settings.analysis import QualitySection
from reverie.model.settings.judgement import GuardSection
from reverie.promotion.trial_tree import read_files
from reverie.sandbox.engine import Sandbox
from reverie.stages.dreamer import Allowance, Example, Survey, Target, rewritten
from reverie.syntax.parsing import NOT_PYTHON, fresh_module
from reverie.trials.refactoring_idea import Idea, Setting, try_idea

Progress = Callable[[str], None]
_LEAST_SECONDS = 2.0
_READ = (".py", ".pyi", ".toml", ".cfg", ".ini", ".txt", ".md", ".rst", ".yml", ".yaml", ".json")


@dataclass(frozen=True, slots=True)
class RefactoringTarget:
    """What is to be refactored: files among all that belong to them."""

    name: str
    folder: Path
    """Where the files lie, for ruff to read."""
    paths: tuple[str, ...]
    """Of the files to look at, from `folder` on."""
    entry: str | None = None


def refactor_target(
    sandbox: Sandbox,
    target: RefactoringTarget,
    setting: Setting,
    budget_seconds: float,
    progress: Progress = lambda text: None,
) -> Refactored:
    """Everything worth trying on one target, within the budget."""
    began = time.monotonic()
    progress("imagining refactorings")
    ideas = imagine(sandbox, target, setting)
    trials: list[RefactoringTried] = []
    with tempfile.TemporaryDirectory(prefix="reverie-cache-") as cache:
        shared = replace(setting, cache=Path(cache))
        for idea in ideas:
            left = began + budget_seconds - time.monotonic()
            if left < _LEAST_SECONDS and trials:
                break
            progress(f"trying {idea.pattern}")
            trials.append(try_idea(sandbox, shared, idea, max(left, _LEAST_SECONDS)))
    note = None if ideas else "nothing that is known to be clearer fits"
    seconds = time.monotonic() - began
    return Refactored(target.name, tuple(trials), len(ideas), setting.has_suite, seconds, note)


def imagine(sandbox: Sandbox, target: RefactoringTarget, setting: Setting) -> list[Idea]:
    """All changes, those first that save a reader most."""
    texts = {path: _text(setting.files[path]) for path in target.paths}
    words = {path: frozenset(words_in(text)) for path, text in _texts(setting.files)}
    spread = Counter(word for each in words.values() for word in each)
    fixes = _fixes(sandbox, target, setting)
    ideas: list[tuple[tuple[int, int], Idea]] = []
    for path, text in texts.items():
        own = words[path]
        elsewhere = Elsewhere(frozenset(w for w, files in spread.items() if files > (w in own)))
        found = imagine_refactorings(text, target.entry, elsewhere)
        found += lint_proposals(text, fixes.get(path, ()), target.entry)
        before = clarity_of(text) if found else None
        for each in distinct(found):
            gain = clarity_of(each.source).gain_over(before) if before else (0, 0)
            ideas.append((gain, _idea(path, text, each, target.entry)))
    ideas.sort(key=lambda each: each[0], reverse=True)
    return [idea for _, idea in ideas]


def _idea(path: str, text: str, proposal: Proposal, entry: str | None) -> Idea:
    return Idea(path, text, proposal.source, proposal.pattern, proposal.title, entry)


def _fixes(
    sandbox: Sandbox, target: RefactoringTarget, setting: Setting
) -> Mapping[str, Sequence[LintFix]]:
    bench = Bench(sandbox, target.folder, QualitySection())
    files = [target.folder / path for path in target.paths]
    project = setting.files.get("pyproject.toml")
    oldest = oldest_python(None if project is None else _text(project))
    found = find_fixes(bench, files, RULES, oldest)
    return {os.path.relpath(name, target.folder): fixes for name, fixes in found.items()}


def _texts(files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    for path, content in files.items():
        if path.endswith(_READ):
            yield path, content.decode("utf-8", "replace")


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def alone(file: Path, entry: str | None) -> tuple[RefactoringTarget, Mapping[str, bytes]]:
    """A file among those of its package, where no repository is around it."""
    root = import_root_of(file)
    below = file.relative_to(root)
    found = [file] if len(below.parts) == 1 else sorted((root / below.parts[0]).rglob("*"))
    files = {
        each.relative_to(root).as_posix(): each.read_bytes()
        for each in found
        if each.is_file() and "__pycache__" not in each.parts
    }
    return _checked(
        RefactoringTarget(_named(file, entry), root, (below.as_posix(),), entry), files
    ), files


def among(
    files: Mapping[str, bytes], folder: Path, place: str, entry: str | None, section: GuardSection
) -> RefactoringTarget:
    """The production files at or below a path of a repository; all of them for an empty one."""
    paths = tuple(
        path
        for path in sorted(files)
        if path.endswith(".py")
        and (not place or path == place or path.startswith(f"{place}/"))
        and not is_test_path(path, section)
        and red_line(path, section) is None
        and _is_python(files[path])
    )
    if not paths:
        raise UsageError(f"no file to refactor in {place or str(folder)!r}")
    return _checked(
        RefactoringTarget(_named(Path(place or "."), entry), folder, paths, entry), files
    )


def has_tests(files: Mapping[str, bytes], section: GuardSection) -> bool:
    """Whether a tree has tests that pytest would collect."""
    return any(
        is_test_module(path) and is_test_path(path, section) and b"def test" in content
        for path, content in files.items()
    )


def _named(file: Path, entry: str | None) -> str:
    return str(file) if entry is None else f"{file}:{entry}"


def _is_python(content: bytes) -> bool:
    try:
        fresh_module(content)
    except NOT_PYTHON:
        return False
    return True


def _checked(target: RefactoringTarget, files: Mapping[str, bytes]) -> RefactoringTarget:
    """Raise `UsageError` for a file that is no Python, or that has no such function."""
    if target.entry is None and len(target.paths) > 1:
        return target
    (path,) = target.paths
    try:
        known = functions_of(fresh_module(files[path]))
    except NOT_PYTHON as error:
        raise UsageError(f"{path!r} is no Python: {error}") from error
    entry = target.entry
    if entry is not None and not any(n == entry or n.startswith(f"{entry}.") for n in known):
        raise UsageError(f"{path!r} has no function {entry!r}")
    return target


_MOST_DREAMS = 20
"""Of one module in one cycle: a night has other modules too."""


@dataclass(slots=True)
class RefactorDreamer:
    """Knows patterns that say the same more clearly. One for each copy of a repository."""

    guard: GuardSection = field(default_factory=GuardSection)
    name: str = "refactor"
    kind: DreamKind = DreamKind.REFACTOR
    _ideas: Mapping[str, tuple[Idea, ...]] | None = None
    _imagining: Lock = field(default_factory=Lock)

    def examples(self) -> Iterable[Example]:
        """A loop that is a comprehension, and code that is as clear as it can be."""
        yield Example({"shop.py": _LOOP}, "shop.py")
        clear = "def total(prices):\n    return sum(prices)\n"
        yield Example({"shop.py": clear}, "shop.py", is_dreamt_about=False)

    def targets(self, survey: Survey) -> Iterable[Target]:
        """Every module that a refactoring is known for, most of them first."""
        counts = {path: float(len(found)) for path, found in self._known(survey).items()}
        ordered = sorted(counts, key=lambda path: (-counts[path], path))
        return survey.rewritable(self.name, {path: counts[path] for path in ordered})

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """Those first that save a reader most."""
        ideas = self._known(survey).get(survey.path, ())
        most = min(allowance.budget.dreams or _MOST_DREAMS, _MOST_DREAMS)
        chosen = _beside_one_another(ideas)[:most]
        allowance.notes.figures["imagined"] = float(len(ideas))
        if not chosen:
            allowance.notes.remark = "nothing that is known to be clearer fits"
        for idea in chosen:
            yield rewritten(self, survey, allowance, idea.title, idea.after)

    def _known(self, survey: Survey) -> Mapping[str, tuple[Idea, ...]]:
        """By path; all at once, since what is used elsewhere decides what may be changed."""
        with self._imagining:
            if self._ideas is None:
                self._ideas = _imagined(survey, self.guard)
            return self._ideas


def _imagined(survey: Survey, guard: GuardSection) -> Mapping[str, tuple[Idea, ...]]:
    folder = survey.grounds.folder
    files = read_files(folder)
    try:
        target = among(files, folder, "", None, guard)
    except UsageError:
        return {}
    found: dict[str, list[Idea]] = {}
    for idea in imagine(survey.sandbox, target, Setting(files, True, guard)):
        found.setdefault(idea.path, []).append(idea)
    return {path: tuple(ideas) for path, ideas in found.items()}


def _beside_one_another(ideas: tuple[Idea, ...]) -> list[Idea]:
    chosen: list[Idea] = []
    taken: list[Proposal] = []
    for idea in ideas:
        proposal = proposal_of(idea.pattern, idea.title, idea.before, idea.after)
        if proposal is not None and proposal.goes_with(taken):
            chosen.append(idea)
            taken.append(proposal)
    return chosen


_LOOP = """def names(people):
    found = []
    for each in people:
        if each:
            found.append(each.title())
    return found
"""
