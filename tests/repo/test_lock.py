"""What is installed here is locked: every package by version and hash, and nothing else."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
PYTHONS = ("3.11.0", "3.12.0", "3.13.0")


@dataclass(frozen=True, slots=True)
class Pin:
    name: str
    version: str
    marker: Marker | None
    hashes: int

    def is_for(self, python: str) -> bool:
        about = {"python_full_version": python, "python_version": python[:4]}
        return self.marker is None or self.marker.evaluate(about)


def read_lock(path: Path) -> Iterator[Pin]:
    for block in re.split(r"\n(?=\S)", path.read_text("utf-8").strip()):
        first, *hashes = [line.strip(" \\") for line in block.splitlines()]
        assert all(map(_HASH.fullmatch, hashes)), block
        wanted = Requirement(first)
        (exact,) = wanted.specifier
        assert exact.operator == "=="
        yield Pin(canonicalize_name(wanted.name), exact.version, wanted.marker, len(hashes))


@pytest.fixture(scope="module")
def project(root: Path) -> dict:  # type: ignore[type-arg]
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


def wanted_by(project: dict, lock: str) -> list[str]:  # type: ignore[type-arg]
    own, extras = project["project"]["dependencies"], project["project"]["optional-dependencies"]
    build, groups = project["build-system"]["requires"], project["dependency-groups"]
    every = [each for name, several in extras.items() if name != "all" for each in several]
    return {
        "dev": [*own, *build, *every, *groups["dev"]],
        "image": [*own, *build, *extras["coverage"], *extras["postgres"]],
        "beside": groups["beside"],
        "site": groups["docs"],
        "model": groups["model"],
    }[lock]


@pytest.mark.parametrize("lock", ["dev", "image", "beside", "site", "model"])
def test_every_lock_satisfies_the_project(root: Path, project: dict, lock: str) -> None:  # type: ignore[type-arg]
    path = root / "requirements" / f"{lock}.txt"
    assert "://" not in path.read_text("utf-8"), "it names no package index"
    pins = list(read_lock(path))
    assert all(each.hashes for each in pins)
    for python in PYTHONS:
        locked = {each.name: each.version for each in pins if each.is_for(python)}
        for wanted in map(Requirement, wanted_by(project, lock)):
            found = locked.get(canonicalize_name(wanted.name))
            assert found is not None, f"{wanted} is not locked: make lock"
            assert wanted.specifier.contains(found, prereleases=True), f"{wanted}: {found} is"


def test_all_extras_are_locked(project: dict) -> None:  # type: ignore[type-arg]
    extras = project["project"]["optional-dependencies"]
    (every,) = map(Requirement, extras["all"])
    assert every.extras == extras.keys() - {"all"}


def test_the_suite_runs_with_what_is_locked(root: Path) -> None:
    import platform

    python = platform.python_version()
    for pin in read_lock(root / "requirements" / "dev.txt"):
        if pin.is_for(python):
            assert version(pin.name) == pin.version, f"{pin.name}: run make setup"


def test_the_image_is_named_by_its_digest_and_installs_by_hash(root: Path) -> None:
    text = (root / "Dockerfile").read_text("utf-8")
    lines = text.splitlines()
    assert lines.count("ARG BASE") == 2, "no default: it is named by whoever builds"
    assert [line for line in lines if line.startswith("FROM")] == ["FROM ${BASE}"]
    assert '*@sha256:*) ;; *) echo "BASE names no digest: $BASE" >&2; exit 1' in text
    installs = re.findall(r"pip install [^\\&]*", text)
    assert len(installs) == 2
    assert "--require-hashes" in installs[0]
    assert "--no-deps --no-build-isolation" in installs[1]


def test_no_script_installs_what_is_not_locked(root: Path) -> None:
    for name in ("setup.sh", "site.sh"):
        text = (root / "scripts" / name).read_text("utf-8")
        for line in re.findall(r".*-m pip install.*", text):
            bootstrap = re.search(r"--quiet (pip|--target .* virtualenv)\b", line)
            own = "--no-deps --no-build-isolation --editable ." in line
            assert bootstrap or own or "--require-hashes" in line, line
