"""The past of modules: how much each changes, who changes it, and how often a change was mended.

Pure: ages are counted from the newest commit and not from the clock, so the same history always
gives the same figures. Commits are followed through renames; changes of layout alone do not count.
"""

import ast
import functools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from reverie.model.repository.candidate import (
    BlobPair,
    Commit,
    CountedTouch,
    FileTouch,
    History,
    ModuleHistory,
    TouchKind,
)
from reverie.model.settings.analysis import CandidatesSection
from reverie.model.worth import TrackRecord
from reverie.syntax.parsing import NOT_PYTHON, fresh_quietly


@dataclass(frozen=True, slots=True)
class FileCommit:
    """A commit, and what it did to the file in question."""

    commit: Commit
    touch: FileTouch


def trace_files(history: History, paths: Collection[str]) -> dict[str, tuple[FileCommit, ...]]:
    """The commits of every path, newest first, renames followed.

    Commits are read from the newest back, so a name means what it meant at that time. A branch
    that still used the old name may come before the rename in that order: what was done under a
    name that nobody has now is kept until a rename tells whose it was, or an addition shows that
    it was a file which is gone.
    """
    owners = {path: path for path in paths}
    found: dict[str, list[FileCommit]] = {path: [] for path in paths}
    unclaimed: defaultdict[str, list[FileCommit]] = defaultdict(list)
    for commit in history.commits:
        for touch in commit.touches:
            entry = FileCommit(commit, touch)
            owner = owners.get(touch.path)
            if owner is not None:
                found[owner].append(entry)
            elif touch.kind is not TouchKind.DELETED:
                unclaimed[touch.path].append(entry)
            if touch.kind is TouchKind.ADDED and owner is None:
                unclaimed.pop(touch.path, None)
        _rename(commit, owners, found, unclaimed)
    return {path: tuple(entries) for path, entries in found.items()}


def _rename(
    commit: Commit,
    owners: dict[str, str],
    found: dict[str, list[FileCommit]],
    unclaimed: defaultdict[str, list[FileCommit]],
) -> None:
    """Before this commit the files it renamed had their old names: all at once, as it did it."""
    moved = {
        touch.previous_path: owners.pop(touch.path)
        for touch in commit.touches
        if touch.previous_path is not None and touch.path in owners
    }
    for name, owner in moved.items():
        owners[name] = owner
        found[owner].extend(unclaimed.pop(name, ()))


# What formatters add, drop and respell. Texts that differ in more cannot have the same tree,
# but for spellings so rare that they may count as changes.
_LAYOUT = b" \t\n\r\f\v\"'(),;\\"
_COMMENT = re.compile(rb"#[^\n]*")


def is_formatting_only(old: bytes, new: bytes) -> bool:
    """Whether both sources have the same syntax tree. Cheap where they plainly have not."""
    if not _is_same_but_for_layout(old, new):
        return False
    try:
        return ast.dump(fresh_quietly(old)) == ast.dump(fresh_quietly(new))
    except NOT_PYTHON:
        return False


def _is_same_but_for_layout(old: bytes, new: bytes) -> bool:
    """Looks only at the lines between the equal ends: whole lines, so that comments are whole."""
    start = old.rfind(b"\n", 0, _equal_bytes(old, new)) + 1
    old, new = old[start:], new[start:]
    tail = old[len(old) - _equal_bytes(old[::-1], new[::-1]) :]
    shared = len(tail) - (tail.find(b"\n") + 1 or len(tail))
    old, new = old[: len(old) - shared], new[: len(new) - shared]
    return _essence(old) == _essence(new)


def _essence(source: bytes) -> bytes:
    bare = _COMMENT.sub(b"", source) if b"#" in source else source
    return bare.translate(None, _LAYOUT).lower()


