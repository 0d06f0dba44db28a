"""Requirements that a project declares: values, lines that become requirements, `pyproject.toml`.

Read are the standard tables, and those of poetry, pdm, hatch, flit and uv. A requirement is a
name with its versions, extras and condition. Whatever leads elsewhere than to the package index
that this machine is configured for (an address, a path, an option) is left out, and named: a
repository does not say where programs come from.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

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


FILE = "pyproject.toml"
_POETRY_GROUP = "dev"


def read_toml(path: Path) -> Mapping[str, Any]:
    """A table; empty where there is none that can be read."""
    try:
        if path.stat().st_size > MOST_BYTES * 16:
            return {}
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def read_pyproject(root: Path) -> Declaration | None:
    """What the file says; None without one that says anything about a project."""
    whole = read_toml(root / FILE)
    if not whole:
        return None
    declared = _declared(whole)
    elsewhere = frozenset(_sources_elsewhere(table_of(table_of(whole, "tool"), "uv")))
    return replace(
        declared,
        runtime=None if declared.runtime is None else _led(declared.runtime, elsewhere),
        groups=tuple(replace(e, lines=_led(e.lines, elsewhere)) for e in declared.groups),
    )


def _sources_elsewhere(uv: Mapping[str, Any]) -> Iterator[str]:
    """Names that uv takes from a workspace, a path or an address; the index has strangers' then."""
    for name, value in table_of(uv, "sources").items():
        tables = value if isinstance(value, list) else [value]
        if any(isinstance(each, Mapping) and "index" not in each for each in tables):
            yield canonicalize_name(name)


def _led(lines: Iterable[str], elsewhere: frozenset[str]) -> tuple[str, ...]:
    """Lines, of which those that lead elsewhere say so."""
    names = {line: re.split(r"[^\w.-]", line.strip(), maxsplit=1)[0] for line in lines}
    return tuple(
        f"{name} @ elsewhere" if canonicalize_name(name) in elsewhere else line
        for line, name in names.items()
    )


def _declared(whole: Mapping[str, Any]) -> Declaration:
    project, tool = table_of(whole, "project"), table_of(whole, "tool")
    poetry = table_of(tool, "poetry")
    flit = table_of(table_of(tool, "flit"), "metadata")
    groups = [
        *_plain(text_lists(project.get("optional-dependencies"))),
        *_plain(_groups(table_of(whole, "dependency-groups"))),
        *_plain(_poetry_groups(poetry)),
        *_plain(text_lists(table_of(table_of(tool, "pdm"), "dev-dependencies"))),
        *_plain(_hatch(tool)),
        *_plain(text_lists(flit.get("requires-extra"))),
    ]
    optional = table_of(_dynamic_table(tool), "optional-dependencies")
    groups += _plain((name, _named_files(table)) for name, table in optional.items())
    uv_dev = table_of(tool, "uv").get("dev-dependencies")
    groups += _plain(text_lists({"dev": uv_dev}))
    dynamic = project.get("dynamic")
    is_dynamic = isinstance(dynamic, list) and "version" in dynamic
    return Declaration(
        FILE,
        runtime=_dynamic(tool, "dependencies") or _runtime(project, poetry, flit),
        groups=tuple(groups),
        requires_python=_requires_python(project, poetry, flit),
        metadata=Metadata(
            name=_text(project.get("name") or poetry.get("name") or flit.get("dist-name")),
            version=_text(project.get("version") or poetry.get("version")),
            is_dynamic=is_dynamic or bool(flit),
            entry_points=_entry_points(project, poetry, tool),
            fields=tuple(_fields(project)),
        ),
        build=tuple(_texts(table_of(whole, "build-system").get("requires"))),
    )


def _plain(pairs: Iterable[tuple[str, tuple[str, ...]]]) -> list[Group]:
    return [Group(FILE, name, lines) for name, lines in pairs]


def _runtime(
    project: Mapping[str, Any], poetry: Mapping[str, Any], flit: Mapping[str, Any]
) -> tuple[str, ...] | None:
    dynamic = project.get("dynamic")
    if project and not (isinstance(dynamic, list) and "dependencies" in dynamic):
        listed = project.get("dependencies")
        if isinstance(listed, list) or not poetry:
            return tuple(_texts(listed))
    if "dependencies" in poetry:
        return tuple(_poetry_lines(table_of(poetry, "dependencies")))
    return tuple(_texts(flit.get("requires"))) if flit else None


