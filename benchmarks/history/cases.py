"""Cases from public histories: read, put in an order that nobody chose, and laid out as trees."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.judgement.environments import environment_of, name_package

CLASSES = ("fault", "refactor", "speedup")
_SETTING_UP_SECONDS = 900.0
_TELLING = (
    "CHANGE*", "HISTORY*", "NEWS*", "RELEASE*", "docs/change*", "docs/release*", "docs/news*",
)  # fmt: skip
"""Files that tell of the change."""

Case = dict[str, Any]
"""A line of `cases.jsonl`."""


class NotMade(Exception):
    """A tree or an environment of a case could not be made."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The folders that cases are made from."""

    cases: Path
    """With `cases.jsonl`, `materialise.py` and `envs/env.sh`."""
    listed: Path
    """The cases: `cases.jsonl` of that folder, or a list of one's own."""
    mirror: Path
    """With bare git directories, `OWNER+NAME/repo`."""
    environments: Path
    """One for each repository, made when it is asked for."""


@dataclass(frozen=True, slots=True)
class Made:
    """A case on disk."""

    case: Case
    scratch: Path
    """A folder of its own, empty but for the tree."""
    tree: Path
    """A repository with two branches; the first is checked out."""
    python: str
    """Has what the repository's tests need."""

    @property
    def branches(self) -> tuple[str, str]:
        """Without and with the change that is judged."""
        return ("fixed", "buggy") if self.case["class"] == "fault" else ("before", "after")

    @property
    def import_path(self) -> str:
        """PYTHONPATH: the package itself is not installed."""
        return f"{self.tree / 'src'}{os.pathsep}{self.tree}"

    def text(self, branch: str, path: str) -> str:
        """A file as it is on a branch."""
        line = ["git", "-C", str(self.tree), "show", f"{branch}:{path}"]
        return subprocess.run(line, check=True, capture_output=True).stdout.decode("utf-8")

    def hide_the_change(self) -> None:
        """Remove what tells of the change in words."""
        for pattern in _TELLING:
            for each in (*self.tree.glob(pattern), *self.tree.glob(pattern.lower())):
                subprocess.run(["rm", "-rf", str(each)], check=True)


def read_cases(listed: Path, wanted: Sequence[str] = CLASSES) -> list[Case]:
    """Cases by the hash of their id, classes in turn: a part of them is no selection."""
    lines = listed.read_text("utf-8").splitlines()
    every = [each for each in map(json.loads, lines) if each["class"] in wanted]
    every.sort(key=lambda each: hashlib.sha256(each["id"].encode()).hexdigest())
    turns = dict.fromkeys(CLASSES, 0)
    ranked = []
    for case in every:
        turns[case["class"]] += 1
        ranked.append((turns[case["class"]], CLASSES.index(case["class"]), case))
    return [each[-1] for each in sorted(ranked, key=lambda each: each[:-1])]


@contextmanager
def made(case: Case, sources: Sources) -> Iterator[Made]:
    """Lay out a case for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="history-") as folder:
        scratch = Path(os.path.realpath(folder))
        tree = scratch / "tree"
        words = [sys.executable, sources.cases / "materialise.py", case["id"], tree,
                 "--mirror", sources.mirror, "--cases", sources.listed]  # fmt: skip
        _set_up(words)
        yield Made(case, scratch, tree, _environment(case, sources, tree))


def _environment(case: Case, sources: Sources, tree: Path) -> str:
    """The interpreter of a case; one that says itself what it needs gets that."""
    if "distribution" in case:
        python = environment_of(case, sources.environments)
        name_package(python, case, tree)
        return python
    key = case["repo"].replace("/", "+")
    told = _set_up([sources.cases / "envs" / "env.sh", key, sources.environments.resolve()])
    return told.strip().splitlines()[-1]


def _set_up(words: Sequence[object]) -> str:
    done = run(words, Path.cwd(), _SETTING_UP_SECONDS)
    if done.returncode:
        raise NotMade(done.stderr.strip()[-200:])
    return done.stdout


def run(
    words: Sequence[object], place: Path, seconds: float, **more: str
) -> subprocess.CompletedProcess[str]:
    """A command with all that it starts: where its time is over, nothing of it goes on."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **more}
    line = list(map(str, words))
    with subprocess.Popen(
        line, cwd=place, env=environment, text=True, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as started:  # fmt: skip
        try:
            out, err = started.communicate(timeout=seconds)
        except BaseException:  # also where we are told to stop
            os.killpg(started.pid, signal.SIGKILL)
            started.communicate()
            raise
    return subprocess.CompletedProcess(line, started.returncode, out, err)


def run_reverie(made: Made, words: Sequence[object], seconds: float) -> Any:
    """What a command answers as JSON, in a home where nothing is remembered; or why it does not."""
    homes = {f"XDG_{name}_HOME": str(made.scratch / name) for name in ("CONFIG", "STATE", "CACHE")}
    line = [sys.executable, "-m", "reverie", *words, "--json"]
    try:
        done = run(line, made.tree, seconds, **homes)
    except subprocess.TimeoutExpired:
        raise NoAnswer(f"no answer within {seconds:g} s") from None
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise NoAnswer(done.stderr.strip().rpartition("\n")[2][-300:]) from None


class NoAnswer(Exception):
    """A command did not answer."""
