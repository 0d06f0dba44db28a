"""What the static safety rules say about a piece of source."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters, least first."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a rule objects. Lines and columns start at 1."""

    rule: str
    severity: Severity
    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class NamedCheck:
    """What findings under a name are about, where the name is not one of the safety rules."""

    id: str
    title: str
    family: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """All findings of one file. `passed` is the rules' answer at the tier it was checked for."""

    path: str
    passed: bool
    findings: tuple[Finding, ...]
    code_hash: str
