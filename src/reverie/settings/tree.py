"""The settings tree, the names of its keys, and how a value is shown.

A section is imported when it is first asked for: one command needs few.
"""

from __future__ import annotations

import functools
import re
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import ConfigError
from reverie.model.settings.setting import settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reverie.model.repository.standing import IntegrationSection
    from reverie.model.sections import (
        EquivalenceSection,
        MapSection,
        MutationSection,
        OrphansSection,
        SafetySection,
        SandboxSection,
    )
    from reverie.model.settings.analysis import CandidatesSection, QualitySection
    from reverie.model.settings.cycle import CycleSection, EnvironmentSection, ModelsSection
    from reverie.model.settings.everyday import IndexSection, JournalSection, LoggingSection
    from reverie.model.settings.judgement import GuardSection, RoiSection
    from reverie.model.settings.operations import (
        ClusterSection,
        EventsSection,
        McpSection,
        MetricsSection,
        NightlySection,
        WebSection,
    )
    from reverie.model.settings.promotion import (
        AlignmentSection,
        GovernanceSection,
        PromotionSection,
    )
    from reverie.model.settings.setting import Setting
    from reverie.model.settings.workflows import ScenariosSection, WorkflowsSection

JOURNAL_FILE = "journal.db"

SECTIONS: Mapping[str, str] = {
    "sandbox": "sections:SandboxSection",
    "journal": "settings.everyday:JournalSection",
    "safety": "sections:SafetySection",
    "index": "settings.everyday:IndexSection",
    "environment": "settings.cycle:EnvironmentSection",
    "mutation": "sections:MutationSection",
    "equivalence": "sections:EquivalenceSection",
    "cycle": "settings.cycle:CycleSection",
    "candidates": "settings.analysis:CandidatesSection",
    "quality": "settings.analysis:QualitySection",
    "guard": "settings.judgement:GuardSection",
    "roi": "settings.judgement:RoiSection",
    "governance": "settings.promotion:GovernanceSection",
    "logging": "settings.everyday:LoggingSection",
    "events": "settings.operations:EventsSection",
    "orphans": "sections:OrphansSection",
    "integration": "repository.standing:IntegrationSection",
    "map": "sections:MapSection",
    "promotion": "settings.promotion:PromotionSection",
    "alignment": "settings.promotion:AlignmentSection",
    "workflows": "settings.workflows:WorkflowsSection",
    "scenarios": "settings.workflows:ScenariosSection",
    "models": "settings.cycle:ModelsSection",
    "mcp": "settings.operations:McpSection",
    "nightly": "settings.operations:NightlySection",
    "web": "settings.operations:WebSection",
    "metrics": "settings.operations:MetricsSection",
    "cluster": "settings.operations:ClusterSection",
}
"""The module in `reverie.model` and the class of each section."""

_FLAGS = {
    "cycle.budget_seconds": "--budget",
    "equivalence.budget_seconds": "--budget",
    "guard.budget_seconds": "--budget",
    "journal.url": "--journal-url",
    "logging.file": "--log-file",
    "logging.level": "--log-level",
    "nightly.budget_seconds": "--budget",
    "sandbox.memory_mb": "--memory",
    "sandbox.timeout_seconds": "--timeout",
}
_SQLITE = "sqlite:///"
_URL_PASSWORD = r"(?<=://)([^\s:/@]*):[^\s/]*@"
_QUERY_PASSWORD = r"(?i)\b(password|passwd|pwd|sslpassword)=[^&\s]*"