def _equal_bytes(first: bytes, second: bytes) -> int:
    """How many bytes are equal at the beginning, found by halving."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


SECONDS_PER_DAY = 86_400
_FIX = re.compile(
    r"\b(?:(?:bug|hot)?fix(?:e[sd])?|fixing|bugs?|regressions?|crash(?:es|ed)?)\b", re.IGNORECASE
)
_NO_DEFECT = re.compile(
    r"\b(?:typos?|spelling|grammar|lint(?:er|ing)?|format(?:ting)?|style|whitespace|imports?"
    r"|docs?|docstrings?|documentation|readme|changelog|comments?|ci|tests?|flak[ey]\w*|mypy|ruff"
    r"|flake8|pylint|black|isort|warnings?)\b",
    re.IGNORECASE,
)
_CONVENTIONAL_FIX = re.compile(r"(?:bug|hot)?fix(?:\([^)]*\))?!?:", re.IGNORECASE)
_REVERT = re.compile(r"revert\b", re.IGNORECASE)
_REVERTED = re.compile(r"\bThis reverts commit [0-9a-f]{7,64}\b", re.IGNORECASE)
_SHA = re.compile(r"[0-9a-fA-F]{40}(?:[0-9a-fA-F]{24})?")


@dataclass(frozen=True, slots=True)
class Ignored:
    """What does not count as a change, besides what the settings say."""

    commits: frozenset[str] = frozenset()
    layout: frozenset[BlobPair] = field(default=frozenset())
    """Contents that differ in layout and comments only."""


def measure_history(
    history: History,
    entries: Sequence[FileCommit],
    section: CandidatesSection,
    ignored: Ignored,
) -> ModuleHistory:
    """The changes of one file that count, and how many do not, by reason."""
    counted = []
    passed_over: Counter[str] = Counter()
    for entry in entries:
        reason = _reason_to_pass_over(history, entry, section, ignored)
        if reason is None:
            counted.append(_count(history, entry.commit, section.half_life_days))
        else:
            passed_over[reason] += 1
    counted.sort(key=lambda touch: (touch.age_days, touch.commit))
    return ModuleHistory(tuple(counted), dict(sorted(passed_over.items())))


def is_fix(commit: Commit) -> bool:
    """Whether the subject says that a defect was mended, and not one of text or style."""
    subject = commit.subject
    if _CONVENTIONAL_FIX.match(subject):
        return not _NO_DEFECT.search(subject)
    is_conventional = re.match(r"[a-z]+(?:\([^)]*\))?!?:", subject) is not None
    return not is_conventional and bool(_FIX.search(subject)) and not _NO_DEFECT.search(subject)


def is_revert(commit: Commit) -> bool:
    """Whether the commit takes an earlier one back."""
    return bool(_REVERT.match(commit.subject) or _REVERTED.search(commit.message))


def is_bot(commit: Commit, patterns: Collection[str]) -> bool:
    """Whether the author matches a pattern, in which `*` stands for any text."""
    return any(_as_regex(pattern).fullmatch(commit.author) for pattern in patterns)


def parse_ignored_revisions(text: str) -> frozenset[str]:
    """The commits of a `.git-blame-ignore-revs` file; anything else in it is passed over."""
    words = (line.partition("#")[0].strip() for line in text.splitlines())
    return frozenset(word.lower() for word in words if _SHA.fullmatch(word))


@functools.cache
def _as_regex(pattern: str) -> re.Pattern[str]:
    parts = (re.escape(part) for part in pattern.split("*"))
    return re.compile(".*".join(parts), re.IGNORECASE | re.DOTALL)


def _reason_to_pass_over(
    history: History, entry: FileCommit, section: CandidatesSection, ignored: Ignored
) -> str | None:
    if history.is_shallow and entry.commit.is_root:
        return "shallow boundary"  # it seems to add every file, and adds none
    if is_bot(entry.commit, section.bots):
        return "bot"
    if entry.commit.sha in ignored.commits:
        return "ignored revision"
    if entry.touch.blobs in ignored.layout:
        return "formatting"
    return None


def _count(history: History, commit: Commit, half_life_days: float) -> CountedTouch:
    age_days = max(0, history.head_time - commit.authored_at) / SECONDS_PER_DAY
    return CountedTouch(
        commit=commit.sha,
        author=commit.author,
        age_days=age_days,
        weight=0.5 ** (age_days / half_life_days),
        is_fix=is_fix(commit),
        is_revert=is_revert(commit),
        subject=commit.subject,
    )


def track_record(history: History, paths: Collection[str]) -> TrackRecord:
    """The commits that touched any of the files: reverts and fixes, and all others."""
    touching = [
        commit for commit in history.commits if any(each.path in paths for each in commit.touches)
    ]
    mended = sum(is_fix(commit) or is_revert(commit) for commit in touching)
    return TrackRecord(bad=mended, kept=len(touching) - mended)


COLDEST, HOTTEST = 0.5, 2.0


def heats(
    history: History, paths: Collection[str], section: CandidatesSection
) -> Mapping[str, float]:
    """A factor for each path: 1 as much as the mean, at most twice and at least half of it."""
    weights = dict.fromkeys(paths, 0.0)
    for commit in history.commits:
        if is_bot(commit, section.bots):
            continue
        age_days = max(0, history.head_time - commit.authored_at) / SECONDS_PER_DAY
        weight = 0.5 ** (age_days / section.half_life_days)
        for touch in commit.touches:
            if touch.path in weights:
                weights[touch.path] += weight
    if not weights:
        return {}
    mean = sum(weights.values()) / len(weights)
    return {
        path: min(HOTTEST, max(COLDEST, (1 + weight) / (1 + mean)))
        for path, weight in weights.items()
    }
