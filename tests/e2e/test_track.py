"""A callable that gets slower in the middle of its past, and what is said about it afterwards."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

QUICK = '''\
def unknown(customers: list[str], visits: list[str]) -> list[str]:
    """Visits of nobody."""
    known = set(customers)
    return [visit for visit in visits if visit not in known]
'''
SLOW = QUICK.replace("set(customers)", "list(customers)")


def git(folder: Path, *arguments: str) -> str:
    named = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    done = subprocess.run(
        ["git", *named, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def reverie(folder: Path, *arguments: str) -> "tuple[int, Any]":
    command = [sys.executable, "-m", "reverie", *arguments, "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> "tuple[Path, list[str]]":
    """A repository of three commits, of which the second makes it slow."""
    folder = tmp_path_factory.mktemp("shop")
    git(folder, "init", "-q")
    commits = []
    for number, text in enumerate((QUICK, SLOW, f"{SLOW}# 2\n")):
        (folder / "shop.py").write_text(text)
        git(folder, "add", "shop.py")
        git(folder, "commit", "-qm", f"Change {number}")
        commits.append(git(folder, "rev-parse", "HEAD"))
    reverie(folder, "init")
    return folder, commits


def test_the_commit_that_made_it_slower_is_found_kept_and_suggested(
    past: "tuple[Path, list[str]]",
) -> None:
    folder, commits = past
    code, found = reverie(folder, "track", "shop.py:unknown", "--since", commits[0])
    assert (code, found["verdict"]) == (1, "slower")
    assert found["regression"]["commit"] == commits[1]
    assert found["regression"]["subject"] == "Change 1"
    assert found["measure"]["cpu_seconds"] > 0
    _, told = reverie(folder, "suggest")
    kinds = {each["kind"]: each for each in told["suggestions"]}
    assert commits[1] in kinds["regression"]["command"]
    assert kinds["optimise"]["target"] == "shop.py:unknown"


def test_what_is_not_in_the_repository_is_refused(past: "tuple[Path, list[str]]") -> None:
    folder, _ = past
    command = [sys.executable, "-m", "reverie", "track", "shop.py:nothing", "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert "nothing" in done.stderr
