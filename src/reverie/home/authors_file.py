"""The user's authors in a file of their own, outside of every repository."""

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from reverie.errors import UsageError, reason_of
from reverie.home.folder import config_folder
from reverie.model.author import Author, read_author

FILE = "authors.toml"
_HEAD = (
    "# Authors of `reverie run --authors`. Keys are never kept here: only the variable's name.\n"
)


def authors_file(environ: Mapping[str, str]) -> Path:
    """Where they are kept."""
    return Path(config_folder(environ)) / FILE


def read_authors(environ: Mapping[str, str]) -> dict[str, Author]:
    """All that were added, by name."""
    place = authors_file(environ)
    try:
        document = tomllib.loads(place.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {str(place)!r}: {reason_of(error)}") from error
    found = {}
    for name, table in document.items():
        if not isinstance(table, dict):
            raise UsageError(f"{place}: {name!r} is no table")
        found[name] = read_author(name, table, str(place))
    return found


def write_authors(environ: Mapping[str, str], authors: Mapping[str, Author]) -> Path:
    """Write all of them, readable by nobody else; the file is there whole or as it was."""
    place = authors_file(environ)
    parts = [_HEAD]
    for name, author in sorted(authors.items()):
        lines = (f"{key} = {_value(value)}" for key, value in author.table().items())
        parts.append("\n".join((f"[{json.dumps(name)}]", *lines)) + "\n")
    beside = place.with_suffix(".new")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as stream:
            stream.write("\n".join(parts))
        os.replace(beside, place)
    except OSError as error:
        raise UsageError(f"cannot write {str(place)!r}: {error.strerror}") from error
    return place


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
