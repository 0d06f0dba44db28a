"""One environment for each repository whose commits are judged: what its tests need, not itself."""

import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def environment_of(row: Mapping[str, Any], folder: Path) -> str:
    """The interpreter of a case's repository; the environment is made when it is not there."""
    place = folder / row["repo"].replace("/", "+")
    python = place / "bin" / "python"
    if not (place / ".ready").exists():
        print(f"making the environment of {row['repo']}", file=sys.stderr, flush=True)
        venv.create(place, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "--quiet", *row["install"]]
        subprocess.run(install, check=True)
        _name_it(python, row["distribution"], row["version"])
        (place / ".ready").touch()
    return str(python)


def _name_it(python: Path, name: str, version: str) -> None:
    """The package is imported from its tree; only its name and version are written down."""
    remove = [str(python), "-m", "pip", "uninstall", "--quiet", "--yes", name]
    subprocess.run(remove, check=True, capture_output=True)
    (site,) = python.parent.parent.glob("lib/python3*/site-packages")
    written = site / f"{name.replace('-', '_').replace('.', '_')}-{version}.dist-info"
    written.mkdir()
    told = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (written / "METADATA").write_text(told, "utf-8")
