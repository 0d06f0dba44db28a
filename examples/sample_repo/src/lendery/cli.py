"""`lendery overdue FILE` lists what is overdue in a CSV of loans; `lendery hours TEXT` reads hours."""

import argparse
import csv
from collections.abc import Sequence
from datetime import date

from lendery.hours import parse_hours, weekly_minutes
from lendery.loans import Loan
from lendery.report import overdue_lines


def read_loans(path: str) -> list[Loan]:
    """Loans from a CSV file with isbn, reader, lent_on and renewals."""
    with open(path, newline="", encoding="utf-8") as file:
        return [
            Loan(
                isbn=row["isbn"],
                reader=row["reader"],
                lent_on=date.fromisoformat(row["lent_on"]),
                renewals=int(row.get("renewals") or 0),
            )
            for row in csv.DictReader(file)
        ]


def main(argv: Sequence[str] | None = None) -> int:
    """The console script."""
    parser = argparse.ArgumentParser(prog="lendery")
    commands = parser.add_subparsers(required=True)
    overdue = commands.add_parser("overdue")
    overdue.add_argument("file")
    overdue.add_argument("--today", type=date.fromisoformat, default=None)
    opening = commands.add_parser("hours")
    opening.add_argument("text")
    options = parser.parse_args(argv)
    if "text" in options:
        print(f"{weekly_minutes(parse_hours(options.text)) / 60:g} hours a week")
        return 0
    for line in overdue_lines(read_loans(options.file), options.today or date.today()):
        print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
