"""Projects from the registry, each with an environment of its own made once."""

import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

PEERS = Path(__file__).parents[1] / ".peers" / "mutation"


@dataclass(frozen=True, slots=True)
class Project:
    """An sdist, and what to mutate in it."""

    name: str
    version: str
    source: str
    tests: str

    @property
    def folder(self) -> Path:
        return PEERS / "sdists" / f"{self.name}-{self.version}"

    @property
    def source_path(self) -> Path:
        return self.folder / self.source


COMPARED = (
    Project("boltons", "26.2.0", "boltons/strutils.py", "tests/test_strutils.py"),
    Project("inflection", "0.5.1", "inflection", "test_inflection.py"),
    Project("toolz", "1.2.0", "toolz/itertoolz.py", "toolz/tests/test_itertoolz.py"),
    Project("isodate", "0.7.2", "src/isodate", "tests"),
    Project("humanize", "4.16.0", "src/humanize/number.py", "tests/test_number.py"),
)
"""For speed, agreement and the second look. Small enough for the slowest peer."""

ANY = (
    "inflection", "isodate", "parse", "first", "xmltodict", "itsdangerous", "cachetools", "blinker",
    "humanize", "semver",
)  # fmt: skip
"""Run whole, with nothing said about them."""
NEEDED = ("freezegun", "text-unidecode", "wcwidth")
"""What their tests import besides pytest and themselves."""


def fetch(name: str, version: str | None = None) -> Path:
    """An sdist of a project, the newest or of one version; what is there already is kept."""
    sdists = PEERS / "sdists"
    sdists.mkdir(parents=True, exist_ok=True)
    pattern = f"{name.replace('-', '[-_]')}-{version or '[0-9]*'}"
    if not (found := [each for each in sdists.glob(pattern) if each.is_dir()]):
        archives = list(sdists.glob(f"{pattern}.tar.gz"))
        if not archives:
            _run(sys.executable, "-m", "pip", "download", "-q", "--no-binary", ":all:", "--no-deps",
                 "-d", str(sdists), f"{name}=={version}" if version else name)  # fmt: skip
            archives = list(sdists.glob(f"{pattern}.tar.gz"))
        with tarfile.open(archives[0]) as archive:
            archive.extractall(sdists, filter="data")
        found = [each for each in sdists.glob(pattern) if each.is_dir()]
    return found[0]


def environment(label: str, *packages: str) -> Path:
    """The interpreter of a virtual environment with these packages."""
    folder = PEERS / "environments" / label
    python = folder / "bin" / "python"
    if not (folder / ".made").exists():
        shutil.rmtree(folder, ignore_errors=True)
        _run(sys.executable, "-m", "venv", str(folder))
        _run(str(python), "-m", "pip", "install", "-q", *packages)
        (folder / ".made").touch()
    return python


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
