"""One seeded cycle here, on a cluster of two workers, and there again while workers are killed.

python -m benchmarks.scale --kills 10 --json figures.json
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REVERIE = (sys.executable, "-m", "reverie")
WORKERS = 2
MODULES = {
    "shop": (
        "def price(count: int, each: int) -> int:\n"
        "    if count < 0:\n        raise ValueError('no negative counts')\n"
        "    total = count * each\n"
        "    if count > 10:\n        total -= each\n    return total\n"
    ),
    "words": (
        "def shorten(text: str, width: int = 10) -> str:\n"
        "    if width < 1:\n        raise ValueError('too narrow')\n"
        "    if len(text) <= width:\n        return text\n"
        "    return text[: width - 1] + '.'\n"
    ),
}
SUITE = "from shop import price\n\n\ndef test_one():\n    assert price(1, 5) == 5\n"


def make_repository(folder: Path) -> Path:
    folder.mkdir()
    for name, source in MODULES.items():
        (folder / f"{name}.py").write_text(source)
    (folder / "test_shop.py").write_text(SUITE)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-C", str(folder))
    for line in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "One")):
        subprocess.run([*git, *line], check=True)
    return folder


@contextmanager
def cluster(environment: dict[str, str]) -> Iterator[str]:
    line = [*REVERIE, "cluster", "start", "--workers", str(WORKERS), "--port", "0", "--json"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["address"]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


class Killer(threading.Thread):
    """Kills a worker, waits until there are all again, and kills the next."""

    def __init__(self, address: str, environment: dict[str, str], most: int) -> None:
        super().__init__(daemon=True)
        self.address, self.environment, self.most = address, environment, most
        self.over = threading.Event()
        self.kills = 0

    def run(self) -> None:
        seen: set[int] = set()
        while self.kills < self.most and not self.over.wait(0.5):
            line = [*REVERIE, "cluster", "status", self.address, "--json"]
            ran = subprocess.run(line, capture_output=True, text=True, env=self.environment)
            found = json.loads(ran.stdout)["workers"] if ran.returncode == 0 else []
            alive = {each["pid"] for each in found if each["pid"] is not None}
            new = sorted(alive - seen)
            if len(alive) == WORKERS and new:
                seen.add(new[0])
                os.kill(new[0], signal.SIGKILL)
                self.kills += 1


def run_cycle(folder: Path, environment: dict[str, str], budget: int, *more: str) -> dict:
    line = [
        *REVERIE,
        "run",
        str(folder),
        "--stage",
        "A",
        "--executions",
        str(budget),
        "--seed",
        "3",
        "--json",
    ]
    began = time.monotonic()
    ran = subprocess.run([*line, *more], capture_output=True, text=True, env=environment)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(line)}: {ran.returncode}\n{ran.stderr}")
    document = json.loads(ran.stdout)
    return {
        "verdicts": document["verdicts"],
        "dreams": sorted(each["dream_id"] for each in document["promotions"]),
        "trials": document["trials"],
        "steps": document["steps"],
        "executions": document["executions"],
        "seconds": time.monotonic() - began,
    }


def measure(kills: int, budget: int) -> dict:
    with tempfile.TemporaryDirectory(prefix="reverie-scale-") as place:
        home = Path(place)
        environment = {**os.environ, "XDG_CONFIG_HOME": str(home / "config")}
        here = run_cycle(make_repository(home / "here"), environment, budget)
        with cluster(environment) as address:
            spread = ("--executor", address)
            there = run_cycle(make_repository(home / "there"), environment, budget, *spread)
            killer = Killer(address, environment, kills)
            if kills:
                killer.start()
            hunted = run_cycle(make_repository(home / "hunted"), environment, budget, *spread)
            killer.over.set()
            if kills:
                killer.join()
    return {"here": here, "there": there, "hunted": hunted, "kills": killer.kills}


def is_same(one: dict, other: dict) -> bool:
    return all(one[key] == other[key] for key in ("verdicts", "dreams", "trials", "steps"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--executions", type=int, default=300)
    parser.add_argument("--json")
    given = parser.parse_args()
    figures = measure(given.kills, given.executions)
    here, there, hunted = figures["here"], figures["there"], figures["hunted"]
    figures["same"] = is_same(here, there) and is_same(here, hunted)
    for name in ("here", "there", "hunted"):
        print(name, json.dumps(figures[name]))
    print(f"throughput there / here: {here['seconds'] / there['seconds']:.2f}")
    print(f"workers killed: {figures['kills']}; same verdicts: {figures['same']}")
    if given.json:
        Path(given.json).write_text(json.dumps(figures))
    return 0 if figures["same"] else 1


if __name__ == "__main__":
    sys.exit(main())
