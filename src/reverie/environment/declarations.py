"""What the files of a project say that it needs: values, and how a line becomes a requirement.

A requirement is a name with its versions, extras and condition. Whatever leads elsewhere than to
the package index that this machine is configured for (an address, a path, an option) is left out,
and named: a repository does not say where programs come from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

MOST_BYTES = 1 << 20
_EMPTY: Mapping[str, Mapping[str, str]] = MappingProxyType({})
_COMMENT = re.compile(r"(^|\s)#.*$")
_HASH = re.compile(r"\s--hash[= ]\S+|\s*\\$")
_OWN = re.compile(r"\.(?:/|\\)?(?:\[(?P<extras>[^\]]*)\])?$")


@dataclass(frozen=True, slots=True)
class Group:
    """Requirements that stand together under one name: an extra, a group, a file."""

    source: str
    """The file that has it."""
    name: str | None
    """None: the file is the group."""
    lines: tuple[str, ...]

    @property
    def label(self) -> str:
        """How it is shown: `pyproject.toml [test]`."""
        return self.source if self.name is None else f"{self.source} [{self.name}]"


@dataclass(frozen=True, slots=True)
class Metadata:
    """What an installed copy of the project would say about itself."""

    name: str | None = None
    version: str | None = None
    is_dynamic: bool = False
    """Whether the version comes out of the history or out of a build."""
    entry_points: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: _EMPTY)
    fields: tuple[str, ...] = ()
    """Further lines of the file of metadata: summary, licence, people, addresses."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What one file says; what it does not say is absent."""

    source: str
    runtime: tuple[str, ...] | None = None
    groups: tuple[Group, ...] = ()
    requires_python: str | None = None
    metadata: Metadata = Metadata()
    build: tuple[str, ...] = ()
    """What building needs."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sorted:
    """Lines, sorted: requirements, extras of the project itself, and what is left out."""

    requirements: tuple[Requirement, ...]
    extras: tuple[str, ...]
    left_out: tuple[str, ...]


def sort_lines(lines: Iterable[str], own_name: str | None) -> Sorted:
    """Read requirement lines; `.[test]` and `package[test]` of the project are extras of it."""
    found: list[Requirement] = []
    extras: list[str] = []
    left_out: list[str] = []
    for line in filter(None, map(strip_line, lines)):
        own = _OWN.fullmatch(re.sub(r"^(-e|--editable)[ =]?\s*", "", line))
        if own is not None:
            extras += _words(own["extras"] or "")
            continue
        requirement = read_requirement(line)
        if requirement is None:
            left_out.append(line)
        elif is_same(requirement.name, own_name):
            extras += sorted(requirement.extras)
        else:
            found.append(requirement)
    return Sorted(tuple(found), tuple(extras), tuple(left_out))


def strip_line(line: str) -> str:
    """A line of a requirements file without its comment and hashes."""
    return _HASH.sub("", _COMMENT.sub("", line)).strip()


def read_requirement(line: str) -> Requirement | None:
    """One requirement; None for whatever is none, or leads to an address."""
    try:
        requirement = Requirement(line)
    except InvalidRequirement:
        return None
    return None if requirement.url is not None else requirement


def is_same(name: str, other: str | None) -> bool:
    """Whether two names are of one distribution."""
    return other is not None and canonicalize_name(name) == canonicalize_name(other)


def applies(requirement: Requirement, python_version: str) -> bool:
    """Whether a requirement holds for a version of Python on this machine."""
    if requirement.marker is None:
        return True
    environment = {
        "python_version": python_version,
        "python_full_version": f"{python_version}.0",
        "extra": "",
    }
    return requirement.marker.evaluate(environment)


def text_lists(table: object) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The lists of texts in a table that a project file has, by name."""
    if isinstance(table, Mapping):
        for name, value in table.items():
            if isinstance(value, list):
                yield str(name), tuple(each for each in value if isinstance(each, str))


def _words(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]
