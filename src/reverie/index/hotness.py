"""How much a module changes, who changes it, and how often a change had to be mended.

Pure: ages are counted from the newest commit and not from the clock, so the same history always
gives the same figures.
"""

import functools
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from reverie.index.renames import FileCommit
from reverie.model.analysis_sections import CandidatesSection
from reverie.model.candidate import CountedTouch, ModuleHistory
from reverie.model.commit import BlobPair, Commit, History

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
    )
