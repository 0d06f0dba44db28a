"""Nights with a small model as an author: what it proposes, what is promoted, what part it keeps.

python -m benchmarks.authors model FOLDER URL REPOSITORY… [--nights N] [--executions N] [--rounds N]

URL is where `python -m reverie.testing.small_model` listens; FOLDER gets the answers of
`reverie run --json`, night-1.json and so on, and the patches of what the model got promoted: read
them. The house gets few executions, so that the night is spent on the model.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from reverie.cycle.stage_shares import share_between, together
from reverie.model.cycle import Earned
from reverie.model.dream import Stage
from reverie.store import Journal
from reverie.store.cycles.worth import earned_by_dreamer

NAME = "small"
STAGES = (Stage.A, Stage.B, Stage.C)
_HOUSE = {"A": ("tests", "integration"), "B": ("refactor",), "C": ("optimise",)}
_SEEDS = 200


def main(arguments: list[str]) -> int:
    """A line for each night; the exit code is 1 when something was promoted that is to be read."""
    parser = argparse.ArgumentParser(prog="benchmarks.authors model")
    parser.add_argument("folder", type=Path)
    parser.add_argument("url")
    parser.add_argument("repositories", type=Path, nargs="+")
    for name, usual in (("nights", 1), ("executions", 400), ("rounds", 12), ("seconds", 1800)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    environ = {**os.environ, "XDG_CONFIG_HOME": str(given.folder.resolve() / "config")}
    add_author(given, environ)
    to_read = 0
    for number in range(given.nights):
        for repository in given.repositories:
            to_read += a_night(given, repository.resolve(), number, environ)
    print(f"promoted, to be read: {to_read}")
    return int(to_read > 0)


def add_author(given: argparse.Namespace, environ: dict[str, str]) -> None:
    """The model, with the bounds of one night; it samples, and its answers are begun for it."""
    limits = {
        "rounds": given.rounds,
        "most-calls": 100_000,
        "most-tokens": 10_000_000,
        "most-seconds": given.seconds,
        "reply-tokens": 120,
        "task-characters": 2000,
        "temperature": 0.6,
        "begins": "yes",
    }
    told = [part for key, value in limits.items() for part in (f"--{key}", str(value))]
    who = ("add", NAME, "--model", "smollm2", "--endpoint", given.url, "--replace", *told)
    reverie("authors", *who, environ=environ)


def a_night(given: argparse.Namespace, repository: Path, number: int, environ: Any) -> int:
    """Run it, print what came of it, keep all; returns how many changes of it were promoted."""
    before = shares(repository)
    ran = reverie(
        *("run", "--repo", str(repository), "--authors", NAME, "--fresh", "--json", "--yes"),
        *("--executions", str(given.executions), "--seed", str(number)),
        environ=environ,
    )
    document = json.loads(ran)
    (given.folder / f"{repository.name}-{number + 1}.json").write_text(ran, "utf-8")
    (told,) = document["authors"]
    own = [each for each in document["promotions"] if each["author"] == NAME]
    verdicts = Counter(refusals(repository))
    print(repository.name, number + 1, json.dumps({key: told[key] for key in sorted(told)}))
    print(f"  share before {before}, after {shares(repository)}")
    print(f"  answers so far by verdict and reason: {dict(verdicts.most_common())}", flush=True)
    for each in own:
        print("  promoted:", json.dumps(each), flush=True)
    return len(own)


def refusals(repository: Path) -> list[str]:
    """Of every proposal of the model that this repository's journal knows: the verdict."""
    from sqlalchemy import select

    from reverie.store.tables.cycle_tables import dreams

    with journal_of(repository) as journal, journal.reading() as connection:
        query = select(dreams.c.dreamer, dreams.c.status)
        rows = connection.execute(query.where(dreams.c.dreamer.startswith(f"{NAME}@")))
        return [f"{who} {status}" for who, status in rows]


def journal_of(repository: Path) -> Journal:
    """The journal of a repository."""
    return Journal.open(f"sqlite:///{repository / '.reverie' / 'journal.db'}")


def shares(repository: Path) -> dict[str, float]:
    """What part of each stage the planner gives the model, on average over seeds."""
    found: dict[str, Earned] = {}
    if (repository / ".reverie" / "journal.db").exists():
        with journal_of(repository) as journal:
            found = dict(earned_by_dreamer(journal, repository))
    parts = {}
    for stage in STAGES:
        name = f"{NAME}@{stage}"
        house = together(found[each] for each in _HOUSE[stage] if each in found)
        past = {name: found.get(name, Earned())}
        seeds = (random.Random(each).randrange(2**31) for each in range(_SEEDS))
        drawn = [share_between(stage, house, past, seed)[name] for seed in seeds]
        parts[stage.value] = round(sum(drawn) / _SEEDS, 3)
    return parts


def reverie(*line: str, environ: dict[str, str]) -> str:
    """What a command prints; one that fails ends all."""
    command = [sys.executable, "-m", "reverie", *line]
    ran = subprocess.run(command, env=environ, capture_output=True, text=True)
    if ran.returncode not in (0, 1) or not ran.stdout:
        raise SystemExit(f"{' '.join(command)}: exit code {ran.returncode}\n{ran.stderr}")
    return ran.stdout
