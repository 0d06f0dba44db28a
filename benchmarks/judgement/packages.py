"""The repositories that `packaged.jsonl` changes: files of a source distribution, and some of ours.

Nothing of a distribution is kept here; it comes from the index that pip is set up for.
"""

import json
import tarfile
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from benchmarks.first_contact.fetching import fetch_sdists
from benchmarks.first_contact.repositories import Sdist

_ROWS = Path(__file__).with_name("packages.json")
_PLACE = Path("build/sdists")


@cache
def files_of(name: str) -> dict[str, str]:
    """What is taken of a package, with our own settings and tests over it."""
    row = json.loads(_ROWS.read_text("utf-8"))[name]
    fetch_sdists([Sdist(name, row["version"], 0)], _PLACE)
    found: dict[str, str] = {}
    with tarfile.open(_PLACE / f"{name}-{row['version']}.tar.gz") as archive:
        for member in archive:
            path = member.name.partition("/")[2]
            if member.isfile() and any(fnmatchcase(path, each) for each in row["take"]):
                content = archive.extractfile(member)
                assert content is not None
                found[path] = content.read().decode("utf-8")
    return {**found, **row["files"]}
