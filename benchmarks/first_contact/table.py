"""Rows of first contact as a table for people, with the sums that are asked for."""

from collections.abc import Sequence
from typing import Any


def print_table(rows: Sequence[dict[str, Any]]) -> None:
    """One line for each repository, then the sums."""
    print("| repository | outcome | seconds | suite, or why not | promoted | fresh environment |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['repository']} | {row['outcome']} | {row['wall_seconds']:.0f} | "
              f"{_words(row)} | {len(row['promoted'])} | {_again(row)} |")  # fmt: skip
    print()
    for row in (each for each in rows if each["outcome"] in ("refused", "broken", "no suite")):
        print(f"{row['repository']} ({row['outcome']}): {row['told'][-1] if row['told'] else ''}")
    print()
    for line in sums(rows):
        print(line)


def sums(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The figures over all rows."""
    count = len(rows)
    found = [f"{outcome}: {sum(row['outcome'] == outcome for row in rows)} of {count}"
             for outcome in sorted({row["outcome"] for row in rows})]  # fmt: skip
    again = [row["again"] for row in rows if row["again"]]
    failed, elsewhere, never_run = (
        sum(len(each.get(key, ())) for each in again)
        for key in ("failed", "failed_elsewhere", "never_run")
    )
    return [
        *found,
        f"in time: {sum(row['in_time'] for row in rows)} of {count}",
        f"files untouched: {sum(row['untouched'] for row in rows)} of {count}",
        f"repositories with promotions: {sum(bool(row['promoted']) for row in rows)}",
        f"promoted tests in a fresh environment: {sum(each.get('new_passed', 0) for each in again)}"
        f" passed, {failed} failed, {never_run} not run, "
        f"{sum('problem' in each for each in again)} files could not be run; beside them in their "
        f"files {elsewhere} failed",
    ]


def _words(row: dict[str, Any]) -> str:
    line = row["line"] or next((each for each in row["told"] if "mend" in each), None)
    told = line or " ".join(row["told"][-1:])
    return str(told)[:160].replace("|", "/")


def _again(row: dict[str, Any]) -> str:
    again = row["again"]
    if not again:
        return "—"
    if "problem" in again:
        return "not run"
    return f"{again.get('new_passed', 0)} passed, {len(again['failed'])} failed"
