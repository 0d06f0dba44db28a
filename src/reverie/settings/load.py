"""Gathers what was written where, and turns it into the tree."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import ConfigError
from reverie.index.trail import FRESH_NS, changed_ns
from reverie.model.setting import settings_of
from reverie.settings.aliases import ALIASES, REPOSITORY_KEY, Alias
from reverie.settings.sources import FILES, PREFIX, look_at_sources
from reverie.settings.sources import VARIABLE as REPOSITORY_VARIABLE
from reverie.settings.tree import (
    SECTIONS,
    Loaded,
    Settings,
    flag_of,
    known_setting,
    known_settings,
    redacted,
    section_type,
    variable_of,
)

_SHOWN_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class _Entry:
    """One value as it was written."""

    key: str
    raw: object
    origin: str
    is_text: bool = True
    in_repository: bool = False
    alias: Alias | None = None


def load_settings(
    repository: Path, environ: Mapping[str, str], overrides: Mapping[str, str]
) -> Loaded:
    """The settings in force in a repository. `overrides` maps dotted keys to what flags said."""
    values: dict[str, Any] = {}
    written: dict[str, str] = {}
    notes: list[str] = []
    sources = None if overrides else _settled_sources(repository, environ)
    for entry in _entries(repository, environ, overrides):
        try:
            values[entry.key] = _read(entry)
        except ConfigError as error:
            if entry.alias is None or not entry.alias.shared:
                raise
            notes.append(f"passed over, taken to be another program's: {error}")
            continue
        written[entry.key] = entry.origin
    return Loaded(repository, _tree(values), written, tuple(notes), sources)


def _settled_sources(repository: Path, environ: Mapping[str, str]) -> tuple[int, ...] | None:
    """What the files look like before they are read; None: too fresh to tell, or others speak."""
    sources = look_at_sources(str(repository), environ)
    is_settled = max(map(changed_ns, sources or ()), default=0) < time.time_ns() - FRESH_NS
    return sources if is_settled else None


def _entries(
    repository: Path, environ: Mapping[str, str], overrides: Mapping[str, str]
) -> Iterator[_Entry]:
    """Everything written anywhere, weakest first."""
    pyproject, dotenv = FILES
    yield from _from_pyproject(repository / pyproject)
    yield from _from_dotenv(repository / dotenv)
    places = {name: f"environment {name}" for name in environ}
    yield from _from_variables(environ, places, in_repository=False)
    for key, raw in overrides.items():
        yield _Entry(key, raw, flag_of(key))


def _from_pyproject(path: Path) -> Iterator[_Entry]:
    content = _content(path)
    if content is None:
        return
    import tomllib

    try:
        document = tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path.name}: not valid TOML: {error}") from error
    tool = document.get("tool", {})
    tree = tool.get("reverie", {}) if isinstance(tool, dict) else {}
    for section, table in _table(tree, f"{path.name}: tool.reverie").items():
        where = f"tool.reverie.{section}"
        _require_known(section, SECTIONS, path.name, "tool.reverie.")
        given = _table(table, f"{path.name}: {where}")
        for name, raw in _with_rest_gathered(section, given).items():
            key = f"{section}.{name}"
            _require_known(name, _names(section), path.name, f"{where}.")
            yield _Entry(key, raw, f"{path.name} [{where}]", is_text=False, in_repository=True)


def _with_rest_gathered(section: str, table: Mapping[str, object]) -> Mapping[str, object]:
    """A table in which what is no setting is handed to the setting that takes the rest, if any."""
    settings = settings_of(section_type(section))
    taker = next((name for name, about in settings.items() if about.takes_rest), None)
    rest = {
        name: raw
        for name, raw in table.items()
        if name not in settings and isinstance(raw, dict | list)
    }
    if taker is None or not rest:
        return table
    named = table.get(taker, {})
    kept = {name: raw for name, raw in table.items() if name not in rest}
    return {**kept, taker: {**named, **rest} if isinstance(named, dict) else named}


def _from_dotenv(path: Path) -> Iterator[_Entry]:
    content = _content(path)
    if content is None:
        return
    from reverie.settings.dotenv import parse_dotenv

    variables: dict[str, str] = {}
    places: dict[str, str] = {}
    for each in parse_dotenv(content, path.name):
        variables[each.name] = each.value
        places[each.name] = f"{path.name}:{each.line}"
    yield from _from_variables(variables, places, in_repository=True)


def _from_variables(
    variables: Mapping[str, str], places: Mapping[str, str], *, in_repository: bool
) -> Iterator[_Entry]:
    ours = [name for name in variables if name.startswith(PREFIX) and name != REPOSITORY_VARIABLE]
    keys = {variable_of(key): key for key in known_settings()} if ours else {}
    for name in ours:
        place = places[name].removesuffix(f" {name}")
        short = [variable.removeprefix(PREFIX) for variable in keys]
        _require_known(name.removeprefix(PREFIX), short, place, PREFIX)
    for alias in reversed(ALIASES):
        raw = _meant(alias, variables.get(alias.name, ""))
        if raw and alias.key != REPOSITORY_KEY:
            origin = f"{places[alias.name]} (alias)"
            if in_repository:
                origin = f"{places[alias.name]} {alias.name} (alias)"
            yield _Entry(alias.key, raw, origin, in_repository=in_repository, alias=alias)
    for name, key in keys.items():
        if variables.get(name):
            yield _Entry(key, variables[name], places[name], in_repository=in_repository)


def _meant(alias: Alias, value: str) -> str:
    if alias.when_true is None or not value:
        return value
    switch = value.strip().lower()
    return "" if switch in {"0", "false", "no", "off"} else alias.when_true


def _read(entry: _Entry) -> Any:
    try:
        about = known_setting(entry.key)
    except KeyError:
        raise ConfigError(f"{entry.origin}: there is no setting {entry.key}") from None
    reader = about.reader
    try:
        value = reader.from_text(str(entry.raw)) if entry.is_text else reader.check(entry.raw)
    except ValueError as error:
        raise ConfigError(f"{_described(entry)}: {error}") from error
    if entry.in_repository and (about.outside_only or value in about.loosens):
        cannot = "set this" if about.outside_only else "loosen its own sandbox"
        raise ConfigError(
            f"{_described(entry)}: a file of the repository cannot {cannot}; "
            f"use {variable_of(entry.key)} in the environment, or the command line"
        )
    return value


def _described(entry: _Entry) -> str:
    value = redacted(repr(entry.raw))
    if len(value) > _SHOWN_CHARACTERS:
        value = value[:_SHOWN_CHARACTERS] + "…"
    return f"{entry.key} = {value} ({entry.origin})"


def _tree(values: Mapping[str, Any]) -> Settings:
    given: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        section, _, name = key.partition(".")
        given.setdefault(section, {})[name] = value
    return Settings(given)


def _names(section: str) -> list[str]:
    return list(settings_of(section_type(section)))


def _table(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} = {str(value)[:_SHOWN_CHARACTERS]!r}: expected a table")
    return value


def _require_known(name: str, valid: Iterable[str], place: str, prefix: str) -> None:
    candidates = list(valid)
    if name in candidates:
        return
    import difflib

    nearest = difflib.get_close_matches(name, candidates, n=1)
    advice = f"did you mean {nearest[0]}?" if nearest else "`reverie config` lists the known ones"
    if nearest and prefix == PREFIX:
        advice = f"did you mean {prefix}{nearest[0]}?"
    raise ConfigError(f"{place}: unknown setting {prefix}{name}; {advice}")


def _content(path: Path) -> str | None:
    """The text of a regular file; None when there is none (a folder `.env` is somebody's venv)."""
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path.name}: not UTF-8 at byte {error.start}") from error
    except OSError as error:
        raise ConfigError(f"{path.name}: {error.strerror}") from error
