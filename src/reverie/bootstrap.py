"""The composition root: the only place that names concrete backends and wires rooms together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import ConfigError, UsageError
from reverie.model.analysis_sections import CandidatesSection
from reverie.model.candidate import ModuleHistory, Ranking
from reverie.model.code import CodeIndex
from reverie.model.history import StoredRule
from reverie.model.sections import IndexSection, SafetySection, SandboxSection

if TYPE_CHECKING:
    from reverie.index.coverage.raw import RawCoverage
    from reverie.index.hotness import Ignored
    from reverie.index.renames import FileCommit
    from reverie.promotion.git import Git
    from reverie.sandbox.engine import Recorder, Sandbox
    from reverie.sandbox.safety import RuleSet

MAX_SOURCE_BYTES = 16 << 20


@contextmanager
def open_sandbox(section: SandboxSection, journal_url: str | None = None) -> "Iterator[Sandbox]":
    """A sandbox as the settings describe it; its executions are recorded if there is a journal.

    What was recorded is committed when this ends. Without a journal the store is not imported.
    """
    from reverie.sandbox.engine import Sandbox

    with ExitStack() as stack:
        recorder = None if journal_url is None else _open_recorder(stack, journal_url)
        yield stack.enter_context(Sandbox(section, recorder))


def _open_recorder(stack: ExitStack, journal_url: str) -> "Recorder":
    from reverie.store import ExecutionRecorder, Journal

    journal = stack.enter_context(Journal.open(journal_url))
    return stack.enter_context(ExecutionRecorder(journal))


def rules_in_force(section: SafetySection, stored: Iterable[StoredRule] = ()) -> "RuleSet":
    """The built-in safety rules, changed by what is stored, and then by the settings.

    A stored switch for a rule that this version no longer has is passed over.
    """
    from reverie.sandbox.safety import Rule, RuleSet

    rules = RuleSet.default()
    for each in stored:
        if each.body and each.rule_id not in rules:
            rules = rules.with_rule(Rule.from_dict(each.body))
        if each.rule_id in rules:
            rules = rules.enable(each.rule_id) if each.enabled else rules.disable(each.rule_id)
    for rule_id in section.disable:
        try:
            rules = rules.disable(rule_id)
        except ConfigError as error:
            raise ConfigError(f"safety.disable: {error}") from error
    return rules


def read_index(repository: Path, section: IndexSection, safety: SafetySection) -> CodeIndex:
    """What is in a repository, read afresh."""
    from reverie.index import read_repository

    return read_repository(repository, section, safety.tier_of)


def rank_candidates(
    index: CodeIndex,
    section: CandidatesSection,
    coverage: "RawCoverage | None" = None,
    coverage_source: str = "",
) -> Ranking:
    """Where in a repository a test is worth most, by what its index, git and coverage say."""
    from reverie.index import remarks
    from reverie.index.candidates import rank
    from reverie.index.coverage.report import map_coverage
    from reverie.index.exclusions import exclusion_of

    repository = Path(index.repository)
    sources = {each.path: _source(repository, each.path) for each in index.modules}
    excluded = [
        exclusion_of(each, sources[each.path] or b"", section.exclude) for each in index.modules
    ]
    modules = [each for each, why in zip(index.modules, excluded, strict=True) if why is None]
    paths = [each.path for each in modules]
    past = _read_past(repository, paths, section)
    notes = list(past.notes)
    covered = None
    if coverage is not None:
        covered = map_coverage(coverage, coverage_source, repository, sources, sources.get)
    if paths:
        notes += remarks.remarks_on_coverage(covered, paths)
    else:
        notes.append(remarks.NO_MODULES)
    lines = {path: len(source.splitlines()) for path, source in sources.items() if source}
    return Ranking(
        candidates=rank(modules, past.histories, covered, lines),
        excluded=tuple(why for why in excluded if why is not None),
        notes=(*index.notes, *notes),
        head=past.head,
    )


def changed_files(repository: Path, revision: str) -> Mapping[str, frozenset[int]]:
    """The lines of every Python file that a revision did not have, by path."""
    from reverie.promotion.git import Git
    from reverie.promotion.history import changed_since

    git = Git.find(repository)
    if git is None:
        raise UsageError(f"{str(repository)!r} is no git repository: nothing to compare with")
    return {file.path: file.lines for file in changed_since(git, revision)}


@dataclass(frozen=True, slots=True)
class _Past:
    """What git tells of some files; without histories, the notes say why."""

    notes: Sequence[str]
    histories: Mapping[str, ModuleHistory] | None = None
    head: str | None = None


def _read_past(repository: Path, paths: Sequence[str], section: CandidatesSection) -> _Past:
    from reverie.index import remarks
    from reverie.index.hotness import measure_history
    from reverie.index.renames import trace_files
    from reverie.promotion.git import Git
    from reverie.promotion.history import read_history

    git = Git.find(repository)
    if git is None:
        return _Past([remarks.NO_GIT])
    history = read_history(git, section.max_commits)
    if history is None:
        return _Past([remarks.NO_COMMITS])
    traced = trace_files(history, paths)
    ignored = _ignored(git, traced.values(), section)
    measured = {
        path: measure_history(history, entries, section, ignored)
        for path, entries in traced.items()
    }
    notes = remarks.remarks_on_history(history, measured.values())
    has_changes = any(each.touches for each in measured.values())
    return _Past(notes, measured if has_changes else None, history.head)


def _ignored(
    git: "Git", traced: "Iterable[Sequence[FileCommit]]", section: CandidatesSection
) -> "Ignored":
    """Commits that the repository wants passed over, and changes that are none."""
    from reverie.index.formatting import is_formatting_only
    from reverie.index.hotness import Ignored, parse_ignored_revisions
    from reverie.promotion.history import read_pairs

    listed = _source(git.folder, section.ignore_revs_file)
    commits = parse_ignored_revisions((listed or b"").decode("utf-8", "replace"))
    if not section.ignore_formatting:
        return Ignored(commits)
    touches = (each.touch for entries in traced for each in entries)
    pairs = list(dict.fromkeys(touch.blobs for touch in touches if touch.blobs is not None))
    layout = (pair for pair, old, new in read_pairs(git, pairs) if is_formatting_only(old, new))
    return Ignored(commits, frozenset(layout))


def _source(repository: Path, path: str) -> bytes | None:
    """A file of the repository; None when it is none, lies elsewhere or is very large."""
    place = repository / path
    try:
        is_own = place.resolve().is_relative_to(repository.resolve()) and place.is_file()
        return place.read_bytes() if is_own and place.stat().st_size <= MAX_SOURCE_BYTES else None
    except (OSError, ValueError):
        return None