def _dynamic_table(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    return table_of(table_of(tool, "setuptools"), "dynamic")


def _dynamic(tool: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    """What setuptools is told to take out of files; None: it is not told so."""
    return _named_files(_dynamic_table(tool).get(name)) or None


def _named_files(table: object) -> tuple[str, ...]:
    files = table.get("file") if isinstance(table, Mapping) else None
    return tuple(f"-r {each}" for each in ([files] if isinstance(files, str) else _texts(files)))


def _requires_python(
    project: Mapping[str, Any], poetry: Mapping[str, Any], flit: Mapping[str, Any]
) -> str | None:
    if isinstance(project.get("requires-python"), str):
        return str(project["requires-python"])
    said = table_of(poetry, "dependencies").get("python")
    if isinstance(said, str):
        return poetry_specifier(said)
    return _text(flit.get("requires-python"))


def _groups(table: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Dependency groups, with what they include of one another."""
    for name in table:
        yield name, tuple(_group_lines(table, name, frozenset()))


def _group_lines(table: Mapping[str, Any], name: str, above: frozenset[str]) -> Iterator[str]:
    lines = table.get(name)
    if name in above or not isinstance(lines, list):
        return
    for each in lines:
        if isinstance(each, str):
            yield each
        elif isinstance(each, Mapping) and isinstance(each.get("include-group"), str):
            wanted = _normal(each["include-group"])
            other = next((key for key in table if _normal(key) == wanted), "")
            yield from _group_lines(table, other, above | {name})


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _poetry_groups(poetry: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    known = table_of(poetry, "dependencies")
    if "dev-dependencies" in poetry:
        yield _POETRY_GROUP, tuple(_poetry_lines(table_of(poetry, "dev-dependencies")))
    for name, group in table_of(poetry, "group").items():
        if isinstance(group, Mapping):
            yield str(name), tuple(_poetry_lines(table_of(group, "dependencies")))
    for name, members in text_lists(poetry.get("extras")):
        wanted = {_normal(each) for each in members}
        chosen = {key: value for key, value in known.items() if _normal(key) in wanted}
        yield name, tuple(_poetry_lines(chosen, has_optional=True))


def _poetry_lines(table: Mapping[str, Any], *, has_optional: bool = False) -> Iterator[str]:
    """Requirements as everybody writes them, out of poetry's tables."""
    for name, value in table.items():
        if name == "python":
            continue
        for said in value if isinstance(value, list) else [value]:
            options = said if isinstance(said, Mapping) else {"version": said}
            if options.get("optional") is True and not has_optional:
                continue
            if any(key in options for key in ("git", "path", "url", "file")):
                yield f"{name} @ {next(iter(options.values()))}"
                continue
            extras = ",".join(_texts(options.get("extras")))
            versions = poetry_specifier(str(options.get("version", "*")))
            condition = " and ".join(_poetry_conditions(options))
            named = f"{name}[{extras}]" if extras else str(name)
            yield f"{named}{versions}" + (f"; {condition}" if condition else "")


def _poetry_conditions(options: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(options.get("markers"), str):
        yield f"({options['markers']})"
    if isinstance(options.get("python"), str):
        for each in filter(None, poetry_specifier(options["python"]).split(",")):
            found = re.fullmatch(r"\s*([<>=!~]=?|===)\s*(\S+)\s*", each)
            if found is not None:
                yield f"python_version {found[1]} '{found[2]}'"


def poetry_specifier(text: str) -> str:
    """A version as poetry writes it (`^1.2`, `~1.2`, `1.*`), in the standard's words.

    Of alternatives (`||`) the last one is taken: it is the newest.
    """
    last = text.split("||")[-1]
    parts = [each.strip() for each in re.split(r",|\s+(?=[<>=!~^])", last) if each.strip()]
    return ",".join(filter(None, map(_poetry_part, parts)))


def _poetry_part(part: str) -> str:
    if part in ("*", ""):
        return ""
    if part[0] == "^" or (part[0] == "~" and not part.startswith("~=")):
        floor = part[1:].strip()
        return f">={floor},<{_ceiling(floor, is_caret=part[0] == '^')}"
    if part[0].isdigit():
        return f"=={part}"
    return part.replace(" ", "")


def _ceiling(floor: str, *, is_caret: bool) -> str:
    """The first version that is too new."""
    numbers = [int(each) for each in re.findall(r"\d+", floor.partition("-")[0])][:3] or [0]
    if is_caret:
        place = next((i for i, each in enumerate(numbers) if each), len(numbers) - 1)
    else:
        place = min(1, len(numbers) - 1)
    return ".".join(str(each) for each in [*numbers[:place], numbers[place] + 1])


def _hatch(tool: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The dependencies of hatch's environments, with the extras that they take."""
    environments = table_of(table_of(tool, "hatch"), "envs")
    for name, table in environments.items():
        if isinstance(table, Mapping):
            lines = [
                *_texts(table.get("dependencies")),
                *_texts(table.get("extra-dependencies")),
            ]
            lines += [f".[{each}]" for each in _texts(table.get("features"))]
            if lines:
                yield str(name), tuple(lines)


def _entry_points(
    project: Mapping[str, Any], poetry: Mapping[str, Any], tool: Mapping[str, Any]
) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    flit = table_of(tool, "flit")
    pairs = [
        ("console_scripts", project.get("scripts") or poetry.get("scripts") or flit.get("scripts")),
        ("gui_scripts", project.get("gui-scripts")),
        *table_of(project, "entry-points").items(),
        *table_of(poetry, "plugins").items(),
    ]
    for name, table in pairs:
        if isinstance(table, Mapping):
            texts = {str(key): value for key, value in table.items() if isinstance(value, str)}
            found.setdefault(str(name), {}).update(texts)
    return {name: table for name, table in found.items() if table}


def _fields(project: Mapping[str, Any]) -> Iterator[str]:
    """What the standard writes into the metadata, each on one line."""
    lines: list[tuple[str, object]] = [("Summary", project.get("description"))]
    licence = project.get("license")
    if isinstance(licence, Mapping):
        lines.append(("License", licence.get("text")))
    else:
        lines.append(("License-Expression", licence))
    for role, word in (("authors", "Author"), ("maintainers", "Maintainer")):
        people = project.get(role)
        for each in people if isinstance(people, list) else ():
            name, email = (each.get(key) if isinstance(each, Mapping) else None
                           for key in ("name", "email"))  # fmt: skip
            whole = f"{name} <{email}>" if name and email else email
            lines.append((f"{word}-email", whole) if email else (word, name))
    urls = table_of(project, "urls").items()
    lines += [("Project-URL", f"{name}, {url}") for name, url in urls]
    lines += [("Classifier", each) for each in _texts(project.get("classifiers"))]
    lines.append(("Requires-Python", project.get("requires-python")))
    yield from (f"{key}: {' '.join(text.split())}" for key, text in lines if isinstance(text, str))


def table_of(of: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A table inside another; empty where something else stands there."""
    value = of.get(name)
    return value if isinstance(value, Mapping) else {}


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
