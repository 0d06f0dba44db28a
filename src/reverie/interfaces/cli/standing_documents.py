"""Orphans and the module map as JSON prints them, and as files that a person can compare."""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.model.codec import Malformed, plain, read
from reverie.model.standing import (
    CLASSIFICATIONS_FILE,
    MAP_FILE,
    ORPHANS_FILE,
    ModuleMap,
    ModuleStanding,
)

_INTEGRATED = "integrated"
_LARGEST_MAP = 64 << 20


def write_orphans(folder: Path, standings: Sequence[ModuleStanding]) -> None:
    """The two files about orphans, by path: files of one name stay apart."""
    write_json(folder / ORPHANS_FILE, sorted(each.path for each in standings if each.orphan))
    by_path = {each.path: plain(each) for each in standings}
    write_json(folder / CLASSIFICATIONS_FILE, by_path)


def write_map(folder: Path, module_map: ModuleMap) -> None:
    """The file of the module map; what was integrated before stays in it."""
    kept = _read(folder / MAP_FILE).get(_INTEGRATED)
    integrated = {} if kept is None else {_INTEGRATED: kept}
    write_json(folder / MAP_FILE, {**plain(module_map), **integrated})


def read_map(folder: Path) -> ModuleMap | None:
    """The map that was written last; None when there is none that can be read."""
    with suppress(Malformed):
        return replace(read(ModuleMap, _read(folder / MAP_FILE), loose=True), modularity=None)
    return None


def _read(path: Path) -> Mapping[str, Any]:
    """A JSON object in a file; an empty one where there is none that can be read."""
    with suppress(OSError, ValueError, RecursionError):
        if path.stat().st_size <= _LARGEST_MAP:
            found = json.loads(path.read_text("utf-8"))
            return found if isinstance(found, dict) else {}
    return {}


def write_json(path: Path, document: object) -> None:
    """Write a file whole or not at all: keys sorted, one value per line."""
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    write_text(path, text)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error
