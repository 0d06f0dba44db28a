"""How long every page of the dashboard takes on the server, over a journal of years.

    python -m benchmarks.dashboard [--scale 1.0] [--rounds 50] [--only sqlite] [--keep FOLDER]

Makes 100,000 dreams and 5 million executions times the scale, in SQLite and in a PostgreSQL server
of its own, starts `reverie serve` on it, and asks for every page. Printed are milliseconds as the
server counted them, from the request's last byte to the answer's first, and the processor time that
the answer took: of the server and of PostgreSQL. `--keep` leaves the journals where they can be
asked again.
"""

import argparse
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from benchmarks.dashboard.asking import Answers, measure
from benchmarks.dashboard.data import fill
from benchmarks.dashboard.server import postgres
from benchmarks.dashboard.size import Size
from reverie.store import Journal, journal_url

REQUIRED_MS = 200.0


def report(title: str, answers: dict[str, Answers]) -> bool:
    """A line per page; whether all of them are quick enough."""
    heads = ("median", "p95", "worst", "cpu p95")
    print(f"\n{title:34}{''.join(f'{head:>10}' for head in heads)}  ms")
    is_met = True
    for name, each in answers.items():
        p95 = each.server_ms(0.95)
        is_met &= p95 < REQUIRED_MS
        figures = (each.server_ms(0.5), p95, each.server_ms(1.0), each.cpu_ms(0.95))
        mark = "" if p95 < REQUIRED_MS else "  too slow"
        print(f"{name:34}{''.join(f'{figure:10.1f}' for figure in figures)}{mark}")
    slow = [name for name, each in answers.items() if each.server_ms(0.95) >= REQUIRED_MS]
    busy = [name for name, each in answers.items() if each.cpu_ms(0.95) >= REQUIRED_MS]
    print(f"{len(answers)} addresses: {len(slow)} too slow, {len(busy)} by processor time alone")
    return is_met


def run(title: str, url: str, folder: Path, size: Size, rounds: int, watched: int | None) -> bool:
    """Make the journal unless it is there, ask, and tell."""
    (folder / ".reverie").mkdir(parents=True, exist_ok=True)
    before = time.monotonic()
    with Journal.open(url) as journal:
        with journal.reading() as connection:
            is_made = connection.exec_driver_sql("SELECT count(*) FROM cycles").scalar_one()
        if not is_made:
            fill(journal, folder, size)
    print(f"{title}: {'kept' if is_made else 'made'} in {time.monotonic() - before:.0f} s")
    return report(title, measure(folder, url, size, rounds, watched))


def main() -> int:
    """Ask both; 1 when a page is too slow."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    size = Size().scaled(given.scale)
    print(f"{size.cycles * size.dreams:,} dreams, {size.executions:,} executions", flush=True)
    met = []
    scratch = tempfile.TemporaryDirectory(prefix="reverie-dashboard-")
    with nullcontext(given.keep) if given.keep else scratch as home:
        folder = Path(home) / "shop"
        if given.only != "postgresql":
            url = journal_url(folder)
            met.append(run("SQLite", url, folder, size, given.rounds, None))
        if given.only != "sqlite":
            with postgres(Path(home) / "postgres") as (url, watched):
                met.append(run("PostgreSQL", url, folder, size, given.rounds, watched))
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
