"""One repository, as a newcomer meets Reverie: nothing installed, one command, and then a look.

    reverie run --yes --budget 120s --json

What came of it is one row: how it ended, how long it took, whether the user's files are as they
were, and how the promoted tests end in a fresh environment made from what is declared.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.first_contact.repositories import Sdist

_TEST_FILE = re.compile(r"(^|/)(test_\w+|\w+_test|tests?)\.py$")
_NEW = re.compile(r"(?m)^\+\s*(?:async\s+)?def (test\w*)\(")
_LINE = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped in ")
_PATIENCE = 4
"""Times the budget, after which a run that does not end is cut off."""
_PREPARE_SECONDS = 1500
_AGAIN_SECONDS = 900


@dataclass(frozen=True, slots=True)
class Places:
    """Where sources come from."""

    mirror: Path | None
    """Bare git directories as `OWNER+NAME/repo`."""
    sdists: Path | None
    """Archives of the index."""


@dataclass(frozen=True, slots=True)
class Try:
    """The one command that is tried."""

    budget: int
    only_prepares: bool = False
    """`reverie prepare`, which has no budget, in the place of `reverie run`."""

    @property
    def patience(self) -> float:
        """Seconds after which it is cut off."""
        return _PREPARE_SECONDS if self.only_prepares else _PATIENCE * self.budget

    def words(self, root: Path) -> list[str]:
        """The command line."""
        own = [sys.executable, "-m", "reverie"]
        if self.only_prepares:
            return [*own, "prepare", str(root), "--yes", "--json"]
        return [*own, "run", str(root), "--yes", "--json", "--budget", f"{self.budget}s"]


def lay_out(places: Places, source: Sdist | str, folder: Path) -> Path:
    """A plain clone, or an unpacked source distribution, below a folder."""
    if isinstance(source, str):
        if places.mirror is None:
            raise SystemExit(f"{source} needs --mirror")
        name = source.replace("/", "+", 1)
        clone = folder / source.partition("/")[2]
        words = ["git", "clone", "--quiet", str(places.mirror / name / "repo"), str(clone)]
        subprocess.run(words, check=True)
        return clone
    if places.sdists is None:
        raise SystemExit(f"{source.title} needs --sdists")
    plain = source.name.lower().replace("-", "_")
    pattern = f"{plain}-{source.version}.tar.gz"
    found = next(each for each in sorted(places.sdists.iterdir())
                 if each.name.lower().replace("-", "_") == pattern.replace("-", "_"))  # fmt: skip
    with tarfile.open(found) as packed:
        packed.extractall(folder, filter="data")
    return next(each for each in folder.iterdir() if each.is_dir())


def contact(places: Places, source: Sdist | str, tried: Try, scratch: Path) -> dict[str, Any]:
    """The row of one repository."""
    title = source if isinstance(source, str) else source.title
    (scratch / "user").mkdir(parents=True)
    root = lay_out(places, source, scratch / "user")
    before = snapshot(root)
    environ = {**os.environ, "XDG_STATE_HOME": str(scratch / "state")}
    environ.pop("VIRTUAL_ENV", None)
    began = time.monotonic()
    code, out, told = _run(tried.words(root), environ, tried.patience)
    seconds = time.monotonic() - began
    found = _read(out)
    # `prepare` says in its document what `run` tells beside it.
    told += [found[each] for each in ("line",) if each in found]
    told += [f"{each['what']}; mend it: {each['command']}" for each in found.get("problems", [])]
    row: dict[str, Any] = {
        "repository": title,
        "exit": code,
        "outcome": _outcome(code, told),
        "wall_seconds": round(seconds, 1),
        "in_time": seconds <= 1.25 * tried.budget + 15,
        "load": round(os.getloadavg()[0], 1),
        "line": next((each for each in told if _LINE.search(each)), None),
        "told": told[-40:],
        "untouched": before == snapshot(root),
        "promoted": [f"{each['kind']}: {each['title']}" for each in found.get("promotions", [])],
        "modules_skipped": _counted(each["reason"] for each in _listed(found, "skipped")),
        "findings": found.get("findings", 0),
    }
    (scratch / "fresh").mkdir()
    row["again"] = run_again(lay_out(places, source, scratch / "fresh"), root, found, scratch)
    return row


def run_again(tree: Path, root: Path, found: dict[str, Any], scratch: Path) -> dict[str, Any]:
    """How the promoted tests end in another copy, in an environment made anew; empty: none."""
    applied = _apply(tree, root, found)
    files, new = applied.test_files, applied.new_tests
    if not files:
        return {}
    environ = {**os.environ, "XDG_STATE_HOME": str(scratch / "another_state")}
    environ.pop("VIRTUAL_ENV", None)
    words = [sys.executable, "-m", "benchmarks.first_contact.again", str(tree), *files]
    code, out, told = _run(words, environ, _AGAIN_SECONDS)
    answer = _read(out)
    if code != 0 or not answer or answer["silence"]:
        return {"files": files, "problem": answer.get("silence") or told[-3:]}
    ends: dict[str, str] = {name: answer["ends"][name] for name in answer["ends"]}
    ours = {name: end for name, end in ends.items() if _plain(name) in new}
    failed = {name: answer["reasons"].get(name, "") for name, end in ends.items()
              if end == "failed"}  # fmt: skip
    return {
        "files": files,
        "passed": list(ends.values()).count("passed"),
        "new": len(ours),
        "new_passed": list(ours.values()).count("passed"),
        "failed": {name: why for name, why in failed.items() if name in ours},
        "failed_elsewhere": {name: why for name, why in failed.items() if name not in ours},
        "never_run": sorted(new - set(map(_plain, ours))),
    }


def _plain(name: str) -> str:
    """A test by the name of its function alone."""
    return name.rpartition("::")[2].partition("[")[0]


@dataclass(frozen=True, slots=True)
class Applied:
    """What was promoted, laid over a copy."""

    touched: tuple[str, ...]
    difference: str

    @property
    def test_files(self) -> list[str]:
        """Those that are there and hold tests."""
        return sorted({each for each in self.touched if _TEST_FILE.search(each)})

    @property
    def new_tests(self) -> set[str]:
        """Names of functions that were not there."""
        return set(_NEW.findall(self.difference))


def _apply(tree: Path, root: Path, found: dict[str, Any]) -> Applied:
    touched: list[str] = []
    differences: list[str] = []
    branch = found.get("branch")
    promotions = found.get("promotions", [])
    if branch and promotions:
        base = _git(tree, "rev-parse", "HEAD").strip()
        _git(tree, "fetch", "--quiet", str(root), branch)
        touched = _git(tree, "diff", "--name-only", base, "FETCH_HEAD").splitlines()
        differences.append(_git(tree, "diff", base, "FETCH_HEAD"))
        _git(tree, "checkout", "--quiet", "--detach", "FETCH_HEAD")
    for each in promotions:
        if each.get("patch"):
            patch = Path(each["patch"])
            differences.append(patch.read_text("utf-8", "replace"))
            words = ["git", "apply", "--numstat", str(patch)]
            told = subprocess.run(words, cwd=tree, capture_output=True, text=True, check=True)
            touched += [line.split("\t")[-1] for line in told.stdout.splitlines()]
            # Outside of a repository of its own, git would look for one above this folder.
            above = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)}
            subprocess.run(["git", "apply", str(patch)], cwd=tree, env=above, check=True)
    return Applied(tuple(touched), "\n".join(differences))


def snapshot(root: Path) -> dict[str, str]:
    """Every file of the user with its hash, and what git says; without our own folder."""
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root)
        if place.parts[0] in (".git", ".reverie"):
            continue
        kind = os.readlink(path) if path.is_symlink() else ""
        if path.is_file() and not path.is_symlink():
            kind = hashlib.sha256(path.read_bytes()).hexdigest()
        found[str(place)] = f"{path.lstat().st_mode:o} {kind}"
    if (root / ".git").exists():
        said = _git(root, "status", "--porcelain", "--ignored").splitlines()
        found["git status"] = "\n".join(each for each in said if ".reverie" not in each)
        found["git HEAD"] = _git(root, "rev-parse", "HEAD", "--abbrev-ref", "HEAD")
    return found


def remove(folder: Path) -> None:
    """Take the scratch folder away; what a suite made unwritable stays."""
    shutil.rmtree(folder, ignore_errors=True)


def _git(root: Path, *arguments: str) -> str:
    words = ["git", "-C", str(root), *arguments]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def _run(words: list[str], environ: dict[str, str], seconds: float) -> tuple[int, str, list[str]]:
    try:
        ended = subprocess.run(
            words, env=environ, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return -1, "", ["no end in time"]
    return ended.returncode, ended.stdout, ended.stderr.strip().splitlines()


def _read(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _outcome(code: int, told: list[str]) -> str:
    if code == 2:
        return "refused"
    if code != 0:
        return "broken"
    seen = next(filter(None, map(_LINE.search, told)), None)
    if seen is None:
        return "no suite"
    return "nearly green" if int(seen[2]) else "green"


def _listed(found: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """What `run` lists; `prepare` counts some of it."""
    listed = found.get(key)
    return listed if isinstance(listed, list) else []


def _counted(reasons: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in reasons:
        found[each] = found.get(each, 0) + 1
    return found
