"""What one invocation knows: the options given anywhere on the line, and the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.settings import Loaded, Repository, Settings


@dataclass(slots=True)
class App:
    """Handed to every command as Click's context object."""

    environ: Mapping[str, str]
    json: bool = False
    debug: bool = False
    repo: str | None = None
    consents: bool = False
    """Whether an environment may be made without asking."""
    goes_on: bool = False
    """Whether to go on though a preflight found something."""
    overrides: dict[str, str] = field(default_factory=dict)
    """What flags said about settings, by dotted key."""
    _repository: Repository | None = None
    _loaded: Loaded | None = None

    @property
    def repository(self) -> Repository:
        """The repository this invocation is about."""
        if self._repository is None:
            from reverie.settings import find_repository

            self._repository = find_repository(self.repo, self.environ)
        return self._repository

    @property
    def loaded(self) -> Loaded:
        """The settings in force, read on first use."""
        if self._loaded is None:
            from reverie.settings import load_settings

            self._loaded = load_settings(self.repository.path, self.environ, self.overrides)
        return self._loaded

    @property
    def settings(self) -> Settings:
        """The settings tree, sections to hand to the rooms."""
        return self.loaded.settings

    def start_logging(self) -> None:
        """Log from here on, as the settings say; first what they were not allowed to say."""
        from reverie.interfaces.cli.logs import start_logging
        from reverie.interfaces.cli.output import warn

        for each in self.loaded.warnings:
            warn(each)
        start_logging(self.settings.logging)

    def settle(self) -> None:
        """Leave a mark on what was made in the repository, so that the next command believes it."""
        if self._loaded is not None:
            self._loaded.claim_data_folder()

    def recording_url(self, *, asked: bool = False) -> str | None:
        """The journal that executions are recorded in; None: they are not.

        `asked`: the person wants them recorded, prepared repository or not.
        """
        if asked:
            return self.loaded.repository_journal_url
        return self.loaded.journal_url if self.settings.journal.record else None
