"""Reverie's main job on the bundled sample repository. `make run` runs it.

The repository is made in the user's cache folder, with a past; a later run finds it there, and
what was dreamt about before is not dreamt about again.
"""

import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from sample_history import git, make_sample

from reverie.interfaces.cli.boundary import run as reverie

BUDGET = "100s"


def main(arguments: list[str]) -> int:
    """Make the sample where it is missing, run one cycle on it, and say where to look."""
    folder = sample_folder()
    if not is_sample(folder):
        shutil.rmtree(folder, ignore_errors=True)
        make_sample(folder)
    before = git(folder, "status", "--porcelain")
    print(f"sample repository: {folder}", flush=True)
    code = reverie(["run", str(folder), "--budget", BUDGET, *arguments])
    if git(folder, "status", "--porcelain") != before:
        print("error: the working tree of the sample has changed", file=sys.stderr)
        return 3
    place, command = map(shlex.quote, (str(folder), str(Path(sys.executable).with_name("reverie"))))
    print(f"\nto go on there: cd {place}; the command is {command}", file=sys.stderr)
    return code


def sample_folder() -> Path:
    """Below the user's cache; where there is none, a new temporary folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    place = Path(cache) / "reverie" / "sample" / "lendery"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if os.access(place.parent, os.W_OK):
            return place
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="reverie-sample-")) / "lendery"


def is_sample(folder: Path) -> bool:
    """Whether the sample lies there, as this version of it makes it."""
    if not (folder / ".git").is_dir():
        return False
    with tempfile.TemporaryDirectory() as scratch:
        expected = make_sample(Path(scratch) / "lendery")
    return git(folder, "rev-parse", "main") == expected


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
