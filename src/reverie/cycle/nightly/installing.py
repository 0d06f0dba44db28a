"""Puts the night into the machine's scheduler, and takes it out again.

A systemd user timer where a user's systemd answers, for it knows of nights slept through;
otherwise cron. Nothing else of either is touched.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from reverie.cycle.nightly.schedule import (
    Schedule,
    find_block,
    service_text,
    timer_text,
    told_time,
    with_block,
    without_block,
)
from reverie.errors import ProgramFailed, Refused, UsageError
from reverie.promotion.git import GitLimits, run_program

_LIMITS = GitLimits(30.0, 4 << 20)
_NO_CRONTAB = "no crontab for"


class Scheduler(StrEnum):
    """What starts the night."""

    SYSTEMD = "systemd"
    CRON = "cron"


@dataclass(frozen=True, slots=True)
class Machine:
    """The schedulers of this machine, as a person's environment reaches them."""

    environ: Mapping[str, str]

    def find(self, wanted: Scheduler | None = None) -> Scheduler:
        """The scheduler that answers; `Refused` when none does."""
        for each in Scheduler if wanted is None else (wanted,):
            if self._answers(each):
                return each
        named = "neither a user's systemd nor crontab" if wanted is None else f"no {wanted}"
        raise Refused(f"{named} answers on this machine: nothing can start the night")

    def install(self, schedule: Schedule, scheduler: Scheduler) -> None:
        """Have the night started; what was there for this repository is replaced."""
        if scheduler is Scheduler.CRON:
            self._write_crontab(with_block(self.crontab(), schedule))
            return
        folder = self._units()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{schedule.unit}.service").write_text(service_text(schedule), "utf-8")
            (folder / f"{schedule.unit}.timer").write_text(timer_text(schedule), "utf-8")
        except OSError as error:
            raise UsageError(f"cannot write to {str(folder)!r}: {error.strerror}") from error
        self._systemctl("daemon-reload")
        self._systemctl("enable", "--now", f"{schedule.unit}.timer")

    def uninstall(self, schedule: Schedule) -> tuple[Scheduler, ...]:
        """Take the night out of every scheduler that has it; which ones those were."""
        found = self.installed(schedule)
        if Scheduler.CRON in found:
            self._write_crontab(without_block(self.crontab(), schedule.repository))
        if Scheduler.SYSTEMD in found:
            if self._answers(Scheduler.SYSTEMD):
                self._systemctl("disable", "--now", f"{schedule.unit}.timer")
            for ending in ("timer", "service"):
                (self._units() / f"{schedule.unit}.{ending}").unlink(missing_ok=True)
            if self._answers(Scheduler.SYSTEMD):
                self._systemctl("daemon-reload")
        return tuple(found)

    def installed(self, schedule: Schedule) -> dict[Scheduler, str | None]:
        """The schedulers that have this repository's night, with the time it begins at."""
        found: dict[Scheduler, str | None] = {}
        service = self._units() / f"{schedule.unit}.service"
        if service.is_file():
            found[Scheduler.SYSTEMD] = told_time(service.read_text("utf-8", "replace"))
        if self._answers(Scheduler.CRON):
            block = find_block(self.crontab(), schedule.repository)
            if block is not None:
                found[Scheduler.CRON] = told_time(block)
        return found

    def crontab(self) -> str:
        """The person's crontab; empty where there is none yet."""
        try:
            return self._run("crontab", "-l").decode("utf-8", "surrogateescape")
        except ProgramFailed as error:
            if _NO_CRONTAB in error.detail.lower():
                return ""
            raise

    def _write_crontab(self, text: str) -> None:
        given = text.encode("utf-8", "surrogateescape")
        run_program(("crontab", "-"), Path("/"), self._variables(), _LIMITS, given)

    def _systemctl(self, *arguments: str) -> None:
        self._run("systemctl", "--user", *arguments)

    def _answers(self, scheduler: Scheduler) -> bool:
        try:
            if scheduler is Scheduler.CRON:
                self.crontab()
            else:
                self._systemctl("show-environment")
        except (ProgramFailed, UsageError):
            return False
        return True

    def _run(self, *command: str) -> bytes:
        return run_program(command, Path("/"), self._variables(), _LIMITS)

    def _variables(self) -> dict[str, str]:
        folders = self.environ.get("PATH", os.defpath).split(os.pathsep)
        safe = os.pathsep.join(each for each in folders if os.path.isabs(each))
        return {**self.environ, "PATH": safe, "LC_ALL": "C"}

    def _units(self) -> Path:
        home = Path(self.environ.get("HOME", "/nonexistent"))
        config = self.environ.get("XDG_CONFIG_HOME")
        return (Path(config) if config else home / ".config") / "systemd" / "user"
