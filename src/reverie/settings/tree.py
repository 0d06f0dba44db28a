"""The settings tree, the names of its keys, and how a value is shown."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reverie.model.alignment_section import AlignmentSection
from reverie.model.analysis_sections import CandidatesSection, QualitySection
from reverie.model.cycle_sections import CycleSection
from reverie.model.judgement_sections import GuardSection, RoiSection
from reverie.model.promotion_sections import PromotionSection
from reverie.model.sections import (
    EquivalenceSection,
    IndexSection,
    JournalSection,
    LoggingSection,
    MapSection,
    MutationSection,
    OrphansSection,
    PathTier,
    SafetySection,
    SandboxSection,
)
from reverie.model.setting import Setting, settings_of

JOURNAL_FILE = "journal.db"

SECTIONS: Mapping[str, type[Any]] = {
    "sandbox": SandboxSection,
    "journal": JournalSection,
    "safety": SafetySection,
    "index": IndexSection,
    "mutation": MutationSection,
    "equivalence": EquivalenceSection,
    "cycle": CycleSection,
    "candidates": CandidatesSection,
    "quality": QualitySection,
    "guard": GuardSection,
    "roi": RoiSection,
    "logging": LoggingSection,
    "orphans": OrphansSection,
    "map": MapSection,
    "promotion": PromotionSection,
    "alignment": AlignmentSection,
}

_FLAGS = {
    "cycle.budget_seconds": "--budget",
    "equivalence.budget_seconds": "--budget",
    "guard.budget_seconds": "--budget",
    "journal.url": "--journal-url",
    "logging.level": "--log-level",
    "sandbox.memory_mb": "--memory",
    "sandbox.timeout_seconds": "--timeout",
}
_SQLITE = "sqlite:///"
_URL_PASSWORD = re.compile(r"(?<=://)([^\s:/@]*):[^\s/]*@")
_QUERY_PASSWORD = re.compile(r"(?i)\b(password|passwd|pwd|sslpassword)=[^&\s]*")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, a section per room."""

    sandbox: SandboxSection = field(default_factory=SandboxSection)
    journal: JournalSection = field(default_factory=JournalSection)
    safety: SafetySection = field(default_factory=SafetySection)
    index: IndexSection = field(default_factory=IndexSection)
    mutation: MutationSection = field(default_factory=MutationSection)
    equivalence: EquivalenceSection = field(default_factory=EquivalenceSection)
    cycle: CycleSection = field(default_factory=CycleSection)
    candidates: CandidatesSection = field(default_factory=CandidatesSection)
    quality: QualitySection = field(default_factory=QualitySection)
    guard: GuardSection = field(default_factory=GuardSection)
    roi: RoiSection = field(default_factory=RoiSection)
    logging: LoggingSection = field(default_factory=LoggingSection)
    orphans: OrphansSection = field(default_factory=OrphansSection)
    map: MapSection = field(default_factory=MapSection)
    promotion: PromotionSection = field(default_factory=PromotionSection)
    alignment: AlignmentSection = field(default_factory=AlignmentSection)

    def value(self, key: str) -> Any:
        """The value of a dotted key."""
        section, _, name = key.partition(".")
        return getattr(getattr(self, section), name)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force in one repository, with the origin of each value."""

    repository: Path
    settings: Settings
    origins: Mapping[str, str]
    notes: tuple[str, ...] = ()
    """What was passed over, and why."""

    @property
    def data_dir(self) -> Path:
        """The folder of Reverie's own files."""
        return self.repository / Path(self.settings.journal.data_dir).expanduser()

    @property
    def is_initialised(self) -> bool:
        """Whether `reverie init` was run here."""
        return self.data_dir.is_dir()

    @property
    def journal_url(self) -> str | None:
        """The journal to open, or None: nobody asked for one here.

        A `DATABASE_URL` is the application's own as often as ours, so a URL counts only in an
        initialised repository, or when it was given to Reverie by name from outside of it.
        """
        asked = self.origins["journal.url"] in (
            flag_of("journal.url"),
            f"environment {variable_of('journal.url')}",
        )
        return self.repository_journal_url if asked or self.is_initialised else None

    @property
    def repository_journal_url(self) -> str:
        """The journal that an initialised repository has, whether this one is or not."""
        url = self.settings.journal.url or f"{_SQLITE}{self.data_dir / JOURNAL_FILE}"
        if url.startswith(_SQLITE):  # a relative path is the repository's
            return _SQLITE + str(self.repository / url.removeprefix(_SQLITE))
        return url


@functools.cache
def known_settings() -> Mapping[str, Setting]:
    """Every dotted key with what is known about it, in the order of the tree."""
    return {
        f"{section}.{name}": about
        for section, kind in SECTIONS.items()
        for name, about in settings_of(kind).items()
    }


def variable_of(key: str) -> str:
    """The environment variable of a dotted key."""
    return "REVERIE_" + key.replace(".", "_").upper()


def flag_of(key: str) -> str:
    """The command-line flag of a dotted key, on commands that have one."""
    return _FLAGS.get(key) or "--" + key.rpartition(".")[2].replace("_", "-")


def redacted(text: str) -> str:
    """Text without the passwords of URLs in it."""
    return _QUERY_PASSWORD.sub(r"\1=***", _URL_PASSWORD.sub(r"\1:***@", text))


def shown(key: str, value: object) -> object:
    """A value as `reverie config` shows it: plain JSON types, no secrets."""
    if isinstance(value, tuple):
        if value and isinstance(value[0], PathTier):
            return {each.pattern: each.tier.value for each in value}
        return list(value)
    if known_settings()[key].secret and isinstance(value, str):
        return redacted(value)
    return value
