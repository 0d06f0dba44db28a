"""The settings of promotion, as in `sections`: every field with its doc line and its bounds."""

import re
from dataclasses import dataclass
from enum import StrEnum

from reverie.model.setting import choice, flag, number, setting, text

_REF_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(/[A-Za-z0-9_][A-Za-z0-9_-]*)*")
_EMAIL = re.compile(r"[^\s<>@]+@[^\s<>@]+")


class BranchPer(StrEnum):
    """What gets a branch of its own."""

    CYCLE = "cycle"
    DREAM = "dream"


def _is_name(value: str) -> bool:
    return bool(value.strip()) and value.isprintable() and not set(value) & set("<>")


@dataclass(frozen=True, slots=True)
class PromotionSection:
    """How proven changes are offered."""

    branch_prefix: str = setting(
        "reverie",
        text(
            "letters, digits, - and _, in parts parted by /", lambda v: bool(_REF_PART.fullmatch(v))
        ),
        "What the names of branches start with: `reverie/2026-11-15-1`.",
    )
    branch_per: BranchPer = setting(
        BranchPer.CYCLE, choice(BranchPer), "What gets a branch of its own."
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
        False, flag(), "Whether a proof bundle holds the files it is about, not only their hashes."
    )
    lock_seconds: float = setting(
        30.0, number(0, 3600), "How long to wait for another promotion in the same repository."
    )
