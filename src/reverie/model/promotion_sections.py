"""The settings of promotion, as in `sections`: every field with its doc line and its bounds."""

import re
from dataclasses import dataclass
from enum import StrEnum

from reverie.model.approval import Approver
from reverie.model.permission import ANY_VALUE, FEWER, HIGHER, LOWER, Permission
from reverie.model.setting import choice, flag, seconds, setting, text, whole, words

_REF_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(/[A-Za-z0-9_][A-Za-z0-9_-]*)*")
_EMAIL = re.compile(r"[^\s<>@]+@[^\s<>@]+")

_APPROVER = re.compile(r"[^=,<>]+=[0-9a-f]{64}")


class BranchPer(StrEnum):
    """What gets a branch of its own."""

    CYCLE = "cycle"
    DREAM = "dream"


def _is_name(value: str) -> bool:
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
        "Reverie", text("a name without < and >", _is_name), "Author and committer of promotions."
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
        "Who may approve changes of stage C, with the keys they do it with; empty: anybody's.",
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
