"""The composition root: the only place that names concrete backends and wires rooms together.

Every room and every value is imported by the function that needs it: one command needs few.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from reverie.index import RememberedIndex
    from reverie.index.discovery import FoundFile, TierOf
    from reverie.index.ranking import FoundCoverage, Measured, Past
    from reverie.index.remembering.rereading import Known, ReadFiles, Reading
    from reverie.index.remembering.sheet_laying import SheetPlace
    from reverie.model.history import StoredRule
    from reverie.model.outcome import TrustTier
    from reverie.model.repository.candidate import Ranking
    from reverie.model.repository.code import CodeIndex
    from reverie.model.sections import IndexSection, SafetySection, SandboxSection
    from reverie.model.settings.analysis import CandidatesSection
    from reverie.sandbox.engine import Recorder, Sandbox
    from reverie.sandbox.safety import RuleSet
    from reverie.settings import Loaded


@contextmanager
def open_sandbox(
    section: SandboxSection, journal_url: str | None = None, python: str | None = None
) -> Iterator[Sandbox]:
    """A sandbox as the settings describe it; its executions are recorded if there is a journal.

    What was recorded is committed when this ends. Without a journal the store is not imported.
    With an interpreter, whatever leaves the choice to the settings is run by that one.
    """
    from reverie.bootstrap.leases import held
    from reverie.sandbox.engine import Sandbox

    with ExitStack() as stack:
        recorder = None if journal_url is None else open_recorder(stack, journal_url)
        sandbox = stack.enter_context(Sandbox(section, recorder))
        stack.enter_context(held(sandbox))
        yield sandbox.with_python(python)


def open_recorder(stack: ExitStack, journal_url: str) -> Recorder:
    """What records executions in a journal, until the stack is closed."""
    from reverie.store import ExecutionRecorder, Journal

    journal = stack.enter_context(Journal.open(journal_url))
    return stack.enter_context(ExecutionRecorder(journal))


def rules_in_force(section: SafetySection, stored: Iterable[StoredRule] = ()) -> RuleSet:
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


def rank_candidates(
    index: CodeIndex, coverage: FoundCoverage | None, section: CandidatesSection
) -> Ranking:
    """Where in a repository a test is worth most, by what its index, git and coverage say."""
    return rank_copy(Path(index.repository), index, coverage, section)


def rank_copy(
    repository: Path,
    copy: CodeIndex,
    coverage: FoundCoverage | None,
    section: CandidatesSection,
) -> Ranking:
    """Where in a copy of a repository a test is worth most, by the repository's own past."""
    from reverie.index.ranking import rank_repository

    past, note = read_past(repository, section)
    ranking = rank_repository(copy, past, coverage, section)
    return ranking if note is None else replace(ranking, notes=(note, *ranking.notes))


def measure_signals(
    index: CodeIndex, coverage: FoundCoverage | None, section: CandidatesSection
) -> Measured:
    """What git and a coverage report say of every module, and what is not known."""
    from reverie.index.ranking import Measured, measure_modules

    past, note = read_past(Path(index.repository), section)
    notes = () if note is None else (note.replace("change, fault and spread are", "git age is"),)
    return Measured(measure_modules(index, past, coverage, section), notes)


def read_past(repository: Path, section: CandidatesSection) -> tuple[Past | None, str | None]:
    """What git tells of a repository, and what there is to say about that."""
    from reverie.index import remarks
    from reverie.index.ranking import Past
    from reverie.promotion.git import Git, is_git_there
    from reverie.promotion.history import read_history, read_pairs

    git = Git.find(repository)
    if git is None:
        return None, remarks.NO_REPOSITORY if is_git_there() else remarks.NO_GIT
    history = read_history(git, section.max_commits)
    if history is None:
        return None, remarks.NO_COMMITS
    past = Past(history, partial(read_pairs, git))
    return past, remarks.BARE if git.is_bare else None


def changed_files(repository: Path, revision: str) -> Mapping[str, frozenset[int]]:
    """The lines of every Python file that a revision did not have, by path."""
    from reverie.promotion.git import Git
    from reverie.promotion.history import changed_since

    git = Git.find(repository)
    if git is None:
        raise UsageError(f"{str(repository)!r} is no git repository: nothing to compare with")
    return {file.path: file.lines for file in changed_since(git, revision)}


@contextmanager
def open_index(
    repository: Path,
    section: IndexSection,
    safety: SafetySection,
    journal_url: str | None,
    sandbox: SandboxSection | None = None,
) -> Iterator[RememberedIndex]:
    """The index of a repository, remembered in the journal; without one, by this process alone.

    With a sandbox many files are read on all cores.
    """
    read_files = None if sandbox is None else _shared_reading(repository, lambda: sandbox)
    with _remembering(repository, section, safety.tier_of, journal_url, read_files) as index:
        yield index


def open_index_of(
    loaded: Loaded, *, keeps: bool = False, writes: bool = True
) -> AbstractContextManager[RememberedIndex]:
    """The index of the repository that settings were read for.

    What only reading needs of the settings is asked for when files are read. Who keeps it makes
    the journal if need be, where the folder may be written to; without `writes` it is forgotten.
    """
    settings, repository = loaded.settings, loaded.repository
    sheet = _sheet_place(loaded) if writes else None
    read_files = _shared_reading(repository, lambda: settings.sandbox)

    def tier_of(path: str) -> TrustTier:
        return settings.safety.tier_of(path)

    url = loaded.journal_url if writes else None
    if url is None and keeps and settings.journal.url is None and os.access(repository, os.W_OK):
        url = loaded.repository_journal_url
    return _remembering(repository, settings.index, tier_of, url, read_files, sheet)


def _sheet_place(loaded: Loaded) -> SheetPlace | None:
    """Where plain questions look for a sheet, if its settings can be told from their files."""
    if loaded.sources is None:
        return None
    from reverie.index.remembering.sheet import SHEET_FILE, SHEET_FOLDER
    from reverie.index.remembering.sheet_laying import SheetPlace

    place = loaded.repository / SHEET_FOLDER
    return SheetPlace(place / SHEET_FILE, loaded.sources) if loaded.data_dir == place else None


@contextmanager
def _remembering(
    repository: Path,
    section: IndexSection,
    tier_of: TierOf,
    journal_url: str | None,
    read_files: ReadFiles | None,
    sheet: SheetPlace | None = None,
) -> Iterator[RememberedIndex]:
    from reverie.index import RememberedIndex

    if journal_url is None:
        from reverie.index import ProcessMemory

        memory = ProcessMemory()
        yield RememberedIndex(repository, section, tier_of, memory, read_files)
        return
    from reverie.store import CodeIndexMemory, Journal

    with Journal.open(journal_url) as journal, journal.driver_connection() as connection:
        stored = CodeIndexMemory(journal, str(repository.resolve()), connection)
        yield RememberedIndex(repository, section, tier_of, stored, read_files, sheet)


def _shared_reading(repository: Path, section: Callable[[], SandboxSection]) -> ReadFiles:
    def read(looked: Sequence[FoundFile], index: IndexSection, known: Known) -> Iterator[Reading]:
        from reverie.instruments.shared_reading import SharedReading

        return SharedReading(repository, partial(open_sandbox, section()))(looked, index, known)

    return read
