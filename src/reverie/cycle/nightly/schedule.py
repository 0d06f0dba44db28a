"""What a scheduler is told: lines for cron, units for systemd. Pure text."""

import hashlib
import re
import shlex
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path

from reverie.errors import UsageError

_TIME = re.compile(r"(?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])")
_CATCH_UP_MINUTES = 30
_TOLD = re.compile(r'--time"? "?(\d\d:\d\d)')


@dataclass(frozen=True, slots=True)
class Schedule:
    """One repository, and when its night begins."""

    repository: Path
    at: time
    python: str
    """The interpreter that Reverie is installed for."""

    @property
    def command(self) -> tuple[str, ...]:
        """What is run every night."""
        place, at = str(self.repository), f"{self.at:%H:%M}"
        return (self.python, "-m", "reverie", "nightly", "run", "--time", at, "--repo", place)

    @property
    def unit(self) -> str:
        """What systemd calls it."""
        seen = hashlib.sha256(str(self.repository).encode("utf-8", "surrogateescape"))
        return f"reverie-nightly-{seen.hexdigest()[:12]}"


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
    run = _cron_command(schedule.command)
    missed = _cron_command((*schedule.command, "--missed"))
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


def _cron_command(words: tuple[str, ...]) -> str:
    """cron takes a percent sign for the end of the command."""
    return f"{shlex.join(words)} >/dev/null 2>&1".replace("%", "\\%")


def _unit_text(text: str) -> str:
    return text.replace("%", "%%")


def _unit_word(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{_unit_text(escaped)}"'
