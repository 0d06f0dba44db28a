"""Cycles by night: text for cron and systemd, put into the machine's scheduler, and a diary.

A systemd user timer where a user's systemd answers, for it knows of nights slept through;
otherwise cron. Nothing else of either is touched. The diary holds when the last night began and
how it ended, and a log that rotates.
"""

import hashlib
import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from pathlib import Path

from reverie.errors import MachineryError, ProgramFailed, Refused, UsageError
from reverie.model.codec import parse, plain, read
from reverie.promotion.git import GitLimits, run_program

_TIME = re.compile(r"(?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])")
_CATCH_UP_MINUTES = 30
_TOLD = re.compile(r'--time"? "?(\d\d:\d\d)')


@dataclass(frozen=True, slots=True)
class Schedule:
    """One repository, and when its night begins."""

    repository: Path
    at: time
    program: tuple[str, ...]
    """How Reverie is called."""
    log: Path
    """Where all that it prints is kept, with the diary's own lines."""

    @property
    def command(self) -> tuple[str, ...]:
        """What is run every night."""
        place, at = str(self.repository), f"{self.at:%H:%M}"
        return (*self.program, "nightly", "run", "--time", at, "--repo", place)

    @property
    def unit(self) -> str:
        """What systemd calls it."""
        seen = hashlib.sha256(str(self.repository).encode("utf-8", "surrogateescape"))
        return f"reverie-nightly-{seen.hexdigest()[:12]}"


def called_as(python: str) -> tuple[str, ...]:
    """How the Reverie that an interpreter has is called: its own program, where it has one."""
    script = Path(python).with_name("reverie")
    return (str(script),) if os.access(script, os.X_OK) else (python, "-m", "reverie")


def parse_time(given: str) -> time:
    """`02:00`; `UsageError` for anything else."""
    found = _TIME.fullmatch(given.strip())
    if found is None:
        raise UsageError(f"--time takes a time of the day like 02:00, not {given!r:.40}")
    return time(int(found["hour"]), int(found["minute"]))


def last_due(at: time, now: datetime) -> datetime:
    """When the night that is now, or the one before, should have begun."""
    due = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return due if due <= now else due - timedelta(days=1)


def cron_lines(schedule: Schedule) -> tuple[str, ...]:
    """The block of a crontab: the night, and a look whether one was slept through."""
    begin, end = _marks(schedule.repository)
    run = _cron_command(schedule.command, schedule.log)
    missed = _cron_command((*schedule.command, "--missed"), schedule.log)
    at = schedule.at
    return (
        begin,
        f"{at.minute} {at.hour} * * * {run}",
        f"*/{_CATCH_UP_MINUTES} * * * * {missed}",
        end,
    )


def with_block(crontab: str, schedule: Schedule) -> str:
    """A crontab with the block in it, once; every other line as it was."""
    kept = without_block(crontab, schedule.repository)
    gap = "" if not kept or kept.endswith("\n") else "\n"
    return f"{kept}{gap}" + "".join(f"{line}\n" for line in cron_lines(schedule))


def without_block(crontab: str, repository: Path) -> str:
    """A crontab without the block; every other line as it was."""
    begin, end = _marks(repository)
    kept: list[str] = []
    is_inside = False
    for line in crontab.splitlines(keepends=True):
        if line.rstrip("\n") == begin:
            is_inside = True
        elif is_inside and line.rstrip("\n") == end:
            is_inside = False
        elif not is_inside:
            kept.append(line)
    if is_inside:
        raise UsageError(f"the crontab has {begin!r} without its end: mend it by hand first")
    return "".join(kept)


def find_block(crontab: str, repository: Path) -> str | None:
    """The block of a crontab, if it has one."""
    begin, end = _marks(repository)
    lines = crontab.splitlines()
    if begin not in lines:
        return None
    rest = lines[lines.index(begin) :]
    return "\n".join(rest[: rest.index(end) + 1] if end in rest else rest)


def told_time(text: str) -> str | None:
    """The time that a block or a unit was written for."""
    found = _TOLD.search(text)
    return None if found is None else found[1]


def service_text(schedule: Schedule) -> str:
    """The unit that runs one night."""
    line = " ".join(_unit_word(word) for word in schedule.command)
    about = _unit_text(str(schedule.repository))
    return (
        f"[Unit]\nDescription=Reverie, one night of {about}\n\n"
        f"[Service]\nType=oneshot\nNice=10\nExecStart={line}\nSuccessExitStatus=1\n"
        f"StandardOutput=append:{_unit_text(str(schedule.log))}\n"
    )


