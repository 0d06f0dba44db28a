"""Installed distributions: those of an interpreter, read; and the project's own, written.

Nothing is started to read them. The project is imported from its own folder: programs that ask
for its version, and those that look for its plug-ins, find what is written beside its
dependencies.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from reverie.environment.declarations import Metadata, read_toml
from reverie.environment.setup_files import assigned_text, read_text
from reverie.sandbox.interpreters import interpreter_at, own_interpreter


def installed_versions(python: str | None) -> Mapping[str, Version | None]:
    """Versions by canonical name; None for Python is the one that runs Reverie."""
    interpreter = own_interpreter() if python is None else interpreter_at(python)
    found: dict[str, Version | None] = {}
    for folder in interpreter.site_packages:
        for each in (*Path(folder).glob("*.dist-info"), *Path(folder).glob("*.egg-info")):
            name, _, version = each.name.rpartition(".")[0].partition("-")
            found.setdefault(canonicalize_name(name), _version(version.partition("-py")[0]))
    return found


def missing_from(
    python: str | None, requirements: Iterable[Requirement], loose: Collection[str] = ()
) -> tuple[Requirement, ...]:
    """Requirements that are not there, or in another version; `loose` ones may be in any."""
    installed = installed_versions(python)
    return tuple(each for each in requirements if not _is_met(each, installed, loose))


def _is_met(
    requirement: Requirement, installed: Mapping[str, Version | None], loose: Collection[str]
) -> bool:
    name = canonicalize_name(requirement.name)
    if name not in installed or requirement.name in loose:
        return name in installed
    version = installed[name]
    return version is None or requirement.specifier.contains(version, prereleases=True)


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None


_UNKNOWN = "0.1.dev0"
_VERSION_FILES = ("__init__.py", "__about__.py", "__version__.py", "_version.py", "version.py")
_VERSION_NAMES = ("__version__", "version", "VERSION", "__VERSION__")
_PASSED_OVER = frozenset({"tests", "test", "docs", "doc", "examples", "build", "dist"})
_GENERATED = '"""The version of this copy, written by Reverie as a build would."""\n\n'


def complete_metadata(root: Path, metadata: Metadata, tag: str | None) -> Metadata:
    """Name and version as far as files, or else the newest tag of git, say them."""
    name = metadata.name or next((each.name for each in _packages(root)), None)
    version = metadata.version if _is_version(metadata.version) else None
    version = version or _written_version(root) or _version_of_tag(tag) or _UNKNOWN
    return replace(metadata, name=name, version=str(Version(version)))


def write_own_package(site_packages: Path, metadata: Metadata, requires: tuple[str, ...]) -> None:
    """A `dist-info` of the project, unless a copy of it was installed as somebody's need."""
    if metadata.name is None or metadata.version is None:
        return
    plain = re.sub(r"[-_.]+", "_", metadata.name)
    wanted = canonicalize_name(metadata.name)
    for other in site_packages.glob("*.dist-info"):
        if canonicalize_name(other.name.partition("-")[0]) == wanted:
            return
    folder = site_packages / f"{plain}-{metadata.version}.dist-info"
    folder.mkdir()
    lines = ["Metadata-Version: 2.4", f"Name: {metadata.name}", f"Version: {metadata.version}"]
    lines += [*metadata.fields, *(f"Requires-Dist: {each}" for each in requires)]
    (folder / "METADATA").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "INSTALLER").write_text("reverie\n", "utf-8")
    (folder / "RECORD").write_text("", "utf-8")
    points = "\n".join(_point_lines(metadata))
    if points:
        (folder / "entry_points.txt").write_text(points + "\n", "utf-8")


def write_scripts(bin_folder: Path, metadata: Metadata) -> None:
    """The commands that the project declares, as an installation would lay them."""
    for name, target in metadata.entry_points.get("console_scripts", {}).items():
        module, _, attribute = target.partition(" ")[0].partition("[")[0].partition(":")
        place = bin_folder / name
        is_plain = re.fullmatch(r"[\w.-]+", name) and re.fullmatch(r"[\w.]+", module)
        if not is_plain or not re.fullmatch(r"[\w.]+", attribute) or os.path.lexists(place):
            continue
        first = attribute.partition(".")[0]
        lines = (
            f"#!{bin_folder / 'python'}",
            "import sys",
            f"from {module} import {first}",
            f"sys.exit({attribute}())",
        )
        place.write_text("\n".join(lines) + "\n", "utf-8")
        place.chmod(0o755)


def generated_files(root: Path, version: str) -> dict[str, str]:
    """Files that a build would write and the repository does not have: its version, by path."""
    found: dict[str, str] = {}
    for name in _version_files(root):
        is_inside = not os.path.isabs(name) and ".." not in Path(name).parts
        if is_inside and name.endswith(".py") and not (root / name).exists():
            found[name] = _GENERATED + _version_source(version)
    return found


def _version_source(version: str) -> str:
    release = Version(version).release
    return (
        f'__version__ = version = "{version}"\n'
        f"__version_tuple__ = version_tuple = {tuple(release)!r}\n"
        "__commit_id__ = commit_id = None\n"
    )


def _version_files(root: Path) -> Iterator[str]:
    tool = read_toml(root / "pyproject.toml").get("tool")
    tables = tool if isinstance(tool, dict) else {}
    scm = tables.get("setuptools_scm")
    for key in ("write_to", "version_file"):
        if isinstance(scm, dict) and isinstance(scm.get(key), str):
            yield scm[key]
    hooks: Any = tables
    for key in ("hatch", "build", "hooks", "vcs"):
        hooks = hooks.get(key) if isinstance(hooks, dict) else None
    if isinstance(hooks, dict) and isinstance(hooks.get("version-file"), str):
        yield hooks["version-file"]
    pdm = tables.get("pdm")
    version = pdm.get("version") if isinstance(pdm, dict) else None
    if isinstance(version, dict) and isinstance(version.get("write_to"), str):
        for start in ("src", "."):
            if (root / start / version["write_to"]).parent.is_dir():
                yield os.path.normpath(os.path.join(start, version["write_to"]))
                break
    script = read_text(root / "setup.py") or ""
    named = re.search(r"write_to['\"]?\s*[:=]\s*['\"]([^'\"]+)['\"]", script)
    if named is not None:
        yield named[1]


def _point_lines(metadata: Metadata) -> Iterator[str]:
    for group, table in sorted(metadata.entry_points.items()):
        yield f"[{group}]"
        yield from (f"{name} = {target}" for name, target in sorted(table.items()))


def _packages(root: Path) -> Iterator[Path]:
    for start in (root / "src", root):
        if start.is_dir():
            for each in sorted(start.iterdir()):
                if (each / "__init__.py").is_file() and each.name not in _PASSED_OVER:
                    yield each


def _written_version(root: Path) -> str | None:
    """The version that a package gives to a name in plain words."""
    places = [package / name for package in _packages(root) for name in _VERSION_FILES]
    places += sorted((root / "src").glob("*.py")) + sorted(root.glob("*.py"))
    for place in places:
        for name in _VERSION_NAMES:
            found = assigned_text(place, name)
            if _is_version(found):
                return found
    return None


def _version_of_tag(tag: str | None) -> str | None:
    found = re.search(r"\d+(\.\d+)+\S*$", tag or "")
    return found[0] if found is not None and _is_version(found[0]) else None


def _is_version(text: str | None) -> bool:
    try:
        return text is not None and bool(Version(text))
    except InvalidVersion:
        return False
