"""Wheels of distributions that exist as source alone, built in the sandbox without a network.

Building runs foreign code, so it happens where foreign code runs: it sees the unpacked archive and
an environment with what its build asks for, and nothing of the user's. What comes out is a wheel,
which is believed to be one of that distribution and nothing else.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import ssl
import tarfile
import urllib.request
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from packaging.requirements import Requirement
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

from reverie.environment.declarations import read_toml
from reverie.errors import ProgramFailed
from reverie.home.archives import extract_plain
from reverie.model.execution import MIB, Call, Execution, Request
from reverie.model.outcome import IsolationTier
from reverie.sandbox.bundle import source_of
from reverie.sandbox.engine import Sandbox

MOST_BYTES = 64 * MIB
MOST_UNPACKED = 512 * MIB
_SECONDS = 300.0
_FETCH_SECONDS = 60.0
_LEGACY = ("setuptools<80", "wheel")
_LEGACY_BACKEND = "setuptools.build_meta:__legacy__"
_CERTIFICATES = ("PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")


class MakeEnvironment(Protocol):
    """Makes an environment with some requirements, wheels alone; the path of its Python."""

    def __call__(self, requirements: Sequence[str], name: str) -> str:
        """The path of the Python of a new environment of that name."""


def choose_link(links: Sequence[str], requirement: Requirement) -> str | None:
    """The newest archive that a requirement allows."""
    found: list[tuple[Version, str]] = []
    for link in links:
        try:
            _, version = parse_sdist_filename(_file_name(link).replace(".zip", ".tar.gz"))
        except (InvalidSdistFilename, ValueError):
            continue
        if requirement.specifier.contains(version):
            found.append((version, link))
    return max(found)[1] if found else None


def fetch_archive(link: str, folder: Path, environ: Mapping[str, str]) -> Path:
    """The archive behind an address of the index, with its hash checked."""
    address, _, fragment = link.partition("#")
    place = folder / _file_name(link)
    context = ssl.create_default_context()
    for name in _CERTIFICATES:
        if os.path.isfile(environ.get(name, "")):
            context.load_verify_locations(environ[name])
    try:
        with urllib.request.urlopen(address, timeout=_FETCH_SECONDS, context=context) as stream:
            content = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ProgramFailed("fetching sources", f"{_file_name(link)}: {error}") from error
    if len(content) > MOST_BYTES:
        raise ProgramFailed("fetching sources", f"{_file_name(link)} is larger than {MOST_BYTES}")
    wanted = fragment.removeprefix("sha256=") if fragment.startswith("sha256=") else None
    if wanted is None and not address.startswith("file:"):
        raise ProgramFailed("fetching sources", f"the index has no hash of {_file_name(link)}")
    if wanted is not None and hashlib.sha256(content).hexdigest() != wanted:
        raise ProgramFailed("fetching sources", f"{_file_name(link)} has another hash")
    place.write_bytes(content)
    return place


def unpack(archive: Path, folder: Path) -> Path:
    """The only folder of a source archive; nothing is written outside of it."""
    folder.mkdir()
    try:
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as zipped:
                _require_small(sum(each.file_size for each in zipped.infolist()), archive)
                zipped.extractall(folder)
        else:
            with tarfile.open(archive) as packed:
                _require_small(sum(each.size for each in packed), archive)
                extract_plain(packed, folder)
    except (tarfile.TarError, zipfile.BadZipFile, OSError, EOFError) as error:
        raise ProgramFailed("unpacking", f"{archive.name}: {error}") from error
    inner = [each for each in folder.iterdir() if each.is_dir()]
    return inner[0] if len(inner) == 1 else folder


def build_wheel(
    sandbox: Sandbox, source: Path, name: str, make: MakeEnvironment, wheels: Path
) -> Path:
    """Build the wheel of an unpacked source into a folder; `ProgramFailed` where that fails."""
    if sandbox.tier is IsolationTier.NONE:
        raise ProgramFailed("building", f"{name} has no wheel, and nothing is built uncontained")
    system = read_toml(source / "pyproject.toml").get("build-system")
    table: Mapping[str, Any] = system if isinstance(system, Mapping) else {}
    requires = [str(each) for each in table.get("requires", _LEGACY)]
    params = {
        "source": str(source),
        "backend": str(table.get("build-backend", _LEGACY_BACKEND)),
        "backend_path": [str(each) for each in table.get("backend-path", ())],
    }
    python = make(requires, f"{name}-build")
    asked = _run(sandbox, python, source, {**params, "asks": True}, name).get("requires")
    more = [str(each) for each in asked] if isinstance(asked, list) else []
    if set(more) - set(requires):
        python = make([*requires, *more], f"{name}-build-more")
    answer = _run(sandbox, python, source, {**params, "asks": False}, name)
    return _kept(answer, name, wheels)


def _run(
    sandbox: Sandbox, python: str, source: Path, params: Mapping[str, Any], name: str
) -> Mapping[str, Any]:
    policy = replace(sandbox.section.policy(), readonly=(str(source),), python=python)
    limits = replace(
        sandbox.section.limits(),
        wall_seconds=_SECONDS,
        memory_bytes=2048 * MIB,
        processes=256,
        open_files=1024,
        disk_bytes=MOST_UNPACKED,
        result_bytes=2 * MOST_BYTES,
    )
    call = Call(_program(), "build_wheel", {"request": dict(params)})
    execution = sandbox.run(Request(call, limits, policy))
    if not execution.succeeded or not isinstance(execution.output, Mapping):
        raise ProgramFailed("building", f"{name}: {_last_words(execution)}")
    return execution.output


def _kept(answer: Mapping[str, Any], name: str, wheels: Path) -> Path:
    """The wheel that came out, if it is one of that distribution."""
    file = str(answer.get("name"))
    try:
        found = parse_wheel_filename(file)[0]
        content = base64.b64decode(str(answer.get("wheel")), validate=True)
    except (InvalidWheelFilename, binascii.Error, ValueError) as error:
        raise ProgramFailed("building", f"{name}: what came out is no wheel") from error
    if found != canonicalize_name(name) or os.path.basename(file) != file:
        raise ProgramFailed("building", f"{name}: what came out is a wheel of {found}")
    place = wheels / file
    place.write_bytes(content)
    return place


def _last_words(execution: Execution) -> str:
    if execution.error is not None:
        return f"{execution.outcome}: {execution.error.message}"[:400]
    return str(execution.outcome)


def _require_small(size: int, archive: Path) -> None:
    if size > MOST_UNPACKED:
        raise ProgramFailed("unpacking", f"{archive.name} holds {size} bytes")


def _file_name(link: str) -> str:
    return os.path.basename(link.partition("#")[0])


def _program() -> str:
    return source_of("reverie.environment.inside.wheel_building")