def timer_text(schedule: Schedule) -> str:
    """The unit that says when; a night that the machine slept through is caught up."""
    at = schedule.at
    return (
        f"[Unit]\nDescription=Reverie, nightly\n\n"
        f"[Timer]\nOnCalendar=*-*-* {at.hour:02d}:{at.minute:02d}:00\nPersistent=true\n\n"
        f"[Install]\nWantedBy=timers.target\n"
    )


def _marks(repository: Path) -> tuple[str, str]:
    place = str(repository)
    if "\n" in place or "\r" in place:
        raise UsageError(f"a folder with a line break in its name cannot be scheduled: {place!r}")
    return f"# >>> reverie nightly {place}", f"# <<< reverie nightly {place}"


def _cron_command(words: tuple[str, ...], log: Path) -> str:
    """cron takes a percent sign for the end of the command."""
    return f"{shlex.join(words)} >>{shlex.quote(str(log))} 2>&1".replace("%", "\\%")


def _unit_text(text: str) -> str:
    return text.replace("%", "%%")


def _unit_word(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{_unit_text(escaped)}"'


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
        raise Refused(f"{named} answers on this machine")

    def usual(self, wanted: Scheduler | None = None) -> Scheduler:
        """The scheduler that would be used here, whether it answers or not."""
        try:
            return self.find(wanted)
        except Refused:
            return wanted or Scheduler.SYSTEMD

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


_FOLDER = "nightly"
_STATE = "state.json"
_LOG = "night.log"
_INSTALLED = "installed"


@dataclass(frozen=True, slots=True)
class NightRecord:
    """One night: its times in ISO 8601; no end and no code while it runs, or when it was killed."""

    began_at: str
    ended_at: str | None = None
    exit_code: int | None = None
    cycle_id: str | None = None


class Diary:
    """What is known of the nights of one repository, in its data folder.

    The log lies where a scheduler can add to it before the first night: nothing else is there yet.
    """

    def __init__(self, data_folder: Path, keep_logs: int, log_bytes: int) -> None:
        self.folder = data_folder / _FOLDER
        self.log = data_folder / _LOG
        self._keep = keep_logs
        self._bytes = log_bytes

    def last(self) -> NightRecord | None:
        """The last night; None when there was none, or when nobody can read about it."""
        try:
            text = (self.folder / _STATE).read_text("utf-8")
            record = read(NightRecord, parse(text), whole=True)
        except (OSError, ValueError):
            return None
        return record if _is_moment(record.began_at) else None

    def note(self, record: NightRecord) -> None:
        """Keep what is known of a night, whole or not at all."""
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            temporary = self.folder / f".{_STATE}.{os.getpid()}"
            temporary.write_text(json.dumps(plain(record)), "utf-8")
            temporary.replace(self.folder / _STATE)

    def note_installed(self, now: datetime) -> None:
        """Nights that were due before this are not missed."""
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / _INSTALLED).write_text(now.isoformat(), "utf-8")

    def looked_after_since(self) -> datetime | None:
        """The newest of: when the last night began, and when nights were asked for."""
        last = self.last()
        known = [] if last is None else [datetime.fromisoformat(last.began_at)]
        try:
            moment = datetime.fromisoformat((self.folder / _INSTALLED).read_text("utf-8"))
            known += [moment] if moment.tzinfo is not None else []
        except (OSError, ValueError):
            pass  # nobody asked, or nobody can read when
        return max(known, default=None)

    def write(self, line: str, now: datetime) -> None:
        """One line of the log; a full log becomes the first of the old ones."""
        with self._writing():
            self.log.parent.mkdir(parents=True, exist_ok=True)
            if self.log.exists() and self.log.stat().st_size > self._bytes:
                self._rotate()
            with self.log.open("a", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(f"{now.isoformat(timespec='seconds')} {' '.join(line.split())}\n")

    def _rotate(self) -> None:
        for number in range(self._keep, 0, -1):
            source = self.log if number == 1 else self._old(number - 1)
            if source.exists():
                source.replace(self._old(number))
        self.log.unlink(missing_ok=True)

    def _old(self, number: int) -> Path:
        return self.log.with_name(f"{_LOG}.{number}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise MachineryError(f"cannot write to {str(self.folder)!r}: {error}") from error


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
