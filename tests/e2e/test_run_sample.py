"""`make run`, with less to spend: the bundled sample gains tests, and nothing of it changes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def run_sample(root: Path, home: Path, *arguments: str) -> dict[str, Any]:
    names = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
    ran = subprocess.run(
        [sys.executable, str(root / "examples" / "run_sample.py"), *arguments, "--json"],
        env={**os.environ, **dict.fromkeys(names, str(home))},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    first, _, rest = ran.stdout.partition("\n")
    assert first.startswith("sample repository: ")
    found: dict[str, Any] = json.loads(rest)
    return found


def test_it_promotes_with_proof_and_a_second_run_does_not_begin_again(
    cli: Any, root: Path, tmp_path: Path
) -> None:
    less = ("--executions", "30", "--dreams", "1")
    document = run_sample(root, tmp_path, *less)
    (promotion,) = document["promotions"]
    verified = cli(
        "verify", promotion["bundle"], "--static", environ={"XDG_CONFIG_HOME": str(tmp_path)}
    )
    assert verified.code == 0, verified.err
    folder = tmp_path / "reverie" / "sample" / "lendery"
    status = ["git", "status", "--porcelain"]
    assert subprocess.run(status, cwd=folder, capture_output=True, check=True).stdout == b""
    steps = run_sample(root, tmp_path, "--dry-run")["steps"]
    (again,) = [
        step
        for step in steps
        if (step["module"], step["dreamer"]) == (promotion["module"], "tests")
    ]
    assert again["state"] == "skipped"
    assert again["note"] == f"tried before: {document['cycle_id']}"
