"""Everything that was written about settings, where it was written, weakest first.

`.env` files hold `NAME=value`, quotes, comments and `export`; nothing is expanded or written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import ConfigError
from reverie.home.folder import settings_file
from reverie.model.settings.setting import settings_of
from reverie.settings.sources import ALIASES, FILES, PREFIX, REPOSITORY_KEY, Alias
from reverie.settings.sources import VARIABLE as REPOSITORY_VARIABLE
from reverie.settings.tree import SECTIONS, flag_of, known_settings, section_type, variable_of

_BLANK = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
_ASSIGNMENT = re.compile(
    r"""
    [ \t]*(?:export[ \t]+)?
    (?P<name>[A-Za-z_][\w.-]*)[ \t]*=[ \t]*
    (?: '(?P<single>[^']*)'[ \t]*(?:\#[^\n]*)?
      | "(?P<double>(?:[^"\\]|\\.)*)"[ \t]*(?:\#[^\n]*)?
      | (?P<bare>(?!['"])[^\n]*)
    )
    (?:\n|\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT = re.compile(r"(?:^|\s)#.*", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Assignment:
    """One variable of a `.env` file. Lines start at 1."""

    name: str
    value: str
    line: int


def parse_dotenv(content: str, filename: str) -> list[Assignment]:
    """The assignments of a `.env` file, in order. The message of an error quotes no value."""
    content = content.replace("\r\n", "\n").removeprefix("\ufeff")
    found: list[Assignment] = []
    position, line = 0, 1
    while position < len(content):
        match = _BLANK.match(content, position)
        if match is None:
            match = _ASSIGNMENT.match(content, position)
            if match is None:
                raise ConfigError(f"{filename}:{line}: expected NAME=value, with any quote closed")
            found.append(Assignment(match["name"], _value(match), line))
        line += match[0].count("\n")
        position = match.end()
    return found


def _value(match: re.Match[str]) -> str:
    if match["single"] is not None:
        return match["single"]
    if match["double"] is not None:
        return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), match["double"])
    return _COMMENT.sub("", match["bare"]).strip()


REPOSITORIES = "repositories"
"""The table of the user's file with what holds in one repository alone, by its path."""
SHOWN_CHARACTERS = 80
_MAX_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One value as it was written."""

    key: str
    raw: object
    origin: str
    is_text: bool = True
    in_repository: bool = False
    alias: Alias | None = None


@dataclass(frozen=True, slots=True)
class Sources:
    """All places that settings come from."""

    repository: Path
    environ: Mapping[str, str]
    overrides: Mapping[str, str]
    """Dotted keys with what flags said."""
    files: Mapping[str, bytes] | None = None
    """The files of a revision of the repository; None: those that lie in it now."""

    def entries(self) -> Iterator[Entry]:
        """Everything written anywhere, weakest first.

        What the user wrote for all repositories comes first, as a repository may know better;
        what the user wrote for this one comes after its own files.
        """
        everywhere, here = self._from_user()
        yield from everywhere
        pyproject, dotenv = FILES
        yield from _from_pyproject(pyproject, self._content(pyproject))
        yield from _from_dotenv(dotenv, self._content(dotenv))
        yield from here
        places = {name: f"environment {name}" for name in self.environ}
        yield from _from_variables(self.environ, places, in_repository=False)
        for key, raw in self.overrides.items():
            yield Entry(key, raw, flag_of(key))

    def _content(self, name: str) -> str | None:
        if self.files is None:
            return _content(self.repository / name, name)
        given = self.files.get(name)
        return None if given is None else _decoded(given, name)

    def _from_user(self) -> tuple[list[Entry], list[Entry]]:
        """What the user's file says of all repositories, and of this one."""
        place = settings_file(self.environ)
        content = None if place is None else _content(Path(place), place)
        if place is None or content is None:
            return [], []
        tree = _parsed(content, place)
        several = _table(tree.pop(REPOSITORIES, {}), f"{place}: {REPOSITORIES}")
        here = [
            entry
            for path, tables in several.items()
            if Path(path).expanduser().resolve() == self.repository.resolve()
            for entry in _from_tables(
                _table(tables, f"{place}: {path}"), place, f'{REPOSITORIES}."{path}".'
            )
        ]
        return list(_from_tables(tree, place, "")), here


def _from_pyproject(name: str, content: str | None) -> Iterator[Entry]:
    if content is None:
        return
    tool = _parsed(content, name).get("tool", {})
    tree = tool.get("reverie", {}) if isinstance(tool, dict) else {}
    tables = _table(tree, f"{name}: tool.reverie")
    yield from _from_tables(tables, name, "tool.reverie.", in_repository=True)


def _from_tables(
    tree: Mapping[str, object], place: str, prefix: str, *, in_repository: bool = False
) -> Iterator[Entry]:
    for section, table in tree.items():
        where = f"{prefix}{section}"
        _require_known(section, SECTIONS, place, prefix)
        given = _table(table, f"{place}: {where}")
        for name, raw in _with_rest_gathered(section, given).items():
            _require_known(name, _names(section), place, f"{where}.")
            origin = f"{place} [{where}]"
            key = f"{section}.{name}"
            yield Entry(key, raw, origin, is_text=False, in_repository=in_repository)


def _parsed(content: str, place: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{place}: not valid TOML: {error}") from error


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


def _from_dotenv(name: str, content: str | None) -> Iterator[Entry]:
    if content is None:
        return

    variables: dict[str, str] = {}
    places: dict[str, str] = {}
    for each in parse_dotenv(content, name):
        variables[each.name] = each.value
        places[each.name] = f"{name}:{each.line}"
    yield from _from_variables(variables, places, in_repository=True)


def _from_variables(
    variables: Mapping[str, str], places: Mapping[str, str], *, in_repository: bool
) -> Iterator[Entry]:
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
            yield Entry(alias.key, raw, origin, in_repository=in_repository, alias=alias)
    for name, key in keys.items():
        if variables.get(name):
            yield Entry(key, variables[name], places[name], in_repository=in_repository)


def _meant(alias: Alias, value: str) -> str:
    if alias.when_true is None or not value:
        return value
    switch = value.strip().lower()
    return "" if switch in {"0", "false", "no", "off"} else alias.when_true


def _names(section: str) -> list[str]:
    return list(settings_of(section_type(section)))


def _table(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} = {str(value)[:SHOWN_CHARACTERS]!r}: expected a table")
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


def _content(path: Path, name: str) -> str | None:
    """The text of a regular file; None when there is none (a folder `.env` is somebody's venv)."""
    try:
        if not path.is_file():
            return None
        if path.stat().st_size > _MAX_BYTES:
            raise ConfigError(f"{name}: larger than {_MAX_BYTES >> 20} MiB")
        return _decoded(path.read_bytes(), name)
    except OSError as error:
        raise ConfigError(f"{name}: {error.strerror}") from error


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: not UTF-8 at byte {error.start}") from error
