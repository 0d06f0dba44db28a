"""Makes the bundled sample repository with a past: `python examples/sample_history.py FOLDER`.

The same commits come out every time, down to their hashes. What was written before is told as
differences from the files in `sample_repo`, so the last commit is exactly those files.
"""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

SAMPLE = Path(__file__).resolve().parent / "sample_repo"
FIRST_DAY = datetime(2024, 1, 8, 9, 0, tzinfo=UTC)
PACKAGE = "src/lendery/"


@dataclass(frozen=True, slots=True)
class Earlier:
    """How a file was before: what is there now, and what was there instead."""

    now: str
    was: str


@dataclass(frozen=True, slots=True)
class Commit:
    """Files as they were on one day, by one author."""

    day: int
    author: str
    message: str
    files: tuple[str, ...]
    earlier: dict[str, tuple[Earlier, ...]] = field(default_factory=dict)
    """What is still different, by file."""


SHELF = Earlier(
    '    def shelf(self) -> list[Book]:\n        """The books as they stand: by author, then by '
    'year and title."""\n        books = self._books.values()\n        return sorted(books, key='
    "lambda book: (filing_key(book.author), book.year, book.title))\n",
    "",
)
FILING = Earlier("from lendery.names import filing_key\n", "")
WAITING = (
    Earlier("from lendery.reservations import Waiting\n", ""),
    Earlier('"Loan", "Waiting", ', '"Loan", '),
)
ALL_CHARGED = Earlier(
    "    if late > LONG_OVERDUE_DAYS:\n        fine += (late - LONG_OVERDUE_DAYS) * "
    "LONG_OVERDUE_CENTS_PER_DAY\n",
    "",
)
NO_LIMIT = Earlier("    return min(fine, LARGEST_FINE_CENTS)\n", "    return fine\n")
ROUNDED_UP = Earlier("        fine //= 2\n", "        fine = fine // 2 + 1\n")
GRACE = Earlier("if late <= GRACE_DAYS:", "if late < GRACE_DAYS:")
NO_X = Earlier(
    '        if char == "X":\n            value = 10\n        elif char', "        if char"
)
NO_HOURS = (
    Earlier("from lendery.hours import parse_hours, weekly_minutes\n", ""),
    Earlier("; `lendery hours TEXT` reads hours", ""),
    Earlier('    opening = commands.add_parser("hours")\n    opening.add_argument("text")\n', ""),
    Earlier(
        '    if "text" in options:\n        print(f"{weekly_minutes(parse_hours(options.text)) / '
        '60:g} hours a week")\n        return 0\n',
        "",
    ),
)
OVERNIGHT = Earlier(
    "    if start <= end:\n        return DAYS[start : end + 1]\n"
    "    return DAYS[start:] + DAYS[: end + 1]\n",
    "    return DAYS[start : end + 1]\n",
)
NO_SUFFIX = Earlier(
    '    if words[end].rstrip(".").lower() in SUFFIXES and end > 1:\n        end -= 1\n', ""
)

LOANS, ISBN, HOURS = PACKAGE + "loans.py", PACKAGE + "isbn.py", PACKAGE + "hours.py"
INIT, CLI, NAMES = PACKAGE + "__init__.py", PACKAGE + "cli.py", PACKAGE + "names.py"
CATALOGUE = PACKAGE + "catalogue.py"
WITHOUT_SHELF = {CATALOGUE: (SHELF, FILING)}

PAST = (
    Commit(
        0,
        "Ines",
        "Books and their numbers",
        ("README.md", "pyproject.toml", INIT, ISBN, CATALOGUE, LOANS, "tests/test_isbn.py"),
        {
            INIT: WAITING,
            ISBN: (NO_X,),
            LOANS: (ALL_CHARGED, NO_LIMIT, ROUNDED_UP, GRACE),
            **WITHOUT_SHELF,
        },
    ),
    Commit(6, "Tomas", "Test the catalogue and the loans",
           ("tests/test_catalogue.py", "tests/test_loans.py")),
    Commit(15, "Ines", "Fix: an ISBN-10 may end in X", (ISBN,)),
    Commit(21, "Tomas", "Reader cards as bar codes", (PACKAGE + "barcode.py",)),
    Commit(34, "Ines", "List what is overdue",
           (PACKAGE + "report.py", CLI, "tests/loans.csv"), {CLI: NO_HOURS}),
    Commit(47, "Ines", "Fix fines: nobody pays more than twenty", (LOANS,),
           {LOANS: (ALL_CHARGED, ROUNDED_UP, GRACE)}),
    Commit(52, "Mara", "Long overdue costs more", (LOANS,), {LOANS: (ROUNDED_UP, GRACE)}),
    Commit(53, "Ines", "Fix: the last day of grace is free", (LOANS,), {LOANS: (ROUNDED_UP,)}),
    Commit(70, "Mara", "Who waits for which book", (PACKAGE + "reservations.py", INIT)),
    Commit(88, "Tomas", "Names of authors, as they are filed", (NAMES,), {NAMES: (NO_SUFFIX,)}),
    Commit(93, "Ines", "Fix: children owe exactly half", (LOANS,)),
    Commit(104, "Mara", "Opening hours", (HOURS, CLI, "tests/test_hours.py"),
           {HOURS: (OVERNIGHT,)}),
    Commit(111, "Tomas", "Fix names: Jr. belongs to the surname", (NAMES,)),
    Commit(119, "Mara", "Fix hours that go over the weekend", (HOURS,)),
    Commit(126, "Ines", "Shelve by author", (CATALOGUE,)),
)  # fmt: skip


def make_sample(folder: Path) -> str:
    """The repository with all its commits, in a folder that is not there yet; its last commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for commit in PAST:
        for name in commit.files:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(as_it_was(name, commit.earlier.get(name, ())), encoding="utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", commit.message, commit=commit)
    return git(folder, "rev-parse", "HEAD")


def as_it_was(name: str, differences: tuple[Earlier, ...]) -> str:
    """A file of the sample with its differences put back; each has to be there once."""
    text = (SAMPLE / name).read_text(encoding="utf-8")
    for each in differences:
        if text.count(each.now) != 1:
            raise ValueError(f"{name}: not there once: {each.now!r}")
        text = text.replace(each.now, each.was)
    return text


def git(folder: Path, *arguments: str, commit: Commit | None = None) -> str:
    """What git prints, asked without anybody's configuration."""
    author = "Nobody" if commit is None else commit.author
    moment = FIRST_DAY + timedelta(days=0 if commit is None else commit.day)
    person = {"NAME": author, "EMAIL": f"{author.lower()}@example.org", "DATE": moment.isoformat()}
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        **{f"GIT_{role}_{key}": v for role in ("AUTHOR", "COMMITTER") for key, v in person.items()},
    }
    ran = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()


if __name__ == "__main__":
    print(make_sample(Path(sys.argv[1])))
