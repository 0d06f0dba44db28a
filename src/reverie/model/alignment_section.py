"""The settings of the alignment flagger."""

import re
from dataclasses import dataclass

from reverie.model.finding import Severity
from reverie.model.permission import HIGHER, LOWER
from reverie.model.setting import flag, number, setting, whole, words


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


def _is_name(text: str) -> bool:
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
        (), words("a list of names of rules", _is_name), "Rules that are not asked."
    )
    rules: tuple[str, ...] = setting(
        (),
        words("a list of name:severity:pattern", _is_rule),
        "Rules of one's own: a regular expression that new lines must not match.",
    )

    def custom_rules(self) -> tuple[CustomRule, ...]:
        """The rules of one's own, read."""
        return tuple(CustomRule.read(text) for text in self.rules)
