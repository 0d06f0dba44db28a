"""How long every page of the dashboard takes on the server, over a journal of years.

    python -m benchmarks.dashboard [--scale 1.0] [--rounds 25] [--only sqlite] [--keep FOLDER]

Makes 100,000 dreams and 5 million executions times the scale, in SQLite and in a PostgreSQL server
of its own, starts `reverie serve` on it, and asks for every page. Printed are milliseconds as the
server counted them, from the request's last byte to the answer's first.
"""

import argparse
import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.dashboard.data import (
    MODULES,
    Size,
    cycle_name,
    dream_name,
    execution_name,
    fill,
)
from reverie.store import Journal, journal_url

REQUIRED_MS = 200.0


def addresses(size: Size) -> dict[str, str]:
    """Every page, and the hardest things to ask of each."""
    cycle, dream = cycle_name(size.cycles - 1), dream_name(size.cycles - 1, 5)
    old = cycle_name(size.cycles // 2)
    middle = 1_600_000_000_000_000 + 12 * size.cycles * 3_600_000_000
    place = f"/cycles/{cycle}/dreams/{dream}"
    return {
        "night": "/",
        "cycles": "/cycles",
        "cycles, deep": f"/cycles?after={middle}~{old}",
        "cycle": f"/cycles/{cycle}",
        "cycle, filtered": f"/cycles/{old}?status=rejected&kind=test",
        "dreams": "/dreams",
        "dreams, deep": f"/dreams?after={middle}~{old}~{'8' * 16}",
        "dreams by status": "/dreams?status=borderline",
        "dreams by module": f"/dreams?module={MODULES[7]}&status=promoted",
        "dreams by words, none": "/dreams?q=nothing+has+this+title",
        "dream": place,
        "dream, side by side": f"{place}?view=split",
        "evidence": f"{place}/evidence",
        "executions": "/executions",
        "executions, deep": f"/executions?after={middle}~{size.executions // 2}",
        "executions by outcome": "/executions?outcome=timeout",
        "executions, rare both": "/executions?outcome=timeout&isolation=landlock",
        "executions, none": "/executions?outcome=syntax_error",
        "executions of a code": f"/executions?code={7:064x}&outcome=timeout",
        "executions by words, none": "/executions?q=nothing+says+this",
        "executions of a time": "/executions?since=2020-09-20T00:00&until=2020-09-21T00:00",
        "execution": f"/executions/{execution_name(size.executions // 3)}",
        "modules": "/modules?order=promoted",
        "module": f"/modules/{MODULES[7]}",
        "map": "/map",
        "figures": "/figures",
        "workflows": "/workflows",
        "synergy": "/synergy",
        "findings": "/findings",
        "failures": "/patterns",
        "failure": f"/patterns/{7:016x}",
        "approvals": "/approvals",
        "search, a module": "/search?q=part7",
        "search, an id": f"/search?q={dream}",
    }


@contextmanager
def served(repository: Path, url: str) -> Iterator[tuple[str, int, str]]:
    """`reverie serve`, and where to call it."""
    line = [sys.executable, "-m", "reverie", "serve", "--port", "0", "--json"]
    line += ["--repo", str(repository), "--journal-url", url]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        told = ""
        while not told.rstrip().endswith("}"):
            said = process.stdout.readline()
            assert said, "the server has ended"
            told += said
        document = json.loads(told)
        host, port = re.findall(r"//([^:]+):(\d+)", document["address"])[0]
        yield host, int(port), document["token"]
    finally:
        process.terminate()
        process.wait(10)


def measure(repository: Path, url: str, size: Size, rounds: int) -> dict[str, list[float]]:
    """Milliseconds by page; the first answer of each, with cold caches, is among them."""
    spent: dict[str, list[float]] = {}
    with served(repository, url) as (host, port, token):
        connection = http.client.HTTPConnection(host, port, timeout=120)
        for _ in range(rounds):
            for name, path in addresses(size).items():
                connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                body = answer.read()
                assert answer.status == 200, (path, answer.status, body[:300])
                timing = answer.headers["Server-Timing"]
                spent.setdefault(name, []).append(float(timing.rpartition("=")[2]))
    return spent


def percentile(values: list[float], share: float) -> float:
    """Nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def report(title: str, spent: dict[str, list[float]]) -> bool:
    print(f"\n{title:28}{'median':>10}{'p95':>10}{'worst':>10}  ms")
    is_met = True
    for name, values in spent.items():
        p95 = percentile(values, 0.95)
        is_met &= p95 < REQUIRED_MS
        mark = "" if p95 < REQUIRED_MS else "  too slow"
        middle = statistics.median(values)
        print(f"{name:28}{middle:10.1f}{p95:10.1f}{max(values):10.1f}{mark}")
    return is_met


def run(title: str, url: str, folder: Path, size: Size, rounds: int) -> bool:
    (folder / ".reverie").mkdir(parents=True, exist_ok=True)
    before = time.monotonic()
    with Journal.open(url) as journal:
        with journal.reading() as connection:
            is_made = connection.exec_driver_sql("SELECT count(*) FROM cycles").scalar_one()
        if not is_made:
            fill(journal, folder, size)
            if journal.backend.dialect != "sqlite":
                _vacuum(journal)
    print(f"{title}: made in {time.monotonic() - before:.0f} s", flush=True)
    return report(title, measure(folder, url, size, rounds))


def _vacuum(journal: Journal) -> None:
    """As the server's own daemon would have by then."""
    with journal.driver_connection() as connection:
        connection.autocommit = True  # type: ignore[attr-defined]
        connection.cursor().execute("VACUUM ANALYZE")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    size = Size().scaled(given.scale)
    dreams = size.cycles * size.dreams
    print(f"{dreams:,} dreams, {size.executions:,} executions", flush=True)
    met = []
    with tempfile.TemporaryDirectory(prefix="reverie-dashboard-") as scratch:
        folder = given.keep or Path(scratch) / "shop"
        if given.only != "postgresql":
            met.append(run("SQLite", journal_url(folder), folder, size, given.rounds))
        if given.only != "sqlite":
            from tests.postgres import Server, find_programs

            programs = find_programs()
            if programs is None:
                print("no PostgreSQL programs here: not measured")
                return 3
            with tempfile.TemporaryDirectory(prefix="reverie-pg-", dir="/tmp") as home:
                server = Server(programs, Path(home))
                server.start()
                try:
                    url = server.new_database()
                    met.append(run("PostgreSQL", url, folder, size, given.rounds))
                finally:
                    server.stop()
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
