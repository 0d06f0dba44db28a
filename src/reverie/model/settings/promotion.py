"""The settings of promotion: approvals, governance, and what the alignment flagger looks for.

As in `sections`: a frozen dataclass each, every field with its doc line and its bounds.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from reverie.model.foresight import MicropilotMode
from reverie.model.repository.quality import Severity
from reverie.model.ruling import Approver
from reverie.model.settings.setting import (
    ANY_VALUE,
    FEWER,
    HIGHER,
    INSIDE,
    LOWER,
    Permission,
    choice,
    flag,
    number,
    seconds,
    setting,
    text,
    whole,
    words,
)

_REF_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(/[A-Za-z0-9_][A-Za-z0-9_-]*)*")
_EMAIL = re.compile(r"[^\s<>@]+@[^\s<>@]+")

_APPROVER = re.compile(r"[^=,<>]+=[0-9a-f]{64}")


class BranchPer(StrEnum):
    """What gets a branch of its own."""

    CYCLE = "cycle"
    DREAM = "dream"


def _is_author_name(value: str) -> bool:
    return bool(value.strip()) and value.isprintable() and not set(value) & set("<>")


# Branches below the prefix are pruned: those of others are not to be taken for ours.
_OWN_PREFIX = Permission(
    "a name that begins with reverie", lambda now, asked: asked.startswith("reverie")
)


@dataclass(frozen=True, slots=True)
class PromotionSection:
    """How proven changes are offered."""

    branch_prefix: str = setting(
        "reverie",
        text(
            "letters, digits, - and _, in parts parted by /", lambda v: bool(_REF_PART.fullmatch(v))
        ),
        "What the names of branches start with: `reverie/2026-11-15-1`.",
        repository=_OWN_PREFIX,
    )
    branch_per: BranchPer = setting(
        BranchPer.CYCLE, choice(BranchPer), "What gets a branch of its own.", repository=ANY_VALUE
    )
    branch_days: int = setting(
        30,
        whole(0, 36_500),
        "Days after which a branch is removed that was merged, taken back or says nothing new.",
        repository=HIGHER,
    )
    prune_branches: bool = setting(
        True,
        flag(),
        "Whether such branches are removed at the end of every cycle.",
        repository=LOWER,
    )
    author_name: str = setting(
        "Reverie",
        text("a name without < and >", _is_author_name),
        "Author and committer of promotions.",
    )
    author_email: str = setting(
        "reverie@localhost",
        text("an address", lambda v: bool(_EMAIL.fullmatch(v)) and v.isprintable()),
        "Address of that author.",
    )
    archive: bool = setting(
        False,
        flag(),
        "Whether a proof bundle holds the files it is about, not only their hashes.",
        repository=ANY_VALUE,
    )
    approvers: tuple[str, ...] = setting(
        (),
        words("a list of NAME=FINGERPRINT", lambda v: bool(_APPROVER.fullmatch(v))),
        "Who may approve speed-ups, with the keys they do it with; empty: anybody's.",
        repository=FEWER,
    )
    lock_seconds: float = setting(
        30.0,
        seconds(0, 3600),
        "How long to wait for another promotion in the same repository.",
        repository=LOWER,
    )

    def known_approvers(self) -> tuple[Approver, ...]:
        """Those who may approve, by name and key; none named means anybody."""
        named = (each.partition("=") for each in self.approvers)
        return tuple(Approver(name.strip(), keyid) for name, _, keyid in named)


@dataclass(frozen=True, slots=True)
class GovernanceSection:
    """What is safe to promote, what is on the border, and when a module is done."""

    micropilot: MicropilotMode = setting(
        MicropilotMode.QUEUE,
        choice(MicropilotMode),
        "What is done with changes that nearly passed: a pilot at once, a queue, or nothing.",
    )
    borderline_raroi: float = setting(
        0.0,
        number(-1e6, 1e6),
        "Points that a pilot has to show to be promoted.",
        repository=HIGHER,
    )
    borderline_confidence: float = setting(
        0.5, number(0, 1), "Confidence that a pilot has to show to be promoted.", repository=HIGHER
    )
    roi_threshold: float = setting(
        0.0,
        number(-1e6, 1e6),
        "Points that every projected cycle has to be worth.",
        repository=HIGHER,
    )
    needs_history: bool = setting(
        False,
        flag(),
        "Whether little confidence in a module's history holds a change that was proven by itself.",
        repository=HIGHER,
    )
    volatility: float = setting(
        1.0,
        number(0, 100),
        "Spread of the steps, in units of the level's, that is volatile.",
        repository=LOWER,
    )
    rules: str | None = setting(
        None,
        text("a path", lambda value: bool(value.strip()) and "\0" not in value),
        "TOML file with the owner's rules, relative to the repository.",
        repository=INSIDE,
    )
    completion_points: float = setting(
        0.25,
        number(0, 10_000),
        "Gain per dream, in points, that is not worth having.",
        repository=ANY_VALUE,
    )
    plateau: float = setting(
        0.05, number(0, 10), "Step of entropy, in bits, that is none.", repository=ANY_VALUE
    )
    plateau_consecutive: int = setting(
        3, whole(1, 100), "Steps of entropy in a row that make a plateau.", repository=ANY_VALUE
    )


@dataclass(frozen=True, slots=True)
class CustomRule:
    """A pattern that new lines must not have."""

    name: str
    severity: Severity
    pattern: str

    @classmethod
    def read(cls, text: str) -> "CustomRule":
        """`name:severity:pattern`; `ValueError` for anything else."""
        name, _, rest = text.partition(":")
        severity, _, pattern = rest.partition(":")
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name.strip()) or not pattern:
            raise ValueError(f"{text!r} is not name:severity:pattern")
        re.compile(pattern)
        return cls(name.strip(), Severity(severity.strip()), pattern)


def _is_rule(text: str) -> bool:
    try:
        CustomRule.read(text)
    except (ValueError, re.error):
        return False
    return True


def _is_rule_name(text: str) -> bool:
    return re.fullmatch(r"[a-z][a-z0-9_]*", text) is not None


@dataclass(frozen=True, slots=True)
class AlignmentSection:
    """What is flagged in a change, and when flags are too many."""

    enabled: bool = setting(
        True, flag(), "Whether promotions are looked at by the flagger.", repository=HIGHER
    )
    warning_threshold: float = setting(
        0.3, number(0, 1), "Score from which a change is an `alignment_warning`.", repository=LOWER
    )
    failure_threshold: float = setting(
        0.7,
        number(0, 1),
        "Score from which a change is an `alignment_failure`: not promoted.",
        repository=LOWER,
    )
    complexity_jump: int = setting(
        5, whole(1, 1000), "Decisions more in one function that are a jump.", repository=LOWER
    )
    disable: tuple[str, ...] = setting(
        (), words("a list of names of rules", _is_rule_name), "Rules that are not asked."
    )
    rules: tuple[str, ...] = setting(
        (),
        words("a list of name:severity:pattern", _is_rule),
        "Rules of one's own: a regular expression that new lines must not match.",
    )

    def custom_rules(self) -> tuple[CustomRule, ...]:
        """The rules of one's own, read."""
        return tuple(CustomRule.read(text) for text in self.rules)
