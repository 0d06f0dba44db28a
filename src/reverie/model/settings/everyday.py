"""The sections of the settings that nearly every command reads; alone here, to be read at once."""

from dataclasses import dataclass
from enum import StrEnum

from reverie.model.settings.setting import (
    ANY_VALUE,
    LOWER,
    choice,
    flag,
    is_path,
    setting,
    text,
    whole,
    words,
)

JOURNAL_URLS = ("sqlite:///", "postgresql://", "postgresql+psycopg://", "postgres://")


class LogLevel(StrEnum):
    """How much is logged, most first."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"


def _is_journal_url(value: str) -> bool:
    return any(value.startswith(start) and value != start for start in JOURNAL_URLS)


@dataclass(frozen=True, slots=True)
class JournalSection:
    """Where executions are recorded."""

    url: str | None = setting(
        None,
        text("a sqlite:/// or postgresql:// URL", _is_journal_url),
        "Database of the journal; absent, a SQLite file in `data_dir`.",
        secret=True,
    )
    record: bool = setting(True, flag(), "Whether executions are recorded at all.")
    data_dir: str = setting(
        ".reverie",
        text("a path", is_path),
        "Folder of Reverie's own files; relative to the repository, `~` is the home folder.",
    )


def _is_inner_path(value: str) -> bool:
    parts = value.split("/")
    return is_path(value) and not value.startswith("/") and ".." not in parts


@dataclass(frozen=True, slots=True)
class IndexSection:
    """What of a repository is read, and where its imports start."""

    exclude: tuple[str, ...] = setting(
        ("__pycache__", "node_modules", "site-packages", "*.egg-info", "/build", "/dist"),
        words("a list of patterns", is_path),
        "Files and folders passed over: a pattern without `/` is for names, any other for paths "
        "from the repository on. Hidden folders, caches and virtual environments always are.",
        repository=ANY_VALUE,
    )
    roots: tuple[str, ...] = setting(
        (),
        words("a list of folders inside the repository", _is_inner_path),
        "Folders that imports start from; absent, what project files say, and `src`.",
        repository=ANY_VALUE,
    )
    max_file_mb: int = setting(
        16,
        whole(1, 1024),
        "Largest file that is parsed, in MiB; a larger one is only listed.",
        repository=LOWER,
    )


@dataclass(frozen=True, slots=True)
class LoggingSection:
    """What is logged to stderr and to a file, and how."""

    level: LogLevel = setting(LogLevel.WARNING, choice(LogLevel), "Least severity logged.")
    json: bool = setting(False, flag(), "Whether log lines are JSON objects, one per line.")
    file: str | None = setting(
        None,
        text("a path", is_path),
        "File that is logged to as well; relative to the current folder.",
    )
    file_mb: int = setting(10, whole(1, 10_000), "Size in MiB from which a new log file is begun.")
    files: int = setting(5, whole(1, 100), "Full log files kept beside it: `.1` is the newest.")
