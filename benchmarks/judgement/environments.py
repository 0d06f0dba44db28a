"""One environment for each repository whose commits are judged: what its tests need, not itself."""

import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie.environment.installed import write_own_package
from reverie.environment.needs import read_needs


def environment_of(row: Mapping[str, Any], folder: Path) -> str:
    """The interpreter of a case's repository; the environment is made when it is not there."""
    place = folder.absolute() / row["repo"].replace("/", "+")
    python = place / "bin" / "python"
    if not (place / ".ready").exists():
        print(f"making the environment of {row['repo']}", file=sys.stderr, flush=True)
        venv.create(place, with_pip=True, clear=True, symlinks=True)
        install = [str(python), "-m", "pip", "install", "--quiet", *row["install"]]
        subprocess.run(install, check=True)
        remove = [str(python), "-m", "pip", "uninstall", "--quiet", "--yes", row["distribution"]]
        subprocess.run(remove, check=True, capture_output=True)
        (place / ".ready").touch()
    return str(python)


def name_package(python: str, row: Mapping[str, Any], tree: Path) -> None:
    """Write down what a tree declares of its package, which is imported from the tree itself."""
    (site,) = Path(python).parent.parent.glob("lib/python3*/site-packages")
    name, version = row["distribution"], row["version"]
    plain = name.replace("-", "_").replace(".", "_")
    shutil.rmtree(site / f"{plain}-{version}.dist-info", ignore_errors=True)
    declared = read_needs(tree, "3.11").metadata
    write_own_package(site, replace(declared, name=name, version=version), ())
