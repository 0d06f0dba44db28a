"""Source distributions from the index that pip is set up for; nothing of them is run."""

import os
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement

from benchmarks.first_contact.repositories import Sdist
from reverie.environment.building import choose_link, fetch_archive
from reverie.environment.installers import find_pip
from reverie.environment.pythons import BasePython, own_version
from reverie.sandbox.interpreters import own_interpreter


def fetch_sdists(sdists: Sequence[Sdist], folder: Path) -> None:
    """Those that are not there yet, with their hashes checked."""
    folder.mkdir(parents=True, exist_ok=True)
    pip = find_pip(BasePython(own_interpreter().binary, own_version()), os.environ)
    if pip is None:
        raise SystemExit("no pip is there to ask the index with")
    have = {each.name.lower().replace("-", "_") for each in folder.iterdir()}
    for each in sdists:
        if f"{each.name}_{each.version}.tar.gz".replace("-", "_") in have:
            continue
        wanted = Requirement(f"{each.name}=={each.version}")
        link = choose_link(pip.source_links(each.name, folder), wanted)
        if link is None:
            raise SystemExit(f"the index has no source distribution of {each.title}")
        fetch_archive(link, folder, os.environ)