class Settings:
    """Everything that can be set, a section per room."""

    sandbox: SandboxSection
    journal: JournalSection
    safety: SafetySection
    index: IndexSection
    environment: EnvironmentSection
    mutation: MutationSection
    equivalence: EquivalenceSection
    cycle: CycleSection
    candidates: CandidatesSection
    quality: QualitySection
    guard: GuardSection
    roi: RoiSection
    governance: GovernanceSection
    logging: LoggingSection
    events: EventsSection
    orphans: OrphansSection
    integration: IntegrationSection
    map: MapSection
    promotion: PromotionSection
    alignment: AlignmentSection
    workflows: WorkflowsSection
    scenarios: ScenariosSection
    models: ModelsSection
    mcp: McpSection
    nightly: NightlySection
    web: WebSection
    metrics: MetricsSection
    cluster: ClusterSection

    def __init__(self, given: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        self.__dict__["_given"] = given or {}

    def __getattr__(self, name: str) -> Any:
        if name not in SECTIONS:
            raise AttributeError(f"there is no section {name!r}")
        self.__dict__[name] = made = section_type(name)(**self._given.get(name, {}))
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"settings are not changed: {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Settings):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in SECTIONS)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in SECTIONS))

    def value(self, key: str) -> Any:
        """The value of a dotted key."""
        section, _, name = key.partition(".")
        return getattr(getattr(self, section), name)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force in one repository, with the origin of each value."""

    repository: Path
    settings: Settings
    written: Mapping[str, str]
    """Where each value that is not a default was written, by dotted key."""
    notes: tuple[str, ...] = ()
    """What was passed over, and why."""
    sources: tuple[int, ...] | None = None
    """What the files looked like that all of it was read from; None: others spoke as well."""
    warnings: tuple[str, ...] = ()
    """Those of the notes about settings that a file of the repository may not have."""
    is_believed: bool = True
    """Whether the data folder was the user's own when settings were read, or not there."""
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    overrides: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def origins(self) -> Mapping[str, str]:
        """Where every value comes from, by dotted key."""
        return {**dict.fromkeys(known_settings(), "default"), **self.written}

    @property
    def data_folder(self) -> Path:
        """Where Reverie's own files would lie, whoever made what lies there."""
        return self.repository / Path(self.settings.journal.data_dir).expanduser()

    @property
    def data_dir(self) -> Path:
        """The folder of Reverie's own files; `ConfigError` where somebody else made it."""
        reason = self._why_foreign()
        if reason is not None:
            raise ConfigError(f"{self.data_folder} is not believed: {reason}")
        return self.data_folder

    def claim_data_folder(self) -> None:
        """Mark the data folder as the user's, if it was that when settings were read.

        What lies in it since then was written by this process: commands call it when they end.
        """
        from reverie.home.own_folder import MARK_FILE, claim_folder

        folder = self.data_folder
        is_made = folder.is_relative_to(self.repository) and folder.is_dir()
        if not (self.is_believed and is_made) or (folder / MARK_FILE).exists():
            return
        with suppress(OSError):  # where nobody can write, nothing was made either
            claim_folder(folder)

    @property
    def is_initialised(self) -> bool:
        """Whether `reverie init` was run here, by this user."""
        return self.data_folder.is_dir() and self._why_foreign() is None

    def _why_foreign(self) -> str | None:
        from reverie.settings.load import why_foreign

        return why_foreign(self.repository, self.data_folder)

    @property
    def journal_url(self) -> str | None:
        """The journal to open, or None: nobody asked for one here.

        A `DATABASE_URL` is the application's own as often as ours, so a URL counts only in an
        initialised repository, or when it was given to Reverie by name from outside of it.
        """
        asked = self.written.get("journal.url") in (
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
def section_type(name: str) -> type[Any]:
    """The class of a section."""
    module, _, kind = SECTIONS[name].partition(":")
    found: type[Any] = getattr(import_module(f"reverie.model.{module}"), kind)
    return found


@functools.cache
def known_settings() -> Mapping[str, Setting]:
    """Every dotted key with what is known about it, in the order of the tree."""
    return {
        f"{section}.{name}": about
        for section in SECTIONS
        for name, about in settings_of(section_type(section)).items()
    }


def known_setting(key: str) -> Setting:
    """What is known about one dotted key; only its own section is imported."""
    section, _, name = key.partition(".")
    return settings_of(section_type(section))[name]


def variable_of(key: str) -> str:
    """The environment variable of a dotted key."""
    return "REVERIE_" + key.replace(".", "_").upper()


def flag_of(key: str) -> str:
    """The command-line flag of a dotted key, on commands that have one."""
    return _FLAGS.get(key) or "--" + key.rpartition(".")[2].replace("_", "-")


def redacted(text: str) -> str:
    """Text without the passwords of URLs in it."""
    return re.sub(_QUERY_PASSWORD, r"\1=***", re.sub(_URL_PASSWORD, r"\1:***@", text))


def shown(key: str, value: object) -> object:
    """A value as `reverie config` shows it: plain JSON types, no secrets."""
    from reverie.model.sections import PathTier

    if isinstance(value, tuple):
        if key == "workflows.declared":
            documents = [each.document() for each in value]
            return {each.pop("name"): each for each in documents}
        if value and isinstance(value[0], PathTier):
            return {each.pattern: each.tier.value for each in value}
        return list(value)
    if known_settings()[key].secret and isinstance(value, str):
        return redacted(value) if "://" in value else "***" if value else value
    return value
