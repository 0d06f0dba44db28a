"""`python -m benchmarks.first_contact MIRROR [--only OWNER/NAME] [--out FILE]`.

MIRROR holds bare git directories as `OWNER+NAME/repo`. Each repository of the list is cloned afresh
and handed to `reverie prepare --yes --json` with an empty state folder, so that nothing is known
and nothing is installed. What came of it is printed, and written as JSON.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.first_contact.repositories import REPOSITORIES

_SECONDS = 1200


def contact(mirror: Path, name: str) -> dict[str, Any]:
    """One repository from a plain clone."""
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch, name.partition("/")[2])
        source = mirror / name.replace("/", "+", 1) / "repo"
        subprocess.run(["git", "clone", "--quiet", str(source), str(clone)], check=True)
        environ = {**os.environ, "XDG_STATE_HOME": f"{scratch}/state"}
        environ.pop("VIRTUAL_ENV", None)
        before = _status(clone)
        began = time.monotonic()
        command = [sys.executable, "-m", "reverie", "prepare", str(clone), "--yes", "--json"]
        try:
            ended = subprocess.run(
                command, env=environ, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
            code, words = ended.returncode, ended.stderr.strip().splitlines()[-1:]
            found = json.loads(ended.stdout) if ended.stdout.strip() else {}
        except subprocess.TimeoutExpired:
            code, words, found = -1, ["no end in time"], {}
        return {
            "repository": name,
            "exit": code,
            "outcome": _outcome(code, found),
            "wall_seconds": round(time.monotonic() - began, 1),
            "line": found.get("line"),
            "findings": found.get("findings", words),
            "failing": found.get("failing", {}),
            "notes": found.get("notes", []),
            "untouched": before == _status(clone),
        }


def _status(clone: Path) -> str:
    words = ["git", "-C", str(clone), "status", "--porcelain", "--ignored"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def _outcome(code: int, found: dict[str, Any]) -> str:
    if code == 0:
        return "green" if found.get("passed") and not found.get("failed") else "nearly green"
    return "refused" if code == 2 else "broken"


def main() -> int:
    """Every repository of the list, one line each, then the sums."""
    parser = argparse.ArgumentParser(prog="benchmarks.first_contact")
    parser.add_argument("mirror", type=Path)
    parser.add_argument("--only", action="append")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = []
    for name in options.only or REPOSITORIES:
        row = contact(options.mirror, name)
        rows.append(row)
        print(f"{name:36} {row['outcome']:12} {row['wall_seconds']:6.0f} s  {row['line']}")
        for each in row["findings"]:
            print(f"{'':38}{each['text'] if isinstance(each, dict) else each}", flush=True)
        if options.out is not None:
            options.out.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    sums = {row["outcome"] for row in rows}
    for outcome in sorted(sums):
        print(f"{outcome}: {sum(row['outcome'] == outcome for row in rows)} of {len(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
