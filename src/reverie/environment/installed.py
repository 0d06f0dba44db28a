"""What an interpreter has installed, read from its folders: nothing is started for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

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
