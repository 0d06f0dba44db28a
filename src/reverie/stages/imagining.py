"""Refactorings of one target: imagine, try the best, keep what is proven."""

import ast
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.dreamers.refactor.lint import RULES, lint_proposals, oldest_python
from reverie.dreamers.refactor.proposals import (
    Proposal,
    distinct,
    functions_of,
    imagine_refactorings,
)
from reverie.dreamers.refactor.refactoring import Elsewhere
from reverie.errors import UsageError
from reverie.gates.paths import is_test_module, is_test_path, red_line
from reverie.gates.production.unused import words_in
from reverie.instruments.quality.fixes import LintFix, find_fixes
from reverie.instruments.quality.tools import Bench
from reverie.model.analysis_sections import QualitySection
from reverie.model.judgement_sections import GuardSection
from reverie.model.refactoring import Refactored, RefactoringTried
from reverie.sandbox.engine import Sandbox
from reverie.scoring.clarity import clarity_of
from reverie.trials.refactoring import Idea, Setting, try_idea

Progress = Callable[[str], None]
_LEAST_SECONDS = 2.0
_READ = (".py", ".pyi", ".toml", ".cfg", ".ini", ".txt", ".md", ".rst", ".yml", ".yaml", ".json")


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be refactored: files among all that belong to them."""

    name: str
    folder: Path
    """Where the files lie, for ruff to read."""
    paths: tuple[str, ...]
    """Of the files to look at, from `folder` on."""
    entry: str | None = None


def refactor_target(
    sandbox: Sandbox,
    target: Target,
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


def imagine(sandbox: Sandbox, target: Target, setting: Setting) -> list[Idea]:
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


def _fixes(sandbox: Sandbox, target: Target, setting: Setting) -> Mapping[str, Sequence[LintFix]]:
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


def alone(file: Path, entry: str | None) -> tuple[Target, Mapping[str, bytes]]:
    """A file among those of its package, where no repository is around it."""
    root = file.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    below = file.relative_to(root)
    found = [file] if len(below.parts) == 1 else sorted((root / below.parts[0]).rglob("*"))
    files = {
        each.relative_to(root).as_posix(): each.read_bytes()
        for each in found
        if each.is_file() and "__pycache__" not in each.parts
    }
    return _checked(Target(_named(file, entry), root, (below.as_posix(),), entry), files), files


def among(
    files: Mapping[str, bytes], folder: Path, place: str, entry: str | None, section: GuardSection
) -> Target:
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
    return _checked(Target(_named(Path(place or "."), entry), folder, paths, entry), files)


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
        ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _checked(target: Target, files: Mapping[str, bytes]) -> Target:
    """Raise `UsageError` for a file that is no Python, or that has no such function."""
    if target.entry is None and len(target.paths) > 1:
        return target
    (path,) = target.paths
    try:
        known = functions_of(ast.parse(files[path]))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{path!r} is no Python: {error}") from error
    entry = target.entry
    if entry is not None and not any(n == entry or n.startswith(f"{entry}.") for n in known):
        raise UsageError(f"{path!r} has no function {entry!r}")
    return target
